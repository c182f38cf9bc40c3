import PropertyList
import SettingsStore

/// A write whose end is not known yet.
struct InFlight: Sendable {
    enum Purpose: Sendable, Hashable {
        /// Typed or chosen; what it was typed in, if that is known, can be opened again.
        case edit(EditSource?)
        case undo, redo
        /// Kept back before, and kept back again if it fails.
        case staged
    }

    var write: Write
    let purpose: Purpose
    /// What it belongs to; of an undo, what is taken back.
    var edit: Edit
    /// What is to be written once this is done.
    private(set) var rest: [Edit.Part]
    /// The first of these, where it takes place in the same step.
    var removal: WriteID?
    /// The name that was typed, so that it can be opened again.
    var naming: Naming?
    /// What was selected before it, and behind it: that is put back where it is refused.
    var selectedBefore: ValuePath?
    var selectedBehind: ValuePath?
    /// Keys that another process changed since: its values are the ones to show.
    var overtaken: Set<String> = []

    /// Has what follows, and the way back, leave declarations as they are: those of a suite, or all.
    mutating func leaveDeclarations(of suite: String?) {
        edit.parts = edit.parts.map { $0.leavingDeclarations(of: suite) }
        rest = rest.map { $0.leavingDeclarations(of: suite) }
    }
}

extension Change {
    var isForeign: Bool { origin == .otherProcess }
}

extension SuiteModel {
    func isInFlight(_ id: WriteID) -> Bool { inFlight.contains { $0.write.id == id } }
}
