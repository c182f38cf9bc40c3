#if Configuration
import Configuration
import Foundation
import PDefaultsProvider
import ProgramHarness

/// Some tests are shorter unless `PDEFAULTS_TESTS=long` is set.
let isLong = ProcessInfo.processInfo.environment["PDEFAULTS_TESTS"] == "long"

extension ConfigProvider {
    /// - Throws: what the provider throws.
    func content(_ key: String, _ type: ConfigType) throws -> ConfigContent? {
        try value(forKey: AbsoluteConfigKey(ConfigKey(key)), type: type).value?.content
    }
}

extension ConfigSnapshot {
    func content(_ key: String, _ type: ConfigType) throws -> ConfigContent? {
        try value(forKey: AbsoluteConfigKey(ConfigKey(key)), type: type).value?.content
    }
}

/// Keeps what a reader reports.
final class AccessLog: AccessReporter {
    private let reported = Mutex<[AccessEvent]>([])

    func report(_ event: AccessEvent) { reported.withLock { $0.append(event) } }

    var events: [AccessEvent] { reported.withLock(\.self) }
}

/// Another process stores an integer.
func otherProcessStores(_ number: Int, forKey key: String, in path: String) throws {
    let result = try run(builtProgram(named: "StoreWriter"), ["update", path, key, "\(number)"])
    guard result.output.hasSuffix(" stored\n") else { throw HarnessError(result.output + result.errors) }
}
#endif
