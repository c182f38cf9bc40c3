import PropertyList

/// Where two values differ: the innermost places that do, or that only one of the two has.
struct Differences: Sendable {
    struct Place: Sendable {
        /// From the value down; empty for the value as a whole.
        let path: ValuePath
        /// Nil where nothing is there.
        let old: ValueNode?
        let new: ValueNode?
    }

    /// The first of them, as far as so many were wanted: what the old value has in the order of its rows, and
    /// behind that, in each container, what came to it.
    private(set) var places: [Place] = []
    private(set) var count = 0
    private let limit: Int

    /// What lies deeper is told as a whole.
    private static let deepest = 64

    init(_ old: ValueNode?, _ new: ValueNode?, limit: Int) {
        self.limit = limit
        guard let old, let new else {
            if old != nil || new != nil { add([], old, new) }
            return
        }
        if old.isSame(as: new) { return }
        compare(old, new, [])
        // What differs is how they are written.
        if count == 0 { add([], old, new) }
    }

    private mutating func add(_ path: ValuePath, _ old: ValueNode?, _ new: ValueNode?) {
        count += 1
        if places.count < limit { places.append(Place(path: path, old: old, new: new)) }
    }

    private mutating func compare(_ old: ValueNode, _ new: ValueNode, _ path: ValuePath) {
        guard path.steps.count < Self.deepest, old.opens(like: new) else { return add(path, old, new) }
        if old.holdsElements {
            compareElements(old, new, path)
        } else if old.json != nil {
            compareMembers(old, new, path)
        } else {
            compareEntries(old, new, path)
        }
    }

    private mutating func compareEntries(_ old: ValueNode, _ new: ValueNode, _ path: ValuePath) {
        let (before, after) = (old.entries, new.entries)
        let changed = before.keys.filter { before[$0] != after[$0] } + after.keys.filter { before[$0] == nil }
        for key in changed.sorted() { compare(.key(key), old, new, path) }
    }

    private mutating func compareMembers(_ old: ValueNode, _ new: ValueNode, _ path: ValuePath) {
        let (before, after) = (old.children, new.children)
        // Members that share a name can't be told apart.
        if (before.contains { !$0.node.hasPathOfItsOwn }) || (after.contains { !$0.node.hasPathOfItsOwn }) {
            return add(path, old, new)
        }
        for (step, node) in before {
            if let place = after.place(of: step), after[place].node.isSame(as: node) { continue }
            compare(step, old, new, path)
        }
        for (step, _) in after where before.place(of: step) == nil { compare(step, old, new, path) }
    }

    /// What both begin and end with is left out, so that one more element is one difference.
    private mutating func compareElements(_ old: ValueNode, _ new: ValueNode, _ path: ValuePath) {
        let (before, after) = (old.children.count, new.children.count)
        let isSame = old.sameElements(new)
        let shorter = min(before, after)
        let start = (0..<shorter).first { !isSame($0, $0) } ?? shorter
        let end = (0..<shorter - start).first { !isSame(before - 1 - $0, after - 1 - $0) } ?? shorter - start
        for index in start..<max(before, after) - end {
            let isInBoth = index < shorter - end
            if isInBoth, isSame(index, index) { continue }
            let step = PathStep.index(index)
            if isInBoth {
                compare(step, old, new, path)
            } else if before > after {
                add(path.appending(step), old.node(at: [step]), nil)
            } else {
                add(path.appending(step), nil, new.node(at: [step]))
            }
        }
    }

    private mutating func compare(_ step: PathStep, _ old: ValueNode, _ new: ValueNode, _ path: ValuePath) {
        let path = path.appending(step)
        guard let old = old.node(at: [step]), let new = new.node(at: [step]) else {
            return add(path, old.node(at: [step]), new.node(at: [step]))
        }
        compare(old, new, path)
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

    /// Whether what is inside the two can be compared.
    func opens(like other: ValueNode) -> Bool {
        guard isContainer, other.isContainer, holdsElements == other.holdsElements,
            (json == nil) == (other.json == nil)
        else { return false }
        guard case .propertyList(let mine) = content, case .propertyList(let theirs) = other.content else {
            return true
        }
        return mine.kind == theirs.kind
    }

    fileprivate var hasPathOfItsOwn: Bool { json?.hasTwin != true }

    /// The array or dictionary of a property list at this place.
    private var list: PropertyListValue? {
        if case .propertyList(let list, _)? = embedded { return list }
        if case .propertyList(let value) = content { return value }
        return nil
    }

    fileprivate var entries: [String: PropertyListValue] {
        if case .dictionary(let entries)? = list { entries } else { [:] }
    }

    /// Tells whether an element is the same as one of another array, without a look into either.
    fileprivate func sameElements(_ other: ValueNode) -> (Int, Int) -> Bool {
        if json == nil, case .array(let mine)? = list, case .array(let theirs)? = other.list {
            return { mine[$0] == theirs[$1] }
        }
        let (mine, theirs) = (children, other.children)
        return { mine[$0].node == theirs[$1].node }
    }
}

extension ValueNode.Content {
    fileprivate var isInsideJSON: Bool { if case .json = self { true } else { false } }
}
