import PropertyList

/// Visits the values inside a node one by one, forwards or backwards in the order of rows. It can stop and continue
/// anywhere.
struct TreeCursor: Sendable {
    private struct Level: Sendable {
        let children: ValueChildren
        /// Forwards the next child to visit, backwards the child after it.
        var next: Int
    }

    private let isForward: Bool
    private var levels: [Level] = []
    /// The containers from the node down to the current path. Backwards, the last one's children were visited.
    private(set) var steps: [PathStep] = []
    /// The value at the current path. Forwards, its children are next.
    private var last: ValueNode?

    /// Starts before the first value inside a node, or backwards after the last one.
    init(_ node: ValueNode, forwards: Bool = true) {
        isForward = forwards
        if forwards { last = node } else { enter(node) }
    }

    /// Starts after a path inside a node, or backwards before it.
    init(_ node: ValueNode, from place: ArraySlice<PathStep>, forwards: Bool) {
        isForward = forwards
        var node = node
        for step in place {
            let children = node.children
            guard node.isContainer, let number = children.place(of: step) else { break }
            levels.append(Level(children: children, next: number + (forwards ? 1 : 0)))
            steps.append(step)
            node = children[number].node
        }
        last = forwards && steps.count == place.count ? node : nil
        // Backwards, the previous sibling of the path is next.
        if !forwards, !levels.isEmpty { steps.removeLast() }
    }

    private mutating func enter(_ node: ValueNode) {
        guard node.isContainer else { return }
        let children = node.children
        levels.append(Level(children: children, next: isForward ? 0 : children.count))
    }

    /// The next path inside the node; nil at the end.
    mutating func next() -> (step: PathStep, node: ValueNode)? {
        isForward ? following() : preceding()
    }

    private mutating func following() -> (step: PathStep, node: ValueNode)? {
        if let node = last { enter(node) }
        last = nil
        // The previous value was not entered.
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
        // The previous value was in a deeper container.
        if levels.count == steps.count, !steps.isEmpty { steps.removeLast() }
        while var level = levels.popLast() {
            guard level.next > 0 else {
                // All children were visited. The container itself is next.
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
