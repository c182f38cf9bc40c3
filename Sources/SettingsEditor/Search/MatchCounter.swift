import PropertyList

/// Counts the matches of a search in a suite, to show “3 of 17” for the selected match.
///
/// The list of matches is made a little at a time, between keys. It is made again if a value or a shown key
/// changes.
struct MatchCounter: Sendable {
    let pattern: Pattern
    let suite: String
    /// The version of the rows that the list was made from.
    private let version: Int
    private let arrangement: Int
    /// The number of each match, from 1, in the order of the rows.
    private var numbers: [ValuePath: Int] = [:]
    /// The position of the first shown key that was not searched yet.
    private var next = 0
    /// The unfinished search of that key.
    private var unfinished: EntrySearch?
    private var filteredPaths = FilteredPaths()

    init(_ pattern: Pattern, in suite: String, _ rows: Rows) {
        (self.pattern, self.suite) = (pattern, suite)
        (version, arrangement) = (rows.version, rows.arrangement)
    }

    private func isComplete(_ rows: Rows) -> Bool { isCurrent(rows) && next == rows.keyCount }

    private func isCurrent(_ rows: Rows) -> Bool {
        version == rows.version && arrangement == rows.arrangement
    }

    /// Whether something is left to count. A filter adds rows until it is complete.
    func hasWork(_ outline: Outline) -> Bool { outline.isFiltered && !isComplete(outline.rows) }

    /// `3 of 17`, or the part of it that is known; nil without a match.
    func text(_ outline: Outline) -> String? {
        let count = numbers.count
        if count == 0 { return nil }
        guard isComplete(outline.rows) else { return "\(count)+ found" }
        guard let number = outline.selectedRow.flatMap({ numbers[$0.path] }) else { return "\(count) found" }
        return "\(number) of \(count)"
    }

    mutating func goOn(in outline: Outline, _ budget: inout WorkBudget) {
        let rows = outline.rows
        if !isCurrent(rows) { self = MatchCounter(pattern, in: suite, rows) }
        while budget.isLeft, next < rows.keyCount {
            let entry = outline.searchable(rows.entry(at: next))
            if unfinished == nil, let isFound = pattern.isFound(in: entry, &budget) {
                if isFound { add(entry.path) }
            } else {
                var search =
                    unfinished ?? EntrySearch(pattern, in: entry, rows.version, node: rows.knownNode(entry))
                unfinished = nil
                guard addMatches(of: &search, in: outline, &budget) else {
                    unfinished = search
                    return
                }
            }
            next += 1
        }
    }

    /// - Returns: False if the budget did not suffice.
    private mutating func addMatches(
        of search: inout EntrySearch,
        in outline: Outline,
        _ budget: inout WorkBudget
    ) -> Bool {
        while true {
            switch search.next(&budget) {
            case .found(let path, _): if filteredPaths.contain(path, of: outline, &budget) { add(path) }
            case .nothing: return true
            case .notYet: return false
            }
        }
    }

    private mutating func add(_ path: ValuePath) { numbers[path] = numbers.count + 1 }
}

extension EditorState {
    /// The count, if it belongs to the suite on the screen.
    private var countOfSuite: MatchCounter? {
        guard let hits = search.hits, display.focus == .keys, hits.suite == suite?.id else { return nil }
        return hits
    }

    var hasHitsToCount: Bool {
        guard let count = countOfSuite, let suite else { return false }
        return count.hasWork(suite.outline)
    }

    /// The number of the selected match and the number of all matches, as `3 of 17`; nil if unknown.
    var matchText: String? {
        if display.focus == .suites {
            return search.suiteHits.flatMap { $0.suite == suite?.id ? "\($0.number) of \($0.count)" : nil }
        }
        guard let count = countOfSuite, let suite else { return nil }
        return count.text(suite.outline)
    }
}
