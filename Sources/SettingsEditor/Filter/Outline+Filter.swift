import PropertyList

// Shows only the rows that pass the filter. Keys are filtered in steps, starting at the selected one, so that
// a filter of 100,000 keys does not delay the next key press.
extension Outline {
    /// Whether all keys are filtered.
    var isFiltered: Bool {
        filter == nil || session.hasExamined(entries.count) && session.subtreesToFilter.isEmpty
    }

    /// Whether work is left that is done in steps.
    var hasWork: Bool { !isFiltered || opening != nil || rows.onScreen.isReading }

    /// Sets or removes the filter. ``examine(_:)`` then adds the keys that pass, starting at a path, which is
    /// selected if it passes.
    mutating func setFilter(_ filter: RowFilter?, from path: ValuePath?) {
        if self.filter != filter {
            let wasFiltered = self.filter != nil
            self.filter = filter
            showAgain(from: path ?? selectedRow?.path ?? session.anchor?.path, wasFiltered: wasFiltered)
        }
        if let path { select(path) }
    }

    /// Selects the row that was selected before the filter was set, or its nearest shown container.
    mutating func selectAnchor(_ path: ValuePath) {
        if rows.findShown(path.key).isThere { select(nearest: path) }
    }

    /// Applies a changed filter to some keys.
    mutating func amendFilter(_ filter: RowFilter, _ keys: [String]) {
        self.filter = filter
        anchoringSelection(keepsSelected: true) { outline in
            for key in keys {
                let (index, isThere) = outline.rows.find(key)
                if isThere { outline.showEntry(index) }
            }
        }
    }

    /// Filters further keys, as far as the budget allows.
    mutating func examine(_ budget: inout WorkBudget) {
        guard let filter, !session.hasExamined(entries.count), budget.isLeft else { return }
        let entries = rows.entries
        var below: [Int] = []
        var above: [Int] = []
        var opened: [(key: String, open: (node: ValueNode, subtree: VisibleSubtree))] = []
        let count = entries.count
        // Most keys are collapsed, and need only a look at their value.
        let text = filter.category == nil && session.keeping == nil && session.kept == nil ? filter.text : nil
        let openKeys = Set(open.openKeys)
        let start = session.examined.lowerBound
        while budget.isLeft, let index = session.nextEntry(of: count) {
            let entry = entries[index]
            var passes: Bool?
            if let text, session.entryTask == nil, !openKeys.contains(entry.key), !hides(entry.key) {
                passes = text.isFound(in: entry, &budget)
            }
            if passes == nil {
                switch filterKeeping(filter, entry, &budget) {
                case .shown(let open, _):
                    passes = true
                    if let open { opened.append((entry.key, open)) }
                case .hidden: passes = false
                case .notYet: break
                }
            }
            guard let passes else { break }
            session.examine(index)
            if !passes { continue }
            if index >= start { below.append(index) } else { above.append(index) }
        }
        if below.isEmpty, above.isEmpty { return }
        let wasEmpty = rows.isEmpty
        anchoringSelection { outline in
            outline.rows.show(below)
            outline.rows.show(above.reversed())
            for (key, open) in opened { outline.rows.set(open, at: outline.rows.findShown(key).position) }
        }
        if wasEmpty, let anchor = session.anchor {
            // Rows below the anchor come first; the row above is selected only if there are none below.
            select(below.isEmpty ? rows.count - 1 : above.isEmpty ? 0 : rows.start(of: above.count))
            selectAnchor(anchor.path)
        }
        // The selected row stays at its height on the screen, unless the user has moved on.
        if let anchor = session.anchor, selectedRow?.path == anchor.path {
            top = Swift.max(0, selected - anchor.height)
        }
    }

    /// Whether an entry passes, and which values inside it, as far as the budget allows.
    ///
    /// - Parameter kept: a path inside the entry that passes in any case.
    private mutating func filterEntry(
        _ filter: RowFilter,
        _ entry: Rows.Entry,
        keeping kept: ArraySlice<PathStep>? = nil,
        _ budget: inout WorkBudget
    ) -> EntryFilterTask.Step {
        if let underWay = takeExamining(entry.key) { return goOn(underWay, &budget) }
        session.setFound(nil, entry.key)
        let open = hides(entry.key) ? nil : open.inside[.key(entry.key)].flatMap { $0.isOpen ? $0 : nil }
        if !isOfKind(filter, entry, &budget) {
            // An entry with a path that passes in any case is shown as a whole.
            guard kept != nil else { return .hidden }
            let node = rows.freshNode(of: entry)
            return .shown(open?.subtree(of: node).map { (node, $0) }, found: nil)
        }
        let shown = searchable(entry)
        let former = former(filter, entry.key)
        if open == nil, former == nil {
            guard let text = filter.text, kept == nil else { return .shown(nil, found: nil) }
            if let isFound = text.isFound(in: shown, &budget) {
                return isFound ? .shown(nil, found: nil) : .hidden
            }
            if text.matches(entry.key) { return .shown(nil, found: nil) }
        }
        let node = hides(entry.key) ? nil : rows.remembered(entry)
        return goOn(
            EntryFilterTask(shown, filter.text, since: former, open: open, keeping: kept, node: node),
            &budget
        )
    }

