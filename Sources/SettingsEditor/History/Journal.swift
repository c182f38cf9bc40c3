import FoundationEssentials
import PropertyList
import SettingsStore

/// What has changed since the editor was opened, whoever did it.
struct Journal: Sendable, Hashable {
    struct Entry: Sendable, Hashable {
        /// Counts up, without gaps.
        let number: Int
        /// Nil where the time was not known.
        let date: Date?
        /// The place's own number of the change, where it keeps a history.
        let revision: Int64?
        let suite: String
        let matter: Matter
        /// Changed by this editor.
        let isOwn: Bool
        /// What this editor has written, where that made a suite or removed it.
        var part: Transaction.Part?

        /// What has changed of a key; nil where it was the suite as a whole.
        var ofKey: KeyChange? { if case .key(let change) = matter { change } else { nil } }
    }

    enum Matter: Sendable, Hashable {
        case key(KeyChange)
        case suite(SuiteChange)
    }

    struct KeyChange: Sendable, Hashable {
        let key: String
        let value: ValueChange
        /// What of it lies inside the value; nil where that is all that there is to say.
        let words: ChangeSummary?
    }

    /// What is known of a suite that nobody has looked at.
    enum SuiteChange: Sendable, Hashable {
        case come, gone
        /// Something in it, nobody knows what.
        case changed
    }

    /// The last one at the end.
    private(set) var entries: [Entry] = []
    private var count = 0

    /// More are forgotten, the oldest first, so that a program that goes on writing fills no memory.
    private static let limit = 2000

    /// - Parameters:
    ///   - read: The same, where it took long.
    ///   - spelling: has dates in the time of this place.
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
            ?? ChangeSummary(change.old, change.new, format, isOwn: isOwn)
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
        // Seldom, so that it costs little.
        if entries.count >= 2 * Self.limit { entries.removeFirst(entries.count - Self.limit) }
    }
}
