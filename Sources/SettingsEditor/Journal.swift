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
        let suite: String
        let key: String
        let change: ValueChange
        /// What of it lies inside the value; nil where that is all that there is to say.
        let words: ChangeInWords?
        /// Changed by this editor.
        let isOwn: Bool
    }

    /// The last one at the end.
    private(set) var entries: [Entry] = []
    private var count = 0

    /// More are forgotten, the oldest first, so that a program that goes on writing fills no memory.
    private static let limit = 2000

    /// - Parameter spelling: has dates in the time of this place.
    mutating func add(
        _ suite: String,
        _ key: String,
        _ change: ValueChange,
        isOwn: Bool,
        at date: Date?,
        _ spelling: ValueSpelling
    ) {
        count += 1
        entries.append(
            Entry(
                number: count,
                date: date,
                suite: suite,
                key: key,
                change: change,
                words: ChangeInWords(change.old, change.new, spelling),
                isOwn: isOwn
            )
        )
        // Seldom, so that it costs little.
        if entries.count >= 2 * Self.limit { entries.removeFirst(entries.count - Self.limit) }
    }
}
