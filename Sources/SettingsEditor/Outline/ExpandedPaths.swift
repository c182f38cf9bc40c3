import PropertyList

/// The paths that were expanded, including those where nothing can be expanded at the moment.
struct ExpandedPaths: Sendable {
    private(set) var isOpen = false
    var inside: [PathStep: ExpandedPaths] = [:]

    mutating func set(_ isOpen: Bool, at steps: ArraySlice<PathStep>) {
        if let step = steps.first {
            inside[step, default: ExpandedPaths()].set(isOpen, at: steps.dropFirst())
        } else {
            self.isOpen = isOpen
        }
    }

    subscript(steps: ArraySlice<PathStep>) -> ExpandedPaths? {
        guard let step = steps.first else { return self }
        return inside[step]?[steps.dropFirst()]
    }

    /// The keys that were opened, of the places of a suite.
    var openKeys: [String] {
        inside.compactMap { step, places in
            if case .key(let key) = step, places.isOpen { key } else { nil }
        }
    }

    var isEmpty: Bool { inside.isEmpty }

    /// What is to be shown below a node; nil where it is closed.
    func subtree(of node: ValueNode) -> VisibleSubtree? {
        guard isOpen, node.isContainer else { return nil }
        let children = node.children
        let open = inside.compactMap { step, places -> (place: Int, subtree: VisibleSubtree)? in
            // Of several members of one name each has its own step, and a name alone leads to the first.
            guard places.isOpen, let place = children.place(of: step), children.step(at: place) == step
            else { return nil }
            return places.subtree(of: children[place].node).map { (place, $0) }
        }
        return VisibleSubtree(children, open: open.sorted { $0.place < $1.place })
    }
}
