import FoundationEssentials
import PropertyList
import SettingsStore

/// All changes since the editor was opened, by the user and by other processes.
struct Journal: Sendable, Hashable {
    struct Entry: Sendable, Hashable {
        /// A rising number without gaps.
        let number: Int
        /// The time; nil if it was not known.
        let date: Date?
        /// The cluster's own revision number, if the suite has revisions.
        let revision: Int64?
        let suite: String
        fileprivate(set) var matter: Matter
        /// Whether this editor made the change.
        let isOwn: Bool
        /// The transaction part, if this editor created or removed a suite.
        var part: Transaction.Part?

        /// The change of a key; nil if the whole suite was created or removed.
        var ofKey: KeyChange? { if case .key(let change) = matter { change } else { nil } }
    }

    enum Matter: Sendable, Hashable {
        case key(KeyChange)
        case suite(SuiteChange)
    }

    struct KeyChange: Sendable, Hashable {
        let key: String
        let value: ValueChange
        /// The change inside the value; nil if there is nothing more to say.
        let words: ChangeSummary?
    }

    /// A change of a suite as a whole.
    enum SuiteChange: Sendable, Hashable {
        case come, gone
        /// The suite has changed, and the keys are not known.
        case changed
        /// The suite cannot be read, for this reason.
        case unreadable(String)
        /// The suite can be read again.
        case readable
    }

    /// The entries, oldest first.
    private(set) var entries: [Entry] = []
    private var count = 0

    /// The largest number of entries. Older ones are dropped, so that a busy program does not fill the memory.
    private static let limit = 2000

    /// - Parameters:
    ///   - read: The differences of a large value, which were compared beforehand.
    ///   - spelling: Formats dates in the local time zone.
    mutating func add(
        _ suite: String,
        _ key: String,
        _ change: ValueChange,
        _ read: PreparedDiff? = nil,
        isOwn: Bool,
        at date: Date?,
        revision: Int64? = nil,
        _ format: ValueFormat
    ) {
        let words =
            read.map { ChangeSummary($0.differences, format) }
            ?? ChangeSummary(
                change.old,
                change.new,
                format,
                limit: ChangeHighlights.places,
                isOwn: isOwn
            )
        let matter = Matter.key(KeyChange(key: key, value: change, words: words))
        add(suite, matter, isOwn: isOwn, at: date, revision: revision)
    }

    mutating func add(
        _ suite: String,
        _ matter: Matter,
        isOwn: Bool,
        at date: Date?,
        revision: Int64? = nil,
        part: Transaction.Part? = nil
    ) {
        count += 1
        let entry = Entry(
            number: count,
            date: date,
            revision: revision,
            suite: suite,
            matter: matter,
            isOwn: isOwn,
            part: part
        )
        entries.append(entry)
        // Entries are dropped many at a time, because dropping one moves all others.
        if entries.count >= 2 * Self.limit { entries.removeFirst(entries.count - Self.limit) }
    }

    /// Says more about the latest entry of a suite, if that entry says only that the suite has changed. Returns whether
    /// it does.
    mutating func explain(_ suite: String, _ change: SuiteChange) -> Bool {
        guard let index = entries.suffix(Self.entriesToExplain).lastIndex(where: { $0.suite == suite }),
            entries[index].matter == .suite(.changed)
        else { return false }
        entries[index].matter = .suite(change)
        return true
    }

    /// How many of the latest entries are looked at. A changed suite is read at once.
    private static let entriesToExplain = 400
}
