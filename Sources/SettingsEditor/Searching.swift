import PropertyList

/// A pattern that is being typed, and what to go back to.
struct SearchPrompt: Sendable, Hashable {
    let isFilter: Bool
    let pane: Pane
    var line = LineEditor()
    /// What was selected.
    let suite: String?
    let path: ValuePath?
    let top: Int
    let oldSuiteFilter: Pattern?
    let oldFilter: RowFilter?
    /// What was opened to show a match.
    var opened: [ValuePath] = []
    var isWithoutMatch = false
    /// Where it is the list of changes that is searched; nil for a pane.
    var history: History?

    struct History: Sendable, Hashable {
        var screen: HistoryScreen
        /// What to go back to.
        let former: HistoryScreen
    }
}

/// A search of the keys that has not come to its end yet.
struct RunningSearch: Sendable {
    let suite: String
    var search: Search
}

// Searching and filtering the pane that has the focus, as less does.
extension EditorState {
    mutating func beginSearch(isFilter: Bool) {
        promptWords.begin()
        input = .search(
            SearchPrompt(
                isFilter: isFilter,
                pane: focus,
                suite: suite?.id,
                path: selectedRow?.path,
                top: focus == .suites ? suitesTop : suite?.tree.top ?? 0,
                oldSuiteFilter: suiteFilter,
                oldFilter: suite?.tree.filter
            )
        )
    }

    mutating func type(_ action: EditorAction, in prompt: SearchPrompt) {
        if action == .cancel || action == .confirm {
            promptWords.remember(prompt.line.text, prompt.isFilter ? .filter : .search)
        }
        if let history = prompt.history { return type(action, in: prompt, history) }
        switch action {
        case .cancel:
            input = nil
            runningSearch = nil
            forgetHits()
            goBack(to: prompt)
        case .confirm: finish(prompt)
        default:
            guard typeInLine(action), case .search(var prompt)? = input else { return }
            let pattern = Pattern(prompt.line.text, spelling)
            if prompt.isFilter {
                setFilter(pattern, prompt)
                return
            }
            goBack(to: prompt)
            prompt.opened = []
            prompt.isWithoutMatch = false
            input = .search(prompt)
            runningSearch = nil
            forgetHits()
            if let pattern { search(pattern, forwards: true, inclusive: true) }
        }
    }

    private mutating func finish(_ prompt: SearchPrompt) {
        input = nil
        guard prompt.isFilter else { return finishSearch(prompt) { $0.repeatSearch(forwards: true) } }
        // An empty pattern shows everything again.
        setFilter(Pattern(prompt.line.text, spelling), prompt)
        if prompt.isWithoutMatch(in: self) { miss() }
    }

    /// - Parameter goOn: to the next match of what was searched for before, where nothing was typed.
    mutating func finishSearch(_ prompt: SearchPrompt, orElse goOn: (inout EditorState) -> Void) {
        guard let typed = Pattern(prompt.line.text, spelling) else { return goOn(&self) }
        (pattern, marksFound) = (typed, true)
        if prompt.isWithoutMatch { sayNotFound(typed) }
    }

    mutating func repeatSearch(forwards: Bool, count: Int = 1) {
        guard let pattern = patternToRepeat() else { return }
        search(pattern, forwards: forwards, count: count)
    }

    /// What was searched for last, which is marked again; says so where there was nothing.
    mutating func patternToRepeat() -> Pattern? {
        guard let pattern else {
            say("Nothing was searched for yet; / searches.")
            miss()
            return nil
        }
        marksFound = true
        return pattern
    }

    /// Whether one of the panes does not show all.
    var isFiltered: Bool { suiteFilter != nil || suite?.tree.filter != nil }

    /// Ends the filter of the pane that has the focus, of several the one that was set last; where it has none
    /// the other pane's.
    mutating func clearFilter() {
        let ofKeys = suite?.tree.filter != nil
        if suiteFilter != nil, focus == .suites || !ofKeys {
            suiteFilter = nil
        } else if ofKeys {
            suites[selectedSuite].setFilter(suite?.tree.filter?.withoutLast, from: selectedRow?.path)
        }
    }

    private mutating func sayNotFound(_ pattern: Pattern) {
        say("Not found: \(shortened(pattern.text))", isProblem: true)
        miss()
    }
}

// What takes its time.
extension EditorState {
    /// Whether there is something to go on with: ``EditorAction/goOn(effort:)`` does.
    public var hasWork: Bool {
        isSearching || suite?.tree.hasWork == true || finderHasWork || hasHitsToCount
    }

    /// Goes on with what takes longer than may pass between a key and the screen.
    mutating func goOn(_ effort: inout Effort) {
        if suite?.tree.hasWork == true {
            suites[selectedSuite].tree.rows.readOn(&effort)
            suites[selectedSuite].tree.openFurther(&effort)
            suites[selectedSuite].tree.narrow(&effort)
            suites[selectedSuite].tree.examine(&effort)
        }
        goOnFinding(&effort)
        goOnSearchingHistory(&effort)
        guard var running = runningSearch else { return goOnCounting(&effort) }
        guard let suite, suite.id == running.suite else {
            runningSearch = nil
            return
        }
        let step = running.search.goOn(in: suite.tree, &effort)
        runningSearch = step == .notYet ? running : nil
        switch step {
        case .notYet: break
        case .found(let path):
            found(path, running.search)
            suites[selectedSuite].tree.narrow(&effort)
            goOnCounting(&effort)
        case .notFound: notFound(running.search.pattern)
        }
    }

