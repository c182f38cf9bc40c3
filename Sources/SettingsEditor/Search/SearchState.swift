import PropertyList

/// The searches, and how far each one has come.
struct SearchState: Sendable {
    var pattern: Pattern?
    var highlightsMatches = false
    /// The search of the keys that is under way.
    @Boxed var running: RunningSearch?
    var prompts = PromptHistory()
    /// How many matches there are.
    @Boxed var hits: MatchCounter?
    /// The suite that a search of the list found, and its number among all matches.
    @Boxed var suiteHits: (suite: String, number: Int, count: Int)?
    /// The suites that were read for the finder, by id; nil while the finder is closed.
    var library: [String: Finder.Source]?
    /// The index of the suite that was read last for the finder.
    var lastRead = 0
    /// The finder's unfinished search of a key with a large value.
    @Boxed var findingInside: EntrySearch?

    var isRunning: Bool { running != nil }

    /// Ends the search of the keys. Returns false if no search was running.
    @discardableResult
    mutating func end() -> Bool {
        guard isRunning else { return false }
        running = nil
        return true
    }

    mutating func forgetHits() { (hits, suiteHits) = (nil, nil) }

    /// Continues the search of the keys. Returns the search and its result if it has ended.
    mutating func goOn(in suite: SuiteModel?, _ budget: inout WorkBudget) -> (search: Search, Search.Step)? {
        guard var running, let suite, suite.id == running.suite else {
            running = nil
            return nil
        }
        let step = running.search.goOn(in: suite.outline, &budget)
        self.running = step == .notYet ? running : nil
        return step == .notYet ? nil : (running.search, step)
    }

    /// Starts to count the matches in a suite, unless the count is under way.
    mutating func count(_ pattern: Pattern, in suite: SuiteModel) {
        if let hits, hits.pattern == pattern, hits.suite == suite.id { return }
        hits = MatchCounter(pattern, in: suite.id, suite.outline.rows)
    }

    /// The message after a search that went on at the other end.
    static func wrapped(forwards: Bool) -> String {
        forwards ? "Continued at the top." : "Continued at the bottom."
    }
}

/// A search of a suite that is not complete yet.
struct RunningSearch: Sendable {
    let suite: String
    var search: Search
}
