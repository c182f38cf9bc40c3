import PropertyList

// Not every backend can do everything. Each protocol here is one capability that a backend may adopt. A suite asks
// `storage as? any Recoverable`, for example, and does without if the backend does not adopt it.

/// Checks whether a value can be stored, without storing it. A file in XML has no room for control characters, for
/// example.
public protocol ValidatesValues: SuiteStorage {
    /// Checks values for this storage as it was last read or written. It may be called on any thread, also while the
    /// storage is in use. A suite asks for it after each use of the storage.
    var valueCheck: ValueCheck { get }
}

/// Returns why a value can't be stored under a key; nil if it can.
public typealias ValueCheck = @Sendable (_ value: PropertyListValue, _ key: String) -> SettingsError?

extension ValidatesValues {
    /// Why a value can't be stored under a key; nil if it can.
    public func refusal(of value: PropertyListValue, forKey key: String) -> SettingsError? {
        valueCheck(value, key)
    }
}

/// Can tell without a write whether this process may write.
public protocol ReportsWriteAccess: SuiteStorage {
    /// Why this process can't write, as far as that is known without trying; nil if it can.
    func readOnlyReason() -> String?
}

/// Can set unreadable content aside.
public protocol Recoverable: SuiteStorage {
    /// Sets unreadable content aside and stores the changes in its place, in one step: a reader finds one or the
    /// other. The changes are all that is stored then; without a value, nothing is. If it throws, nothing was done,
    /// or only the confirmation failed, as with ``SuiteStorage/update(_:)``.
    ///
    /// - Returns: where the unreadable content is now; nil if the content can be read, and nothing was done.
    mutating func recover(with write: StorageWrite) throws(SettingsError) -> String?
}

/// Has room for the declared settings beside the suite, so that editors and other programs can read them.
public protocol StoresSchema: SuiteStorage {
    var schemaStore: any SchemaStore { get }
}

extension SuiteStorage {
    /// Where the declared settings of the suite are stored; nil if the backend has no room for them.
    public var schemaPlace: (any SchemaStore)? { (self as? any StoresSchema)?.schemaStore }
}

/// Writes a suite in a form that another suite can copy: format, order of keys, comments and mode of a file.
public protocol ProvidesTemplate: SuiteStorage {
    /// How the suite is written; nil if it does not exist.
    func template() throws(SettingsError) -> SuiteTemplate?
}

/// Can remove all of a suite in one step, with what other programs have stored in its place.
public protocol RemovesSuites: SuiteStorage {
    /// Removes everything that is stored of the suite. Returns whether there was anything.
    mutating func removeAll() throws(SettingsError) -> Bool
}
