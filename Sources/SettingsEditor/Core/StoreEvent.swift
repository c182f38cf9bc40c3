import PropertyList
import SettingsStore

/// An event of the store: suites, their values, foreign changes, and the ends of writes.
public enum StoreEvent: Sendable, Equatable {
    /// The current suites of a place, sorted. The selection stays on its suite. Here and in the next events, no place
    /// means the one that the editor was opened on.
    case listed([SuiteListing], in: String? = nil)
    /// Why no suite can be created in the place; nil if one can.
    case rights(String?, in: String? = nil)
    /// The folder is missing or can't be read; a sentence says why.
    case listingFailed(String, in: String? = nil)
    /// The connection to the service that keeps the suites.
    case connection(BackendConnection, in: String? = nil)
    /// The end of ``Effect/open(_:)``: a place, and the suite in it that was asked for.
    case opened(Place, suite: String? = nil)
    /// The layers of a suite besides the user's own, before the first ``loaded(_:values:_:)`` and after each change.
    case layers(String, OtherLayers)
    /// All values of a suite, the first time or again. Its declarations come first (``declared(_:_:problem:)``), so
    /// that no secret is shown.
    case loaded(String, values: PropertyListEntries, SuiteStatus)
    /// The changes of a suite, in order. The changes of a write come before its ``wrote(_:_:)``. Large foreign
    /// changes were compared beforehand (``PreparedDiff/of(_:)``), by sequence number.
    case changed(String, [Change], [UInt64: PreparedDiff] = [:])
    case status(String, SuiteStatus)
    /// The values and declarations of a suite, for ``Effect/read(_:)``, or why either cannot be read.
    case read(
        String,
        values: PropertyListEntries,
        SuiteSchema,
        problem: String? = nil,
        unreadable: String? = nil
    )
    case recovered(String, RecoverResult)
    /// The earlier values of a key, newest first, or why they are not known.
    case revisions(String, key: String, Result<[SettingRevision], RevisionsError>)
    /// The declarations of a suite, or why they cannot be read. In that case all values count as secret.
    case declared(String, SuiteSchema, problem: String? = nil)
    /// What `pdefaults apply --as` has set in a suite.
    case applied(String, [AppliedSetting])
    /// The keys whose values a program could not read and put into quarantine, with the file of the newest one.
    case setAside(String, [String: String])
    case wrote(WriteID, WriteResult)
    /// The declarations of a suite did not move with it. Comes before the ``wrote(_:_:)`` of that write.
    case declarationsStay(WriteID, MovedDeclarations)
    /// The end of an import into this suite, or of its export.
    case file(String, path: String, FileResult)
    /// The editor's own preferences, at the start and after each change.
    case preferences(EditorPreferences)
    /// The target of a suite's file, if it is a symbolic link.
    case link(String, to: String?)
    /// The comments of a suite in a JSON file, by the paths of their values; nil if its file is no JSON file. And the members
    /// whose names occur several times in their objects.
    case comments(String, [ValuePath: String]?, repeated: [ValuePath: [RepeatedMember]] = [:])
    /// The line with the error in a suite's unreadable file; nil if the file is readable or the line is not known.
    case badLine(String, BadLine?)
}

/// The end of ``Effect/recover(_:)``.
public enum RecoverResult: Sendable, Hashable {
    /// The file was moved to this path.
    case setAside(String)
    /// The file is readable.
    case notNeeded
    case failed(String)
}

/// Why the earlier values of a key are not known, as a sentence.
public struct RevisionsError: Error, Sendable, Hashable {
    public let reason: String

    public init(_ reason: String) { self.reason = reason }
}

/// The last step of every write: the result. A stored part goes into the journal, and the next part is sent. A failed
/// one is offered again where the user typed it, and the parts before it are undone.
public enum WriteResult: Sendable, Hashable {
    case done
    /// Some of the keys held something else (nil: nothing), and nothing was written.
    case conflict(current: [String: PropertyListValue?])
    /// Nothing was written; a sentence says why.
    case failed(String, Cause = .refusal)

    public enum Cause: Sendable, Hashable {
        /// The next try fails too, unless the user changes something.
        case refusal
        /// No server answered.
        case outage
    }
}
