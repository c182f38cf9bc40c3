import PropertyList

/// A search of the list of changes, from one on and round the end, that takes up where it left off.
struct HistorySearch: Sendable {
    enum Step: Sendable, Hashable {
        /// The entry with that number.
        case found(Int)
        case notFound
        case notYet
    }

    let pattern: Pattern
    /// Down the list, to what is older.
    let isForward: Bool
    /// How many further matches are to be found behind the next one.
    private var further: Int
    /// The number of the entry that is looked at next, how many are left of this round, and how many matched in it.
    private var next: Int
    private var left: Int
    private var matched = 0
    private(set) var hasWrapped = false

    /// - Parameters:
    ///   - start: the number of the entry where it begins.
    ///   - inclusive: whether that is looked at first, and not last.
    init(
        for pattern: Pattern,
        in journal: Journal,
        from start: Int,
        forwards: Bool,
        inclusive: Bool = false,
        count: Int = 1
    ) {
        self.pattern = pattern
        isForward = forwards
        further = max(0, count - 1)
        left = journal.entries.count
        next = start
        if !inclusive { step(journal) }
    }

    /// Goes on as far as the effort goes.
    mutating func goOn(
        in journal: Journal,
        _ effort: inout Effort,
        _ matches: (Journal.Entry, inout Effort) -> Bool
    ) -> Step {
        while effort.isLeft {
            guard let first = journal.entries.first?.number else { return .notFound }
            if left == 0 {
                if matched == 0 { return .notFound }
                // However often, each round is the same.
                further %= matched
                (left, matched) = (journal.entries.count, 0)
            }
            left -= 1
            let number = next
            // The oldest may have been forgotten meanwhile.
            let isThere = number >= first && number - first < journal.entries.count
            if isThere, matches(journal.entries[number - first], &effort) {
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

// In the editor.
extension EditorState {
    mutating func beginSearchingHistory(_ screen: HistoryScreen) {
        promptWords.begin()
        input = .search(
            SearchPrompt(
                isFilter: false,
                pane: focus,
                suite: nil,
                path: nil,
                top: 0,
                oldSuiteFilter: nil,
                oldFilter: nil,
                history: SearchPrompt.History(screen: screen, former: screen)
            )
        )
    }

    /// - Parameter history: what is shown now, and what was as it began.
    mutating func type(_ action: EditorAction, in prompt: SearchPrompt, _ history: SearchPrompt.History) {
        switch action {
        case .cancel:
            historySearch = nil
            input = .history(history.former)
        case .confirm:
            input = .history(history.screen)
            finishSearch(prompt) { state in state.searchHistoryAgain(forwards: true) }
        default:
            guard typeInLine(action), case .search(var prompt)? = input else { return }
            prompt.history = SearchPrompt.History(screen: history.former, former: history.former)
            prompt.isWithoutMatch = false
            input = .search(prompt)
            historySearch = nil
            if let pattern = Pattern(prompt.line.text, spelling) {
                searchHistory(pattern, forwards: true, inclusive: true)
            }
        }
    }

    mutating func searchHistoryAgain(forwards: Bool, count: Int = 1) {
        guard let pattern = patternToRepeat() else { return }
        searchHistory(pattern, forwards: forwards, count: count)
    }

    /// Begins to search the list of changes that is on the screen.
    private mutating func searchHistory(
        _ pattern: Pattern,
        forwards: Bool,
        inclusive: Bool = false,
        count: Int = 1
    ) {
        guard let screen = historyScreen else { return }
        let journal = journal(of: screen)
        guard let start = journal.entry(at: journal.place(of: screen.selected))?.number else { return }
        historySearch = HistorySearch(
            for: pattern,
            in: journal,
            from: start,
            forwards: forwards,
            inclusive: inclusive,
            count: count
        )
    }

    /// Goes on with it.
    mutating func goOnSearchingHistory(_ effort: inout Effort) {
        guard var search = historySearch else { return }
        historySearch = nil
        guard let screen = historyScreen else { return }
        let journal = journal(of: screen)
        let pattern = search.pattern
        let step = search.goOn(in: journal, &effort) { entry, effort in matches(pattern, entry, &effort) }
        switch step {
        case .notYet: historySearch = search
        case .notFound: notFound(pattern)
        case .found(let number):
            historyScreen = self.screen(screen, on: journal.place(of: number))
            if search.hasWrapped, !isTypingSearch { sayWrapped(forwards: search.isForward) }
        }
    }

    private var isTypingSearch: Bool { if case .search? = input { true } else { false } }

    /// Whether a pattern is found in what the list says of a change, or in a value before or behind it that has
    /// nothing inside.
    private func matches(_ pattern: Pattern, _ entry: Journal.Entry, _ effort: inout Effort) -> Bool {
        effort.spend(16)
        if !options.isSingle, pattern.matches(suiteIndex(entry.suite).map { suites[$0].title } ?? entry.suite)
        {
            return true
        }
        switch entry.matter {
        case .suite(let change): return pattern.matches(change.words)
        case .key(let change):
            let values = [change.value.old, change.value.new].compactMap(\.self)
            // What takes long to take apart is not, but for where it differs.
            if change.words == nil, values.contains(where: \.isLargeData) {
                return pattern.matches(change.key)
            }
            let words = words(change.words, change.value, of: change.key, in: entry.suite)
            if pattern.matches(words.place) || pattern.matches(words.text) { return true }
            if hides(change.key, of: entry.suite) { return false }
            return values.contains { value in
                !value.isLargeData && value.canHoldText && pattern.matches(value: ValueNode(value), &effort)
            }
        }
    }
}

extension PropertyListValue {
    fileprivate var isLargeData: Bool { if case .data(let data) = self { data.count > 4096 } else { false } }

    /// It is no array and no dictionary.
    fileprivate var canHoldText: Bool {
        switch self {
        case .array, .dictionary: false
        default: true
        }
    }
}
