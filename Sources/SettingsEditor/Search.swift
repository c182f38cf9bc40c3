import PropertyList

/// A search under way in a suite, from a row on and round the end. It takes up where it left off, so
/// that it never holds up a key.
struct Search: Sendable {
    enum Step: Sendable, Hashable {
        case found(ValuePath)
        case notFound
        case notYet
    }

    let pattern: Pattern
    let isForward: Bool
    /// How many further matches are to be found behind the next one.
    private var further: Int
    /// The first match, and how many were found since: where it comes again, all do.
    private var round: (first: ValuePath, count: Int)?
    private var start: ValuePath
    /// Where it began, and how many matches on it is to end.
    let origin: ValuePath
    let distance: Int
    /// Whether the start is looked at first.
    private let isInclusive: Bool
    /// The key that was looked through last, or is; nil before the first one.
    private var last: String?
    /// What is left of that key.
    private var inside: EntrySearch?
    private var left = LeftPlaces()
    /// Where the two stand among the shown keys, as long as nothing moves there.
    private var places: (arrangement: Int, first: Int, last: Int)?
    /// The key is the last one.
    private var isRound = false
    /// It has gone round the end, since the last match.
    private var isBehindEnd = false
    /// It has done so at any time.
    private(set) var hasWrapped = false

    init(for pattern: Pattern, from start: ValuePath, forwards: Bool, inclusive: Bool = false, count: Int = 1)
    {
        self.pattern = pattern
        self.start = start
        origin = start
        distance = forwards ? max(1, count) : -max(1, count)
        isForward = forwards
        isInclusive = inclusive
        further = max(0, count - 1)
    }

    /// Goes on as far as the effort goes. What the filter hides is left out; what is closed is not.
    mutating func goOn(in tree: Tree, _ effort: inout Effort) -> Step {
        while effort.isLeft {
            guard let step = next(in: tree, &effort) else { continue }
            guard case .found(let path) = step, further > 0 else { return step }
            if let (first, count) = round {
                if path == first { further %= count + 1 }
                round?.count = path == first ? 0 : count + 1
                if further == 0 { return step }
            } else {
                round = (path, 0)
            }
            further -= 1
            start = path
            (last, places, isRound, isBehindEnd) = (nil, nil, false, false)
        }
        return .notYet
    }

    /// Looks through one key, or a part of it; nil where nothing was found there.
    private mutating func next(in tree: Tree, _ effort: inout Effort) -> Step? {
        if let inside { return goOn(inside, in: tree, &effort) }
        let rows = tree.rows
        guard !rows.isEmpty else { return .notFound }
        guard let last else {
            last = start.key
            let first = rows.findShown(start.key)
            guard first.isThere else { return nil }
            let entry = tree.searchable(rows.entry(at: first.position))
            if isForward, isInclusive, isFound(at: start, in: entry, rows, &effort) { return .found(start) }
            inside = search(of: entry, rows, from: start)
            return nil
        }
        let places = places.flatMap { $0.arrangement == rows.arrangement ? $0 : nil } ?? places(last, rows)
        var position = places.last + (isForward ? 1 : -1)
        if !(0..<rows.keyCount ~= position) {
            if isBehindEnd { return .notFound }
            (isBehindEnd, hasWrapped) = (true, true)
            position = isForward ? 0 : rows.keyCount - 1
        }
        let entry = tree.searchable(rows.entry(at: position))
        self.last = entry.key
        self.places = (rows.arrangement, places.first, position)
        if isBehindEnd {
            isRound = isForward ? position >= places.first : position <= places.first
            if isRound, entry.key != start.key { return .notFound }
        }
        if let isFound = pattern.isFound(in: entry, &effort) {
            return isFound ? .found(entry.path) : isRound ? .notFound : nil
        }
        inside = search(of: entry, rows, from: nil)
        return nil
    }

    /// Where the search begins, and where it has come to.
    private func places(_ last: String, _ rows: Rows) -> (arrangement: Int, first: Int, last: Int) {
        let behind = rows.findShown(last)
        // Where the key is gone, what follows it has its place.
        let place = behind.position - (isForward && !behind.isThere ? 1 : 0)
        return (rows.arrangement, rows.findShown(start.key).position, place)
    }

    private func search(of entry: Rows.Entry, _ rows: Rows, from start: ValuePath?) -> EntrySearch {
        EntrySearch(
            pattern,
            in: entry,
            rows.version,
            node: rows.knownNode(entry),
            forwards: isForward,
            from: start
        )
    }

    private mutating func goOn(_ search: EntrySearch, in tree: Tree, _ effort: inout Effort) -> Step? {
        var search = search
        inside = nil
        if search.version != tree.rows.version {
            // It may hold something else by now.
            let (position, isThere) = tree.rows.findShown(search.key)
            guard isThere else { return isRound ? .notFound : nil }
            let entry = tree.searchable(tree.rows.entry(at: position))
            search = self.search(of: entry, tree.rows, from: entry.key == start.key && !isRound ? start : nil)
        }
        switch search.next(&effort) {
        case .found(let path, _):
            if left.have(path, of: tree, &effort) { return .found(path) }
            inside = search
            return nil
        case .nothing: return isRound ? .notFound : nil
        case .notYet:
            inside = search
            return .notYet
        }
    }

    /// Whether the pattern is found at a place, whatever is inside it.
    private func isFound(
        at place: ValuePath,
        in entry: Rows.Entry,
        _ rows: Rows,
        _ effort: inout Effort
    ) -> Bool {
        guard let step = place.steps.last,
            let node = (rows.knownNode(entry) ?? entry.node).node(at: place.inside)
        else { return false }
        return pattern.matches(step) || pattern.matches(value: node, &effort)
    }
}
