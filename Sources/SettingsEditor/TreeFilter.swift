import PropertyList

// Showing what the filter leaves.
extension Tree {
    /// Whether the filter has been tried on all that is to be shown.
    var isFiltered: Bool { filter == nil || examined.count == entries.count && toNarrow.isEmpty }

    private var isExamined: Bool { filter == nil || examined.count == entries.count }

    /// Whether there is something left to do that takes its time.
    var hasWork: Bool { !isFiltered || opening != nil || rows.isReading }

    /// Shows only the keys that a filter leaves; with none all. They come with ``examine(_:)``, those
    /// from a place on first, which is selected if it is there.
    mutating func setFilter(_ filter: RowFilter?, from path: ValuePath?) {
        if self.filter != filter {
            let wasFiltered = self.filter != nil
            self.filter = filter
            showAgain(from: path ?? selectedRow?.path ?? anchor?.path, wasFiltered: wasFiltered)
        }
        if let path { select(path) }
    }

    /// Selects what was selected before the filter was set, or what of the way to it is shown.
    mutating func selectAnchor(_ path: ValuePath) {
        if rows.findShown(path.key).isThere { select(nearest: path) }
    }

    /// Has a filter decide anew on some keys.
    mutating func amendFilter(_ filter: RowFilter, _ keys: [String]) {
        self.filter = filter
        keepingPlace { tree in
            for key in keys {
                let (index, isThere) = tree.rows.find(key)
                if isThere { tree.showEntry(index) }
            }
        }
    }

    /// Tries the filter on further keys, as far as the effort goes.
    mutating func examine(_ effort: inout Effort) {
        guard let filter, !isExamined, effort.isLeft else { return }
        let entries = rows.entries
        var below: [Int] = []
        var above: [Int] = []
        var opened: [(key: String, open: (node: ValueNode, branch: Branch))] = []
        while examined.count < entries.count, effort.isLeft {
            let goesDown = examined.upperBound < entries.count
            let index = goesDown ? examined.upperBound : examined.lowerBound - 1
            let step = sift(filter, entries[index], &effort)
            if case .notYet = step { break }
            examined =
                goesDown ? examined.lowerBound..<index + 1 : index..<examined.upperBound
            guard case .left(let open, _) = step else { continue }
            if goesDown { below.append(index) } else { above.append(index) }
            if let open { opened.append((entries[index].key, open)) }
        }
        if below.isEmpty, above.isEmpty { return }
        let wasEmpty = rows.isEmpty
        keepingPlace { tree in
            tree.rows.show(below)
            tree.rows.show(above.reversed())
            for (key, open) in opened { tree.rows.set(open, at: tree.rows.findShown(key).position) }
        }
        if wasEmpty, let anchor {
            // What comes first lies behind the place, or is the last one before it.
            select(below.isEmpty ? rows.count - 1 : above.isEmpty ? 0 : rows.start(of: above.count))
            selectAnchor(anchor.path)
        }
        // It keeps its height, unless the user has gone on.
        if let anchor, selectedRow?.path == anchor.path { top = Swift.max(0, selected - anchor.height) }
    }

    /// Whether a filter leaves an entry, and what of it, as far as the effort goes.
    private mutating func sift(
        _ filter: RowFilter,
        _ entry: Rows.Entry,
        _ effort: inout Effort
    ) -> Sifting.Step {
        let underWay = examining.flatMap { $0.key == entry.key ? $0 : nil }
        examining = nil
        if let underWay { return goOn(underWay, &effort) }
        setFound(nil, entry.key)
        switch filter.kind {
        case .among(_, let keys)?:
            effort.spend(1)
            if keys[entry.key] == nil { return .hidden }
        case .undecodable(let check)?:
            if check.problem(with: entry.value, forKey: entry.key, &effort) == nil { return .hidden }
        case .text?, nil: break
        }
        let shown = searchable(entry)
        let open = hides(entry.key) ? nil : open[[.key(entry.key)]].flatMap { $0.isOpen ? $0 : nil }
        let former = former(filter, entry.key)
        if open == nil {
            guard let text = filter.text else { return .left(nil, found: nil) }
            if former == nil, let isFound = text.isFound(in: shown, &effort) {
                return isFound ? .left(nil, found: nil) : .hidden
            }
        }
        let node = rows.remembered(entry)
        return goOn(Sifting(shown, filter.text, since: former, open: open, node: node), &effort)
    }

    private mutating func goOn(_ sifting: Sifting, _ effort: inout Effort) -> Sifting.Step {
        var sifting = sifting
        let step = sifting.next(&effort)
        switch step {
        case .left(_, let path?): setFound(path, sifting.key)
        case .notYet: examining = sifting
        case .left, .hidden: break
        }
        return step
    }

    /// What of a key a filter lets through that differs from this.
    func former(_ filter: RowFilter, _ key: String) -> PropertyListValue? {
        hides(key) || deleted.contains(key) ? nil : filter.former(key)
    }

    /// What was found out about a key so far is no longer so.
    mutating func forgetExamining(_ key: String) {
        if examining?.key == key { examining = nil }
        if narrowing?.path.key == key { narrowing = nil }
    }

    mutating func insertExamined(_ index: Int) {
        guard filter != nil else { return }
        let isBelow = index > examined.upperBound
        let isAbove = index < examined.lowerBound
        let lower = examined.lowerBound + (isAbove ? 1 : 0)
        examined = lower..<examined.upperBound + (isBelow ? 0 : 1)
    }

    mutating func removeExamined(_ index: Int) {
        let lower = examined.lowerBound - (index < examined.lowerBound ? 1 : 0)
        examined = lower..<examined.upperBound - (index < examined.upperBound ? 1 : 0)
    }

    /// Shows an entry as it is now, if it is to be shown.
    mutating func showEntry(_ index: Int, from old: ValueNode? = nil) {
        let entry = entries[index]
        guard let filter else { return openAgain(entry.key, from: old) }
        guard examined.contains(index) else { return }
        if let old { open.follow(entry.key, from: old, to: rows.freshNode(of: entry)) }
        let underWay = examining
        examining = nil
        defer { examining = underWay }
        toNarrow.removeAll { $0.key == entry.key }
        var effort = Effort.unlimited
        guard case .left(let open, _) = sift(filter, entry, &effort) else { return rows.hide(index) }
        if !rows.findShown(entry.key).isThere { rows.show([index]) }
        rows.set(open, at: rows.findShown(entry.key).position)
    }

    /// Shows all anew, of which a filter leaves nothing before it is tried.
    mutating func showAgain(from path: ValuePath?, wasFiltered: Bool = false) {
        forgetFound()
        (examining, toNarrow, narrowing, awaited) = (nil, [], nil, nil)
        if filter == nil {
            keepingPlace { tree in
                tree.rows.showAll()
                for key in tree.open.openKeys { tree.openAgain(key) }
            }
            return
        }
        let isSame = rows.isEmpty || wasFiltered && anchor?.path == path
        anchor = path.map { ($0, isSame ? anchor?.height ?? 0 : selected - top) }
        rows.hideAll()
        (selected, top) = (0, 0)
        let start = path.map { rows.find($0.key).index } ?? 0
        examined = start..<start
    }
}
