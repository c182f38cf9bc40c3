import PropertyList

/// A filter of an outline, and how far it has been applied.
///
/// Trying a filter on 100,000 keys takes longer than a key press may wait. Therefore the keys are tried in steps between
/// the key presses, and rows appear as keys pass. Without a session, each part of the outline would have to remember on
/// its own how far the work has come.
struct FilterSession: Sendable {
    @Boxed var filter: RowFilter?
    /// The entries that the filter was tried on. All others are hidden. The range starts at the selection and grows
    /// down first.
    private(set) var examined = 0..<0
    /// The unfinished work on a key with a large value.
    @Boxed var entryTask: EntryFilterTask?
    /// The paths that the user expanded since. Their rows are not filtered yet.
    var subtreesToFilter: [ValuePath] = []
    /// The unfinished work on the last of these paths.
    @Boxed var subtreeTask: (path: ValuePath, node: ValueNode, task: SubtreeFilterTask)?
    /// The path to select when its row appears, and its height on the screen.
    @Boxed var awaited: (path: ValuePath, height: Int)?
    /// For each key that passes because of a value inside it, the path of the first such value.
    private(set) var found: [String: ValuePath] = [:]
    /// The row that stays on the screen while it is selected, although a change made it fail the filter.
    var kept: ValuePath?
    /// The row that the change under way must not hide.
    var keeping: ValuePath?
    /// The row that was selected when the filter was set, and its height on the screen.
    @Boxed var anchor: (path: ValuePath, height: Int)?

    init() {}

    /// Whether every entry of an outline was tried.
    func hasExamined(_ count: Int) -> Bool { filter == nil || examined.count == count }

    /// The next entry to try; nil if all were tried.
    func nextEntry(of count: Int) -> Int? {
        if examined.count >= count { return nil }
        return examined.upperBound < count ? examined.upperBound : examined.lowerBound - 1
    }

    /// Marks the entry that ``nextEntry(of:)`` returned as tried.
    mutating func examine(_ index: Int) {
        examined = min(index, examined.lowerBound)..<max(index + 1, examined.upperBound)
    }

    mutating func insertEntry(at index: Int) {
        guard filter != nil else { return }
        let isBelow = index > examined.upperBound
        let isAbove = index < examined.lowerBound
        examined = examined.lowerBound + (isAbove ? 1 : 0)..<examined.upperBound + (isBelow ? 0 : 1)
    }

    mutating func removeEntry(at index: Int) {
        guard filter != nil else { return }
        let lower = examined.lowerBound - (index < examined.lowerBound ? 1 : 0)
        examined = lower..<examined.upperBound - (index < examined.upperBound ? 1 : 0)
    }

    mutating func setFound(_ path: ValuePath?, _ key: String) {
        if path != nil || !found.isEmpty { found[key] = path }
    }

    /// Discards the unfinished work on a key whose value has changed.
    mutating func forgetWork(on key: String) {
        if entryTask?.key == key { entryTask = nil }
        if subtreeTask?.path.key == key { subtreeTask = nil }
    }

    /// Discards the unfinished work on expanded paths.
    mutating func forgetSubtrees() { (subtreesToFilter, subtreeTask, awaited) = ([], nil, nil) }

    /// Discards all work and all results, but not the filter.
    mutating func forgetWork() {
        found = [:]
        (entryTask, kept) = (nil, nil)
        forgetSubtrees()
    }

    /// Starts again at an entry.
    mutating func start(at index: Int) { examined = index..<index }
}
