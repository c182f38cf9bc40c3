import PropertyList
import SettingsStore

/// A write that the store has not answered yet.
struct InFlight: Sendable {
    enum Purpose: Sendable, Hashable {
        /// The user edited a value. If the draft is known, it can be opened again.
        case edit(EditSource?)
        case undo, redo
        /// The change was staged, and is staged again if the write fails.
        case staged
    }

    var write: Write
    var purpose: Purpose
    /// The transaction that it belongs to. For an undo, the one that is undone.
    var transaction: Transaction
    /// The parts that are written after this one.
    private(set) var rest: [Transaction.Part]
    /// The name prompt to open again after a failure.
    var naming: NamePrompt?
    /// The selection before and after the write began. It is restored if the write fails.
    var selectedBefore: ValuePath?
    var selectedBehind: ValuePath?
    /// The keys that another process changed since. Its values are shown.
    var overtaken: Set<String> = []

    /// Keeps declarations where they are for the rest of the transaction and for its undo.
    mutating func leaveDeclarations(of suite: String?) {
        transaction.parts = transaction.parts.map { $0.leavingDeclarations(of: suite) }
        rest = rest.map { $0.leavingDeclarations(of: suite) }
    }
}

extension Change {
    var isForeign: Bool { origin == .otherProcess }
}

extension SuiteModel {
    func isInFlight(_ id: WriteID) -> Bool { inFlight.contains { $0.write.id == id } }
}
