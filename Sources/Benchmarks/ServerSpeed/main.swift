#if Configuration
import Configuration
import Glibc
import Logging
import PDefaults
import PDefaultsProvider
import ServiceLifecycle
import SystemPackage

// The processes that Sources/Benchmarks/server measures. All of them use the key `number` of one file.
//
// The numbers are strings, because ReloadingFileProvider 1.4 compares values as strings: a watch of another type in a
// property list receives no change.
//
// Times are nanoseconds of the monotonic clock, which all processes of a machine share.
//
//     property FILE     Prints "ready", and then each number that a subscriber of a property receives, and its time.
//     provider FILE     The same for a watch of swift-configuration, with PDefaultsProvider.
//     reloading FILE    The same with swift-configuration's own ReloadingFileProvider and its default interval.
//     set FILE          Stores each number of standard input, and prints the number and the time of its set.

func nanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

func say(_ line: String) { _ = (line + "\n").withCString { write(STDOUT_FILENO, $0, strlen($0)) } }

struct Settings: Sendable {
    @PDefaults var number: String

    init(_ path: String) {
        _number = PDefaults(wrappedValue: "", "number", suite: SettingsSuite(file: path))
    }

    /// Prints each number until the result is released.
    func printNumbers() -> AnyCancellable {
        _number.onUpdate { update in
            let now = nanoseconds()
            say("\(update.value) \(now)")
        }
    }
}

func printNumbers(_ reader: ConfigReader) async throws {
    try await reader.watchString(forKey: "number", default: "") { updates in
        for try await number in updates {
            let now = nanoseconds()
            say("\(number) \(now)")
        }
    }
}

/// Watches while the provider runs.
struct Watch: Service {
    let reader: ConfigReader

    func run() async throws { try await printNumbers(reader) }
}

let (role, path) = (CommandLine.arguments[1], CommandLine.arguments[2])
// A reader ends with its standard input.
if role != "set" {
    Task.detached {
        while readLine() != nil {}
        exit(0)
    }
}
switch role {
case "property":
    let subscription = Settings(path).printNumbers()
    say("ready")
    withExtendedLifetime(subscription) { while true { pause() } }
case "provider":
    say("ready")
    try await printNumbers(ConfigReader(provider: PDefaultsProvider(suite: SettingsSuite(file: path))))
case "reloading":
    let provider = try await ReloadingFileProvider<PropertyListSnapshot>(filePath: FilePath(path))
    say("ready")
    let services: [any Service] = [provider, Watch(reader: ConfigReader(provider: provider))]
    try await ServiceGroup(services: services, logger: Logger(label: "speed")).run()
case "set":
    let suite = SettingsSuite(file: path)
    _ = suite.storedValues
    say("ready")
    while let number = readLine() {
        let start = nanoseconds()
        suite.set(.string(number), forKey: "number")
        try suite.synchronize()
        say("\(number) \(start)")
    }
default: exit(64)
}
#endif
