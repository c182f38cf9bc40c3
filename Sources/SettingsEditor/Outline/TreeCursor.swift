import PropertyList

/// Visits the values inside a node one by one, in the order of rows or against it. It can stop and continue
/// anywhere.
struct TreeCursor: Sendable {
    private struct Level: Sendable {
        let children: ValueChildren
        /// Forwards the next child, backwards the one behind it.
        var next: Int
    }

    private let isForward: Bool
    /// How many levels it goes down.
    private let depth: Int
    private var levels: [Level] = []
    /// From the node to the last place; the walk backwards has been below it already.
    private(set) var steps: [PathStep] = []
    /// What lies at the last place, which the walk forwards goes into next.
    private var last: ValueNode?

    /// Begins in front of all that lies inside a node, or backwards behind all of it.
    init(_ node: ValueNode, forwards: Bool = true, depth: Int = .max) {
        isForward = forwards
        self.depth = depth
        if forwards { last = node } else { enter(node) }
    }

    /// Begins behind a place inside a node, or backwards before it.
    init(_ node: ValueNode, from place: ArraySlice<PathStep>, forwards: Bool) {
        isForward = forwards
        depth = .max
        var node = node
        for step in place {
            let children = node.children
            guard node.isContainer, let number = children.place(of: step) else { break }
            levels.append(Level(children: children, next: number + (forwards ? 1 : 0)))
            steps.append(step)
            node = children[number].node
        }
        last = forwards && steps.count == place.count ? node : nil
        // Backwards what lies before the place comes next, in the container that the place is in.
        if !forwards, !levels.isEmpty { steps.removeLast() }
    }

    private mutating func enter(_ node: ValueNode) {
        guard node.isContainer, levels.count < depth else { return }
        let children = node.children
        levels.append(Level(children: children, next: isForward ? 0 : children.count))
    }

    /// The next place inside the node; nil at the end.
    mutating func next() -> (step: PathStep, node: ValueNode)? {
        isForward ? following() : preceding()
    }

    private mutating func following() -> (step: PathStep, node: ValueNode)? {
        if let node = last { enter(node) }
        last = nil
        // It was not gone into.
        if levels.count == steps.count, !steps.isEmpty { steps.removeLast() }
        while var level = levels.popLast() {
            while level.next < level.children.count {
                let child = level.children[level.next]
                level.next += 1
                levels.append(level)
                steps.append(child.step)
                last = child.node
                return child
            }
            if !steps.isEmpty { steps.removeLast() }
        }
        return nil
    }

    private mutating func preceding() -> (step: PathStep, node: ValueNode)? {
        // The last place was below the level that it was in.
        if levels.count == steps.count, !steps.isEmpty { steps.removeLast() }
        while var level = levels.popLast() {
            guard level.next > 0 else {
                // All in it has been gone through: the container itself is next.
                guard let outer = levels.last, let step = steps.last else { return nil }
                return (step, outer.children[outer.next].node)
            }
            level.next -= 1
            let child = level.children[level.next]
            levels.append(level)
            steps.append(child.step)
            guard child.node.isContainer, child.node.childCount > 0 else { return child }
            enter(child.node)
        }
        return nil
    }
}
