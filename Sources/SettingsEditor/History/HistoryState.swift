import FoundationEssentials
import SettingsStore

/// The changes since the editor was opened.
struct HistoryState: Sendable {
    /// The user's transactions, for undo and redo.
    var undo = UndoHistory()
    /// All changes, of the user and of other processes.
    var journal = Journal()
    /// The suites that cannot be read.
    private var unreadable: Set<String> = []
    private var lastNumber = 0
    /// The keys that the user went to or came from with the finder, the latest one last.
    private var visited: [(suite: String, key: String)] = []

    /// How many changes and visits are remembered for the finder.
    private static let recentLimit = 200

    /// A number that no other transaction or write has.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func visit(_ suite: String, _ key: String) {
        visited.append((suite, key))
        if visited.count > Self.recentLimit { visited.removeFirst() }
    }

    /// The keys that the finder shows first, by suite, with their scores: those that changed last, then those that were
    /// visited last.
    var recentKeys: [String: [String: Int]] {
        let changed = journal.entries.suffix(Self.recentLimit).compactMap { entry in
            entry.ofKey.map { (suite: entry.suite, key: $0.key) }
        }
        var scores: [String: [String: Int]] = [:]
        for (number, place) in (visited + changed).enumerated() {
            scores[place.suite, default: [:]][place.key] = 1_000_000 + number
        }
        return scores
    }

    /// Records the changes of another process.
    ///
    /// - Parameter read: The differences of large values, which were compared beforehand, by sequence number.
    mutating func record(
        _ changes: [Change],
        _ read: [UInt64: PreparedDiff],
        of suite: String,
        at date: Date?,
        _ format: ValueFormat
    ) {
        for change in changes {
            let value = ValueChange(old: change.old, new: change.new)
            journal.add(
                suite,
                change.key,
                value,
                read[change.sequence],
                isOwn: false,
                at: date,
                format
            )
        }
    }

    mutating func record(_ write: Write, at date: Date?, _ format: ValueFormat) {
        for (key, change) in write.changes.sorted(by: { $0.key < $1.key }) where change.old != change.new {
            journal.add(write.suite, key, change, isOwn: true, at: date, format)
        }
        guard let whole = write.whole else { return }
        let part = Transaction.Part(suite: write.suite, changes: write.changes, whole: whole)
        journal.add(write.suite, .suite(whole.isMade ? .come : .gone), isOwn: true, at: date, part: part)
    }

    /// Records that other processes created, removed or changed whole suites.
    mutating func record(_ change: Journal.SuiteChange, of suites: [String], at date: Date?) {
        for id in suites { journal.add(id, .suite(change), isOwn: false, at: date) }
    }

    /// Records that a suite cannot be read, or can be read again.
    ///
    /// - Parameters:
    ///   - former: What was known before. A suite that could not be read at the start has not changed.
    ///   - isOwn: Whether the user has moved the unreadable file aside.
    mutating func record(
        _ content: SuiteStatus.Content?,
        after former: SuiteStatus.Content?,
        of suite: String,
        isOwn: Bool = false,
        at date: Date?
    ) {
        switch content {
        case .unreadable(let reason, _)?:
            let isNew = unreadable.insert(suite).inserted
            if journal.explain(suite, .unreadable(reason)) || !isNew { return }
            switch former {
            case .unreadable?, nil: break
            default: journal.add(suite, .suite(.unreadable(reason)), isOwn: false, at: date)
            }
        case .stored?:
            guard unreadable.remove(suite) != nil, !journal.explain(suite, .readable) else { return }
            journal.add(suite, .suite(.readable), isOwn: isOwn, at: date)
        case .absent?: unreadable.remove(suite)
        case .stale?, nil: break
        }
    }
}
