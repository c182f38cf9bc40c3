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
    let oldFilter: Pattern?
    /// What was opened to show a match.
    var opened: [ValuePath] = []
    var isWithoutMatch = false
}

// Searching and filtering the pane that has the focus, as less does.
extension EditorState {
    mutating func beginSearch(isFilter: Bool) {
        input = .search(
            SearchPrompt(
                isFilter: isFilter,
                pane: focus,
                suite: suite?.id,
                path: selectedRow?.path,
                top: focus == .suites ? suitesTop : suite?.tree.top ?? 0,
                oldFilter: focus == .suites ? suiteFilter : suite?.tree.filter
            )
        )
    }

    mutating func type(_ action: EditorAction, in prompt: SearchPrompt) {
        switch action {
        case .cancel:
            input = nil
            goBack(to: prompt)
        case .confirm: finish(prompt)
        default:
            guard typeInLine(action), case .search(var prompt)? = input else { return }
            let pattern = Pattern(prompt.line.text)
            if prompt.isFilter {
                setFilter(pattern, of: prompt.pane)
                select(prompt)
                prompt.isWithoutMatch = isEmpty(prompt.pane)
                input = .search(prompt)
                return
            }
            goBack(to: prompt)
            prompt.opened = []
            if let pattern {
                let match = findNext(pattern, in: prompt.pane, inclusive: true)
                prompt.opened = match?.opened ?? []
                prompt.isWithoutMatch = match == nil
            } else {
                prompt.isWithoutMatch = false
            }
            input = .search(prompt)
        }
    }

    private mutating func finish(_ prompt: SearchPrompt) {
        input = nil
        let typed = Pattern(prompt.line.text)
        if prompt.isFilter {
            // An empty pattern shows everything again.
            setFilter(typed, of: prompt.pane)
            select(prompt)
        } else if let typed {
            pattern = typed
            if prompt.isWithoutMatch { sayNotFound(typed) }
        } else {
            repeatSearch(forwards: true)
        }
    }

    mutating func repeatSearch(forwards: Bool) {
        guard let pattern else {
            say("Nothing was searched for yet; / searches.")
            return
        }
        let match =
            forwards
            ? findNext(pattern, in: focus, inclusive: false) : findPrevious(pattern, in: focus)
        guard let match else { return sayNotFound(pattern) }
        if match.wrapped { say(forwards ? "Went on at the top." : "Went on at the bottom.") }
    }

    mutating func clearFilter() {
        let path = selectedRow?.path
        setFilter(nil, of: focus)
        if focus == .keys, let path, suite != nil { suites[selectedSuite].tree.select(path) }
    }

    private mutating func sayNotFound(_ pattern: Pattern) {
        say("Not found: \(shortened(pattern.text))", isProblem: true)
    }
}

// Finding and going back.
extension EditorState {
    private typealias Match = (wrapped: Bool, opened: [ValuePath])

    private mutating func findNext(_ pattern: Pattern, in pane: Pane, inclusive: Bool) -> Match? {
        guard pane == .keys else { return findSuite(pattern, forwards: true, inclusive: inclusive) }
        guard let tree = suite?.tree,
            let match = tree.nextMatch(pattern, from: tree.selected, inclusive: inclusive)
        else { return nil }
        return (match.wrapped, show(match.path))
    }

    private mutating func findPrevious(_ pattern: Pattern, in pane: Pane) -> Match? {
        guard pane == .keys else { return findSuite(pattern, forwards: false, inclusive: false) }
        guard let tree = suite?.tree, let match = tree.previousMatch(pattern, from: tree.selected) else {
            return nil
        }
        return (match.wrapped, show(match.path))
    }

    private mutating func show(_ path: ValuePath) -> [ValuePath] {
        let opened = suites[selectedSuite].tree.reveal(path)
        suites[selectedSuite].tree.select(path)
        return opened
    }

    private mutating func findSuite(_ pattern: Pattern, forwards: Bool, inclusive: Bool) -> Match? {
        let shown = shownSuites
        guard let start = shown.firstIndex(of: selectedSuite) else { return nil }
        for offset in (inclusive ? 0 : 1)...shown.count {
            let place = start + (forwards ? offset : -offset)
            let target = shown[(place + shown.count) % shown.count]
            if pattern.matches(suites[target].title) {
                selectedSuite = target
                return (!shown.indices.contains(place), [])
            }
        }
        return nil
    }

    private mutating func setFilter(_ pattern: Pattern?, of pane: Pane) {
        switch pane {
        case .suites:
            suiteFilter = pattern
            let shown = shownSuites
            if !shown.contains(selectedSuite) {
                selectedSuite = shown.first { $0 > selectedSuite } ?? shown.last ?? selectedSuite
            }
        case .keys: if suite != nil { suites[selectedSuite].tree.setFilter(pattern) }
        }
    }

    private func isEmpty(_ pane: Pane) -> Bool {
        pane == .suites ? shownSuites.isEmpty : suite?.tree.rows.isEmpty ?? true
    }

    /// Shows and selects what the prompt found.
    private mutating func goBack(to prompt: SearchPrompt) {
        if let index = prompt.suite.flatMap(suiteIndex) {
            for path in prompt.opened.reversed() {
                if let row = suites[index].tree.index(of: path) { suites[index].tree.close(row) }
            }
        }
        if prompt.isFilter, prompt.pane == .suites || prompt.suite == suite?.id {
            setFilter(prompt.oldFilter, of: prompt.pane)
        }
        select(prompt)
        switch prompt.pane {
        case .suites: suitesTop = prompt.top
        case .keys: if let index = prompt.suite.flatMap(suiteIndex) { suites[index].tree.top = prompt.top }
        }
    }

    private mutating func select(_ prompt: SearchPrompt) {
        guard let index = prompt.suite.flatMap(suiteIndex) else { return }
        switch prompt.pane {
        case .suites: if shownSuites.contains(index) { selectedSuite = index }
        case .keys: if let path = prompt.path { suites[index].tree.select(path) }
        }
    }
}
