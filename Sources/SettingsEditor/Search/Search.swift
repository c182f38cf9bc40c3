import PropertyList

/// Searches the rows of a suite from the selected row on, and continues at the other end.
///
/// The search works in steps: a large suite must not delay the next key press.
struct Search: Sendable {
    enum Step: Sendable, Hashable {
        case found(ValuePath)
        case notFound
        case notYet
    }

    let pattern: Pattern
    let isForward: Bool
    /// How many matches to skip.
    private var further: Int
    private var start: ValuePath
    /// Whether the row where the search begins is searched first.
    private let isInclusive: Bool
    /// The key that was searched last or is being searched; nil before the first one.
    private var last: String?
    /// The unfinished search of that key.
    private var inside: EntrySearch?
    private var filteredPaths = FilteredPaths()
    /// The positions of the key where the search began and of the key searched last, until rows are rearranged.
    private var places: (arrangement: Int, first: Int, last: Int)?
    /// Whether the search has reached the key where it began.
    private var isRound = false
    /// Whether the search has continued at the other end since the last match.
    private var isPastEnd = false
    /// Whether the search has ever continued at the other end.
    private(set) var hasWrapped = false

    /// A larger count would search a suite with few matches for a long time.
    private static let mostSkipped = 1000

    init(for pattern: Pattern, from start: ValuePath, forwards: Bool, inclusive: Bool = false, count: Int = 1)
    {
        self.pattern = pattern
        self.start = start
        isForward = forwards
        isInclusive = inclusive
        further = min(max(0, count - 1), Self.mostSkipped)
    }

    /// Continues as far as the budget allows. Filtered rows are skipped; collapsed values are searched.
    mutating func goOn(in outline: Outline, _ budget: inout WorkBudget) -> Step {
        while budget.isLeft {
            guard let step = next(in: outline, &budget) else { continue }
            guard case .found(let path) = step, further > 0 else { return step }
            further -= 1
            start = path
            (last, places, isRound, isPastEnd) = (nil, nil, false, false)
        }
        return .notYet
    }

    /// Searches one key or a part of it; nil without a match.
    private mutating func next(in outline: Outline, _ budget: inout WorkBudget) -> Step? {
        if let inside { return goOn(inside, in: outline, &budget) }
        let rows = outline.rows
        guard !rows.isEmpty else { return .notFound }
        guard let last else {
            last = start.key
            let first = rows.findShown(start.key)
            guard first.isThere else { return nil }
            let entry = outline.searchable(rows.entry(at: first.position))
            if isForward, isInclusive, isFound(at: start, in: entry, rows, &budget) { return .found(start) }
            inside = search(of: entry, rows, from: start)
            return nil
        }
        let places = places.flatMap { $0.arrangement == rows.arrangement ? $0 : nil } ?? places(last, rows)
        var position = places.last + (isForward ? 1 : -1)
        if !(0..<rows.keyCount ~= position) {
            if isPastEnd { return .notFound }
            (isPastEnd, hasWrapped) = (true, true)
            position = isForward ? 0 : rows.keyCount - 1
        }
        let entry = outline.searchable(rows.entry(at: position))
        self.last = entry.key
        self.places = (rows.arrangement, places.first, position)
        if isPastEnd {
            isRound = isForward ? position >= places.first : position <= places.first
            if isRound, entry.key != start.key { return .notFound }
        }
        if let isFound = pattern.isFound(in: entry, &budget) {
            return isFound ? .found(entry.path) : isRound ? .notFound : nil
        }
        inside = search(of: entry, rows, from: nil)
        return nil
    }

    /// The position where the search begins, and the position that it has reached.
    private func places(_ last: String, _ rows: Rows) -> (arrangement: Int, first: Int, last: Int) {
        let behind = rows.findShown(last)
        // If the key was removed, the next key has taken its position.
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

    private mutating func goOn(_ search: EntrySearch, in outline: Outline, _ budget: inout WorkBudget)
        -> Step?
    {
        var search = search
        inside = nil
        if search.version != outline.rows.version {
            // The value may have changed meanwhile.
            let (position, isThere) = outline.rows.findShown(search.key)
            guard isThere else { return isRound ? .notFound : nil }
            let entry = outline.searchable(outline.rows.entry(at: position))
            search = self.search(
                of: entry,
                outline.rows,
                from: entry.key == start.key && !isRound ? start : nil
            )
        }
        switch search.next(&budget) {
        case .found(let path, _):
            if filteredPaths.contain(path, of: outline, &budget) { return .found(path) }
            inside = search
            return nil
        case .nothing: return isRound ? .notFound : nil
        case .notYet:
            inside = search
            return .notYet
        }
    }

    /// Whether a value itself matches, without its children.
    private func isFound(
        at place: ValuePath,
        in entry: Rows.Entry,
        _ rows: Rows,
        _ budget: inout WorkBudget
    ) -> Bool {
        guard let step = place.steps.last,
            let node = (rows.knownNode(entry) ?? entry.node).node(at: place.inside)
        else { return false }
        return pattern.matches(step) || pattern.matches(value: node, &budget)
    }
}
