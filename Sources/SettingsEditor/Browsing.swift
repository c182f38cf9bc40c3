import PropertyList
import TerminalCanvas

// The panes, while nothing is being typed.
extension EditorState {
    mutating func browse(_ action: EditorAction) -> [EditorEffect] {
        runningSearch = nil
        switch action {
        case .move(let movement): move(movement)
        case .switchPane: if !options.isSingle { focus = focus == .suites ? .keys : .suites }
        case .search: beginSearch(isFilter: false)
        case .filter: beginSearch(isFilter: true)
        case .nextMatch: repeatSearch(forwards: true)
        case .previousMatch: repeatSearch(forwards: false)
        case .help: input = .help(top: 0)
        case .undo: return undo()
        case .redo: return redo()
        case .history: beginHistory()
        case .cancel: clearFilter()
        case .paste: say("What is pasted is taken only where something is typed.")
        default: return focus == .suites ? browseSuites(action) : browseKeys(action)
        }
        return []
    }

    private mutating func browseSuites(_ action: EditorAction) -> [EditorEffect] {
        switch action {
        case .confirm, .right: if suite != nil { focus = .keys }
        case .add: return attempt { state throws in try state.beginSuite() }
        default: break
        }
        return []
    }

    private mutating func browseKeys(_ action: EditorAction) -> [EditorEffect] {
        if case .add = action { return attempt { state throws in try state.beginAdding() } }
        guard let row = selectedRow else {
            if case .left = action, !options.isSingle { focus = .suites }
            return []
        }
        switch action {
        case .right: goInto(row)
        case .left: goOutOf(row)
        case .confirm:
            if row.node.canBeOpened {
                toggle(row)
            } else {
                return attempt { state throws in try state.beginEditing(row) }
            }
        case .flip: return attempt { state throws in try state.flip(row) }
        case .delete: return attempt { state throws in try state.askToDelete(row) }
        default: break
        }
        return []
    }

    /// Does something that can be refused, and says why it is.
    mutating func attempt(_ body: (inout EditorState) throws -> [EditorEffect]) -> [EditorEffect] {
        do {
            return try body(&self)
        } catch {
            complain(error)
            return []
        }
    }
}

// Moving.
extension EditorState {
    private mutating func move(_ movement: Movement) {
        switch focus {
        case .suites:
            let shown = shownSuites
            guard !shown.isEmpty else { return }
            let height = Layout(self, size).suites?.rows ?? Layout(self, size).body.count
            let place = shown.firstIndex(of: selectedSuite) ?? 0
            selectedSuite = shown[movement.target(from: place, count: shown.count, page: height)]
        case .keys:
            guard let tree = suite?.tree, !tree.rows.isEmpty else { return }
            let page = Layout(self, size).keyRows
            let target = movement.target(from: tree.selected, count: tree.rows.count, page: page)
            suites[selectedSuite].tree.select(target)
        }
    }

    private mutating func goInto(_ row: Row) {
        guard row.node.canBeOpened else { return }
        let selected = suites[selectedSuite].tree.selected
        if !row.isOpen {
            suites[selectedSuite].tree.open(selected)
        } else if row.node.childCount > 0 {
            suites[selectedSuite].tree.select(selected + 1)
        }
    }

    private mutating func goOutOf(_ row: Row) {
        let selected = suites[selectedSuite].tree.selected
        if row.isOpen {
            suites[selectedSuite].tree.close(selected)
        } else if let parent = suites[selectedSuite].tree.parent(of: selected) {
            suites[selectedSuite].tree.select(parent)
        } else if !options.isSingle {
            focus = .suites
        }
    }

    private mutating func toggle(_ row: Row) {
        let selected = suites[selectedSuite].tree.selected
        if row.isOpen {
            suites[selectedSuite].tree.close(selected)
        } else {
            suites[selectedSuite].tree.open(selected)
        }
    }
}

extension Movement {
    /// Where it leads in a list, which is not empty, and shows `page` rows at a time.
    func target(from place: Int, count: Int, page: Int) -> Int {
        let target =
            switch self {
            case .up: place - 1
            case .down: place + 1
            case .pageUp: place - max(1, page - 1)
            case .pageDown: place + max(1, page - 1)
            case .first: 0
            case .last: count - 1
            }
        return max(0, min(target, count - 1))
    }
}
