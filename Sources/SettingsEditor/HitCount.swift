import PropertyList

/// How many places of a suite a search finds, and which of them is selected: counted a little at a time, behind
/// everything else.
struct HitCount: Sendable {
    let pattern: Pattern
    let suite: String
    /// How many changes of the rows it knows of.
    private var changes: Int
    /// The first of the shown keys that was not counted yet.
    private var next = 0
    /// The places of those before it that are to be counted anew.
    private var again: [Int] = []
    /// Where it has come to in a key that holds much, and how many there are up to there.
    private var inside: (search: EntrySearch, count: Int)?
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
        changes = rows.changes.count
    }

    private func isComplete(_ rows: Rows) -> Bool {
        changes == rows.changes.count && next == rows.keyCount && again.isEmpty
    }

    /// Whether there is something left to count. While a filter is being tried more and more rows come.
    func hasWork(_ tree: Tree) -> Bool {
        tree.isFiltered
            && (!isComplete(tree.rows) || tree.selectedRow.map { $0.path != ranked?.path } == true)
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
        follow(rows)
        while effort.isLeft, !isComplete(rows) {
            let position = again.last ?? next
            guard let found = countKey(at: position, in: tree, &effort) else { return }
            set(found, at: position)
            if again.popLast() == nil { next += 1 }
        }
        guard isComplete(rows), effort.isLeft, let row = tree.selectedRow, row.path != ranked?.path
        else { return }
        rank(row, in: tree, &effort)
    }

    /// Takes over what has become of the rows: what has not changed is not counted again.
    private mutating func follow(_ rows: Rows) {
        if changes == rows.changes.count { return }
        guard let new = rows.changes.behind(changes) else {
            self = HitCount(pattern, in: suite, rows)
            return
        }
        for change in new {
            switch change {
            case .value(let position):
                if position < next, !again.contains(position) { again.append(position) }
            case .inserted(let position):
                guard position < next else { break }
                shift(from: position, by: 1)
                again.append(position)
            case .removed(let position):
                guard position < next else { break }
                set(0, at: position)
                again.removeAll { $0 == position }
                shift(from: position, by: -1)
            }
        }
        changes = rows.changes.count
        (inside, ranked, ranking) = (nil, nil, nil)
    }

    private mutating func shift(from position: Int, by distance: Int) {
        for index in ends.beginning(where: { $0.position >= position })..<ends.count {
            ends[index].position += distance
        }
        for index in again.indices where again[index] >= position { again[index] += distance }
        next += distance
    }

    /// Has a key have so many.
    private mutating func set(_ found: Int, at position: Int) {
        let index = ends.beginning { $0.position >= position }
        let before = index > 0 ? ends[index - 1].count : 0
        let isThere = index < ends.count && ends[index].position == position
        let difference = found - (isThere ? ends[index].count - before : 0)
        count += difference
        if found == 0 {
            if isThere { ends.remove(at: index) }
        } else if !isThere {
            ends.insert((position, before), at: index)
        }
        if difference == 0 { return }
        for later in index..<ends.count { ends[later].count += difference }
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

    /// How many there are in a key; nil where the effort does not suffice.
    private mutating func countKey(at position: Int, in tree: Tree, _ effort: inout Effort) -> Int? {
        let entry = tree.searchable(tree.rows.entry(at: position))
        if inside == nil, let isFound = pattern.isFound(in: entry, &effort) { return isFound ? 1 : 0 }
        var (search, found) = inside ?? (search(of: entry, in: tree), 0)
        inside = nil
        while true {
            switch search.next(&effort) {
            case .found(let path, _): found += left.have(path, of: tree, &effort) ? 1 : 0
            case .nothing: return found
            case .notYet:
                inside = (search, found)
                return nil
            }
        }
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
        guard let hits, focus == .keys, hits.suite == suite?.id else { return nil }
        return hits
    }

    var hasHitsToCount: Bool {
        guard let count = countOfSuite, let suite else { return false }
        return count.hasWork(suite.tree)
    }

    mutating func goOnCounting(_ effort: inout Effort) {
        guard hasHitsToCount, let suite else { return }
        hits?.goOn(in: suite.tree, &effort)
    }

    /// Which of the places that were found is selected, as `3 of 17`; nil where that is not known.
    var hitText: String? {
        if focus == .suites {
            return suiteHits.flatMap { $0.suite == suite?.id ? "\($0.number) of \($0.count)" : nil }
        }
        guard let count = countOfSuite, let suite else { return nil }
        return count.text(suite.tree)
    }

    mutating func forgetHits() { (hits, suiteHits) = (nil, nil) }
}
