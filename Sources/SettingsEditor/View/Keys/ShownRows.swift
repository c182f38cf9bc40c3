import PropertyList

/// Chooses the rows of a suite that are on the screen. While the user types a new key, its row is one more.
struct ShownRows {
    /// The index of that additional row.
    let extra: Int?
    /// The index of the row that is edited, or else of the selected row.
    let place: Int
    let count: Int
    let top: Int

    /// - Parameter isBoxed: Whether the text is typed into a box over the rows.
    init(_ state: EditorState, _ suite: SuiteModel, _ area: Area, isBoxed: Bool) {
        let rows = suite.outline.rows
        let existing = state.typedPath.flatMap(suite.outline.index)
        extra =
            isBoxed || !state.isTypingInRows || existing != nil
            ? nil
            : rows.isEmpty ? 0 : state.goneRow(rows) ?? state.newRow(in: suite) ?? suite.outline.selected + 1
        place = existing ?? extra ?? suite.outline.selected
        count = rows.count + (extra == nil ? 0 : 1)
        // A menu needs a row for each item, and one for its title.
        let menuRows = if case .menu(let menu)? = state.modal { menu.items.count + 1 } else { 0 }
        top = visibleTop(
            suite.outline.top,
            selected: place,
            count: count,
            height: area.rows - min(menuRows, max(0, area.rows - 1))
        )
    }
}

extension EditorState {
    /// The row that the details are about; nil while the user types a value that has no row yet.
    var describedRow: Row? {
        display.focus == .keys && !isTypingNew ? selectedRow : nil
    }

    /// Whether the user types a value or a name that has no row yet.
    var isTypingNew: Bool {
        if case .naming(let naming)? = modal, naming.subject == .suite { return true }
        return isTypingInRows && typedPath.flatMap { suite?.outline.index(of: $0) } == nil
    }

    /// Whether the text that is typed is in a row of the keys.
    fileprivate var isTypingInRows: Bool {
        switch modal {
        case .draft?: true
        case .naming(let naming)?: !naming.isOfSuite
        case .menu(let menu)?: menu.subject == .adding
        default: false
        }
    }

    /// The path of the value that is edited, if it exists.
    fileprivate var typedPath: ValuePath? {
        switch modal {
        case .draft(let draft)?: draft.purpose == .inserting ? nil : draft.path
        case .naming(let naming)?: naming.place
        default: nil
        }
    }

    /// The row of the new value; nil for directly below the selected row.
    fileprivate func newRow(in suite: SuiteModel) -> Int? {
        switch modal {
        case .draft(let draft)?: draft.purpose == .inserting ? suite.outline.rowOfNew(draft.path) : nil
        case .menu(let menu)?: menu.subject == .adding ? suite.outline.rowOfNew(menu.path) : nil
        // Its place depends on the name, which is not known yet.
        case .naming(let naming)? where !naming.isOfSuite && naming.place == nil:
            naming.path == selectedRow?.path || naming.path == selectedRow?.path.parent
                ? nil : suite.outline.endRow(of: naming.path)
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

extension Outline {
    /// The row before which a new value will be; nil if its parent is collapsed.
    fileprivate func rowOfNew(_ path: ValuePath) -> Int? {
        guard let parent = path.parent, let step = path.steps.last else { return nil }
        if parent.steps.isEmpty {
            let position = rows.findShown(path.key).position
            return position < rows.keyCount ? rows.start(of: position) : rows.count
        }
        guard let row = index(of: parent), rows[row].isOpen else { return nil }
        if let existing = index(of: path) { return existing }
        // The members of a dictionary are sorted. Those of a JSON object are in the order of the text.
        if let name = step.name, let container = node(at: parent), container.json == nil {
            let children = container.children
            let next = (0..<children.count).beginning { (children.step(at: $0).name ?? "") > name }
            if next < children.count, let row = index(of: parent.appending(children.step(at: next))) {
                return row
            }
        }
        return endRow(of: parent)
    }

    /// The row after the last one inside a container.
    fileprivate func endRow(of path: ValuePath) -> Int? {
        guard !path.steps.isEmpty else { return rows.count }
        guard let start = index(of: path) else { return nil }
        let subtree = rows.subtree(at: rows.keyPlace(ofRow: start).position)
        return start + 1 + (subtree?.subtree(at: path.inside.steps[...])?.rowCount ?? 0)
    }
}
