import PropertyList

/// A search of one key and all that it holds, in the order of rows or against it. It can be left anywhere,
/// so that a key that holds much holds up nothing.
struct EntrySearch: Sendable {
    enum Step: Sendable {
        case found(ValuePath, ValueNode?)
        case nothing
        case notYet
    }

    private enum Stage { case own, ownValue, opening, inside, over }

    var key: String { entry.key }
    /// Which version of the rows the entry is of.
    let version: Int
    private let pattern: Pattern
    private let entry: SortedEntries.Entry
    private let isForward: Bool
    /// Behind it, or before it, the search begins; nil where all is searched.
    private let start: ValuePath?
    private var stage: Stage
    private var reading: EntryReading
    private var walk: Walk?

    /// - Parameters:
    ///   - node: what the entry's value is, where that is known already.
    ///   - start: a place of the entry, which is not searched itself.
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
            // Before the key's own row there is nothing of it.
            stage = !forwards && start?.steps.count == 1 ? .over : .opening
        }
    }

    /// Goes on to the next place at which the pattern is found, as far as the effort goes.
    mutating func next(_ effort: inout Effort) -> Step {
        while stage != .over {
            guard effort.isLeft else { return .notYet }
            effort.spend(1)
            switch stage {
            case .own:
                let isWorthIt = isWorthIt(&effort)
                stage = isWorthIt ? .ownValue : .over
                if pattern.matches(entry.key) {
                    stage = isWorthIt && isForward ? .opening : .over
                    return .found(entry.path, reading.node)
                }
            case .ownValue:
                guard let node = reading.next(&effort) else { return .notYet }
                stage = isForward ? .opening : .over
                if pattern.matches(value: node, &effort) { return .found(entry.path, node) }
            case .opening:
                guard reading.isUnderWay || isWorthIt(&effort) else {
                    stage = isForward ? .over : .own
                    break
                }
                guard let node = reading.next(&effort) else { return .notYet }
                walk =
                    start.map { Walk(node, from: $0.steps.dropFirst(), forwards: isForward) }
                    ?? Walk(node, forwards: isForward)
                stage = .inside
            case .inside:
                guard let (step, node) = walk?.next() else {
                    walk = nil
                    stage = isForward ? .over : .own
                    break
                }
                guard pattern.matches(step) || pattern.matches(value: node, &effort) else { break }
                return .found(ValuePath([.key(key)] + (walk?.steps ?? [])), node)
            case .over: break
            }
        }
        return .nothing
    }

    private func isWorthIt(_ effort: inout Effort) -> Bool {
        reading.node != nil || pattern.canBeFound(in: entry.value, &effort)
    }
}

/// Finding out what is in an entry, a little at a time.
struct EntryReading: Sendable {
    private let entry: SortedEntries.Entry
    /// Nil as long as it is not known.
    private(set) var node: ValueNode?
    private var reading: ValueReading?

    /// - Parameter node: What is in it, where that is known already.
    init(_ entry: SortedEntries.Entry, _ node: ValueNode? = nil) {
        (self.entry, self.node) = (entry, node)
    }

    /// It has begun, and has not ended.
    var isUnderWay: Bool { reading != nil }

    /// What is in the entry; nil while the effort does not suffice for that.
    mutating func next(_ effort: inout Effort) -> ValueNode? {
        if let node { return node }
        let shown = entry.shown
        if shown.isUnread {
            var reading = reading ?? ValueReading(shown)
            self.reading = nil
            node = effort.goOn(&reading)
            if node == nil { self.reading = reading }
        } else {
            if case .data(let data) = entry.value { effort.spend(bytes: 4 * data.count) }
            if case .string(let text) = entry.value { effort.spend(bytes: 4 * text.utf8.count) }
            node = shown
        }
        return node
    }
}
