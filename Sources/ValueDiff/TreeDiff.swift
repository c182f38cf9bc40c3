import PropertyList

/// The differences between two values: the innermost values that differ, or that only one of the two has.
package struct TreeDiff: Sendable {
    package struct Place: Sendable, Hashable {
        /// From the root; empty for the value as a whole. A removed value has its path in the old value, any
        /// other its path in the new one.
        package let path: ValuePath
        /// The path in the new value; of a removed value the path where it would be inserted.
        package let target: ValuePath
        /// Nil if nothing is there.
        package let old: ValueNode?
        package let new: ValueNode?
    }

    /// The first differences, up to the limit, in the order of the rows.
    package private(set) var places: [Place] = []
    /// The number of all differences.
    package private(set) var count = 0
    /// For each array of the new value whose elements have moved: the old index of each element, or nil if it
    /// is new.
    package private(set) var moved: [ValuePath: [Int?]] = [:]
    private let limit: Int

    /// Deeper values are compared as a whole.
    private static let deepest = 64
    /// In longer arrays elements are paired one by one if many differ. Foreign changes come at any time, and
    /// comparing them must not delay a key.
    package static let mostMoved = 4000

    package init(_ old: ValueNode?, _ new: ValueNode?, limit: Int) {
        self.limit = limit
        guard let old, let new else {
            if old != nil || new != nil { add([], [], old, new) }
            return
        }
        if old.isSame(as: new) { return }
        compare(old, new, [], [])
        // The values are written differently, and mean the same.
        if count == 0 { add([], [], old, new) }
    }

    private mutating func add(_ before: ValuePath, _ target: ValuePath, _ old: ValueNode?, _ new: ValueNode?)
    {
        count += 1
        guard places.count < limit else { return }
        places.append(Place(path: new == nil ? before : target, target: target, old: old, new: new))
    }

    /// - Parameters:
    ///   - before: The path of the old value.
    ///   - path: The path of the new value.
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
        let pairs = ElementMatching(old, new, most: Self.mostMoved)
        if old.holdsElements, pairs.areMoved { moved[path] = pairs.owners }
        // The index in the new value where a removed element would be inserted.
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
    /// The path before array elements moved, from ``TreeDiff/moved``; nil if the element is new.
    package func former(_ moved: [ValuePath: [Int?]]) -> ValuePath? {
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
    /// Whether both are the same value. One may be part of a JSON text and the other a JSON text of its own.
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
