import PropertyList

/// Where two values differ: the innermost places that do, or that only one of the two has.
struct Differences: Sendable {
    struct Place: Sendable, Hashable {
        /// From the value down; empty for the value as a whole. What is gone is told as it was in the old
        /// value, all else as it is in the new one.
        let path: ValuePath
        /// Where it is in the new value; where it is gone, where it would be put in.
        let target: ValuePath
        /// Nil where nothing is there.
        let old: ValueNode?
        let new: ValueNode?
    }

    /// The first of them, as far as so many were wanted, in the order of the rows.
    private(set) var places: [Place] = []
    private(set) var count = 0
    /// Of the arrays in the new value whose elements have other numbers in the old one: for each of them the old
    /// number, or nil where it is new.
    private(set) var moved: [ValuePath: [Int?]] = [:]
    private let limit: Int

    /// What lies deeper is told as a whole.
    private static let deepest = 64
    /// In long arrays of which much changes, one is compared with one: others' changes come at any time, and
    /// must not take long.
    static let mostMoved = 4000

    init(_ old: ValueNode?, _ new: ValueNode?, limit: Int) {
        self.limit = limit
        guard let old, let new else {
            if old != nil || new != nil { add([], [], old, new) }
            return
        }
        if old.isSame(as: new) { return }
        compare(old, new, [], [])
        // What differs is how they are written.
        if count == 0 { add([], [], old, new) }
    }

    private mutating func add(_ before: ValuePath, _ target: ValuePath, _ old: ValueNode?, _ new: ValueNode?)
    {
        count += 1
        guard places.count < limit else { return }
        places.append(Place(path: new == nil ? before : target, target: target, old: old, new: new))
    }

    /// - Parameters:
    ///   - before: Where the old value is.
    ///   - path: Where the new one is.
    private mutating func compare(
        _ old: ValueNode,
        _ new: ValueNode,
        _ before: ValuePath,
        _ path: ValuePath
    ) {
        guard path.steps.count < Self.deepest, old.opens(like: new) else {
            return add(before, path, old, new)
        }
        let (mine, theirs) = (old.children, new.children)
        let pairs = Pairs(old, new, most: Self.mostMoved)
        if old.holdsElements, pairs.areMoved { moved[path] = pairs.owners }
        // Where in the new value something that is gone would be put in.
        var next = 0
        for stretch in stretches(mine.count, [pairs]) {
            guard case .row(let places, _) = stretch else {
                if case .same(let starts, let count) = stretch { next = starts[1] + count }
                continue
            }
            let (first, second) = (places[0].map { mine[$0] }, places[1].map { theirs[$0] })
            let step = first?.step ?? .index(next)
            let place = second?.step ?? (old.holdsElements ? .index(next) : step)
            let (from, to) = (before.appending(step), path.appending(place))
            if let old = first?.node, let new = second?.node {
                compare(old, new, from, to)
            } else {
                add(from, to, first?.node, second?.node)
            }
            if let place = places[1] { next = place + 1 }
        }
    }
}

extension ValuePath {
    /// Where a place was before elements got other numbers: see ``Differences/moved``; nil where it is new.
    func former(_ moved: [ValuePath: [Int?]]) -> ValuePath? {
        if moved.isEmpty { return self }
        var former = self
        for (place, step) in steps.enumerated() {
            guard case .index(let index) = step, let owners = moved[ValuePath(Array(steps[..<place]))] else {
                continue
            }
            guard owners.indices.contains(index), let owner = owners[index] else { return nil }
            former.steps[place] = .index(owner)
        }
        return former
    }
}

extension ValueNode {
    /// Whether it is the same value, be it inside JSON or JSON of its own.
    fileprivate func isSame(as other: ValueNode) -> Bool {
        if let json, let theirs = other.json, content.isInsideJSON || other.content.isInsideJSON {
            return json == theirs
        }
        return self == other
    }
}

extension ValueNode.Content {
    fileprivate var isInsideJSON: Bool { if case .json = self { true } else { false } }
}
