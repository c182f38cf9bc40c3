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
    /// What is to be done, by the places in what the key holds.
    private var edits: [ValueEdit] = []

    /// What lies deeper is one place.
    private static let deepest = 64
    /// More places are decided as a whole.
    static let mostPlaces = 10_000

    init(_ change: ValueChange, over current: PropertyListValue?) {
        (value, ground) = (change.new, change.old)
        if current == change.old { return }
        let (base, mine, theirs) = (change.old, change.new, current)
        compare(base.map(ValueNode.init), mine.map(ValueNode.init), theirs.map(ValueNode.init), [])
        guard let current, !clashes.contains(where: \.path.steps.isEmpty) else {
            if clashes.isEmpty { (value, ground) = (current, current) }
            return
        }
        let isTooMuch = edits.count + clashes.count > Self.mostPlaces
        do {
            let places = edits.map(\.path) + clashes.map(\.path)
            // Of members that share a name one that goes gives its place to the next.
            let areApart = places.count == 1 || !places.contains { $0.steps.contains(where: \.isTwin) }
            guard !isTooMuch, areApart else { throw ValueEditError([], "too much at once") }
            let bases = clashes.compactMap { ValueEdit($0.base, at: $0.path, over: $0.theirs) }
            let own = clashes.compactMap { ValueEdit($0.mine, at: $0.path, over: $0.theirs) }
            ground = try current.editing(bases)
            let merged = try current.editing(own + edits)
            value = clashes.isEmpty ? Self.text(of: change, over: current, saying: merged) ?? merged : merged
        } catch {
            (value, ground) = (change.new, change.old)
            let nodes = (base.map(ValueNode.init), mine.map(ValueNode.init), theirs.map(ValueNode.init))
            let clash = Clash(path: [], base: nodes.0, mine: nodes.1, theirs: nodes.2, isTooMuch: isTooMuch)
            clashes = [clash]
        }
    }

    /// - Parameters:
    ///   - new: What is to be at a place; nil for nothing.
    ///   - old: What is there.
    mutating func put(_ new: ValueNode?, at path: ValuePath, over old: ValueNode?) {
        if let edit = ValueEdit(new, at: path, over: old) { edits.append(edit) }
    }

    /// Puts an element in front of the one at a place.
    mutating func insert(_ new: ValueNode, at path: ValuePath) { put(new, at: path, over: nil) }

    mutating func compare(
        _ base: ValueNode?,
        _ mine: ValueNode?,
        _ theirs: ValueNode?,
        _ path: ValuePath
    ) {
        if mine == base || mine == theirs { return }
        if theirs == base, !path.steps.isEmpty {
            return put(mine, at: path, over: theirs)
        }
        if let base, let mine, let theirs, base.opens(like: mine), base.opens(like: theirs),
            path.steps.count < Self.deepest
        {
            if !path.steps.isEmpty, let text = Self.text(base, mine, theirs) {
                return put(text, at: path, over: theirs)
            }
            if !base.holdsElements { return compareEntries(base, mine, theirs, path) }
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
}

extension ValueEdit {
    /// Nil where there is nothing to do.
    fileprivate init?(_ new: ValueNode?, at path: ValuePath, over old: ValueNode?) {
        guard let new else {
            if old == nil { return nil }
            self.init(.remove, at: path)
            return
        }
        self.init(old == nil ? .insert(new.newValue) : .replace(new.newValue), at: path)
    }
}

extension PathStep {
    fileprivate var isTwin: Bool { if case .twin = self { true } else { false } }
}

extension ValueNode {
    /// Whether another one with an inside holds the same, at most with other spaces or in another order.
    func isWrittenOtherwise(in other: ValueNode) -> Bool {
        guard opens(like: other) else { return false }
        return Differences(self, other, limit: 1).places.allSatisfy(\.path.steps.isEmpty)
    }
}
