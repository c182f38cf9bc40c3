// When a key is worth a hint: the conditions that the keymap names.
extension EditorState {
    /// The bindings to show as hints, the most useful ones first.
    var usefulBindings: [KeyBinding] { keymap.hints(in: mode).filter(isUseful) }

    /// Whether to show a hint to the binding.
    func isUseful(_ binding: KeyBinding) -> Bool { binding.isUseful?(self) == true }

    var hasSuite: Bool { suite != nil }
    var canCreateSuite: Bool { refusalOfMaking == nil }

    var hasRow: Bool { selectedRow != nil }
    var hasMultiSelection: Bool { suite?.multiSelection.isEmpty == false }
    var isRowExpanded: Bool { selectedRow.map { $0.isOpen && $0.shown.hasChildren } == true }
    var canExpandRow: Bool { selectedRow?.shown.hasChildren == true && selectedRow?.isOpen == false }
    var canChangeRow: Bool { canWrite && hasRow && !isRowLocked }
    var canToggleRow: Bool { canWrite && selectedRow?.shown.flipped != nil && !isRowLocked }
    var hasRevisions: Bool { kind == .cluster && hasRow }

    var canEditRow: Bool {
        canWrite && selectedRow.map { $0.shown.isContainer || $0.shown.isUnread } == false && !isRowLocked
    }

    var canAddInside: Bool {
        canWrite && selectedRow?.shown.isContainer == true && !isRowSecret && !isRowLocked
    }

    /// Whether another layer hides the user's value of the selected row.
    var isRowLocked: Bool {
        guard let suite, let row = selectedRow else { return false }
        return suite.refusal(ofChanging: row.path.key) != nil
    }

    var canResetRow: Bool {
        guard let suite, let row = selectedRow, canWrite else { return false }
        let (key, others) = (row.path.key, suite.otherLayers)
        return suite.isStored(key)
            && (suite.declaration(of: key) != nil || !others.sources(ofKey: key).isEmpty)
    }

    var isRowSecret: Bool {
        guard let suite, let row = selectedRow else { return false }
        return suite.secrets.contains(row.path.key)
    }

    var canBeRecovered: Bool {
        guard let suite, refusalOfReadOnly(suite) == nil else { return false }
        if case .unreadable(_, isSound: false)? = suite.status?.content { return true }
        guard display.focus == .keys, let row = selectedRow else { return false }
        return suite.outline.deleted.contains(row.path.key)
            && suite.stagedDeletion(ofKey: row.path.key) == nil
    }

    var isChoosingWhatToCompare: Bool {
        if case .finding(let finder)? = modal, case .compare = finder.kind { true } else { false }
    }

    var isRowHidden: Bool { isRowSecret && selectedRow.map { suite?.hides($0.path.key) == true } == true }
    var isRowRevealed: Bool { isRowSecret && !isRowHidden }

    var hasPattern: Bool { search.pattern != nil }
    var hasPending: Bool { !pendingChanges.isEmpty }

    private var draft: Draft? { if case .draft(let draft)? = modal { draft } else { nil } }
    var canChangeTypedType: Bool { draft?.kinds.isEmpty == false }
    var isTypingData: Bool { draft?.kind == .propertyList(.data) && !canChangeTypedType }

    /// At a narrow screen the values are below one another, and the line has no room for this hint.
    var hintsAtDifferences: Bool { comparisonScrolls && display.size.columns >= Layout.bothPanes }

    /// If the editor asks a question, the answers need the room.
    var hintsAtHelp: Bool {
        (Mode.panes + [.history, .pending, .compare, .draft, .booleanDraft, .naming]).contains(mode)
    }
}
