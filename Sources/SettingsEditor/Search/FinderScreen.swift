import PropertyList
import TerminalCanvas

// The screen of the finder: its keys, and the search of the suites between keys.
extension Finder: Component {
    var keyMode: Mode { .finder }

    func paint(_ painter: inout Painter) { painter.paintFinder(self) }

    func click(_ point: Point, _ layout: Layout, in state: EditorState) -> Click? {
        guard let line = layout.bodyArea.line(of: point), hits.indices.contains(top + line) else {
            return nil
        }
        var finder = self
        finder.selected = top + line
        return Click(modal: .finding(finder), actsLikeEnter: selected == top + line)
    }

    func paintPrompt(_ painter: inout Painter, row: Int) {
        painter.paint(self, prompt: row)
    }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        if command == .cancel || command == .confirm {
            state.search.prompts.remember(line.text, words)
        }
        switch command {
        case .cancel: close(in: &state)
        case .move(.up) where selected == 0 && state.search.prompts.isUntyped(line.text, words):
            return handle(.recall(.earlier), in: &state)
        case .confirm:
            guard let hit = selectedHit else { break }
            if case .compare(let side) = kind {
                let other = state.side(hit, beside: side)
                close(in: &state)
                state.compare(side, other)
                break
            }
            if kind == .search {
                state.search.pattern = Pattern(line.text, state.format) ?? state.search.pattern
                state.search.highlightsMatches = true
            }
            close(in: &state)
            go(to: hit, in: &state)
            if kind == .search, let pattern = state.search.pattern, let suite = state.suite {
                state.search.count(pattern, in: suite)
            }
        case .move(let movement):
            guard !hits.isEmpty else { break }
            var finder = self
            let height = Layout(state, state.display.size).body.count
            finder.selected = movement.target(from: selected, count: hits.count, page: height)
            state.modals.replaceTop(.finding(finder))
        default:
            guard state.typeInLine(command), case .finding(var new)? = state.modal,
                new.line.text != line.text
            else { break }
            new.begin(state.finderOrder)
            state.search.findingInside = nil
            state.modals.replaceTop(.finding(new))
        }
        return []
    }
}

extension Finder {
    private func close(in state: inout EditorState) {
        state.modals.closeAll()
        state.search.library = nil
        state.search.findingInside = nil
    }

    /// Selects a hit. Its suite may have to be read first.
    private func go(to hit: Hit, in state: inout EditorState) {
        guard let index = state.suiteIndex(hit.suite) else {
            return state.say("“\(state.title(ofSuite: hit.suite))” is gone.", isProblem: true)
        }
        if !state.shownSuites.contains(index) { state.suiteList.filter = nil }
        state.suiteList.selected = index
        state.display.focus = .keys
        state.suiteList.goal = (hit.suite, hit.path)
        state.history.visit(hit.suite, hit.path.key)
        if !state.suiteList.goToGoal() { state.say("It is gone.", isProblem: true) }
    }
}

extension EditorState {
    mutating func beginFinding(_ kind: Finder.Kind) -> [Effect] {
        // From here the user can come back.
        if display.focus == .keys, let suite, let row = selectedRow { history.visit(suite.id, row.path.key) }
        var finder = Finder(kind)
        finder.recent = history.recentKeys
        finder.begin(finderOrder)
        search.prompts.begin()
        search.findingInside = nil
        search.library = [:]
        modals.open(.finding(finder))
        let unread = suiteList.suites.filter { $0.contents != .loaded && $0.presence == .listed }.map(\.id)
        return unread.isEmpty || kind.isOfSuites ? [] : [.read(unread)]
    }

    /// The selected suite comes first.
    fileprivate var finderOrder: [String] {
        let ids = suiteList.suites.indices.map { suiteList.suites[$0].id }
        guard let suite else { return ids }
        return [suite.id] + ids.filter { $0 != suite.id }
    }

    /// Whether the finder has something left to search.
    var finderHasWork: Bool {
        guard case .finding(let finder)? = modal, let next = finder.suitesLeft.last else { return false }
        return finder.kind.isOfSuites || entries(of: next, at: index(of: next, in: finder)) != nil
    }

    mutating func goOnFinding(_ budget: inout WorkBudget) {
        guard case .finding(var finder)? = modal else { return }
        let format = format
        while budget.isLeft, let next = finder.suitesLeft.last {
            let index = index(of: next, in: finder)
            guard let entries = finder.kind.isOfSuites ? SortedEntries() : entries(of: next, at: index)
            else { break }
            // A suite without keys has a cost too.
            budget.spend(8)
            finder.goOn(
                entries,
                title: !hasSuitesPane ? "" : index.map { suiteList.suites[$0].title } ?? next,
                hides: { [suiteList] key in index.map { suiteList.suites[$0].hides(key) } ?? false },
                &search.findingInside,
                &budget,
                format
            )
        }
        finder.top = visibleTop(
            finder.top,
            selected: finder.selected,
            count: finder.hits.count,
            height: Layout(self, display.size).body.count
        )
        modals.replaceTop(.finding(finder))
    }

    /// The index of a suite. The search order usually equals the order of the list.
    private func index(of id: String, in finder: Finder) -> Int? {
        suiteList.index(of: id, near: suiteList.suites.count - finder.suitesLeft.count)
    }

    /// The keys of a suite that is open or was read for the finder; nil if the suite was not read yet.
    private func entries(of id: String, at index: Int?) -> SortedEntries? {
        guard let index else { return SortedEntries() }
        return suiteList.suites[index].contents == .loaded
            ? suiteList.suites[index].outline.entries : search.library?[id]?.entries
    }

    /// The other side of a comparison, for the key or suite that was found. A value inside a key is compared with the
    /// value at the same path inside the found key, if there is one.
    fileprivate func side(_ hit: Finder.Hit, beside side: ComparedSide) -> ComparedSide {
        let inside = side.path.inside
        let deeper = ComparedSide.now(suite: hit.suite, ValuePath(hit.path.steps + inside.steps))
        guard !hit.path.steps.isEmpty, deeper != side,
            let entries = entries(of: hit.suite, at: suiteIndex(hit.suite)),
            case (let index, let isThere) = entries.find(hit.path.key), isThere,
            entries[index].node.node(at: inside) != nil
        else { return .now(suite: hit.suite, hit.path) }
        return deeper
    }

    /// Whether the value of a key was read, even if long ago.
    func isKnown(_ key: String, of id: String) -> Bool {
        suiteIndex(id).map { suiteList.suites[$0].isStored(key) } == true
    }

    /// Why the suite could not be read; nil if it was read.
    func unreadable(_ id: String) -> String? {
        guard let suite = suiteIndex(id).map({ suiteList.suites[$0] }), suite.contents == .loaded else {
            return search.library?[id]?.unreadable
        }
        if case .unreadable(let reason, _)? = suite.status?.content { return reason }
        return nil
    }
}