    private mutating func found(_ path: ValuePath, _ search: Search) {
        let opened = suites[selectedSuite].tree.go(to: path)
        let tree = suites[selectedSuite].tree
        hits?.move(from: search.origin, to: path, by: search.distance, in: tree)
        if searchPrompt != nil {
            searchPrompt?.opened = opened
        } else if search.hasWrapped {
            sayWrapped(forwards: search.isForward)
        }
    }

    mutating func notFound(_ pattern: Pattern) {
        if searchPrompt != nil {
            searchPrompt?.isWithoutMatch = true
        } else {
            sayNotFound(pattern)
        }
    }

    /// What is being typed, also while the help is over it.
    private var searchPrompt: SearchPrompt? {
        get {
            switch input {
            case .search(let prompt)?: return prompt
            case .help(let screen)?:
                if case .search(let prompt)? = screen.beneath { return prompt }
                return nil
            default: return nil
            }
        }
        set {
            guard let newValue else { return }
            if case .help(var screen)? = input {
                screen.beneath = .search(newValue)
                input = .help(screen)
            } else {
                input = .search(newValue)
            }
        }
    }

    mutating func sayWrapped(forwards: Bool) {
        say(forwards ? "Went on at the top." : "Went on at the bottom.")
    }
}

// Finding and going back.
extension EditorState {
    /// Begins to search the pane that has the focus.
    private mutating func search(_ pattern: Pattern, forwards: Bool, inclusive: Bool = false, count: Int = 1)
    {
        switch focus {
        case .suites: searchSuites(pattern, forwards: forwards, inclusive: inclusive, count: count)
        case .keys:
            guard let suite, let row = suite.tree.selectedRow else { return notFound(pattern) }
            let search = Search(
                for: pattern,
                from: row.path,
                forwards: forwards,
                inclusive: inclusive,
                count: count
            )
            runningSearch = RunningSearch(suite: suite.id, search: search)
            countHits(pattern)
        }
    }

    private mutating func searchSuites(_ pattern: Pattern, forwards: Bool, inclusive: Bool, count: Int) {
        let matches = shownSuites.filter { pattern.matches(suites[$0].title) }
        guard !matches.isEmpty else { return notFound(pattern) }
        // The first match in the direction, and how many more to go.
        let next =
            forwards
            ? matches.firstIndex { $0 > selectedSuite || inclusive && $0 == selectedSuite } ?? matches.count
            : matches.lastIndex { $0 < selectedSuite } ?? -1
        let place = forwards ? next + count - 1 : next - count + 1
        let number = ((place % matches.count) + matches.count) % matches.count
        selectedSuite = matches[number]
        suiteHits = suite.map { ($0.id, number + 1, matches.count) }
        if !matches.indices.contains(place), input == nil { sayWrapped(forwards: forwards) }
    }

    private mutating func setFilter(_ pattern: Pattern?, _ prompt: SearchPrompt) {
        switch prompt.pane {
        case .suites:
            suiteFilter = pattern
            let shown = shownSuites
            let wanted = prompt.suite.flatMap(suiteIndex) ?? selectedSuite
            selectedSuite =
                shown.contains(wanted) ? wanted : shown.first { $0 > wanted } ?? shown.last ?? selectedSuite
        case .keys:
            guard let index = prompt.suite.flatMap(suiteIndex) else { return }
            let filter = RowFilter.setting(pattern, in: prompt.oldFilter)
            suites[index].setFilter(filter, from: prompt.path)
        }
    }

    /// Shows and selects what was selected before.
    private mutating func goBack(to prompt: SearchPrompt) {
        guard let index = prompt.suite.flatMap(suiteIndex) else { return }
        switch prompt.pane {
        case .suites:
            suiteFilter = prompt.oldSuiteFilter
            if shownSuites.contains(index) { selectedSuite = index }
            suitesTop = prompt.top
        case .keys:
            for path in prompt.opened.reversed() {
                suites[index].tree.close(path)
            }
            if prompt.isFilter { suites[index].setFilter(prompt.oldFilter, from: prompt.path) }
            if let path = prompt.path { suites[index].tree.select(path) }
            if suites[index].tree.isFiltered { suites[index].tree.top = prompt.top }
        }
    }
}

extension SearchPrompt {
    /// Whether nothing was found, which a filter says as soon as it was tried on all.
    func isWithoutMatch(in state: EditorState) -> Bool {
        guard isFilter else { return isWithoutMatch }
        return pane == .suites
            ? state.shownSuites.isEmpty
            : state.suite.map { $0.tree.isFiltered && $0.tree.rows.isEmpty } ?? true
    }
}
