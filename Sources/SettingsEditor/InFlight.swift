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

    let write: Write
    let purpose: Purpose
    /// What it belongs to; of an undo, what is taken back.
    let edit: Edit
    /// What is to be written once this is done.
    let rest: [Edit.Part]
    /// The name that was typed, so that it can be opened again.
    var naming: Naming?
    /// What was selected before it, and behind it: that is put back where it is refused.
    var selectedBefore: ValuePath?
    var selectedBehind: ValuePath?
    /// Keys that another process changed since: its values are the ones to show.
    var overtaken: Set<String> = []
}

extension Change {
    var isForeign: Bool { origin == .otherProcess }
}
