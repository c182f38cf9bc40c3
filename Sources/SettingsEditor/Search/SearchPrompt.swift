import PropertyList

/// The prompt for a search or a filter, and what Esc goes back to.
struct SearchPrompt: Sendable, Hashable {
    let isFilter: Bool
    let pane: Pane
    var line = LineEditor()
    /// The suite that was selected before, or the place whose head was.
    let suite: String?
    let head: String?
    let path: ValuePath?
    let top: Int
    let oldSuiteFilter: Pattern?
    let oldFilter: RowFilter?
    /// The paths that were expanded to show a match.
    var opened: [ValuePath] = []
    var isWithoutMatch = false
}

extension SearchPrompt: Component {
    var keyMode: Mode { isFilter ? .filter : .search }

    func paintPrompt(_ painter: inout Painter, row: Int) {
        painter.paint(self, row)
    }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        switch command {
        case .cancel:
            state.search.prompts.remember(line.text, isFilter ? .filter : .search)
            state.modals.pop()
            goBack(in: &state)
        case .confirm:
            state.search.prompts.remember(line.text, isFilter ? .filter : .search)
            state.modals.pop()
            finish(in: &state)
        default:
            guard state.typeInLine(command), case .search(let prompt)? = state.modal else { break }
            prompt.searchWhileTyping(in: &state)
        }
        return []
    }

    /// Ends the search, and goes back to the place before it.
    private func goBack(in state: inout EditorState) {
        state.search.running = nil
        state.search.forgetHits()
        state.suiteList.goBack(to: self)
    }

    private func searchWhileTyping(in state: inout EditorState) {
        let pattern = Pattern(line.text, state.format)
        if isFilter { return state.suiteList.setFilter(pattern, self) }
        goBack(in: &state)
        var prompt = self
        prompt.opened = []
        prompt.isWithoutMatch = false
        state.modals.replaceTop(.search(prompt))
        if let pattern { state.search(pattern, forwards: true, inclusive: true) }
    }

    private func finish(in state: inout EditorState) {
        let pattern = Pattern(line.text, state.format)
        // An empty pattern removes the filter.
        if isFilter { return state.suiteList.setFilter(pattern, self) }
        guard let pattern else { return state.repeatSearch(forwards: true) }
        (state.search.pattern, state.search.highlightsMatches) = (pattern, true)
        if isWithoutMatch { state.notFound(pattern) }
    }
}

// Search and filter of the focused pane, as in `less`.
extension EditorState {
    func searchPrompt(isFilter: Bool) -> SearchPrompt {
        SearchPrompt(
            isFilter: isFilter,
            pane: display.focus,
            suite: suite?.id,
            head: suiteList.selectedHead,
            path: selectedRow?.path,
            top: display.focus == .suites ? suiteList.top : suite?.outline.top ?? 0,
            oldSuiteFilter: suiteList.filter,
            oldFilter: suite?.outline.filter
        )
    }

    /// Searches for the previous pattern, and shows its matches again.
    mutating func repeatSearch(forwards: Bool, count: Int = 1) {
        guard let pattern = search.pattern else {
            return say("Nothing was searched yet. Press / to search.")
        }
        search.highlightsMatches = true
        search(pattern, forwards: forwards, count: count)
    }

    /// Begins a search of the focused pane.
    mutating func search(_ pattern: Pattern, forwards: Bool, inclusive: Bool = false, count: Int = 1) {
        if display.focus == .keys {
            guard let suite, let row = suite.outline.selectedRow else { return notFound(pattern) }
            search.running = RunningSearch(
                suite: suite.id,
                search: Search(
                    for: pattern,
                    from: row.path,
                    forwards: forwards,
                    inclusive: inclusive,
                    count: count
                )
            )
            search.count(pattern, in: suite)
        } else {
            let hit = suiteList.search(pattern, forwards: forwards, inclusive: inclusive, count: count)
            guard let hit else { return notFound(pattern) }
            search.suiteHits = (hit.suite, hit.number, hit.count)
            if hit.hasWrapped, modal == nil { say(SearchState.wrapped(forwards: forwards)) }
        }
    }

    /// Whether a pane is filtered.
    var isFiltered: Bool { suiteList.filter != nil || suite?.outline.filter != nil }

    /// Tells the user, in the prompt if the pattern is still being typed.
    mutating func notFound(_ pattern: Pattern) {
        if modals.searchPrompt != nil {
            modals.updateSearchPrompt { $0.isWithoutMatch = true }
        } else {
            let place = isFiltered ? " in the filtered rows" : ""
            say("Not found\(place): \(shortened(pattern.text))", isProblem: true)
        }
    }
}

// Work that is done in steps between keys.
extension EditorState {
    /// Whether ``Work/goOn(budget:)`` has something to do.
    public var hasWork: Bool {
        isSearching || suite?.outline.hasWork == true || finderHasWork || hasHitsToCount
            || comparisonHasWork
    }

    /// Continues the work that takes too long to finish between a key press and the next frame.
    mutating func goOn(_ budget: inout WorkBudget) {
        suiteList.goOn(&budget)
        goOnFinding(&budget)
        goOnComparing(&budget)
        if search.running != nil {
            guard let (running, step) = search.goOn(in: suite, &budget) else { return }
            guard case .found(let path) = step else { return notFound(running.pattern) }
            let opened = suiteList.goToMatch(path, &budget)
            if modals.searchPrompt != nil {
                modals.updateSearchPrompt { $0.opened = opened }
            } else if running.hasWrapped {
                say(SearchState.wrapped(forwards: running.isForward))
            }
        }
        if hasHitsToCount, let suite { search.hits?.goOn(in: suite.outline, &budget) }
    }
}

extension SearchPrompt {
    /// Whether the search found nothing. A filter can say so only after all keys were filtered.
    func isWithoutMatch(in suiteList: SuiteList) -> Bool {
        guard isFilter else { return isWithoutMatch }
        return pane == .suites
            ? suiteList.shown.isEmpty
            : suiteList.suite.map { $0.outline.isFiltered && $0.outline.rows.isEmpty } ?? true
    }
}
