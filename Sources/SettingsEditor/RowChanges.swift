/// What has last become of the keys that are shown, for whoever counts something about them.
struct RowChanges: Sendable {
    enum Change: Sendable {
        /// The key at a place holds something else.
        case value(Int)
        /// At a place there is one more, or one less.
        case inserted(Int)
        case removed(Int)
    }

    /// How many there have been.
    private(set) var count = 0
    /// The last of them.
    private var known: [Change] = []
    /// No more are known.
    private static let limit = 64

    mutating func add(_ change: Change) {
        count += 1
        if known.count == 2 * Self.limit { known.removeFirst(Self.limit) }
        known.append(change)
    }

    /// There have been more than can be told.
    mutating func forget() {
        count += 1
        known = []
    }

    /// Those behind the first ones; nil where not all of them are known.
    func behind(_ first: Int) -> ArraySlice<Change>? {
        known.count >= count - first ? known.suffix(count - first) : nil
    }
}
