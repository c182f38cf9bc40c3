import PropertyList
import ValueDiff

/// Filters a key with a large value, a little at a time: does the key pass, and which values inside it do?
///
/// Filtering a large value at once would delay the next key press.
struct EntryFilterTask: Sendable {
    enum Step: Sendable {
        /// The rows below the key. For a collapsed key, the first match inside.
        case shown((node: ValueNode, subtree: VisibleSubtree)?, found: ValuePath?)
        case hidden
        case notYet
    }

    var key: String { entry.key }
    var isKeeping: Bool { kept != nil }
    private let entry: Rows.Entry
    private let pattern: Pattern?
    /// The value before it changed, if only changed parts pass; nil if all parts are filtered.
    private let former: PropertyListValue?
    /// The expanded paths inside; nil if the key is collapsed.
    private let open: ExpandedPaths?
    private var reading: EntryReading
    /// A path inside that passes in any case.
    private let kept: ArraySlice<PathStep>?
    private var subtreeFilterTask: SubtreeFilterTask?

    /// - Parameter node: the parsed value of the entry, if it is known.
    init(
        _ entry: Rows.Entry,
        _ pattern: Pattern?,
        since former: PropertyListValue?,
        open: ExpandedPaths?,
        keeping kept: ArraySlice<PathStep>? = nil,
        node: ValueNode?
    ) {
        self.entry = entry
        self.former = former
        self.open = open
        self.kept = kept
        reading = EntryReading(entry, node)
        // If the name of the key matches, everything inside passes.
        self.pattern = pattern.flatMap { $0.matches(entry.key) ? nil : $0 }
    }

    /// Continues as far as the budget allows.
    mutating func next(_ budget: inout WorkBudget) -> Step {
        guard let node = reading.next(&budget) else { return .notYet }
        guard node.isContainer else {
            let passes = kept != nil || pattern?.matches(value: node, &budget) ?? true
            return passes ? .shown(nil, found: nil) : .hidden
        }
        if subtreeFilterTask == nil {
            let differences = former.map { TreeDiff(ValueNode($0), node, limit: PathTree.most) }
            let nodeFilter = NodeFilter(pattern, among: differences.map(PathTree.init), keeping: kept)
            if nodeFilter.isAll || open == nil && pattern == nil {
                return .shown(open?.subtree(of: node).map { (node, $0) }, found: nil)
            }
            subtreeFilterTask = SubtreeFilterTask(node, nodeFilter, open: open)
        }
        guard case .done(let passes, let subtree)? = subtreeFilterTask?.next(&budget) else { return .notYet }
        let found = subtreeFilterTask?.first.map { ValuePath([.key(key)] + $0.steps) }
        return passes ? .shown(subtree.map { (node, $0) }, found: found) : .hidden
    }
}
