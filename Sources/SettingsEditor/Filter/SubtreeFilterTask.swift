import PropertyList

/// Filters the values inside a container, a little at a time: all rows below expanded values, and whether a
/// collapsed value contains any.
struct SubtreeFilterTask: Sendable {
    enum Step: Sendable {
        /// Whether anything passes, and for an expanded container the rows below it.
        case done(passes: Bool, VisibleSubtree?)
        case notYet
    }

    private struct Frame: Sendable {
        let children: ValueChildren
        /// The indexes of the children to filter; nil for all.
        let candidates: [Int]?
        let nodeFilter: NodeFilter
        /// The expanded paths inside; nil if the container is collapsed.
        let open: ExpandedPaths?
        /// The next index into the candidates.
        var next = 0
        var shown: [Int] = []
        var opened: [(place: Int, subtree: VisibleSubtree)] = []

        init(_ node: ValueNode, _ nodeFilter: NodeFilter, _ open: ExpandedPaths?) {
            children = node.children
            (self.nodeFilter, self.open) = (nodeFilter, open)
            candidates = nodeFilter.places.map { [children] in
                Set($0.inside.keys).union(nodeFilter.kept?.prefix(1) ?? []).compactMap(children.place)
                    .sorted()
            }
        }

        var hasNext: Bool { next < candidates?.count ?? children.count }

        /// The index of the child that was filtered last.
        var place: Int { candidates?[next - 1] ?? next - 1 }

        var subtree: VisibleSubtree? {
            open == nil ? nil : VisibleSubtree(children, shown: shown, open: opened)
        }
    }

    private var frames: [Frame]
    /// For a collapsed container: the first path inside that passes.
    private(set) var first: ValuePath?
    private var end: (passes: Bool, subtree: VisibleSubtree?)?

    /// - Parameters:
    ///   - node: a container.
    ///   - nodeFilter: what passes inside. Not everything does.
    ///   - open: the expanded paths inside; nil if the container is collapsed.
    init(_ node: ValueNode, _ nodeFilter: NodeFilter, open: ExpandedPaths?) {
        frames = [Frame(node, nodeFilter, open)]
    }

    /// Continues as far as the budget allows.
    mutating func next(_ budget: inout WorkBudget) -> Step {
        while end == nil {
            guard budget.isLeft else { return .notYet }
            budget.spend(1)
            let last = frames.count - 1
            guard frames[last].hasNext else {
                leave()
                continue
            }
            frames[last].next += 1
            let (step, node) = frames[last].children[frames[last].place]
            guard let nodeFilter = frames[last].nodeFilter.inside(step) else { continue }
            guard node.isContainer else {
                if nodeFilter.isKept || nodeFilter.pattern?.matches(value: node, &budget) ?? true {
                    keep(nil)
                }
                continue
            }
            let open = frames[last].open?.inside[step].flatMap { $0.isOpen ? $0 : nil }
            if nodeFilter.isAll || open == nil && nodeFilter.pattern == nil {
                keep(open?.subtree(of: node))
            } else {
                frames.append(Frame(node, nodeFilter, open))
            }
        }
        return .done(passes: end?.passes ?? false, end?.subtree)
    }

    /// Leaves the innermost container.
    private mutating func leave() {
        let frame = frames.removeLast()
        // A container that is among the paths passes even if nothing inside does.
        let passes = !frame.shown.isEmpty || frame.nodeFilter.pattern == nil || frame.nodeFilter.isKept
        if frames.isEmpty {
            end = (passes, frame.subtree)
        } else if passes {
            keep(frame.subtree)
        }
    }

    /// Keeps the child that was filtered last, and its collapsed containers.
    private mutating func keep(_ subtree: VisibleSubtree?) {
        if let root = frames.first, root.open == nil {
            first = ValuePath(frames.map { $0.children.step(at: $0.place) })
            end = (true, nil)
            return
        }
        while let last = frames.last, last.open == nil { frames.removeLast() }
        let last = frames.count - 1
        let place = frames[last].place
        frames[last].shown.append(place)
        if let subtree { frames[last].opened.append((place, subtree)) }
    }
}
