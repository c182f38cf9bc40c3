import PropertyList

/// Searches one key and everything inside its value, forwards or backwards, in the order of the rows.
///
/// The search works in steps: a large value must not delay the next key press.
struct EntrySearch: Sendable {
    enum Step: Sendable {
        case found(ValuePath, ValueNode?)
        case nothing
        case notYet
    }

    private enum Stage { case own, ownValue, opening, inside, over }

    var key: String { entry.key }
    /// The version of the rows that the entry belongs to.
    let version: Int
    private let pattern: Pattern
    private let entry: SortedEntries.Entry
    private let isForward: Bool
    /// The search begins after this path, or before it if it goes backwards; nil to search everything.
    private let start: ValuePath?
    private var stage: Stage
    private var reading: EntryReading
    private var cursor: TreeCursor?

    /// - Parameters:
    ///   - node: the parsed value of the entry, if it is known.
    ///   - start: a path inside the entry. This value itself is not searched.
    init(
        _ pattern: Pattern,
        in entry: SortedEntries.Entry,
        _ version: Int,
        node: ValueNode? = nil,
        forwards: Bool = true,
        from start: ValuePath? = nil
    ) {
        self.pattern = pattern
        self.entry = entry
        self.version = version
        reading = EntryReading(entry, node)
        self.start = start
        isForward = forwards
        if start == nil, forwards {
            stage = .own
        } else {
            // Searching backwards from the key's own row: the entry has nothing before that row.
            stage = !forwards && start?.steps.count == 1 ? .over : .opening
        }
    }

    /// Continues to the next match, as far as the budget allows.
    mutating func next(_ budget: inout WorkBudget) -> Step {
        while stage != .over {
            guard budget.isLeft else { return .notYet }
            budget.spend(1)
            switch stage {
            case .own:
                let isWorthIt = isWorthIt(&budget)
                stage = isWorthIt ? .ownValue : .over
                if pattern.matches(entry.key) {
                    stage = isWorthIt && isForward ? .opening : .over
                    return .found(entry.path, reading.node)
                }
            case .ownValue:
                guard let node = reading.next(&budget) else { return .notYet }
                stage = isForward ? .opening : .over
                if pattern.matches(value: node, &budget) { return .found(entry.path, node) }
            case .opening:
                guard reading.isUnderWay || isWorthIt(&budget) else {
                    stage = isForward ? .over : .own
                    break
                }
                guard let node = reading.next(&budget) else { return .notYet }
                cursor =
                    start.map { TreeCursor(node, from: $0.steps.dropFirst(), forwards: isForward) }
                    ?? TreeCursor(node, forwards: isForward)
                stage = .inside
            case .inside:
                guard let (step, node) = cursor?.next() else {
                    cursor = nil
                    stage = isForward ? .over : .own
                    break
                }
                guard pattern.matches(step) || pattern.matches(value: node, &budget) else { break }
                return .found(ValuePath([.key(key)] + (cursor?.steps ?? [])), node)
            case .over: break
            }
        }
        return .nothing
    }

    private func isWorthIt(_ budget: inout WorkBudget) -> Bool {
        reading.node != nil || pattern.canBeFound(in: entry.value, &budget)
    }
}

/// Parses the value of an entry, a little at a time.
struct EntryReading: Sendable {
    private let entry: SortedEntries.Entry
    private(set) var node: ValueNode?
    private var reading: ValueReading?

    /// - Parameter node: the parsed value, if it is known.
    init(_ entry: SortedEntries.Entry, _ node: ValueNode? = nil) {
        (self.entry, self.node) = (entry, node)
    }

    var isUnderWay: Bool { reading != nil }

    /// The parsed value; nil if the budget is used up first.
    mutating func next(_ budget: inout WorkBudget) -> ValueNode? {
        if let node { return node }
        let shown = entry.shown
        if shown.isUnread {
            var reading = reading ?? ValueReading(shown)
            self.reading = nil
            node = budget.goOn(&reading)
            if node == nil { self.reading = reading }
        } else {
            if case .data(let data) = entry.value { budget.spend(bytes: 4 * data.count) }
            if case .string(let text) = entry.value { budget.spend(bytes: 4 * text.utf8.count) }
            node = shown
        }
        return node
    }
}
