import PropertyList

/// A change of a key's value, laid over what the key holds by now: of that the places that the change changed
/// become what it made of them, and all else stays as it is, byte for byte.
struct Merge: Sendable, Hashable {
    /// A place that has become something else meanwhile than what the change was to replace, or to bring.
    struct Clash: Sendable, Hashable {
        /// From the key's value down; empty for the value as a whole. An array that others have changed is
        /// one place where nobody can tell for certain which of its elements are the former ones.
        let path: ValuePath
        /// What was to be replaced, by what, and what is there; nil for nothing.
        let base: ValueNode?
        let mine: ValueNode?
        let theirs: ValueNode?
        /// So much of the value has changed that it is decided as a whole.
        var isTooMuch = false
    }

    private(set) var clashes: [Clash] = []
    /// What the key holds with the change over it, also where they clash.
    private(set) var value: PropertyListValue?
    /// What that replaces: what the key holds, save that the places that clash are what they were to be.
    private(set) var ground: PropertyListValue?
    private var steps: [Step] = []

    /// What is to be done at one place, in this order.
    struct Step: Sendable, Hashable {
        let path: ValuePath
        let isThere: Bool
        let new: ValueNode?
    }

    /// What lies deeper is one place.
    private static let deepest = 64
    /// Each of them takes as long as it takes to read a document.
    private static let mostSteps = 200
    private static let mostStepsInLong = 8

    init(_ change: ValueChange, over current: PropertyListValue?) {
        (value, ground) = (change.new, change.old)
        if current == change.old { return }
        let (base, mine, theirs) = (change.old, change.new, current)
        compare(base.map(ValueNode.init), mine.map(ValueNode.init), theirs.map(ValueNode.init), [])
        guard let current, !clashes.contains(where: \.path.steps.isEmpty) else {
            if clashes.isEmpty { (value, ground) = (current, current) }
            return
        }
        let most = current.isLong ? Self.mostStepsInLong : Self.mostSteps
        do {
            let places = steps.map(\.path) + clashes.map(\.path)
            // Of members that share a name one that goes gives its place to the next.
            let areApart = places.count == 1 || !places.contains { $0.steps.contains(where: \.isTwin) }
            guard places.count <= most, areApart else { throw ValueEditError([], "too much at once") }
            let bases = clashes.map { Step(path: $0.path, isThere: $0.theirs != nil, new: $0.base) }
            let own = clashes.map { Step(path: $0.path, isThere: $0.theirs != nil, new: $0.mine) }
            ground = try bases.reduce(current) { try $1.done(in: $0) }
            value = try (own + steps).reduce(current) { try $1.done(in: $0) }
        } catch {
            (value, ground) = (change.new, change.old)
            let isTooMuch = steps.count + clashes.count > most
            let nodes = (base.map(ValueNode.init), mine.map(ValueNode.init), theirs.map(ValueNode.init))
            let clash = Clash(path: [], base: nodes.0, mine: nodes.1, theirs: nodes.2, isTooMuch: isTooMuch)
            clashes = [clash]
        }
    }

    mutating func add(_ step: Step) { steps.append(step) }

    mutating func compare(
        _ base: ValueNode?,
        _ mine: ValueNode?,
        _ theirs: ValueNode?,
        _ path: ValuePath
    ) {
        if mine == base || mine == theirs { return }
        if theirs == base, !path.steps.isEmpty {
            steps.append(Step(path: path, isThere: theirs != nil, new: mine))
            return
        }
        if let base, let mine, let theirs, base.opens(like: mine), base.opens(like: theirs),
            path.steps.count < Self.deepest
        {
            if !base.holdsElements { return compareEntries(base, mine, theirs, path) }
            if base.isWrittenOtherwise(in: theirs) { return changeElements(base, mine, path) }
            if follow(base, mine, theirs, path) { return }
        }
        clashes.append(Clash(path: path, base: base, mine: mine, theirs: theirs))
    }

    private mutating func compareEntries(
        _ base: ValueNode,
        _ mine: ValueNode,
        _ theirs: ValueNode,
        _ path: ValuePath
    ) {
        let (former, own, others) = (base.children, mine.children, theirs.children)
        func other(_ step: PathStep) -> ValueNode? { others.place(of: step).map { others[$0].node } }
        let pairs = Pairs(base, mine)
        for place in former.indices where !pairs.areSame[place] {
            let (step, node) = former[place]
            compare(node, pairs.partners[place].map { own[$0].node }, other(step), path.appending(step))
        }
        let known = Set(pairs.partners.compactMap { $0 })
        for place in own.indices where !known.contains(place) {
            let (step, node) = own[place]
            compare(nil, node, other(step), path.appending(step))
        }
    }

    /// Of an array that others have left as it was, though maybe not as it was written.
    private mutating func changeElements(_ base: ValueNode, _ mine: ValueNode, _ path: ValuePath) {
        for place in Differences(base, mine, limit: Self.mostSteps + 1).places
        where !place.target.steps.isEmpty {
            let target = ValuePath(path.steps + place.target.steps)
            steps.append(Step(path: target, isThere: place.old != nil, new: place.new))
        }
    }
}

extension Merge.Step {
    fileprivate func done(in value: PropertyListValue) throws -> PropertyListValue {
        guard let new else { return isThere ? try value.removing(at: path) : value }
        return isThere
            ? try value.replacing(at: path, with: new.newValue)
            : try value.inserting(new.newValue, at: path)
    }
}

extension PathStep {
    fileprivate var isTwin: Bool { if case .twin = self { true } else { false } }
}

extension PropertyListValue {
    /// Whether it takes long to read it as a document.
    fileprivate var isLong: Bool {
        switch self {
        case .data(let data): data.count > 1 << 19
        case .string(let text): text.utf8.count > 1 << 19
        default: false
        }
    }
}

extension ValueNode {
    /// Whether another one with an inside holds the same, at most with other spaces or in another order.
    func isWrittenOtherwise(in other: ValueNode) -> Bool {
        guard opens(like: other) else { return false }
        return Differences(self, other, limit: 1).places.allSatisfy(\.path.steps.isEmpty)
    }
}
