import FoundationEssentials
import PropertyList
import ValueDiff

/// Decides whether a new value is written, merged or asked about. Another program may have changed the stored value
/// since the user started.
///
/// This is the only place that decides whether a write meets a conflict, so that all ways to edit treat it alike. The
/// callers are: a value typed in its row (`DraftCommit`), a value or a whole suite edited in the user's own editor
/// (`ExternalEditing`, `ExternalSuiteEdit`), a write that the store refused (`WriteResults`), the answer in the conflict
/// dialog (`ConflictDialog`), undo and redo (`Undoing`), and the history (`HistoryScreen`).
enum ConflictDecision: Sendable, Hashable {
    /// The stored value is still the one that the user started from.
    case write
    /// The stored value is already the new one.
    case nothingToDo
    /// The other program changed other parts of the value. This value contains both changes.
    case merged(PropertyListValue?)
    /// Another program changed what the user wants to write. Ask which value stays.
    ///
    /// The conflicts are the parts that both changed. There are none if the value was compared as a whole.
    case ask([ThreeWayMerge.Conflict] = [])

    /// Decides about a value as a whole.
    ///
    /// - Parameters:
    ///   - base: The value that the user started from. In all three parameters, nil means that there is no value.
    ///   - now: The stored value.
    ///   - new: The value to be written.
    ///   - isCertain: Whether all three are certainly the same element. A foreign change of an array can make that
    ///     uncertain.
    init<Value: Equatable>(base: Value?, now: Value?, new: Value?, isCertain: Bool = true) {
        self = !isCertain ? .ask() : now == new ? .nothingToDo : now == base ? .write : .ask()
    }

    /// Decides about a key, and merges changes of different parts of its value.
    init(merging change: ValueChange, into now: PropertyListValue?) {
        self.init(base: change.old, now: now, new: change.new)
        guard case .ask = self else { return }
        let merge = ThreeWayMerge(change, over: now)
        self =
            !merge.conflicts.isEmpty
            ? .ask(merge.conflicts) : merge.value == now ? .nothingToDo : .merged(merge.value)
    }

    var isQuestion: Bool { if case .ask = self { true } else { false } }
}

extension EditorState {
    /// Decides about a draft.
    func decision(on draft: Draft, writing new: ValueNode?) -> ConflictDecision {
        // An inserted value replaces nothing.
        guard case .replacing(let base) = draft.purpose, let index = suiteIndex(draft.suite) else {
            return .write
        }
        // A changed default does not overwrite anything.
        let isDefault = draft.isOverDefault && !suiteList.suites[index].isStored(draft.path.key)
        let now = isDefault ? base : current(at: draft.path, of: draft.suite)
        return ConflictDecision(base: base, now: now, new: new, isCertain: !draft.isUnsure || isDefault)
    }

    /// The message if there is nothing to do after a foreign change.
    static let sameValue = "Another program has stored the same value."

    /// The stored value at a path, as far as it is known; nil if it was removed.
    func current(at path: ValuePath, of suite: String) -> ValueNode? {
        suiteIndex(suite).flatMap { suiteList.suites[$0].outline.node(at: path) }
    }
}

extension NewValue {
    /// The value as a node that can be compared with the value that it replaces.
    func node(replacing old: ValueNode?) -> ValueNode? {
        guard case .json(let text) = self, case .json? = old?.content else { return node }
        // A value inside JSON is compared with its text, without the white space around it.
        return ValueNode(.data(Data("[\(text)]".utf8))).node(at: [.index(0)])
    }
}
