import PropertyList

/// Searches the list of changes from the selected one on, and continues at the other end.
///
/// The search works in steps: a long history must not delay the next key press.
struct HistorySearch: Sendable {
    enum Step: Sendable, Hashable {
        /// The number of the matching entry.
        case found(Int)
        case notFound
        case notYet
    }

    let pattern: Pattern
    /// Whether the search goes down the list, to older changes.
    let isForward: Bool
    /// How many matches to skip.
    private var further: Int
    /// The number of the next entry to search, how many entries are left of this round, and how many matched
    /// in the round.
    private var next: Int
    private var left: Int
    private var matched = 0
    private(set) var hasWrapped = false

    /// - Parameters:
    ///   - start: The number of the entry where the search begins; nil for the newest.
    ///   - inclusive: Whether that entry is searched first and not last.
    init?(
        for pattern: Pattern,
        in journal: Journal,
        from start: Int?,
        forwards: Bool,
        inclusive: Bool = false,
        count: Int = 1
    ) {
        guard let start = journal.entry(at: journal.place(of: start))?.number else { return nil }
        self.pattern = pattern
        isForward = forwards
        further = max(0, count - 1)
        left = journal.entries.count
        next = start
        if !inclusive { step(journal) }
    }

    /// Continues as far as the budget allows.
    mutating func goOn(
        in journal: Journal,
        _ budget: inout WorkBudget,
        _ matches: (Journal.Entry, inout WorkBudget) -> Bool
    ) -> Step {
        while budget.isLeft {
            guard let first = journal.entries.first?.number else { return .notFound }
            if left == 0 {
                if matched == 0 { return .notFound }
                // Every round finds the same matches.
                further %= matched
                (left, matched) = (journal.entries.count, 0)
            }
            left -= 1
            let number = next
            // The oldest entries may have been dropped since the search began.
            let isThere = number >= first && number - first < journal.entries.count
            if isThere, matches(journal.entries[number - first], &budget) {
                if further == 0 { return .found(number) }
                further -= 1
                matched += 1
            }
            step(journal)
        }
        return .notYet
    }

    private mutating func step(_ journal: Journal) {
        guard let first = journal.entries.first?.number, let last = journal.entries.last?.number else {
            return
        }
        next += isForward ? -1 : 1
        if first...last ~= next { return }
        next = isForward ? last : first
        hasWrapped = true
    }
}

// Connects the search to the history screen.
extension HistoryScreen {
    func searchPrompt(from pane: Pane) -> SearchPrompt {
        SearchPrompt(
            isFilter: false,
            pane: pane,
            suite: nil,
            path: nil,
            top: 0,
            oldSuiteFilter: nil,
            oldFilter: nil,
            formerHistory: self
        )
    }
}

extension EditorState {
    /// Continues the search.
    mutating func goOnSearchingHistory(_ budget: inout WorkBudget) {
        guard var search = self.search.inHistory else { return }
        self.search.inHistory = nil
        guard let screen = historyScreen else { return }
        let journal = journal(of: screen)
        let pattern = search.pattern
        let step = search.goOn(in: journal, &budget) { entry, budget in matches(pattern, entry, &budget) }
        switch step {
        case .notYet: self.search.inHistory = search
        case .notFound: notFound(pattern)
        case .found(let number):
            modals.updateHistory(self.screen(screen, on: journal.place(of: number)))
            if search.hasWrapped, modals.searchPrompt == nil {
                say(SearchState.wrapped(forwards: search.isForward))
            }
        }
    }

    /// Whether the pattern occurs in the text that the list shows for a change, or in an old or new value
    /// without children.
    private func matches(_ pattern: Pattern, _ entry: Journal.Entry, _ budget: inout WorkBudget) -> Bool {
        budget.spend(16)
        if !options.isSingle,
            pattern.matches(suiteIndex(entry.suite).map { suiteList.suites[$0].title } ?? entry.suite)
        {
            return true
        }
        switch entry.matter {
        case .suite(let change): return pattern.matches(change.words)
        case .key(let change):
            let values = [change.value.old, change.value.new].compactMap(\.self)
            // Parsing large data takes too long. Only the text in the list is searched.
            if change.words == nil, values.contains(where: \.isLargeData) {
                return pattern.matches(change.key)
            }
            let words = words(change.words, change.value, of: change.key, in: entry.suite)
            if pattern.matches(words.place) || pattern.matches(words.text) { return true }
            if hides(change.key, of: entry.suite) { return false }
            return values.contains { value in
                !value.isLargeData && value.canHoldText && pattern.matches(value: ValueNode(value), &budget)
            }
        }
    }
}

extension PropertyListValue {
    fileprivate var isLargeData: Bool { if case .data(let data) = self { data.count > 4096 } else { false } }

    /// Whether the value is neither an array nor a dictionary.
    fileprivate var canHoldText: Bool {
        switch self {
        case .array, .dictionary: false
        default: true
        }
    }
}
