import PropertyList

/// Finding out, a little at a time, whether a filter leaves a key that holds more than is quickly looked through,
/// and what of that.
struct Sifting: Sendable {
    enum Step: Sendable {
        /// What is shown below its row, and where the key is closed the first place that is left inside it.
        case left((node: ValueNode, branch: Branch)?, found: ValuePath?)
        case hidden
        case notYet
    }

    private static let mostGone = 200

    var key: String { entry.key }
    var isKeeping: Bool { kept != nil }
    private let entry: Rows.Entry
    private let pattern: Pattern?
    /// What it held before it came to differ; nil where all of it is what is looked through.
    private let former: PropertyListValue?
    /// What is open in it; nil where it is closed.
    private let open: OpenPlaces?
    private var reading: EntryReading
    /// What leads to a place in it that is left whatever it is.
    private let kept: ArraySlice<PathStep>?
    /// Of what is closed, looked through as a whole.
    private var search: EntrySearch?
    private var narrowing: Narrowing?
    /// What it held formerly and does no more, as far as that is told.
    private(set) var gone: GoneInside?

    /// Goes on with a search of what is closed.
    init(_ entry: Rows.Entry, _ search: EntrySearch) {
        self.init(entry, nil, since: nil, open: nil, node: nil)
        self.search = search
    }

    /// - Parameter node: What the entry's value is, where that is known already.
    init(
        _ entry: Rows.Entry,
        _ pattern: Pattern?,
        since former: PropertyListValue?,
        open: OpenPlaces?,
        keeping kept: ArraySlice<PathStep>? = nil,
        node: ValueNode?
    ) {
        self.entry = entry
        self.former = former
        self.open = open
        self.kept = kept
        reading = EntryReading(entry, node)
        // All that lies below a name that matches is left.
        self.pattern = pattern.flatMap { $0.matches(entry.key) ? nil : $0 }
    }

    /// Goes on, as far as the effort goes.
    mutating func next(_ effort: inout Effort) -> Step {
        if search != nil {
            return search?.next(&effort).sifted ?? .hidden
        }
        guard let node = reading.next(&effort) else { return .notYet }
        guard node.isContainer else {
            let isLeft = kept != nil || pattern?.matches(value: node, &effort) ?? true
            return isLeft ? .left(nil, found: nil) : .hidden
        }
        if narrowing == nil {
            let differences = former.map { Differences(ValueNode($0), node, limit: PlaceTree.most) }
            gone = differences.map { GoneInside($0, limit: Self.mostGone) }
            let sieve = Sieve(pattern, among: differences.map(PlaceTree.init), keeping: kept)
            if sieve.isAll || open == nil && pattern == nil {
                return .left(open?.branch(of: node).map { (node, $0) }, found: nil)
            }
            narrowing = Narrowing(node, sieve, open: open)
        }
        guard case .done(let isLeft, let branch)? = narrowing?.next(&effort) else { return .notYet }
        let found = narrowing?.first.map { ValuePath([.key(key)] + $0.steps) }
        return isLeft ? .left(branch.map { (node, $0) }, found: found) : .hidden
    }
}

extension EntrySearch.Step {
    /// What that says of a key that is closed.
    var sifted: Sifting.Step {
        switch self {
        case .found(let path, _): .left(nil, found: path.steps.count > 1 ? path : nil)
        case .notYet: .notYet
        case .nothing: .hidden
        }
    }
}
