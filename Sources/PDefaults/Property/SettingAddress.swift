import PropertyList
import SettingsStore

/// The suite and the key of a setting.
final class SettingAddress: Sendable {
    let key: String
    let suite: SettingsSuite
    /// Whether this declaration makes the value a secret. Another declaration of the key may do so too.
    private let isSecret: Bool

    init(_ key: String, in suite: SettingsSuite, isSecret: Bool) {
        self.key = key
        self.suite = suite
        self.isSecret = isSecret
    }

    /// Returns the address of this key in another suite.
    func replacingSuite(with suite: SettingsSuite) -> SettingAddress {
        SettingAddress(key, in: suite, isSecret: isSecret)
    }

    func isSame(as other: SettingAddress) -> Bool { key == other.key && suite == other.suite }

    /// Checks that the key is not locked, and a value of the right type against the limits that the suite has for the key.
    ///
    /// - Throws: why the setting can't have the value.
    func check(_ encoded: PropertyListValue, in suite: SettingsSuite) throws(PDefaultsError) {
        if let path = suite.lock(ofKey: key) {
            throw PDefaultsError(lockOf: key, by: path, at: suite.location)
        }
        if let problem = suite.limitsProblem(with: encoded, forKey: key) { throw error(.invalid, problem) }
    }

    /// The error for a value that was not stored for a reason that is not about the value itself.
    var takenBack: PDefaultsError {
        let reason = "its suite refused it, and reports the reason"
        return PDefaultsError(key: key, location: suite.location, problem: .unencodable, reason: reason)
    }

    func error(_ problem: PDefaultsError.Problem, _ reason: String) -> PDefaultsError {
        let isTold = !isSecret && !suite.hasSecret(key)
        return PDefaultsError(
            key: key,
            location: suite.location,
            problem: isTold ? problem : problem.withoutValues,
            reason: isTold ? reason : problem.reasonOfSecret
        )
    }
}
