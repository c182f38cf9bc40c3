import PropertyList

/// Keeps many suites, each with a name: a folder of files, or a service on other machines.
public protocol SuiteBackend: Sendable {
    /// The path or URL, to show to people.
    var location: String { get }

    /// Whether suites can be stored at present. False if the folder is missing, for example.
    func isThere() throws(SettingsError) -> Bool

    /// Why this process can't create a suite, as a message for the user; nil if it can, or if that is not known.
    func readOnlyReason() -> String?

    /// The names of the existing suites, sorted.
    func suiteNames() throws(SettingsError) -> [SuiteName]

    /// The versions of suites, which show without reading them whether they have changed. A suite that does not exist
    /// has none. A backend that can't tell returns none at all.
    func versions(of names: [SuiteName]) -> [SuiteName: SuiteVersion]

    /// Where the quarantined values of a suite are, the oldest first. Empty for suites in files, whose quarantine is
    /// beside the file.
    func keptValues(of suite: SuiteName) throws(SettingsError) -> [String]

    /// The suite of this name, even if it does not exist yet. All callers in this process share it.
    func suite(_ name: SuiteName) -> SettingsSuite

    /// A new storage of the suite, for a caller that reads or writes once.
    func storage(of name: SuiteName) -> sending any SuiteStorage

    /// The suite's name that a word of a person stands for.
    ///
    /// - Throws: ``SuiteNameError`` if no suite here can have the name.
    func suiteName(_ word: String) throws(SuiteNameError) -> SuiteName

    /// Whether files or a service keep the suites.
    var kind: BackendKind { get }

    /// The previous values of a key and its removals, the newest first, up to the limit; nil if the backend does not
    /// keep them.
    func history(
        ofKey key: String,
        in suite: SuiteName,
        limit: Int
    ) throws(SettingsError) -> [SettingRevision]?

    /// The connection to the service, as far as it is known without a request; nil for files.
    func connection() -> BackendConnection?

    /// Calls `notify` whenever the list of suites or ``connection()`` may have changed, until the returned watch is
    /// released. It is called on another thread, with no lock held.
    func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch
}

extension SuiteBackend {
    public func readOnlyReason() -> String? { nil }

    public func suiteName(_ word: String) throws(SuiteNameError) -> SuiteName { try SuiteName(word) }

    public func versions(of names: [SuiteName]) -> [SuiteName: SuiteVersion] { [:] }

    public func keptValues(of suite: SuiteName) throws(SettingsError) -> [String] { [] }

    public func connection() -> BackendConnection? { nil }

    public func history(
        ofKey key: String,
        in suite: SuiteName,
        limit: Int
    ) throws(SettingsError) -> [SettingRevision]? { nil }
}

/// The kinds of backends.
public enum BackendKind: Sendable, Hashable {
    /// Each suite is in a file of its own.
    case files
    /// A service on other machines, which also keeps the previous values of keys.
    case cluster
    /// The settings of the desktop, which its programs share. Each suite has a schema, which exists without values.
    case desktop
}

/// The version of a stored suite. After each write it is a different one.
public struct SuiteVersion: Sendable, Hashable {
    let file: FileInfo.Identity

    /// How many bytes a reading takes.
    public var size: Int { Int(file.size) }

    /// - Parameter file: the identity of the suite's file.
    public init(file: FileInfo.Identity) { self.file = file }

    /// - Parameter values: all values of a small suite that is no file.
    package init(of values: [String: PropertyListValue]) {
        let (number, time) = (UInt64(bitPattern: Int64(values.hashValue)), Timestamp(nanoseconds: 0))
        file = FileInfo.Identity(device: 0, inode: number, size: 0, modified: time, changed: time)
    }
}

/// The connection to a service on other machines.
public struct BackendConnection: Sendable, Hashable {
    public enum State: Sendable, Hashable {
        /// No server has answered yet.
        case opening
        case open
        /// No server answers, for the reason given.
        case lost(String)
    }

    /// The server that answers, or is asked, in a few words: “etcd 10.0.0.1:2379”.
    public let server: String
    public let state: State

    public init(server: String, _ state: State) {
        self.server = server
        self.state = state
    }
}

/// The value of a key at one time.
public struct SettingRevision: Sendable, Hashable {
    /// Counts the changes of the whole backend. A greater number is later.
    public let revision: Int64
    /// nil: the key was removed.
    public let value: PropertyListValue?

    public init(revision: Int64, value: PropertyListValue?) {
        self.revision = revision
        self.value = value
    }
}
