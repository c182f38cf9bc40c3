import PropertyList

/// Looking for something in all suites, and what was found so far.
struct Finder: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// For a key, by some letters of its name.
        case jump
        /// For a text, in names and values.
        case search
    }

    struct Hit: Sendable, Hashable {
        /// The id of its suite.
        let suite: String
        let path: ValuePath
        let value: String
        /// The greater, the better it fits; all the same in a search.
        let score: Int
    }

    /// What was read of a suite that nobody has open.
    struct Source: Sendable {
        /// The keys as they are shown.
        let entries: SortedEntries
        /// Why nobody can tell what is stored, so that these are only the declared ones; nil where it was read.
        let unreadable: String?
    }

    let kind: Kind
    var line = LineEditor()
    /// The best ones first, of which no more are kept than anybody looks through.
    private(set) var hits: [Hit] = []
    /// How many there are, also those that are not kept.
    private(set) var count = 0
    var selected = 0
    var top = 0
    /// The suites, by their ids, that are still to be looked through, the next one at the end.
    private(set) var suitesLeft: [String] = []
    /// How many keys of the next one have been.
    private var keysDone = 0

    static let limit = 1000
    /// What it takes to spell a hit's value and to put it in its place.
    private static let costOfHit = 8

    init(_ kind: Kind) { self.kind = kind }

    /// Among which words it is kept what was looked for.
    var words: PromptWords.Kind { kind == .jump ? .jump : .searchAll }

    var selectedHit: Hit? { hits.indices.contains(selected) ? hits[selected] : nil }

    /// Starts over in these suites.
    mutating func begin(_ suites: [String]) {
        (hits, count, selected, top, keysDone) = ([], 0, 0, 0, 0)
        // Everything that there is would be no answer.
        suitesLeft = kind == .search && line.text.isEmpty ? [] : suites.reversed()
    }

    /// Looks through keys of the next suite.
    ///
    /// - Parameter inside: where it has come to in a key that holds much.
    mutating func goOn(
        _ entries: SortedEntries,
        title: String,
        hides: (String) -> Bool,
        _ inside: inout EntrySearch?,
        _ effort: inout Effort,
        _ spelling: ValueSpelling
    ) {
        guard let suite = suitesLeft.last else { return }
        let (pattern, fuzzy) = (Pattern(line.text, spelling), Fuzzy(line.text))
        while keysDone < entries.count, effort.isLeft {
            let entry = entries[keysDone]
            switch (kind, pattern) {
            case (.jump, _):
                effort.spend(2)
                keysDone += 1
                guard let score = fuzzy.score(entry.key, of: title) else { continue }
                if isBelowAll(score) {
                    count += 1
                } else {
                    effort.spend(Self.costOfHit)
                    add(Hit(suite: suite, path: entry.path, value: "", score: score), entry.value, spelling)
                }
            case (.search, let pattern?):
                let shown = hides(entry.key) ? entry.withoutValue : entry
                let known = hits.count
                defer { effort.spend(Self.costOfHit * (hits.count - known)) }
                guard search(shown, pattern, suite, spelling, &inside, &effort) else { return }
                keysDone += 1
                // What is behind the last one that is kept nobody will ask for.
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

    /// Looks through one key, and says whether all of it is done.
    private mutating func search(
        _ entry: SortedEntries.Entry,
        _ pattern: Pattern,
        _ suite: String,
        _ spelling: ValueSpelling,
        _ inside: inout EntrySearch?,
        _ effort: inout Effort
    ) -> Bool {
        if inside == nil {
            if let isFound = pattern.isFound(in: entry, &effort) {
                if isFound {
                    add(Hit(suite: suite, path: entry.path, value: "", score: 0), entry.value, spelling)
                }
                return true
            }
            inside = EntrySearch(pattern, in: entry, 0)
        }
        while hits.count < Self.limit {
            switch inside?.next(&effort) {
            case .found(let path, let node)?:
                if let node {
                    add(Hit(suite: suite, path: path, value: spelling.display(node, limit: 80), score: 0))
                } else {
                    add(Hit(suite: suite, path: path, value: "", score: 0), entry.value, spelling)
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

    /// - Parameter value: of the hit's key, to be shown in a few words.
    private mutating func add(_ hit: Hit, _ value: PropertyListValue, _ spelling: ValueSpelling) {
        // Large data is not taken apart for a line of a list.
        let text =
            if case .data(let data) = value, data.count > 4096 {
                value.displayText(limit: 80)
            } else {
                spelling.display(ValueNode(value), limit: 80)
            }
        add(Hit(suite: hit.suite, path: hit.path, value: text, score: hit.score))
    }

    private func isBelowAll(_ score: Int) -> Bool {
        hits.count == Self.limit && hits.last.map { $0.score >= score } ?? false
    }

    private mutating func add(_ hit: Hit) {
        count += 1
        if isBelowAll(hit.score) { return }
        // Of those that fit alike the first one stays the first.
        let place = hits.beginning { $0.score < hit.score }
        hits.insert(hit, at: place)
        if hits.count > Self.limit { hits.removeLast() }
        // What the user has chosen stays chosen.
        if selected > 0, place <= selected { selected = min(selected + 1, hits.count - 1) }
    }
}

// In the editor.
extension EditorState {
    mutating func beginFinding(_ kind: Finder.Kind) -> [EditorEffect] {
        var finder = Finder(kind)
        finder.begin(finderOrder)
        promptWords.begin()
        input = .finding(finder)
        findingInside = nil
        library = [:]
        let unread = suites.filter { $0.contents != .loaded && $0.presence == .listed }.map(\.id)
        return unread.isEmpty ? [] : [.read(unread)]
    }

    /// The suite where the user is comes first.
    private var finderOrder: [String] {
        let ids = suites.indices.map { suites[$0].id }
        guard let suite else { return ids }
        return [suite.id] + ids.filter { $0 != suite.id }
    }

    mutating func find(_ action: EditorAction, in finder: Finder) -> [EditorEffect] {
        if action == .cancel || action == .confirm { promptWords.remember(finder.line.text, finder.words) }
        switch action {
        case .cancel: endFinding()
        case .move(.up)
        where finder.selected == 0 && promptWords.isUntyped(finder.line.text, finder.words):
            return find(.recall(.earlier), in: finder)
        case .confirm:
            guard let hit = finder.selectedHit else { break }
            if finder.kind == .search {
                pattern = Pattern(finder.line.text, spelling) ?? pattern
                marksFound = true
            }
            endFinding()
            go(to: hit.path, of: hit.suite)
            if finder.kind == .search, let pattern { countHits(pattern) }
        case .move(let movement):
            guard !finder.hits.isEmpty else { break }
            var finder = finder
            let height = Layout(self, size).body.count
            finder.selected = movement.target(from: finder.selected, count: finder.hits.count, page: height)
            input = .finding(finder)
        default:
            guard typeInLine(action), case .finding(var new)? = input, new.line.text != finder.line.text
            else {
                break
            }
            new.begin(finderOrder)
            findingInside = nil
            input = .finding(new)
        }
        return []
    }

    private mutating func endFinding() {
        input = nil
        library = nil
        findingInside = nil
    }

    /// Selects a place, in a suite that may have to be read first.
    private mutating func go(to path: ValuePath, of id: String) {
        guard let index = suiteIndex(id) else {
            miss()
            return say("“\(id)” is gone.", isProblem: true)
        }
        if !shownSuites.contains(index) { suiteFilter = nil }
        selectedSuite = index
        focus = .keys
        goal = (id, path)
        goToGoal()
    }

    /// Goes where the user wanted to go, once the suite is there.
    mutating func goToGoal() {
        guard let (id, path) = goal, let index = suiteIndex(id), index == selectedSuite else {
            goal = nil
            return
        }
        guard suites[index].contents == .loaded else { return }
        goal = nil
        if suites[index].tree.filter != nil, !suites[index].tree.leaves(path) {
            suites[index].setFilter(nil, from: path)
        }
        _ = suites[index].tree.go(to: path)
        if !suites[index].tree.isGoing(to: path) {
            say("It is gone.", isProblem: true)
            miss()
        }
    }

    /// Whether the finder can go on.
    var finderHasWork: Bool {
        guard case .finding(let finder)? = input, let next = finder.suitesLeft.last else { return false }
        return entries(of: next, at: index(of: next, in: finder)) != nil
    }

    mutating func goOnFinding(_ effort: inout Effort) {
        guard case .finding(var finder)? = input else { return }
        let spelling = spelling
        while effort.isLeft, let next = finder.suitesLeft.last {
            let index = index(of: next, in: finder)
            guard let entries = entries(of: next, at: index) else { break }
            // A suite without keys costs something too.
            effort.spend(8)
            finder.goOn(
                entries,
                title: options.isSingle ? "" : index.map { suites[$0].title } ?? next,
                hides: { [suites] key in index.map { suites[$0].hides(key) } ?? false },
                &findingInside,
                &effort,
                spelling
            )
        }
        finder.top = visibleTop(
            finder.top,
            selected: finder.selected,
            count: finder.hits.count,
            height: Layout(self, size).body.count
        )
        input = .finding(finder)
    }

    /// Where the suite is that is looked through next: mostly as far on as suites have been looked through.
    private func index(of id: String, in finder: Finder) -> Int? {
        let place = suites.count - finder.suitesLeft.count
        let near = (place - 1...place + 1).first { suites.indices.contains($0) && suites[$0].id == id }
        return near ?? suiteIndex(id)
    }

    /// The keys of a suite as they are shown, or as they were read for the finder; nil before that.
    private func entries(of id: String, at index: Int?) -> SortedEntries? {
        guard let index else { return SortedEntries() }
        return suites[index].contents == .loaded ? suites[index].tree.entries : library?[id]?.entries
    }

    /// Whether a value was read of a key, be it long ago.
    func isKnown(_ key: String, of id: String) -> Bool {
        suiteIndex(id).map { suites[$0].isStored(key) } == true
    }

    /// Why it is not known what a suite holds; nil where it is.
    func unreadable(_ id: String) -> String? {
        guard let suite = suiteIndex(id).map({ suites[$0] }), suite.contents == .loaded else {
            return library?[id]?.unreadable
        }
        if case .unreadable(let reason)? = suite.status?.content { return reason }
        return nil
    }
}
