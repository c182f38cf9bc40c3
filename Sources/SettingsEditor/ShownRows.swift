import PropertyList

/// Which rows of a suite are on the screen, with one more where something is typed that has none, or none any more.
struct ShownRows {
    /// Where that one stands.
    let extra: Int?
    /// The row that is typed in, or else is selected.
    let place: Int
    let count: Int
    /// The first one that is shown.
    let top: Int

    init(_ state: EditorState, _ suite: SuiteModel, _ area: Area) {
        let rows = suite.tree.rows
        let existing = state.typedPath.flatMap(suite.tree.index)
        extra =
            !state.isTypingInRows || existing != nil
            ? nil : rows.isEmpty ? 0 : state.goneRow(rows) ?? suite.tree.selected + 1
        place = existing ?? extra ?? suite.tree.selected
        count = rows.count + (extra == nil ? 0 : 1)
        let menu: Menu? = if case .menu(let menu)? = state.input { menu } else { nil }
        top = visibleTop(
            suite.tree.top,
            selected: place,
            count: count,
            height: area.rows - min(menu?.height ?? 0, max(0, area.rows - 1))
        )
    }
}

extension EditorState {
    /// A row of the keys is what is typed.
    fileprivate var isTypingInRows: Bool {
        switch input {
        case .draft?: true
        case .naming(let naming)?: !naming.subject.isOfSuite
        case .menu(let menu)?: menu.subject == .adding
        default: false
        }
    }

    /// The place of what is typed, where it replaces something.
    fileprivate var typedPath: ValuePath? {
        switch input {
        case .draft(let draft)?: draft.purpose == .inserting ? nil : draft.path
        case .naming(let naming)?: naming.subject.place
        default: nil
        }
    }

    /// Where the key stood that is typed for, if it is gone.
    fileprivate func goneRow(_ rows: Rows) -> Int? {
        guard case .draft(let draft)? = input, draft.purpose != .inserting, draft.path.steps.count == 1
        else { return nil }
        let position = rows.findShown(draft.path.key).position
        return position < rows.keyCount ? rows.start(of: position) : rows.count
    }
}
