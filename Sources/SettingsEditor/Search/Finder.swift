import PropertyList
import TerminalCanvas

/// Finds keys in all suites: by some letters of the name, or by a text in names and values.
///
/// The suites are searched a little at a time between keys, so that typing never waits for them.
struct Finder: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// Finds a key by some letters of its name.
        case jump
        /// Finds a text in names and values.
        case search
    }

    struct Hit: Sendable, Hashable {
        /// The id of the suite.
        let suite: String
        let path: ValuePath
        let value: String
        /// A higher score is a better match. In a search all scores are equal.
        let score: Int
    }

    /// A suite that was read for the finder only.
    struct Source: Sendable {
        /// The keys as the editor shows them.
        let entries: SortedEntries
        /// Why the suite could not be read, so that `entries` has declared keys only; nil if it was read.
        let unreadable: String?
    }

    let kind: Kind
    var line = LineEditor()
    /// The best hits first, at most ``limit``.
    private(set) var hits: [Hit] = []
    /// The number of all hits, including those that were not kept.
    private(set) var count = 0
    var selected = 0
    var top = 0
    /// The ids of the suites that are not searched yet. The next one is last.
    private(set) var suitesLeft: [String] = []
    /// How many keys of the next suite are searched.
    private var keysDone = 0

    static let limit = 1000
    /// The cost of displaying a hit's value and inserting the hit.
    private static let costOfHit = 8

    init(_ kind: Kind) { self.kind = kind }

    /// The prompt history that the typed text belongs to.
    var words: PromptHistory.Kind { kind == .jump ? .jump : .searchAll }

    var selectedHit: Hit? { hits.indices.contains(selected) ? hits[selected] : nil }

    /// Starts again with these suites.
    mutating func begin(_ suites: [String]) {
        (hits, count, selected, top, keysDone) = ([], 0, 0, 0, 0)
        // An empty search text would match everything.
        suitesLeft = kind == .search && line.text.isEmpty ? [] : suites.reversed()
    }

    /// Searches keys of the next suite.
    ///
    /// - Parameter inside: the unfinished search of a key with a large value.
    mutating func goOn(
        _ entries: SortedEntries,
        title: String,
        hides: (String) -> Bool,
        _ inside: inout EntrySearch?,
        _ budget: inout WorkBudget,
        _ format: ValueFormat
    ) {
        guard let suite = suitesLeft.last else { return }
        let (pattern, fuzzy) = (Pattern(line.text, format), Fuzzy(line.text))
        while keysDone < entries.count, budget.isLeft {
            let entry = entries[keysDone]
            switch (kind, pattern) {
            case (.jump, _):
                budget.spend(2)
                keysDone += 1
                guard let score = fuzzy.score(entry.key, of: title) else { continue }
                if isBelowAll(score) {
                    count += 1
                } else {
                    budget.spend(Self.costOfHit)
                    add(Hit(suite: suite, path: entry.path, value: "", score: score), entry.value, format)
                }
            case (.search, let pattern?):
                let shown = hides(entry.key) ? entry.withoutValue : entry
                let known = hits.count
                defer { budget.spend(Self.costOfHit * (hits.count - known)) }
                guard search(shown, pattern, suite, format, &inside, &budget) else { return }
                keysDone += 1
                // The user will not look at later hits.
                if hits.count >= Self.limit { suitesLeft = [] }
            case (.search, nil): keysDone += 1
            }
            if suitesLeft.isEmpty { return }
        }
        if keysDone >= entries.count {
            suitesLeft.removeLast()
            keysDone = 0
        }
    }

    /// Searches one key. Returns whether the search of the key is complete.
    private mutating func search(
        _ entry: SortedEntries.Entry,
        _ pattern: Pattern,
        _ suite: String,
        _ format: ValueFormat,
        _ inside: inout EntrySearch?,
        _ budget: inout WorkBudget
    ) -> Bool {
        if inside == nil {
            if let isFound = pattern.isFound(in: entry, &budget) {
                if isFound {
                    add(Hit(suite: suite, path: entry.path, value: "", score: 0), entry.value, format)
                }
                return true
            }
            inside = EntrySearch(pattern, in: entry, 0)
        }
        while hits.count < Self.limit {
            switch inside?.next(&budget) {
            case .found(let path, let node)?:
                if let node {
                    add(Hit(suite: suite, path: path, value: format.display(node, limit: 80), score: 0))
                } else {
                    add(Hit(suite: suite, path: path, value: "", score: 0), entry.value, format)
                }
            case .notYet?: return false
            case .nothing?, nil:
                inside = nil
                return true
            }
        }
        inside = nil
        return true
    }

    /// - Parameter value: the value of the hit's key, which is displayed in a few words.
    private mutating func add(_ hit: Hit, _ value: PropertyListValue, _ format: ValueFormat) {
        // Parsing large data would cost too much for one line of a list.
        let text =
            if case .data(let data) = value, data.count > 4096 {
                value.displayText(limit: 80)
            } else {
                format.display(ValueNode(value), limit: 80)
            }
        add(Hit(suite: hit.suite, path: hit.path, value: text, score: hit.score))
    }

    private func isBelowAll(_ score: Int) -> Bool {
        hits.count == Self.limit && hits.last.map { $0.score >= score } ?? false
    }

    private mutating func add(_ hit: Hit) {
        count += 1
        if isBelowAll(hit.score) { return }
        // Hits with equal scores stay in the order in which they were found.
        let place = hits.beginning { $0.score < hit.score }
        hits.insert(hit, at: place)
        if hits.count > Self.limit { hits.removeLast() }
        // The selected hit stays selected.
        if selected > 0, place <= selected { selected = min(selected + 1, hits.count - 1) }
    }
}

