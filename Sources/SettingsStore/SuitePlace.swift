import PropertyList

/// Where suites are kept by their names: a folder of files, or a service on other machines.
public protocol SuitePlace: Sendable {
    /// Where this is, for people: a path or a URL.
    var location: String { get }

    /// Whether suites can be kept there at present: false where a folder is missing.
    func isThere() throws(SettingsError) -> Bool

    /// Why no suite can be made there by this process, in words for the user; nil where one can, or nobody knows.
    func readOnlyReason() -> String?

    /// The suites that are there, sorted.
    func suiteNames() throws(SettingsError) -> [SuiteName]

    /// What tells whether suites have changed, without reading them; nothing of those that are not there, and
    /// of none where nobody can tell.
    func versions(of names: [SuiteName]) -> [SuiteName: SuiteVersion]

    /// Of these suites those that somebody makes and has not finished, so that they are not there yet: who, and what
    /// can be done about it, for a sentence that begins with the suite.
    func unfinished(of names: [SuiteName]) throws(SettingsError) -> [SuiteName: String]

    /// Where values of a suite are kept that no program could read and that were written over since, the oldest
    /// first; nothing of those in files, which lie beside these.
    func keptValues(of suite: SuiteName) throws(SettingsError) -> [String]

    /// The suite of that name, be there anything or not; whoever of this process asks for it shares it.
    func suite(_ name: SuiteName) -> SettingsSuite

    /// A storage of one's own on the suite, for whoever reads or writes it once.
    func storage(of name: SuiteName) -> sending any SuiteStorage

    /// This place for whoever reads all of it once: one whose storages begin with what was read at once, where
    /// that is quicker than suite by suite.
    func readAtOnce() -> any SuitePlace

    /// What keeps the suites.
    var kind: PlaceKind { get }

    /// The values that a key has had, and the removals between them, the newest first, up to a number; nil where
    /// nobody keeps them.
    func history(
        ofKey key: String,
        in suite: SuiteName,
        limit: Int
    ) throws(SettingsError) -> [SettingRevision]?

    /// How the service that keeps the suites is reached at present, as far as is known without asking; nil
    /// where there is none.
    func connection() -> PlaceConnection?

    /// Hints, on another thread, whenever the list of suites may have changed, or ``connection()`` has, for
    /// as long as the watch is held.
    func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch
}

extension SuitePlace {
    public func readOnlyReason() -> String? { nil }

    public func versions(of names: [SuiteName]) -> [SuiteName: SuiteVersion] { [:] }

    public func unfinished(of names: [SuiteName]) throws(SettingsError) -> [SuiteName: String] { [:] }

    public func keptValues(of suite: SuiteName) throws(SettingsError) -> [String] { [] }

    public func readAtOnce() -> any SuitePlace { self }

    public func connection() -> PlaceConnection? { nil }

    public func history(
        ofKey key: String,
        in suite: SuiteName,
        limit: Int
    ) throws(SettingsError) -> [SettingRevision]? { nil }
}

/// What keeps the suites of a place.
public enum PlaceKind: Sendable, Hashable {
    /// Each suite is in a file of its own.
    case files
    /// A service on other machines, which knows what keys have been before.
    case cluster
}

/// Which version of a suite is stored: another one has something else in it, or was written anew.
public struct SuiteVersion: Sendable, Hashable {
    let file: FileInfo.Identity

    /// What it takes to read it, in bytes.
    public var size: Int { Int(file.size) }

    /// - Parameter file: of the file that the suite is in.
    public init(file: FileInfo.Identity) { self.file = file }
}

/// How a service on other machines is reached.
public struct PlaceConnection: Sendable, Hashable {
    public enum State: Sendable, Hashable {
        /// Nobody has answered yet.
        case opening
        case open
        /// Nobody answers, for the reason given.
        case lost(String)
    }

    /// Who answers, or is asked, in a few words: “etcd 10.0.0.1:2379”.
    public let server: String
    public let state: State

    public init(server: String, _ state: State) {
        self.server = server
        self.state = state
    }
}

/// What a key was at one time.
public struct SettingRevision: Sendable, Hashable {
    /// Counts the changes of the whole place: a greater one is later.
    public let revision: Int64
    /// Nil: it was removed.
    public let value: PropertyListValue?

    public init(revision: Int64, value: PropertyListValue?) {
        self.revision = revision
        self.value = value
    }
}

extension SettingsFolder: SuitePlace {
    public var location: String { path }

    public var kind: PlaceKind { .files }

    public func isThere() throws(SettingsError) -> Bool {
        do throws(SystemError) {
            return try LiveFileSystem().stat(path) != nil
        } catch {
            throw SettingsError(error, at: path)
        }
    }

    public func readOnlyReason() -> String? {
        let files = LiveFileSystem()
        // The first write makes it where it is missing.
        guard (try? files.stat(path)) ?? nil != nil else { return nil }
        return files.reasonNotToWrite(path, called: "the folder \(path)")
    }

    public func suiteNames() throws(SettingsError) -> [SuiteName] {
        try suiteNames(files: LiveFileSystem())
    }

    public func versions(of names: [SuiteName]) -> [SuiteName: SuiteVersion] {
        var versions: [SuiteName: SuiteVersion] = [:]
        for name in names {
            guard let info = try? LiveFileSystem().stat(filePath(of: name)) else { continue }
            versions[name] = SuiteVersion(file: info.identity)
        }
        return versions
    }

    public func suite(_ name: SuiteName) -> SettingsSuite { SettingsSuite(name, in: self) }

    public func storage(of name: SuiteName) -> sending any SuiteStorage {
        FileStorage(path: filePath(of: name))
    }
}
