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

/// Another process stores an integer.
func otherProcessStores(_ number: Int, forKey key: String, in path: String) throws {
    let result = try run(builtProgram(named: "StoreWriter"), ["update", path, key, "\(number)"])
    guard result.output.hasSuffix(" stored\n") else { throw HarnessError(result.output + result.errors) }
}
#endif
