import PropertyList

/// How many places of a suite a search finds, and which of them is selected: counted a little at a time, behind
/// everything else.
struct HitCount: Sendable {
    let pattern: Pattern
    let suite: String
    private var version: Int
    private var arrangement: Int
    /// The first of the shown keys that was not counted yet.
    private var next = 0
    /// Where it has come to in a key that holds much.
    private var inside: EntrySearch?
    private var left = LeftPlaces()
    private(set) var count = 0
    /// Of the keys in which something was found, how many places there are up to their ends.
    private var ends: [(position: Int, count: Int)] = []
    /// Which of the places a row is; nil where it is none.
    private var ranked: (path: ValuePath, number: Int?)?
    /// How far that has been counted in the row's key.
    private var ranking: (path: ValuePath, search: EntrySearch, count: Int)?

    init(_ pattern: Pattern, in suite: String, _ rows: Rows) {
        (self.pattern, self.suite) = (pattern, suite)
        (version, arrangement) = (rows.version, rows.arrangement)
    }

    private func isOf(_ rows: Rows) -> Bool { version == rows.version && arrangement == rows.arrangement }

    private func isComplete(_ rows: Rows) -> Bool { isOf(rows) && next == rows.keyCount }

    /// Whether there is something left to count.
    func hasWork(_ tree: Tree) -> Bool {
        !isComplete(tree.rows) || tree.selectedRow.map { $0.path != ranked?.path } == true
    }

    /// `3 of 17`, or as much of that as is known; nil where that is nothing.
    func text(_ tree: Tree) -> String? {
        guard isComplete(tree.rows) else { return count == 0 ? nil : "\(count)+ found" }
        if count == 0 { return nil }
        guard let ranked, ranked.path == tree.selectedRow?.path, let number = ranked.number else {
            return "\(count) found"
        }
        return "\(number) of \(count)"
    }

    /// Counts on, as far as the effort goes.
    mutating func goOn(in tree: Tree, _ effort: inout Effort) {
        let rows = tree.rows
        if !isOf(rows) { self = HitCount(pattern, in: suite, rows) }
        while next < rows.keyCount, effort.isLeft { countNext(in: tree, &effort) }
        guard next == rows.keyCount, effort.isLeft, let row = tree.selectedRow, row.path != ranked?.path
        else { return }
        rank(row, in: tree, &effort)
    }

    /// Knows which one is selected since a search has gone on from one to another.
    ///
    /// - Parameter distance: How many further on it lies, round the ends.
    mutating func move(from old: ValuePath, to new: ValuePath, by distance: Int, in tree: Tree) {
        guard isComplete(tree.rows), count > 0, let ranked, ranked.path == old, let number = ranked.number
        else { return }
        let place = (number - 1 + distance) % count
        self.ranked = (new, (place + count) % count + 1)
    }

    private mutating func countNext(in tree: Tree, _ effort: inout Effort) {
        let entry = tree.searchable(tree.rows.entry(at: next))
        var found = 0
        if inside == nil, let isFound = pattern.isFound(in: entry, &effort) {
            found = isFound ? 1 : 0
        } else {
            var search = inside ?? search(of: entry, in: tree)
            inside = nil
            loop: while true {
                switch search.next(&effort) {
                case .found(let path, _): found += left.have(path, of: tree, &effort) ? 1 : 0
                case .nothing: break loop
                case .notYet:
                    inside = search
                    add(found)
                    return
                }
            }
        }
        add(found)
        next += 1
    }

    private mutating func add(_ found: Int) {
        if found == 0 { return }
        count += found
        if ends.last?.position == next { ends.removeLast() }
        ends.append((next, count))
    }

    private func search(of entry: Rows.Entry, in tree: Tree) -> EntrySearch {
        EntrySearch(pattern, in: entry, tree.rows.version, node: tree.rows.knownNode(entry))
    }

    private mutating func rank(_ row: Row, in tree: Tree, _ effort: inout Effort) {
        effort.spend(1)
        let position = tree.rows.findShown(row.path.key).position
        let index = ends.beginning { $0.position >= position }
        let before = index > 0 ? ends[index - 1].count : 0
        let isIn = index < ends.count && ends[index].position == position
        let isHit =
            isIn && !tree.hides(row.path.key)
            && (row.path.steps.last.map(pattern.matches) == true
                || pattern.matches(value: row.shown, &effort))
        guard isHit || isIn && row.depth == 0 else {
            ranked = (row.path, nil)
            return
        }
        let entry = tree.searchable(tree.rows.entry(at: position))
        var underWay: (path: ValuePath, search: EntrySearch, count: Int)
        if let ranking, ranking.path == row.path {
            underWay = ranking
        } else {
            underWay = (row.path, search(of: entry, in: tree), before)
        }
        ranking = nil
        // Of a key that has nothing inside there is one at most.
        var nothing = Effort.unlimited
        if let isFound = pattern.isFound(in: entry, &nothing) {
            ranked = (row.path, isFound ? before + 1 : nil)
            return
        }
        while true {
            switch underWay.search.next(&effort) {
            case .found(let path, _):
                if left.have(path, of: tree, &effort) { underWay.count += 1 }
                // The key's own row comes before all that is in it.
                if path != row.path, row.depth > 0 { continue }
                ranked = (row.path, path == row.path ? underWay.count : nil)
            case .nothing: ranked = (row.path, nil)
            case .notYet: ranking = underWay
            }
            return
        }
    }
}

/// Which places inside keys a filter leaves, with what that takes remembered for one key.
struct LeftPlaces: Sendable {
    private var known: (key: String, version: Int, arrangement: Int, node: ValueNode?, sieve: Sieve?)?

    /// Whether a place of a key that is shown is among them.
    mutating func have(_ path: ValuePath, of tree: Tree, _ effort: inout Effort) -> Bool {
        if tree.filter == nil || path.steps.count == 1 { return true }
        let rows = tree.rows
        if known?.key != path.key || known?.version != rows.version
            || known?.arrangement != rows.arrangement
        {
            let node = rows.node(forKey: path.key)
            known = (path.key, rows.version, rows.arrangement, node, tree.sieve(at: [.key(path.key)]))
        }
        guard let node = known?.node, let sieve = known?.sieve else { return false }
        return sieve.leaves(path.inside, in: node, &effort)
    }
}

// In the editor.
extension EditorState {
    /// Counts what is searched for in the selected suite, unless that is being done.
    mutating func countHits(_ pattern: Pattern) {
        guard let suite else { return }
        if let hits, hits.pattern == pattern, hits.suite == suite.id { return }
        hits = HitCount(pattern, in: suite.id, suite.tree.rows)
    }

    /// The count, where it is of the suite that is shown.
    private var countOfSuite: HitCount? {
        hits.flatMap { $0.suite == suite?.id && focus == .keys ? $0 : nil }
    }

    var hasHitsToCount: Bool {
        guard let suite, let count = countOfSuite else { return false }
        return count.hasWork(suite.tree)
    }

    mutating func goOnCounting(_ effort: inout Effort) {
        guard let suite, hasHitsToCount else { return }
        hits?.goOn(in: suite.tree, &effort)
    }

    /// Which of the places that were found is selected, as `3 of 17`; nil where that is not known.
    var hitText: String? {
        if focus == .suites {
            return suiteHits.flatMap { $0.suite == suite?.id ? "\($0.number) of \($0.count)" : nil }
        }
        guard let suite else { return nil }
        return countOfSuite?.text(suite.tree)
    }

    mutating func forgetHits() { (hits, suiteHits) = (nil, nil) }
}
