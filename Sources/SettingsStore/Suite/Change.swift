import PropertyList
import Synchronization

/// A change of one key of a suite. It has the old value too, because an observer that reads the suite might already find
/// a later one.
public struct Change: Sendable, Hashable {
    public let key: String
    /// The value before the change; nil if there was none.
    ///
    /// Observers of one key get the values that programs read, from whichever layer. Observers of all keys get those of
    /// the user's layer, which is the suite itself.
    public let old: PropertyListValue?
    /// The value since the change; nil if the key was removed.
    public let new: PropertyListValue?
    public let origin: ChangeOrigin
    /// The layer that gives the new value. If there is no new value, the layer that had the old one.
    public let layer: SettingsLayer
    /// The layer that gave the old value.
    package let oldLayer: SettingsLayer
    /// Counts the changes of one suite in this process, from 1. Every observer gets them in this order. Changes of other
    /// layers count too, so there may be gaps for observers of all keys.
    public let sequence: UInt64

    /// Whether the value is equal and another layer gives it. Only ``SettingsSuite/observeLazily(_:_:)`` reports this.
    package var isOnlyOfLayer: Bool { layer != oldLayer && origin == .otherProcess && old == new }

    public init(
        key: String,
        old: PropertyListValue?,
        new: PropertyListValue?,
        origin: ChangeOrigin,
        layer: SettingsLayer = .user,
        sequence: UInt64
    ) {
        self.key = key
        self.old = old
        self.new = new
        self.origin = origin
        self.layer = layer
        oldLayer = layer
        self.sequence = sequence
    }

    /// A change of the value that programs read.
    init(key: String, _ change: LayeredChange, origin: ChangeOrigin, sequence: UInt64) {
        self.key = key
        old = change.old?.value
        new = change.new?.value
        layer = change.new?.layer ?? change.old?.layer ?? .user
        oldLayer = change.old?.layer ?? layer
        self.origin = origin
        self.sequence = sequence
    }
}

/// The source of a change.
public enum ChangeOrigin: Sendable, Hashable {
    /// This process has set the key. nil if the writer passed no ``WriterID``.
    case set(by: WriterID?)
    /// This process has removed the stored value, so that the default counts again.
    case reset(by: WriterID?)
    case migration(by: WriterID?)
    /// A foreign change: another process or a person has changed the storage.
    case otherProcess
    /// This process has set the key, the storage has refused the value, and the set was taken back.
    case refused
}

/// Distinguishes the writers of one process.
public struct WriterID: Sendable, Hashable {
    private let number: UInt64

    private static let last = Atomic<UInt64>(0)

    /// Makes an ID that is unique in this process.
    public init() { number = Self.last.add(1, ordering: .relaxed).newValue }
}
