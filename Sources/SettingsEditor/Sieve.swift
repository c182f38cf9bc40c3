import PropertyList

/// What a filter leaves of what lies in a place: rows that match, what leads to these, and what lies in a row
/// whose name matches.
struct Sieve: Sendable {
    /// What has to be found; nil where everything does.
    private(set) var pattern: Pattern?
    /// Among which places; nil where among all.
    private(set) var places: PlaceTree?
    /// What leads to a place that is left whatever it is; nil where there is none.
    private(set) var kept: ArraySlice<PathStep>?

    init(_ pattern: Pattern?, among places: PlaceTree?, keeping kept: ArraySlice<PathStep>? = nil) {
        self.pattern = pattern
        self.places = places.flatMap { $0.isWhole ? nil : $0 }
        self.kept = kept
    }

    /// It is that place.
    var isKept: Bool { kept?.isEmpty == true }

    /// Whether it leaves everything.
    var isAll: Bool { pattern == nil && places == nil }

    /// The same one step down; nil where nothing is left there.
    func inside(_ step: PathStep) -> Sieve? {
        var inside: PlaceTree?
        let kept = kept.flatMap { $0.first == step ? $0.dropFirst() : nil }
        if let places {
            inside = places.inside[step] ?? (kept == nil ? nil : PlaceTree())
            if inside == nil { return nil }
        }
        return Sieve(pattern.flatMap { $0.matches(step) ? nil : $0 }, among: inside, keeping: kept)
    }

    /// Whether a place inside a node is left, or leads to one that is.
    func leaves(_ path: ValuePath, in node: ValueNode, _ effort: inout Effort) -> Bool {
        var (sieve, node) = (self, node)
        for step in path.steps {
            let children = node.children
            guard let next = sieve.inside(step), let place = children.place(of: step) else { return false }
            (sieve, node) = (next, children[place].node)
        }
        guard let pattern = sieve.pattern, !sieve.isKept else { return true }
        guard node.isContainer else { return pattern.matches(value: node, &effort) }
        var narrowing = Narrowing(node, sieve, open: nil)
        var whole = Effort.unlimited
        guard case .done(let isLeft, _) = narrowing.next(&whole) else { return false }
        return isLeft
    }
}

/// Places in a value, and what leads to them.
struct PlaceTree: Sendable, Hashable {
    /// All that lies here belongs to it.
    private(set) var isWhole = false
    private(set) var inside: [PathStep: PlaceTree] = [:]

    /// So many are told apart; where there are more, all of the value belongs to it.
    static let most = 100_000

    /// Where a value differs from what it was. Of what is gone, that which it lay in.
    init(_ old: ValueNode, _ new: ValueNode) { self.init(Differences(old, new, limit: Self.most)) }

    /// - Parameter differences: as many as are told apart.
    init(_ differences: Differences) {
        isWhole = differences.count > Self.most
        if isWhole { return }
        for place in differences.places {
            if place.new == nil {
                add(place.target.steps.dropLast(), isWhole: false)
            } else {
                add(place.target.steps[...], isWhole: true)
            }
        }
    }

    /// None.
    init() {}

    private mutating func add(_ steps: ArraySlice<PathStep>, isWhole: Bool) {
        if let step = steps.first {
            inside[step, default: PlaceTree()].add(steps.dropFirst(), isWhole: isWhole)
        } else if isWhole {
            self.isWhole = true
        }
    }
}
