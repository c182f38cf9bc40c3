import PropertyList

/// How the value of a draft has changed since the editing began.
enum DraftStatus: Sendable, Hashable {
    case same
    case changed(ValueNode)
    case gone

    var changedNode: ValueNode? { if case .changed(let node) = self { node } else { nil } }
}

// Whether a draft has met a conflict. `Draft.commit` (Editing.swift) asks, and opens the dialog if the value has changed.
// The other askers are the external editor (ExternalEditing.swift, ExternalSuiteEdit.swift) and a write that came too late
// (WriteResults.swift).
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
