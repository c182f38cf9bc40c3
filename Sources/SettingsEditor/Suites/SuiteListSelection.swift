import PropertyList
import TerminalCanvas

// The selected suite, and the selected row in it.
extension SuiteList {
    mutating func select(_ path: ValuePath, of id: String) {
        if let index = index(of: id) { suites[index].outline.select(path) }
    }

    mutating func deselectAll(of id: String) {
        if let index = index(of: id) { suites[index].multiSelection = [] }
    }

    /// Whether a path has no row because of the filter.
    func filterHides(_ path: ValuePath, of id: String) -> Bool {
        guard let index = index(of: id), suites[index].outline.filter != nil else { return false }
        return !suites[index].outline.filterPasses(path)
    }

    mutating func keepSecret(_ key: String, of id: String) {
        if let index = index(of: id) { suites[index].keepSecret(key) }
    }

    mutating func move(_ movement: Movement, in pane: Pane, _ layout: Layout, times: Int?) {
        switch pane {
        case .suites:
            let rows = rows
            guard !rows.isEmpty else { return }
            let (height, row) = (layout.suites?.rows ?? layout.body.count, selectedRow(of: rows))
            select(rows[movement.target(from: row, count: rows.count, page: height, times: times)])
        case .keys:
            guard let outline = suite?.outline, !outline.rows.isEmpty else { return }
            let (row, count) = (outline.selected, outline.rows.count)
            let target = movement.target(from: row, count: count, page: layout.keyRows, times: times)
            suites[selected].outline.select(target)
        }
    }

    /// Selects the first of the keys that exist.
    mutating func show(_ parts: [Transaction.Part]) {
        for part in parts {
            if part.whole?.isMade == true, let index = index(of: part.suite), shown.contains(index) {
                selected = index
            }
            guard let index = index(of: part.suite),
                let key = part.changes.filter({ $0.value.new != nil }).keys.min() ?? part.changes.keys.min()
            else { continue }
            if shown.contains(index) { selected = index }
            suites[index].outline.select([.key(key)])
            return
        }
    }

    /// Selects the next suite after a removed one, so that keys typed meanwhile act on it and not on the removed one.
    mutating func leaveRemoved(_ index: Int) {
        guard index == selected, suites[index].isRemovedHere, suites[index].outline.entries.isEmpty,
            suites[index].staged.isEmpty
        else { return }
        let others = shown.filter { $0 != index }
        selected = others.first { $0 > index } ?? others.last ?? index
    }

    /// Hides the row that only the selection kept in the filter.
    mutating func releaseKept() {
        guard suite != nil, suites[selected].outline.session.kept != nil else { return }
        suites[selected].outline.releaseKept()
    }

    /// Expands the selected row, or selects its first child.
    mutating func goInto(_ row: Row) {
        guard row.node.isContainer, suite?.hides(row.path.key) != true else { return }
        let place = suites[selected].outline.selected
        if !row.isOpen {
            suites[selected].outline.open(place)
        } else if row.node.childCount > 0 {
            suites[selected].outline.select(place + 1)
        }
    }

    /// Collapses the selected row, or selects its parent. Returns false for a collapsed key.
    mutating func goOut(of row: Row) -> Bool {
        let place = suites[selected].outline.selected
        if row.isOpen {
            suites[selected].outline.close(place)
        } else if let parent = suites[selected].outline.parent(of: place) {
            suites[selected].outline.select(parent)
        } else {
            return false
        }
        return true
    }

    /// Expands or collapses the selected row.
    mutating func toggle(_ row: Row) {
        let place = suites[selected].outline.selected
        if row.isOpen {
            suites[selected].outline.close(place)
        } else {
            suites[selected].outline.open(place)
        }
    }

    /// Adds the selected row to the multi-selection, or removes it, and selects the next row.
    mutating func toggleMultiSelection(_ row: Row) {
        if suites[selected].multiSelection.remove(row.path) == nil {
            suites[selected].multiSelection.insert(row.path)
        }
        suites[selected].outline.select(suites[selected].outline.selected + 1)
    }

    /// Shows or hides a secret. Returns false if the key is none.
    @discardableResult
    mutating func toggleSecret(_ key: String, of suite: String) -> Bool {
        guard let index = index(of: suite), suites[index].secrets.contains(key) else { return false }
        suites[index].toggleSecret(key)
        return true
    }
}

