import PropertyList

/// The paths that the user expanded. Paths that do not exist now stay, because their values may come back.
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

    /// Moves the expanded paths of a key to where their values are now.
    mutating func remap(_ key: String, _ mapping: PathMapping) {
        if let places = inside[.key(key)] { inside[.key(key)] = mapping.expanded(places) }
    }

    subscript(steps: ArraySlice<PathStep>) -> ExpandedPaths? {
        guard let step = steps.first else { return self }
        return inside[step]?[steps.dropFirst()]
    }

    var openKeys: [String] {
        inside.compactMap { step, places in
            if case .key(let key) = step, places.isOpen { key } else { nil }
        }
    }

    var isEmpty: Bool { inside.isEmpty }

    /// The rows below a node; nil if the node is collapsed.
    func subtree(of node: ValueNode) -> VisibleSubtree? {
        guard isOpen, node.isContainer else { return nil }
        let children = node.children
        let open = inside.compactMap { step, places -> (place: Int, subtree: VisibleSubtree)? in
            // Several members can share a name. Each has a step of its own, and the plain name means the first one.
            guard places.isOpen, let place = children.place(of: step), children.step(at: place) == step
            else { return nil }
            return places.subtree(of: children[place].node).map { (place, $0) }
        }
        return VisibleSubtree(children, open: open.sorted { $0.place < $1.place })
    }
}

extension ExpandedPaths {
    /// A container and the containers inside it, all expanded down to so many levels.
    init(_ node: ValueNode, levels: Int, _ budget: inout WorkBudget) {
        self.init()
        isOpen = true
        budget.spend(10 + node.childCount / 4)
        guard levels > 1 else { return }
        for (step, child) in node.children where child.isContainer {
            inside[step] = ExpandedPaths(child, levels: levels - 1, &budget)
        }
    }
}
