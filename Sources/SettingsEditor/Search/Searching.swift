import PropertyList

/// The prompt for a search or a filter, and what Esc goes back to.
struct SearchPrompt: Sendable, Hashable {
    let isFilter: Bool
    let pane: Pane
    var line = LineEditor()
    /// The suite that was selected before.
    let suite: String?
    let path: ValuePath?
    let top: Int
    let oldSuiteFilter: Pattern?
    let oldFilter: RowFilter?
    /// The paths that were expanded to show a match.
    var opened: [ValuePath] = []
    var isWithoutMatch = false
    /// If the history is searched: the screen to go back to. Nil for a pane.
    var formerHistory: HistoryScreen?
}

/// A search of a suite that is not complete yet.
struct RunningSearch: Sendable {
    let suite: String
    var search: Search
}

extension SearchPrompt: Component {
    func mode(in state: EditorState) -> Mode { isFilter ? .filter : .search }

    func paintPrompt(_ painter: inout Painter, row: Int) -> Bool {
        painter.paint(self, row)
        return true
    }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        if command == .cancel || command == .confirm {
            state.search.prompts.remember(line.text, isFilter ? .filter : .search)
        }
        if let formerHistory {
            state.type(command, in: self, formerHistory)
            return []
        }
        switch command {
        case .cancel:
            state.modals.closeAll()
            state.search.running = nil
            state.search.forgetHits()
            state.suiteList.goBack(to: self)
        case .confirm: state.finish(self)
        default:
            guard state.typeInLine(command), case .search(var prompt)? = state.modal else { break }
            let pattern = Pattern(prompt.line.text, state.format)
            if prompt.isFilter {
                state.suiteList.setFilter(pattern, prompt)
                break
            }
            state.suiteList.goBack(to: prompt)
            prompt.opened = []
            prompt.isWithoutMatch = false
            state.modals.replaceTop(.search(prompt))
            state.search.running = nil
            state.search.forgetHits()
            if let pattern { state.search(pattern, forwards: true, inclusive: true) }
        }
        return []
    }
}

// Search and filter of the focused pane, as in `less`.
extension EditorState {
    mutating func beginSearch(isFilter: Bool) {
        search.prompts.begin()
        modals.open(
            .search(
                SearchPrompt(
                    isFilter: isFilter,
                    pane: display.focus,
                    suite: suite?.id,
                    path: selectedRow?.path,
                    top: display.focus == .suites ? suiteList.top : suite?.outline.top ?? 0,
                    oldSuiteFilter: suiteList.filter,
                    oldFilter: suite?.outline.filter
                )
            )
        )
    }

    fileprivate mutating func finish(_ prompt: SearchPrompt) {
        modals.closeAll()
        guard prompt.isFilter else { return finishSearch(prompt) { $0.repeatSearch(forwards: true) } }
        // An empty pattern removes the filter.
        suiteList.setFilter(Pattern(prompt.line.text, format), prompt)
    }

    /// - Parameter goOn: goes to the next match of the previous search, if nothing was typed.
    mutating func finishSearch(_ prompt: SearchPrompt, orElse goOn: (inout EditorState) -> Void) {
        guard let typed = Pattern(prompt.line.text, format) else { return goOn(&self) }
        (search.pattern, search.highlightsMatches) = (typed, true)
        if prompt.isWithoutMatch { sayNotFound(typed) }
    }

    mutating func repeatSearch(forwards: Bool, count: Int = 1) {
        guard let pattern = patternToRepeat() else { return }
        search(pattern, forwards: forwards, count: count)
    }

    /// The previous pattern, which becomes visible again. Without one, a message says so.
    mutating func patternToRepeat() -> Pattern? {
        guard let pattern = search.pattern else {
            say("Nothing was searched yet. Press / to search.")
            return nil
        }
        search.highlightsMatches = true
        return pattern
    }

    /// Whether a pane is filtered.
    var isFiltered: Bool { suiteList.filter != nil || suite?.outline.filter != nil }

    private mutating func sayNotFound(_ pattern: Pattern) {
        say("Not found: \(shortened(pattern.text))", isProblem: true)
    }
}

