import PropertyList

/// Finds keys in all suites: by some letters of the name, or by a text in names and values.
///
/// The suites are searched a little at a time between keys, so that typing never waits for them.
struct Finder: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// Finds a key by some letters of its name.
        case jump
        /// Finds a text in names and values.
        case search
        /// Finds what is compared with this: another suite, or a key of any suite.
        case compare(ComparedSide)

        /// Whether suites are found and not keys.
        var isOfSuites: Bool { if case .compare(let side) = self { side.isSuite } else { false } }

        var head: String {
            switch self {
            case .jump: "GO TO A KEY BY NAME"
            case .search: "SEARCH ALL SUITES"
            case .compare: "COMPARE WITH"
            }
        }

        var prompt: String {
            switch self {
            case .jump: "Go to name: "
            case .search: "Search all: "
            case .compare: "Compare with: "
            }
        }
    }

    struct Hit: Sendable, Hashable {
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
    /// The scores of keys by suite, with which they come first while nothing is typed.
    var recent: [String: [String: Int]] = [:]
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
    var words: PromptHistory.Kind { kind == .search ? .searchAll : .jump }

    var selectedHit: Hit? { hits.indices.contains(selected) ? hits[selected] : nil }

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
        let recent = fuzzy.isEmpty ? recent[suite] : nil
        if case .compare(let side) = kind, side.isSuite {
            suitesLeft.removeLast()
            guard suite != side.suite, let score = fuzzy.score("", of: title) else { return }
            return add(Hit(suite: suite, path: [], value: "", score: score))
        }
        while keysDone < entries.count, budget.isLeft {
            let entry = entries[keysDone]
            switch (kind, pattern) {
            case (.jump, _), (.compare, _):
                budget.spend(2)
                keysDone += 1
                guard kind != .compare(.now(suite: suite, entry.path)),
                    let score = recent?[entry.key] ?? fuzzy.score(entry.key, of: title)
                else { continue }
                if isBelowAll(score) {
                    count += 1
                } else {
                    budget.spend(Self.costOfHit)
                    let text = Self.text(of: entry.value, format)
                    add(Hit(suite: suite, path: entry.path, value: text, score: score))
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
                let text = isFound ? Self.text(of: entry.value, format) : ""
                if isFound { add(Hit(suite: suite, path: entry.path, value: text, score: 0)) }
                return true
            }
            inside = EntrySearch(pattern, in: entry, 0)
        }
        while hits.count < Self.limit {
            switch inside?.next(&budget) {
            case .found(let path, let node)?:
                let text = node.map { format.display($0, limit: 80) } ?? Self.text(of: entry.value, format)
                add(Hit(suite: suite, path: path, value: text, score: 0))
            case .notYet?: return false
            case .nothing?, nil:
                inside = nil
                return true
            }
        }
        inside = nil
        return true
    }

    /// The value of a key in a few words.
    private static func text(of value: PropertyListValue, _ format: ValueFormat) -> String {
        // Parsing large data would cost too much for one line of a list.
        if case .data(let data) = value, data.count > 4096 { return value.displayText(limit: 80) }
        return format.display(ValueNode(value), limit: 80)
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
