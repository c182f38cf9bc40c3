import PropertyList

/// Applies one change of a value to what another program has made of the value meanwhile.
///
/// The parts that `mine` changed become what `mine` made of them. All other parts stay as `theirs` has them, byte
/// for byte.
package struct ThreeWayMerge: Sendable, Hashable {
    /// A part that both sides have changed, and differently.
    package struct Conflict: Sendable, Hashable {
        /// From the root; empty for the value as a whole. An array is one part if its elements cannot be
        /// followed with certainty.
        package let path: ValuePath
        /// Nil if nothing is there.
        package let base: ValueNode?
        package let mine: ValueNode?
        package let theirs: ValueNode?
        /// So much has changed that the value is decided as a whole.
        package private(set) var isTooMuch = false

        package init(
            path: ValuePath,
            base: ValueNode?,
            mine: ValueNode?,
            theirs: ValueNode?,
            isTooMuch: Bool = false
        ) {
            (self.path, self.base, self.mine, self.theirs) = (path, base, mine, theirs)
            self.isTooMuch = isTooMuch
        }
    }

    package private(set) var conflicts: [Conflict] = []
    /// `theirs` with the change applied. In a conflict `mine` wins.
    package private(set) var value: PropertyListValue?
    /// The value that ``value`` replaces: `theirs`, with the base in place of each conflict.
    package private(set) var replaced: PropertyListValue?
    /// The edits that turn `theirs` into the merged value, without conflicts.
    private var edits: [ValueEdit] = []

    /// Deeper values are compared as a whole.
    private static let deepest = 64
    /// If more parts have changed, the value is decided as a whole.
    package static let mostPlaces = 10_000

    /// - Parameters:
    ///   - base: The value before both changes; nil if there was none.
    ///   - mine: The value that the change makes of `base`.
    ///   - theirs: The value that is there now.
    package init(base: PropertyListValue?, mine: PropertyListValue?, theirs: PropertyListValue?) {
        (value, replaced) = (mine, base)
        if theirs == base { return }
        let nodes = (base.map(ValueNode.init), mine.map(ValueNode.init), theirs.map(ValueNode.init))
        compare(nodes.0, nodes.1, nodes.2, [])
        guard let theirs, !conflicts.contains(where: \.path.steps.isEmpty) else {
            if conflicts.isEmpty { (value, replaced) = (theirs, theirs) }
            return
        }
        let isTooMuch = edits.count + conflicts.count > Self.mostPlaces
        do {
            let paths = edits.map(\.path) + conflicts.map(\.path)
            // If JSON members share a name, removing one changes the paths of the others.
            let hasTwin = paths.contains { $0.steps.contains { if case .twin = $0 { true } else { false } } }
            let areApart = paths.count == 1 || !hasTwin
            guard !isTooMuch, areApart else { throw ValueEditError([], "too much at once") }
            let bases = conflicts.compactMap { ValueEdit($0.base, at: $0.path, over: $0.theirs) }
            let own = conflicts.compactMap { ValueEdit($0.mine, at: $0.path, over: $0.theirs) }
            replaced = try theirs.editing(bases)
            value = try theirs.editing(own + edits)
        } catch {
            (value, replaced) = (mine, base)
            conflicts = [
                Conflict(path: [], base: nodes.0, mine: nodes.1, theirs: nodes.2, isTooMuch: isTooMuch)
            ]
        }
    }

    /// - Parameters:
    ///   - new: The node to put at the path; nil to remove the old one.
    ///   - old: The node that is there.
    mutating func put(_ new: ValueNode?, at path: ValuePath, over old: ValueNode?) {
        if let edit = ValueEdit(new, at: path, over: old) { edits.append(edit) }
    }

    /// Inserts an element before the one at the path.
    mutating func insert(_ new: ValueNode, at path: ValuePath) { put(new, at: path, over: nil) }

    mutating func compare(
        _ base: ValueNode?,
        _ mine: ValueNode?,
        _ theirs: ValueNode?,
        _ path: ValuePath
    ) {
        if mine == base || mine == theirs { return }
        if theirs == base, !path.steps.isEmpty {
            return put(mine, at: path, over: theirs)
        }
        if let base, let mine, let theirs, base.opens(like: mine), base.opens(like: theirs),
            path.steps.count < Self.deepest
        {
            if !path.steps.isEmpty, let text = Self.mergedText(base, mine, theirs) {
                return put(text, at: path, over: theirs)
            }
            if !base.holdsElements { return compareMembers(base, mine, theirs, path) }
            if mergeElements(base, mine, theirs, path) { return }
        }
        conflicts.append(Conflict(path: path, base: base, mine: mine, theirs: theirs))
    }

    private mutating func compareMembers(
        _ base: ValueNode,
        _ mine: ValueNode,
        _ theirs: ValueNode,
        _ path: ValuePath
    ) {
        let (former, own, others) = (base.children, mine.children, theirs.children)
        func other(_ step: PathStep) -> ValueNode? { others.place(of: step).map { others[$0].node } }
        let matching = ElementMatching(base, mine)
        for place in former.indices where !matching.areSame[place] {
            let (step, node) = former[place]
            compare(node, matching.partners[place].map { own[$0].node }, other(step), path.appending(step))
        }
        let known = Set(matching.partners.compactMap { $0 })
        for place in own.indices where !known.contains(place) {
            let (step, node) = own[place]
            compare(nil, node, other(step), path.appending(step))
        }
    }

    /// Merges a JSON text that is stored as data or a string inside the value; nil if this is none, or if it has
    /// a conflict.
    ///
    /// A text has to be edited as a whole: a ``ValueEdit`` inside it would not know where the text begins.
    private static func mergedText(_ base: ValueNode, _ mine: ValueNode, _ theirs: ValueNode) -> ValueNode? {
        guard base.json != nil, case .propertyList(let old) = base.content,
            case .propertyList(let new) = mine.content, case .propertyList(let others) = theirs.content
        else { return nil }
        let merge = ThreeWayMerge(base: old, mine: new, theirs: others)
        return merge.conflicts.isEmpty ? merge.value.map(ValueNode.init) : nil
    }
}

extension ValueEdit {
    fileprivate init?(_ new: ValueNode?, at path: ValuePath, over old: ValueNode?) {
        guard let new else {
            if old == nil { return nil }
            self.init(.remove, at: path)
            return
        }
        self.init(old == nil ? .insert(new.newValue) : .replace(new.newValue), at: path)
    }
}

extension ValueNode {
    /// The same value, to be put at another path of the same kind of container.
    package var newValue: NewValue {
        switch content {
        case .json(let node): .json(node.source)
        case .propertyList(let value): .propertyList(value)
        }
    }

    /// Whether both are containers with equal content. White space and the order of members may differ.
    package func isWrittenOtherwise(in other: ValueNode) -> Bool {
        guard opens(like: other) else { return false }
        return TreeDiff(self, other, limit: 1).places.allSatisfy(\.path.steps.isEmpty)
    }
}
