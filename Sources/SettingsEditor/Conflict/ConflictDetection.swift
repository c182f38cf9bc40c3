import PropertyList

/// How the value of a draft has changed since the editing began.
enum DraftStatus: Sendable, Hashable {
    case same
    case changed(ValueNode)
    case gone

    var changedNode: ValueNode? { if case .changed(let node) = self { node } else { nil } }
}

// A conflict is decided here: Enter compares the draft's value with the current one, and opens the dialog if they differ.
extension EditorState {
    /// How the value of a draft has changed since the editing began.
    func draftStatus(of draft: Draft) -> DraftStatus {
        guard case .replacing(let base) = draft.purpose, let index = suiteIndex(draft.suite) else {
            return .same
        }
        // A changed default does not overwrite anything.
        if draft.isOverDefault, !suiteList.suites[index].isLost,
            !suiteList.suites[index].isStored(draft.path.key)
        {
            return .same
        }
        guard !suiteList.suites[index].isLost, let node = suiteList.suites[index].outline.node(at: draft.path)
        else {
            return .gone
        }
        return node == base && !draft.isUnsure ? .same : .changed(node)
    }
}
