import PropertyList

/// Where suites are kept by their names: a folder of files, or a service on other machines.
public protocol SuitePlace: Sendable {
    /// Where this is, for people: a path or a URL.
    var location: String { get }

    /// Whether suites can be kept there at present: false where a folder is missing.
    func isThere() throws(SettingsError) -> Bool

    /// The suites that are there, sorted.
    func suiteNames() throws(SettingsError) -> [SuiteName]

    /// The suite of that name, be there anything or not; whoever of this process asks for it shares it.
    func suite(_ name: SuiteName) -> SettingsSuite

    /// A storage of one's own on the suite, for whoever reads or writes it once.
    func storage(of name: SuiteName) -> sending any SuiteStorage

    /// Whether what keys have been before can be told.
    var keepsHistory: Bool { get }

    /// The values that a key has had, the newest first; nil where nobody keeps them.
    func history(ofKey key: String, in suite: SuiteName) throws(SettingsError) -> [SettingRevision]?

    /// Hints, on another thread, whenever the list of suites may have changed, for as long as the
    /// watch is held.
    func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch
}

extension SuitePlace {
    public var keepsHistory: Bool { false }

    public func history(
        ofKey key: String,
        in suite: SuiteName
    ) throws(SettingsError) -> [SettingRevision]? { nil }
}

/// What a key was at one time.
public struct SettingRevision: Sendable, Hashable {
    /// Counts the changes of the whole place: a greater one is later.
    public let revision: Int64
    public let value: PropertyListValue

    public init(revision: Int64, value: PropertyListValue) {
        self.revision = revision
        self.value = value
    }
}

extension SettingsFolder: SuitePlace {
    public var location: String { path }

    public func isThere() throws(SettingsError) -> Bool {
        do throws(SystemError) {
            return try LiveFileSystem().stat(path) != nil
        } catch {
            throw SettingsError(error, at: path)
        }
    }

    public func suiteNames() throws(SettingsError) -> [SuiteName] {
        try suiteNames(files: LiveFileSystem())
    }

    public func suite(_ name: SuiteName) -> SettingsSuite { SettingsSuite(name, in: self) }

    public func storage(of name: SuiteName) -> sending any SuiteStorage {
        FileStorage(path: filePath(of: name))
    }
}