extension Finder: Component {
    var keyMode: Mode { .finder }

    var coversPanes: Bool { true }

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
        state.search.endFinding()
    }

    /// Selects a hit. Its suite may have to be read first.
    private func go(to hit: Hit, in state: inout EditorState) {
        guard let index = state.suiteIndex(hit.suite) else {
            return state.say("“\(hit.suite)” is gone.", isProblem: true)
        }
        if !state.shownSuites.contains(index) { state.suiteList.filter = nil }
        state.suiteList.selected = index
        state.display.focus = .keys
        state.suiteList.goal = (hit.suite, hit.path)
        if !state.suiteList.goToGoal() { state.say("It is gone.", isProblem: true) }
    }
}

extension EditorState {
    mutating func beginFinding(_ kind: Finder.Kind) -> [Effect] {
        var finder = Finder(kind)
        finder.begin(finderOrder)
        search.beginFinding()
        modals.open(.finding(finder))
        let unread = suiteList.suites.filter { $0.contents != .loaded && $0.presence == .listed }.map(\.id)
        return unread.isEmpty ? [] : [.read(unread)]
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
        return entries(of: next, at: index(of: next, in: finder)) != nil
    }

    mutating func goOnFinding(_ budget: inout WorkBudget) {
        guard case .finding(var finder)? = modal else { return }
        let format = format
        while budget.isLeft, let next = finder.suitesLeft.last {
            let index = index(of: next, in: finder)
            guard let entries = entries(of: next, at: index) else { break }
            // A suite without keys has a cost too.
            budget.spend(8)
            finder.goOn(
                entries,
                title: options.isSingle ? "" : index.map { suiteList.suites[$0].title } ?? next,
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

    /// The index of a suite. The search order usually equals the order of the list, so the guess is usually
    /// right.
    private func index(of id: String, in finder: Finder) -> Int? {
        let place = suiteList.suites.count - finder.suitesLeft.count
        let near = (place - 1...place + 1).first {
            suiteList.suites.indices.contains($0) && suiteList.suites[$0].id == id
        }
        return near ?? suiteIndex(id)
    }

    /// The keys of a suite that is open or was read for the finder; nil if the suite was not read yet.
    private func entries(of id: String, at index: Int?) -> SortedEntries? {
        guard let index else { return SortedEntries() }
        return suiteList.suites[index].contents == .loaded
            ? suiteList.suites[index].outline.entries : search.library?[id]?.entries
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
        if case .unreadable(let reason)? = suite.status?.content { return reason }
        return nil
    }
}
