#if Cluster
import ClusterStore
import Foundation
import PropertyList
import SettingsStore

// A program that the cluster's tests run as another process.
//
//   work URLS PREFIX NAME CLIENTS KEYS ROUNDS   starts clients that change a shared suite, and prints “counted”. After
//                                               the key “end” exists, prints what each client holds and has heard
//   digest URLS PREFIX                          prints a digest of the suite
//   set URLS PREFIX COPIES WORD…                sets keys (KEY=TEXT; KEY= removes), and prints “set”. Ends after a
//                                               line “end” on standard input, otherwise runs until it is killed.
//                                               Declares the key “secret” as a secret
//   show URLS PREFIX COPIES                     prints reported failures, and the suite's values
//   handle URLS PREFIX COPIES WORD…             sets keys like “set”, and ends. Its failure handler stores the
//                                               suite, and prints “handled”

let arguments = Array(CommandLine.arguments.dropFirst())

func number(_ index: Int) -> Int { Int(arguments[index]) ?? 0 }

func say(_ line: String) { _ = (line + "\n").withCString { write(STDOUT_FILENO, $0, strlen($0)) } }

/// A digest of all keys and values.
func digest(_ values: [String: PropertyListValue]) -> String {
    var hash: UInt64 = 14_695_981_039_346_656_037
    for line in values.map({ "\($0.key)=\($0.value)\n" }).sorted() {
        for byte in line.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
    }
    return "\(values.count) keys \(String(hash, radix: 16))"
}

func integer(_ value: PropertyListValue?) -> Int {
    if case .integer(let number)? = value { Int(exactly: number) ?? 0 } else { 0 }
}

/// A client of the shared suite.
final class Client: Sendable {
    private struct State {
        var heard: [String: PropertyListValue] = [:]
        var known: Set<String> = []
        /// How often a counter went down.
        var backwards = 0
        var acknowledged = 0
        var uncertain = 0
        var refused = 0
    }

    private let name: String
    private let suite: SettingsSuite
    private let state = Mutex(State())
    private let observation = Mutex<SuiteObservation?>(nil)

    init(_ name: String, in cluster: SettingsCluster) throws {
        self.name = name
        suite = SettingsSuite(ClusterStorage(try SuiteName("App"), in: cluster))
        observation.withLock { observation in
            observation = suite.observe { [weak self] event in
                if case .change(let change) = event { self?.hear(change) }
            }
        }
        let values = suite.storedValues
        state.withLock { state in
            for (key, value) in values where !state.known.contains(key) { state.heard[key] = value }
        }
    }

    private func hear(_ change: Change) {
        state.withLock { state in
            state.known.insert(change.key)
            if change.key.hasPrefix("count/"), integer(change.new) < integer(state.heard[change.key]) {
                state.backwards += 1
            }
            state.heard[change.key] = change.new
        }
    }

    func work(keys: Int, rounds: Int) {
        for round in 1...rounds {
            count("count/\(Int.random(in: 0..<max(1, keys / 10)))")
            suite.set(.string("\(name) \(round)"), forKey: "key/\(Int.random(in: 0..<keys))")
            suite.set(.integer(PropertyListInteger(round)), forKey: "own/\(name)")
            // A failed write stays pending.
            try? suite.synchronize()
        }
        while suite.status.pendingKeys > 0 {
            try? suite.synchronize()
            usleep(10_000)
        }
    }

    /// Adds 1 to a counter that all clients share.
    private func count(_ key: String) {
        var old = suite.storedValue(forKey: key)
        while true {
            let new = PropertyListValue.integer(PropertyListInteger(integer(old) + 1))
            do throws(SettingsError) {
                try suite.replace([key: new], expecting: [key: old])
                state.withLock { $0.acknowledged += 1 }
                return
            } catch {
                switch error {
                case .conflict(let current): old = current[key] ?? nil
                case .unconfirmed: return state.withLock { $0.uncertain += 1 }
                default: return state.withLock { $0.refused += 1 }
                }
            }
        }
    }

    var hasSeenTheEnd: Bool { state.withLock { $0.heard["end"] != nil } }

    var counts: [Int] { state.withLock { [$0.acknowledged, $0.uncertain, $0.refused] } }

    func report() {
        let (heard, backwards) = state.withLock { ($0.heard, $0.backwards) }
        say("heard \(digest(heard))")
        say("holds \(digest(suite.storedValues))")
        if backwards > 0 { say("heard \(backwards) numbers going down") }
    }
}

func listed(_ values: [String: PropertyListValue]) -> String {
    let shown = values.map { key, value in
        if case .string(let text) = value { "\(key)=\(text)" } else { "\(key)=\(value)" }
    }
    return shown.sorted().joined(separator: " ")
}

/// Sets keys (KEY=TEXT), or removes those without a text.
func set(_ words: ArraySlice<String>, in suite: SettingsSuite) {
    for word in words {
        let parts = word.split(separator: "=", omittingEmptySubsequences: false)
        let text = String(parts.last ?? "")
        suite.set(text.isEmpty ? nil : .string(text), forKey: String(parts[0]))
    }
}

func cluster() -> SettingsCluster {
    var cluster = SettingsCluster.etcd(arguments[1], prefix: arguments[2])
    cluster.copies = .none
    return cluster
}

switch arguments.first {
case "work":
    let place = cluster()
    let clients = try (0..<number(4)).map { try Client("\(arguments[3]).\($0)", in: place) }
    let group = DispatchGroup()
    for client in clients {
        group.enter()
        Thread {
            client.work(keys: number(5), rounds: number(6))
            group.leave()
        }.start()
    }
    group.wait()
    let counts = clients.map(\.counts)
    let sums = (0..<3).map { index in counts.map { $0[index] }.reduce(0, +) }
    say("counted \(sums.map { "\($0)" }.joined(separator: " "))")
    while !clients.allSatisfy(\.hasSeenTheEnd) { usleep(5_000) }
    for client in clients { client.report() }
case "digest":
    let suite = SettingsSuite(ClusterStorage(try SuiteName("App"), in: cluster()))
    say(digest(suite.storedValues))
case "set", "show":
    var place = SettingsCluster.etcd(arguments[1], prefix: arguments[2])
    place.copies = .kept(SettingsFolder(path: arguments[3]))
    place.patience = 1
    SettingsSuite.onFailure = { _, error in
        say("reported \(error)")
        if case .conflict(let current) = error { say("found \(listed(current.compactMapValues(\.self)))") }
    }
    let suite = try SettingsSuite(named: "App", in: place)
    var secret = SettingDeclaration(.string())
    secret.isSecret = true
    suite.declare(secret, forKey: "secret")
    let observation = suite.observe { _ in }
    set(arguments.dropFirst(4), in: suite)
    if arguments[0] == "set" {
        say("set")
        while readLine() != "end" { pause() }
    } else {
        say("has \(listed(suite.storedValues))")
    }
    withExtendedLifetime(observation) {}
case "handle":
    var place = SettingsCluster.etcd(arguments[1], prefix: arguments[2])
    place.copies = .kept(SettingsFolder(path: arguments[3]))
    place.patience = 1
    let suite = try SettingsSuite(named: "App", in: place)
    SettingsSuite.onFailure = { path, error in
        say("reported \(path): \(error)")
        try? suite.synchronize()
        say("handled \(path)")
    }
    say("has \(listed(suite.storedValues))")
    set(arguments.dropFirst(4), in: suite)
default: exit(64)
}
#endif
