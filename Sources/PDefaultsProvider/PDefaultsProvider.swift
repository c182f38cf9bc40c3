#if Configuration
public import Configuration
import PropertyList
public import SettingsStore

/// Provides the values of a suite to swift-configuration.
///
/// ```swift
/// let settings = PDefaultsProvider(suite: .standard)
/// let config = ConfigReader(providers: [EnvironmentVariablesProvider(), settings])
/// let port = config.int(forKey: "http.port", default: 8080)
/// ```
///
/// - Keys: `http.port` is the key `http.port` if the suite has it, otherwise member `port` of the dictionary `http`, and
///   so on at any depth: the longest key wins.
/// - Values: those that programs read, from all layers of the suite. Defaults of the program don't count, because they would hide
///   the values of later providers; give the default to the reader.
/// - Secrets: a value is marked secret if its setting is declared as secret in any program. If the declarations beside
///   the suite can't be read, all values are.
/// - Errors: a value that can't be read as the requested type is a ``PDefaultsProviderError``, and so is every key of a
///   suite that could not be read yet. If a suite becomes unreadable later, its last values stay.
///
/// The provider observes the suite while it exists, so values are current without a poll. All functions may be called
/// from any thread.
public final class PDefaultsProvider: ConfigProvider {
    /// `PDefaultsProvider[LOCATION]`, with the location of the suite.
    public let providerName: String
    private let suite: SettingsSuite
    private let secrets: StoredSecrets
    private let watchers = Watchers()
    private let observation: SuiteObservation
    /// Held until the provider is released.
    private let schemaWatch: StorageWatch?

    /// Reads the suite, and observes it from now on.
    public init(suite: SettingsSuite) {
        self.suite = suite
        providerName = "PDefaultsProvider[\(MessageText.path(suite.location))]"
        let watchers = watchers
        secrets = StoredSecrets(of: suite)
        schemaWatch = secrets.watch { watchers.notify(of: nil) }
        observation = suite.observe { event in
            switch event {
            case .change(let change): watchers.notify(of: change.key)
            case .layersChanged, .status, .failed: watchers.notify(of: nil)
            }
        }
    }

    private var current: SettingsSnapshot {
        SettingsSnapshot(
            providerName: providerName,
            location: suite.location,
            storesJSON: suite.storesJSON,
            values: suite.snapshot,
            secrets: SecretKeys(stored: secrets.current, declared: suite.declared)
        )
    }

    /// The value in memory, which is current as soon as the kernel or the cluster has notified the suite of a change.
    ///
    /// - Throws: ``PDefaultsProviderError``.
    public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        try current.value(forKey: key, type: type)
    }

    /// All values of one moment.
    public func snapshot() -> any ConfigSnapshot { current }

    /// Reads the suite again before it looks. While another program is writing the file in place, this finds the values
    /// from before.
    ///
    /// - Throws: ``PDefaultsProviderError``, also if the suite can't be read now.
    public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            // The disk or the network may take long, and so may a commit that is under way.
            LiveWorkScheduler().run { [suite, secrets] in
                suite.refresh()
                secrets.read()
                continuation.resume()
            }
        }
        let snapshot = current
        if let error = snapshot.values.contentError {
            throw PDefaultsProviderError(
                key: key.components.joined(separator: "."),
                location: suite.location,
                reason: error.reason
            )
        }
        return try snapshot.value(forKey: key, type: type)
    }

    /// Gives the current value, and a new one after each change. If changes are faster than the handler, it gets the
    /// latest value.
    public func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey,
        type: ConfigType,
        updatesHandler: (
            _ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
        ) async throws -> Return
    ) async throws -> Return {
        let (id, notifications) = watchers.add(key.components.joined(separator: "."))
        defer { watchers.remove(id) }
        let updates = Updates(notifications: notifications) {
            self.current.lookUp(key, type)
        } isSame: {
            $0 == $1
        }
        return try await updatesHandler(
            ConfigUpdatesAsyncSequence(updates.map { $0.mapError { $0 as any Error } })
        )
    }

    /// Gives a snapshot, and a new one after each change. Several keys that were set in one transaction change in one
    /// snapshot.
    public func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws ->
            Return
    ) async throws -> Return {
        let (id, notifications) = watchers.add(nil)
        defer { watchers.remove(id) }
        let updates = Updates(notifications: notifications) {
            self.current
        } isSame: {
            $0.isSame(as: $1)
        }
        return try await updatesHandler(
            ConfigUpdatesAsyncSequence(updates.map { $0 as any ConfigSnapshot })
        )
    }
}

extension PDefaultsProvider: CustomStringConvertible {
    public var description: String { current.description }
}
#endif