// Searching.
extension SuiteList {
    /// Continues to parse, expand and filter the selected suite.
    mutating func goOn(_ budget: inout WorkBudget) {
        guard suite?.outline.hasWork == true else { return }
        suites[selected].outline.rows.onScreen.readOn(&budget)
        suites[selected].outline.openFurther(&budget)
        suites[selected].outline.filterSubtrees(&budget)
        suites[selected].outline.examine(&budget)
    }

    /// Selects a match in the selected suite. Returns the paths that were expanded for it.
    mutating func goToMatch(_ path: ValuePath, _ budget: inout WorkBudget) -> [ValuePath] {
        let opened = suites[selected].outline.go(to: path)
        suites[selected].outline.filterSubtrees(&budget)
        return opened
    }

    /// Selects the next suite whose title matches, and goes on at the other end. Nil without a match.
    ///
    /// - Parameter inclusive: Whether the selected suite counts.
    mutating func search(
        _ pattern: Pattern,
        forwards: Bool,
        inclusive: Bool,
        count: Int
    ) -> (suite: String, number: Int, count: Int, hasWrapped: Bool)? {
        let matches = shown.filter { pattern.matches(suites[$0].label) }
        if matches.isEmpty { return nil }
        // Finds the next match in the direction. A count skips further ones.
        let next =
            forwards
            ? matches.firstIndex { $0 > selected || inclusive && $0 == selected } ?? matches.count
            : matches.lastIndex { $0 < selected } ?? -1
        let place = forwards ? next + count - 1 : next - count + 1
        let number = ((place % matches.count) + matches.count) % matches.count
        selected = matches[number]
        return (suites[selected].id, number + 1, matches.count, !matches.indices.contains(place))
    }

    /// Selects the path in ``goal`` after its suite was read. Returns false if it is gone.
    mutating func goToGoal() -> Bool {
        guard let (id, path) = goal, let index = index(of: id), index == selected else {
            goal = nil
            return true
        }
        guard suites[index].contents == .loaded else { return true }
        goal = nil
        if filterHides(path, of: id) { suites[index].setFilter(nil, from: path) }
        _ = suites[index].outline.go(to: path)
        return suites[index].outline.isGoing(to: path)
    }
}

// The filters of both panes.
extension SuiteList {
    /// Filters the pane of a prompt. A pattern of nil shows all rows.
    mutating func setFilter(_ pattern: Pattern?, _ prompt: SearchPrompt) {
        switch prompt.pane {
        case .suites:
            filter = pattern
            let wanted = prompt.suite.flatMap { index(of: $0) } ?? selected
            let shown = shown
            selected = shown.contains(wanted) ? wanted : shown.first { $0 > wanted } ?? shown.last ?? selected
        case .keys:
            guard let index = prompt.suite.flatMap({ index(of: $0) }) else { return }
            suites[index].setFilter(RowFilter(pattern, prompt.oldFilter?.category), from: prompt.path)
        }
    }

    mutating func showOnly(_ category: KeyCategory) {
        guard let suite else { return }
        suites[selected].setFilter(
            RowFilter(suite.outline.filter?.text, suite.filter(of: category)),
            from: suite.outline.selectedRow?.path
        )
    }

    /// Removes the filter of a pane. If that pane has no filter, removes the other pane's.
    mutating func clearFilter(of pane: Pane) {
        let ofKeys = suite?.outline.filter != nil
        if filter != nil, pane == .suites || !ofKeys {
            filter = nil
        } else if ofKeys {
            let path = suite?.outline.selectedRow?.path
            suites[selected].setFilter(nil, from: path)
        }
    }

    /// Restores the filter and the selection from before a search.
    mutating func goBack(to prompt: SearchPrompt) {
        let index = prompt.suite.flatMap { self.index(of: $0) }
        switch prompt.pane {
        case .suites:
            filter = prompt.oldSuiteFilter
            if let index, shown.contains(index) { selected = index }
            selectedHead = prompt.head
            top = prompt.top
        case .keys:
            guard let index else { return }
            for path in prompt.opened.reversed() { suites[index].outline.close(path) }
            if prompt.isFilter { suites[index].setFilter(prompt.oldFilter, from: prompt.path) }
            if let path = prompt.path { suites[index].outline.select(path) }
            if suites[index].outline.isFiltered { suites[index].outline.top = prompt.top }
        }
    }
}
