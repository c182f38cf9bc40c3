import PropertyList

/// A search under way in a suite, from a row on and round the end. It takes up where it left off, so
/// that it never holds up a key.
struct Search: Sendable, Hashable {
    enum Step: Sendable, Hashable {
        case found(ValuePath)
        case notFound
        case notYet
    }

    let pattern: Pattern
    let isForward: Bool
    /// How many further matches are to be found behind the next one.
    private var further: Int
    private var start: ValuePath
    /// Whether the start is looked at first.
    private let isInclusive: Bool
    /// The key that was looked through last; nil before the first one.
    private var last: String?
    /// It has gone round the end.
    private(set) var hasWrapped = false

    init(for pattern: Pattern, from start: ValuePath, forwards: Bool, inclusive: Bool = false, count: Int = 1)
    {
        self.pattern = pattern
        self.start = start
        isForward = forwards
        isInclusive = inclusive
        further = max(0, count - 1)
    }

    /// Goes on as far as the effort goes. What the filter hides is left out; what is closed is not.
    mutating func goOn(in tree: Tree, _ effort: inout Effort) -> Step {
        while effort.isLeft {
            guard let step = next(in: tree.rows, &effort) else { continue }
            guard case .found(let path) = step, further > 0 else { return step }
            further -= 1
            start = path
            last = nil
        }
        return .notYet
    }

    /// Looks through one key; nil where nothing was found in it.
    private mutating func next(in rows: Rows, _ effort: inout Effort) -> Step? {
        let count = rows.keyCount
        guard count > 0 else { return .notFound }
        let first = rows.findShown(start.key)
        guard let last else {
            last = start.key
            return first.isThere ? inStart(rows.entry(at: first.position), &effort).map(Step.found) : nil
        }
        let behind = rows.findShown(last)
        var position = isForward ? behind.position + (behind.isThere ? 1 : 0) : behind.position - 1
        if !(0..<count ~= position) {
            if hasWrapped { return .notFound }
            hasWrapped = true
            position = isForward ? 0 : count - 1
        }
        let entry = rows.entry(at: position)
        self.last = entry.key
        let isRound = hasWrapped && (isForward ? position >= first.position : position <= first.position)
        if isRound, entry.key != start.key { return .notFound }
        let match = isForward ? pattern.firstMatch(in: entry, &effort) : pattern.lastMatch(in: entry, &effort)
        return match.map(Step.found) ?? (isRound ? .notFound : nil)
    }

    /// The part of the start's own key that lies behind it, or before it.
    private func inStart(_ entry: Rows.Entry, _ effort: inout Effort) -> ValuePath? {
        guard isForward else { return pattern.lastMatch(in: entry, before: start, &effort) }
        if isInclusive, let match = pattern.match(at: start, in: entry, &effort) { return match }
        return pattern.firstMatch(in: entry, after: start, &effort)
    }
}
