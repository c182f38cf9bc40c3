#if Cluster
import ClusterStore
import FoundationEssentials
import Glibc
import PropertyList
import SettingsStore

// The processes that Sources/Benchmarks/cluster measures.
//
// Times are nanoseconds of the monotonic clock, which all processes of a machine share.
//
//     watch URLS SUITES         Observes suites. Prints "ready", then each key that arrives and its time.
//     set URLS SUITES COUNT MS  Sets COUNT keys, one every MS milliseconds. Prints each key, the time of
//                               the set, and the duration until it was stored.
//     stamp                     Prints the time at which each line of standard input arrived.

let arguments = Array(CommandLine.arguments.dropFirst())

func number(_ index: Int) -> Int { Int(arguments[index]) ?? 0 }

func nanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

func say(_ line: String) { _ = (line + "\n").withCString { write(STDOUT_FILENO, $0, strlen($0)) } }

func suites() throws -> [SettingsSuite] {
    var cluster = SettingsCluster.etcd(arguments[1])
    cluster.copies = .none
    return try (0..<number(2)).map { try SettingsSuite(named: "suite \($0)", in: cluster) }
}

switch arguments.first {
case "watch":
    let observations = try suites().map { suite in
        suite.observe { event in
            let now = nanoseconds()
            if case .change(let change) = event { say("\(change.key) \(now)") }
        }
    }
    say("ready")
    // Runs until standard input is closed.
    while readLine() != nil {}
    withExtendedLifetime(observations) {}
case "set":
    let suites = try suites()
    for suite in suites { _ = suite.storedValues }
    let observations = suites.prefix(1).map { $0.observe { _ in } }
    for index in 0..<number(3) {
        usleep(UInt32(number(4) * 1000))
        let suite = suites[index % suites.count]
        let start = nanoseconds()
        // A new value each time, because an unchanged value is not reported.
        suite.set(.integer(PropertyListInteger(start)), forKey: "key\(index)")
        try suite.synchronize()
        say("key\(index) \(start) \(nanoseconds() - start)")
    }
    withExtendedLifetime(observations) {}
case "stamp":
    while let line = readLine() { say("\(line.split(separator: "/").last ?? "") \(nanoseconds())") }
default: exit(64)
}
#endif
