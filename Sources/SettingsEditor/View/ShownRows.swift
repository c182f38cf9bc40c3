import PropertyList

/// Chooses the rows of a suite that are on the screen. While the user types a new key, its row is one more.
struct ShownRows {
    /// The index of that additional row.
    let extra: Int?
    /// The index of the row that is edited, or else of the selected row.
    let place: Int
    let count: Int
    /// The first shown row.
    let top: Int

    init(_ state: EditorState, _ suite: SuiteModel, _ area: Area) {
        let rows = suite.outline.rows
        let existing = state.typedPath.flatMap(suite.outline.index)
        extra =
            !state.isTypingInRows || existing != nil
            ? nil : rows.isEmpty ? 0 : state.goneRow(rows) ?? suite.outline.selected + 1
        place = existing ?? extra ?? suite.outline.selected
        count = rows.count + (extra == nil ? 0 : 1)
        let menu: Menu? = if case .menu(let menu)? = state.modal { menu } else { nil }
        top = visibleTop(
            suite.outline.top,
            selected: place,
            count: count,
            height: area.rows - min(menu?.height ?? 0, max(0, area.rows - 1))
        )
    }
}

extension EditorState {
    /// Whether the text that is typed is in a row of the keys.
    fileprivate var isTypingInRows: Bool {
        switch modal {
        case .draft?: true
        case .naming(let naming)?: !naming.subject.isOfSuite
        case .menu(let menu)?: menu.subject == .adding
        default: false
        }
    }

    /// The path of the value that is edited, if it exists.
    fileprivate var typedPath: ValuePath? {
        switch modal {
        case .draft(let draft)?: draft.purpose == .inserting ? nil : draft.path
        case .naming(let naming)?: naming.subject.place
        default: nil
        }
    }

    /// The former place of the edited key, if the key has been removed.
    fileprivate func goneRow(_ rows: Rows) -> Int? {
        guard case .draft(let draft)? = modal, draft.purpose != .inserting, draft.path.steps.count == 1
        else { return nil }
        let position = rows.findShown(draft.path.key).position
        return position < rows.keyCount ? rows.start(of: position) : rows.count
    }
}
