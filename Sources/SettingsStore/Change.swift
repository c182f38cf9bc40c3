import PropertyList
import Synchronization

/// One key of a suite that has got another value.
public struct Change: Sendable, Hashable {
    public let key: String
    /// What was stored before; nil where nothing was.
    public let old: PropertyListValue?
    /// What is stored now; nil where nothing is.
    public let new: PropertyListValue?
    public let origin: ChangeOrigin
    /// Counts the changes of one suite in this process, from 1, without gaps: the order in which
    /// every observer sees them.
    public let sequence: UInt64

    public init(
        key: String,
        old: PropertyListValue?,
        new: PropertyListValue?,
        origin: ChangeOrigin,
        sequence: UInt64
    ) {
        self.key = key
        self.old = old
        self.new = new
        self.origin = origin
        self.sequence = sequence
    }
}

/// Where a change came from.
public enum ChangeOrigin: Sendable, Hashable {
    /// Set by this process; the writer is whoever passed a ``WriterID`` along, if anybody did.
    case set(by: WriterID?)
    /// A stored value was removed so that its default shows.
    case reset(by: WriterID?)
    case migration(by: WriterID?)
    /// Found in the storage: another process wrote it, or a person.
    case otherProcess
    /// Set by this process, refused by the storage, and taken back.
    case refused
}

/// Tells the writers of one process apart.
public struct WriterID: Sendable, Hashable {
    private let number: UInt64

    private static let last = Atomic<UInt64>(0)

    /// A new one, unlike every other of this process.
    public init() { number = Self.last.add(1, ordering: .relaxed).newValue }
}
