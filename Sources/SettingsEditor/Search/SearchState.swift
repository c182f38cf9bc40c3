import PropertyList

/// What is searched for, and how far each search has come.
struct SearchState: Sendable {
    /// The last pattern.
    var pattern: Pattern?
    var highlightsMatches = false
    /// The search of the keys that is under way.
    @Boxed var running: RunningSearch?
    /// The search of the history that is under way.
    @Boxed var inHistory: HistorySearch?
    var prompts = PromptHistory()
    /// How many matches there are.
    @Boxed var hits: MatchCounter?
    /// The suite that a search of the list found, and its number among all matches.
    @Boxed var suiteHits: (suite: String, number: Int, count: Int)?
    /// What was read of suites for the finder, by their ids; nil while the finder is closed.
    var library: [String: Finder.Source]?
    /// The index of the suite that was read last for the finder.
    var lastRead = 0
    /// Where the finder is in a key with a large value.
    @Boxed var findingInside: EntrySearch?
}