// Work that is done in steps between keys.
extension EditorState {
    /// Whether ``Work/goOn(budget:)`` has something to do.
    public var hasWork: Bool {
        isSearching || suite?.outline.hasWork == true || finderHasWork || hasHitsToCount
    }

    /// Continues the work that takes too long to finish between a key press and the next frame.
    mutating func goOn(_ budget: inout WorkBudget) {
        if suite?.outline.hasWork == true {
            suiteList.suites[suiteList.selected].outline.rows.readOn(&budget)
            suiteList.suites[suiteList.selected].outline.openFurther(&budget)
            suiteList.suites[suiteList.selected].outline.filterSubtrees(&budget)
            suiteList.suites[suiteList.selected].outline.examine(&budget)
        }
        goOnFinding(&budget)
        goOnSearchingHistory(&budget)
        guard var running = search.running else { return goOnCounting(&budget) }
        guard let suite, suite.id == running.suite else {
            search.running = nil
            return
        }
        let step = running.search.goOn(in: suite.outline, &budget)
        search.running = step == .notYet ? running : nil
        switch step {
        case .notYet: break
        case .found(let path):
            found(path, running.search)
            suiteList.suites[suiteList.selected].outline.filterSubtrees(&budget)
            goOnCounting(&budget)
        case .notFound: notFound(running.search.pattern)
        }
    }

    private mutating func found(_ path: ValuePath, _ search: Search) {
        let opened = suiteList.suites[suiteList.selected].outline.go(to: path)
        if modals.searchPrompt != nil {
            modals.updateSearchPrompt { $0.opened = opened }
        } else if search.hasWrapped {
            sayWrapped(forwards: search.isForward)
        }
    }

    mutating func notFound(_ pattern: Pattern) {
        if modals.searchPrompt != nil {
            modals.updateSearchPrompt { $0.isWithoutMatch = true }
        } else {
            sayNotFound(pattern)
        }
    }

    mutating func sayWrapped(forwards: Bool) {
        say(forwards ? "Continued at the top." : "Continued at the bottom.")
    }
}

// Going to a match, and back.
extension EditorState {
    /// Begins a search of the focused pane.
    fileprivate mutating func search(
        _ pattern: Pattern,
        forwards: Bool,
        inclusive: Bool = false,
        count: Int = 1
    ) {
        switch display.focus {
        case .suites: searchSuites(pattern, forwards: forwards, inclusive: inclusive, count: count)
        case .keys:
            guard let suite, let row = suite.outline.selectedRow else { return notFound(pattern) }
            let search = Search(
                for: pattern,
                from: row.path,
                forwards: forwards,
                inclusive: inclusive,
                count: count
            )
            self.search.running = RunningSearch(suite: suite.id, search: search)
            countMatches(pattern)
        }
    }

    private mutating func searchSuites(_ pattern: Pattern, forwards: Bool, inclusive: Bool, count: Int) {
        let matches = shownSuites.filter { pattern.matches(suiteList.suites[$0].title) }
        guard !matches.isEmpty else { return notFound(pattern) }
        // Finds the next match in the direction. A count skips further ones.
        let next =
            forwards
            ? matches.firstIndex { $0 > suiteList.selected || inclusive && $0 == suiteList.selected }
                ?? matches.count
            : matches.lastIndex { $0 < suiteList.selected } ?? -1
        let place = forwards ? next + count - 1 : next - count + 1
        let number = ((place % matches.count) + matches.count) % matches.count
        suiteList.selected = matches[number]
        search.suiteHits = suite.map { ($0.id, number + 1, matches.count) }
        if !matches.indices.contains(place), modal == nil { sayWrapped(forwards: forwards) }
    }
}

extension SearchPrompt {
    /// Whether the search found nothing. A filter can say so only after all keys were filtered.
    func isWithoutMatch(in state: EditorState) -> Bool {
        guard isFilter else { return isWithoutMatch }
        return pane == .suites
            ? state.shownSuites.isEmpty
            : state.suite.map { $0.outline.isFiltered && $0.outline.rows.isEmpty } ?? true
    }
}