    /// A filter task is rare and large. Copying one inline would slow down the loop over all keys.
    @inline(never)
    private mutating func takeExamining(_ key: String) -> EntryFilterTask? {
        guard let task = session.entryTask else { return nil }
        session.entryTask = nil
        return task.key == key ? task : nil
    }

    /// Whether the part of the filter that is not a text lets a key pass.
    private func isOfKind(_ filter: RowFilter, _ entry: Rows.Entry, _ budget: inout WorkBudget) -> Bool {
        switch filter.category {
        case .among(_, let keys)?:
            budget.spend(1)
            return keys[entry.key] != nil
        case .undecodable(let check)?:
            return check.problem(with: entry.value, forKey: entry.key, &budget) != nil
        case nil: return true
        }
    }

    private mutating func goOn(_ task: EntryFilterTask, _ budget: inout WorkBudget) -> EntryFilterTask.Step {
        var task = task
        let step = task.next(&budget)
        if case .notYet = step { session.entryTask = task }
        if case .shown(_, let path?) = step { session.setFound(path, task.key) }
        return step
    }

    /// The former value of a key, if only the parts that differ from that value pass.
    func former(_ filter: RowFilter, _ key: String) -> PropertyListValue? {
        hides(key) || deleted.contains(key) ? nil : filter.former(key)
    }

    /// Updates the rows of an entry after a change.
    mutating func showEntry(_ index: Int, _ mapping: PathMapping? = nil) {
        let entry = entries[index]
        guard let filter else { return openAgain(entry.key, mapping) }
        guard session.examined.contains(index) else { return }
        let mapping = mapping?.reading(rows.freshNode(of: entry))
        if let mapping { open.remap(entry.key, mapping) }
        let underWay = session.entryTask
        session.entryTask = nil
        defer { session.entryTask = underWay }
        session.subtreesToFilter.removeAll { $0.key == entry.key }
        var budget = WorkBudget.unlimited
        guard case .shown(let open, _) = filterKeeping(filter, entry, mapping: mapping, &budget) else {
            return rows.hide(index)
        }
        if !rows.findShown(entry.key).isThere { rows.show([index]) }
        rows.set(open, at: rows.findShown(entry.key).position)
    }

    /// Starts the filter again. Rows appear as keys pass.
    mutating func showAgain(from path: ValuePath?, wasFiltered: Bool = false) {
        session.forgetWork()
        if filter == nil {
            anchoringSelection { outline in
                outline.rows.showAll()
                for key in outline.open.openKeys { outline.openAgain(key) }
            }
            return
        }
        let isSame = rows.isEmpty || wasFiltered && session.anchor?.path == path
        let height = isSame ? session.anchor?.height ?? 0 : selected - top
        session.anchor = path.map { ($0, height) }
        rows.hideAll()
        (selected, top) = (0, 0)
        let start = path.map { rows.find($0.key).index } ?? 0
        session.start(at: start)
    }
}

// Keeping the selected row in view when a change makes it fail the filter.
extension Outline {
    /// Whether an entry passes, and which values inside it, with the kept path shown in any case.
    private mutating func filterKeeping(
        _ filter: RowFilter,
        _ entry: Rows.Entry,
        mapping: PathMapping? = nil,
        _ budget: inout WorkBudget
    ) -> EntryFilterTask.Step {
        guard let path = keptPlace(in: entry, mapping) else { return filterEntry(filter, entry, &budget) }
        // If a task that keeps the path has begun, the entry has failed the filter alone already.
        if session.entryTask?.key != entry.key || session.entryTask?.isKeeping != true {
            let step = filterEntry(filter, entry, &budget)
            if case .notYet = step { return step }
            if step.shows(path) {
                session.kept = nil
                return step
            }
        }
        session.kept = path
        return filterEntry(filter, entry, keeping: path.steps.dropFirst(), &budget)
    }

    /// Hides the kept row if it fails the filter, after the user has selected another row.
    mutating func releaseKept() {
        guard let path = session.kept, let row = selectedRow, row.path != path else { return }
        session.kept = nil
        let (index, isThere) = rows.find(path.key)
        // The row may still be a container of rows that pass.
        if isThere { anchoringSelection(keepsSelected: true) { $0.showEntry(index) } }
    }

    /// The path of an entry that is shown even if it fails the filter; nil if the value is gone.
    private func keptPlace(in entry: Rows.Entry, _ mapping: PathMapping?) -> ValuePath? {
        guard let path = session.keeping ?? session.kept, path.key == entry.key else { return nil }
        if path.steps.count == 1 { return path }
        let node = rows.freshNode(of: entry)
        let inside = mapping?.reading(node).nearest(to: path.inside) ?? path.inside
        return node.node(at: inside) == nil ? nil : ValuePath([.key(entry.key)] + inside.steps)
    }
}

extension EntryFilterTask.Step {
    /// Whether a path is among the rows that pass.
    fileprivate func shows(_ path: ValuePath) -> Bool {
        guard case .shown(let open, _) = self else { return false }
        return path.steps.count == 1 || open?.subtree.row(of: path.steps.dropFirst()) != nil
    }
}
