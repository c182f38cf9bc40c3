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
        keepingPlace(keepsSelected: true) { tree in
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
        let count = entries.count
        // By far most keys are closed, and a look at them is enough.
        let text = filter.isTextAlone && keeping == nil && kept == nil ? filter.text : nil
        let openKeys = Set(open.openKeys)
        while examined.count < count, effort.isLeft {
            let goesDown = examined.upperBound < count
            let index = goesDown ? examined.upperBound : examined.lowerBound - 1
            let entry = entries[index]
            var isLeft: Bool?
            if let text, examining == nil, !openKeys.contains(entry.key), !hides(entry.key) {
                isLeft = text.isFound(in: entry, &effort)
                if isLeft == nil { isLeft = look(for: text, inside: entry, &effort) }
            } else {
                switch siftKeeping(filter, entry, &effort) {
                case .left(let open, _):
                    isLeft = true
                    if let open { opened.append((entry.key, open)) }
                case .hidden: isLeft = false
                case .notYet: break
                }
            }
            guard let isLeft else { break }
            examined = goesDown ? examined.lowerBound..<index + 1 : index..<examined.upperBound
            if !isLeft { continue }
            if goesDown { below.append(index) } else { above.append(index) }
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
    ///
    /// - Parameter kept: What leads to a place in it that is left whatever it is.
    private mutating func sift(
        _ filter: RowFilter,
        _ entry: Rows.Entry,
        keeping kept: ArraySlice<PathStep>? = nil,
        _ effort: inout Effort
    ) -> Sifting.Step {
        if let underWay = takeExamining(entry.key) { return goOn(underWay, &effort) }
        setFound(nil, entry.key)
        setGone(nil, entry.key)
        let open = hides(entry.key) ? nil : open.inside[.key(entry.key)].flatMap { $0.isOpen ? $0 : nil }
        if !isOfKind(filter, entry, &effort) {
            // Where a place in it is kept all is: that something beside it does not match is of no matter then.
            guard kept != nil else { return .hidden }
            let node = rows.freshNode(of: entry)
            return .left(open?.branch(of: node).map { (node, $0) }, found: nil)
        }
        let shown = searchable(entry)
        let former = former(filter, entry.key)
        if open == nil, former == nil {
            guard let text = filter.text, kept == nil else { return .left(nil, found: nil) }
            if let isFound = text.isFound(in: shown, &effort) {
                return isFound ? .left(nil, found: nil) : .hidden
            }
            return siftInside(shown, for: text, &effort)
        }
        let node = rows.remembered(entry)
        return goOn(
            Sifting(shown, filter.text, since: former, open: open, keeping: kept, node: node),
            &effort
        )
    }

    /// Whether a text is found in a closed entry that may have something inside it; nil where the effort does not
    /// suffice.
    private mutating func look(for text: Pattern, inside entry: Rows.Entry, _ effort: inout Effort) -> Bool? {
        switch siftInside(entry, for: text, &effort) {
        case .left: true
        case .hidden: false
        case .notYet: nil
        }
    }

    private mutating func siftInside(
        _ shown: Rows.Entry,
        for text: Pattern,
        _ effort: inout Effort
    ) -> Sifting.Step {
        // By far most hold little, and are done at once.
        var search = EntrySearch(text, in: shown, 0, node: rows.remembered(shown))
        let step = search.next(&effort).sifted
        if case .notYet = step { return goOn(Sifting(shown, search), &effort) }
        return noted(step, shown.key)
    }

    /// What is under way is seldom there, and takes long to copy.
    @inline(never)
    private mutating func takeExamining(_ key: String) -> Sifting? {
        if examining == nil { return nil }
        defer { examining = nil }
        return examining?.key == key ? examining : nil
    }

    /// Whether what decides beside a text leaves a key.
    private func isOfKind(_ filter: RowFilter, _ entry: Rows.Entry, _ effort: inout Effort) -> Bool {
        switch filter.kind {
        case .among(_, let keys)?:
            effort.spend(1)
            return keys[entry.key] != nil
        case .undecodable(let check)?:
            return check.problem(with: entry.value, forKey: entry.key, &effort) != nil
        case .text?, nil: return true
        }
    }

    private mutating func goOn(_ sifting: Sifting, _ effort: inout Effort) -> Sifting.Step {
        var sifting = sifting
        let step = sifting.next(&effort)
        if case .notYet = step { examining = sifting }
        if case .left = step, filter?.showsDeleted == true { setGone(sifting.gone, sifting.key) }
        return noted(step, sifting.key)
    }

    private mutating func noted(_ step: Sifting.Step, _ key: String) -> Sifting.Step {
        if case .left(_, let path?) = step { setFound(path, key) }
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
    ///
    /// - Parameter carries: What takes long to filter shows the rows that it had, until that is done.
    mutating func showEntry(_ index: Int, from old: ValueNode? = nil, carries: Bool = true) {
        let entry = entries[index]
        guard let filter else { return openAgain(entry.key, from: old) }
        guard examined.contains(index) else { return }
        if let old { follow(entry.key, from: old, to: rows.freshNode(of: entry)) }
        let underWay = examining
        examining = nil
        defer { examining = underWay }
        toNarrow.removeAll { $0.key == entry.key }
        if carries, carryOver(entry) { return }
        var effort = Effort.unlimited
        guard case .left(let open, _) = siftKeeping(filter, entry, from: old, &effort) else {
            return rows.hide(index)
        }
        if !rows.findShown(entry.key).isThere { rows.show([index]) }
        rows.set(open, at: rows.findShown(entry.key).position)
    }

    /// Shows all anew, of which a filter leaves nothing before it is tried.
    mutating func showAgain(from path: ValuePath?, wasFiltered: Bool = false) {
        forgetFound()
        (examining, toNarrow, narrowing, awaited, kept) = (nil, [], nil, nil, nil)
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

// What takes long.
extension Tree {
    /// Of so many rows they are filtered between the keys.
    private static let many = 2000

    /// Has a key that is open, and holds much, show the same rows as before of what it holds now, which are to be
    /// filtered then.
    private mutating func carryOver(_ entry: Rows.Entry) -> Bool {
        let (position, isThere) = rows.findShown(entry.key)
        guard isThere, filter?.isTextAlone == true, !hides(entry.key), let branch = rows.branch(at: position),
            branch.children.count > Self.many
        else { return false }
        let node = rows.freshNode(of: entry)
        guard node.isContainer else { return false }
        rows.set((node, branch.carried(to: node)), at: position)
        toNarrow.append(entry.path)
        return true
    }

    /// Shows what the filter leaves of a key that shows more, once that is known.
    ///
    /// - Returns: Whether that was to be done otherwise: the key goes, or what is selected in it.
    mutating func isToShowAgain(_ path: ValuePath, _ isLeft: Bool, _ branch: Branch?) -> Bool {
        guard path.steps.count == 1, let row = selectedRow else { return false }
        if !isLeft { return true }
        return row.depth > 0 && row.path.key == path.key && branch?.row(of: row.path.steps.dropFirst()) == nil
    }
}

// What a change has made another than the filter leaves.
extension Tree {
    /// Whether a filter leaves an entry, and what of it, with what is to stay in it whatever it is.
    private mutating func siftKeeping(
        _ filter: RowFilter,
        _ entry: Rows.Entry,
        from old: ValueNode? = nil,
        _ effort: inout Effort
    ) -> Sifting.Step {
        guard let path = keptPlace(in: entry, from: old) else { return sift(filter, entry, &effort) }
        // Where that has begun the filter alone does not leave it.
        if examining?.key != entry.key || examining?.isKeeping != true {
            let step = sift(filter, entry, &effort)
            if case .notYet = step { return step }
            if step.shows(path) {
                kept = nil
                return step
            }
        }
        kept = path
        return sift(filter, entry, keeping: path.steps.dropFirst(), &effort)
    }

    /// Lets a row go that the filter does not leave any more, once something else is selected.
    mutating func releaseKept() {
        guard let path = kept, let row = selectedRow, row.path != path else { return }
        kept = nil
        let (index, isThere) = rows.find(path.key)
        // It may be what the place has led through.
        if isThere { keepingPlace(keepsSelected: true) { $0.showEntry(index) } }
    }

    /// The place of an entry that is shown whether the filter leaves it or not; nil where it is gone too.
    private func keptPlace(in entry: Rows.Entry, from old: ValueNode?) -> ValuePath? {
        guard let path = keeping ?? kept, path.key == entry.key else { return nil }
        if path.steps.count == 1 { return path }
        let node = rows.freshNode(of: entry)
        let inside =
            old.map { Following(path.inside, from: $0, to: node, isNear: true).nearest } ?? path.inside
        return node.node(at: inside) == nil ? nil : ValuePath([.key(entry.key)] + inside.steps)
    }
}

extension Sifting.Step {
    /// Whether a place is among the rows that are left.
    fileprivate func shows(_ path: ValuePath) -> Bool {
        guard case .left(let open, _) = self else { return false }
        return path.steps.count == 1 || open?.branch.row(of: path.steps.dropFirst()) != nil
    }
}
