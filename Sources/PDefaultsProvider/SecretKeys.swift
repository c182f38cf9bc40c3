#if Configuration
import SettingsStore

/// The keys whose values must not be shown.
struct SecretKeys: Sendable, Equatable {
    /// Those that the schema beside the suite names; nil if it can't be read. Then every key counts as secret.
    let stored: Set<String>?
    /// The declarations of this process, which may not be stored yet.
    let declared: SuiteSchema

    /// Whether the key, or a dictionary that it may lead through, is secret.
    func contain(_ components: [String]) -> Bool {
        guard let stored else { return true }
        let declared = declared.secretKeys
        if stored.isEmpty && declared.isEmpty { return false }
        return components.indices.contains { index in
            let key = components[...index].joined(separator: ".")
            return stored.contains(key) || declared.contains(key)
        }
    }
}

/// The secret keys of the schema beside a suite, read again when the schema changes.
final class StoredSecrets: Sendable {
    private let place: (any SchemaStore)?
    private let keys = Mutex<Set<String>?>(nil)

    init(of suite: SettingsSuite) { place = suite.schemaPlace }

    var current: Set<String>? { keys.withLock(\.self) }

    func read() {
        let secrets: Set<String>? = place.map { try? $0.read().secretKeys } ?? []
        keys.withLock { $0 = secrets }
    }

    /// Reads now and after each change, until the returned watch is released.
    ///
    /// - Parameter notify: is called after each change on another thread, with no lock held.
    func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch? {
        let watch = place?.watch { [weak self] in
            self?.read()
            notify()
        }
        read()
        return watch
    }
}
#endif
