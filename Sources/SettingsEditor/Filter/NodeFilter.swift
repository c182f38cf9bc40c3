import PropertyList
import ValueDiff

/// Decides which values inside a node pass a filter: matches, containers of matches, and everything inside a
/// value whose name matches.
struct NodeFilter: Sendable {
    /// The text to match; nil if everything matches.
    private(set) var pattern: Pattern?
    /// The paths that can pass; nil for all.
    private(set) var places: PathTree?
    /// A path that passes in any case; nil if there is none.
    private(set) var kept: ArraySlice<PathStep>?

    init(_ pattern: Pattern?, among places: PathTree?, keeping kept: ArraySlice<PathStep>? = nil) {
        self.pattern = pattern
        self.places = places.flatMap { $0.isWhole ? nil : $0 }
        self.kept = kept
    }

    /// Whether this node is at that path.
    var isKept: Bool { kept?.isEmpty == true }

    /// Whether everything passes.
    var isAll: Bool { pattern == nil && places == nil }

    /// The filter for a child; nil if nothing inside the child passes.
    func inside(_ step: PathStep) -> NodeFilter? {
        var inside: PathTree?
        let kept = kept.flatMap { $0.first == step ? $0.dropFirst() : nil }
        if let places {
            inside = places.inside[step] ?? (kept == nil ? nil : PathTree())
            if inside == nil { return nil }
        }
        return NodeFilter(pattern.flatMap { $0.matches(step) ? nil : $0 }, among: inside, keeping: kept)
    }

    /// Whether the value at a path, or a value inside it, passes.
    func passes(_ path: ValuePath, in node: ValueNode, _ budget: inout WorkBudget) -> Bool {
        var (nodeFilter, node) = (self, node)
        for step in path.steps {
            let children = node.children
            guard let next = nodeFilter.inside(step), let place = children.place(of: step) else {
                return false
            }
            (nodeFilter, node) = (next, children[place].node)
        }
        guard let pattern = nodeFilter.pattern, !nodeFilter.isKept else { return true }
        guard node.isContainer else { return pattern.matches(value: node, &budget) }
        var subtreeFilterTask = SubtreeFilterTask(node, nodeFilter, open: nil)
        var whole = WorkBudget.unlimited
        guard case .done(let passes, _) = subtreeFilterTask.next(&whole) else { return false }
        return passes
    }
}

/// Paths inside a value, and the containers that lead to them.
struct PathTree: Sendable, Hashable {
    /// Whether everything from here on belongs to the tree.
    private(set) var isWhole = false
    private(set) var inside: [PathStep: PathTree] = [:]

    /// The limit of paths. If more differ, everything belongs to the tree.
    static let most = 100_000

    /// The paths where a value differs from its former value. For a removed value, the path of its container.
    init(_ old: ValueNode, _ new: ValueNode) { self.init(TreeDiff(old, new, limit: Self.most)) }

    /// - Parameter differences: at most ``most``.
    init(_ differences: TreeDiff) {
        isWhole = differences.count > Self.most
        if isWhole { return }
        for place in differences.places {
            if place.new == nil {
                add(place.target.steps.dropLast(), isWhole: false)
            } else {
                add(place.target.steps[...], isWhole: true)
            }
        }
    }

    /// An empty tree.
    init() {}

    private mutating func add(_ steps: ArraySlice<PathStep>, isWhole: Bool) {
        if let step = steps.first {
            inside[step, default: PathTree()].add(steps.dropFirst(), isWhole: isWhole)
        } else if isWhole {
            self.isWhole = true
        }
    }
}
