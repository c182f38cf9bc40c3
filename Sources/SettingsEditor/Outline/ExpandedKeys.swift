import PropertyList

/// The expanded keys among the shown ones, each with the rows below it and their position in the list.
struct ExpandedKeys: Sendable {
    /// An opened key's row and all below it.
    struct Block: Sendable {
        /// The key's place among the keys that are shown.
        fileprivate(set) var position: Int
        /// The index of its first row.
        fileprivate(set) var start: Int
        let node: ValueNode
        fileprivate(set) var subtree: VisibleSubtree

        /// What the rows of later keys are further down than their keys.
        fileprivate var shift: Int { start - position + subtree.rowCount }
    }

    private var blocks: [Block] = []

    /// How many rows there are beside the keys' own.
    var rowCount: Int { blocks.last?.shift ?? 0 }

    /// What the opened keys hold.
    var nodes: [(position: Int, node: ValueNode)] { blocks.map { ($0.position, $0.node) } }

    /// The shown key that a row belongs to, how far below the key's own row it is, and its block.
    func place(ofRow index: Int) -> (position: Int, offset: Int, block: Block?) {
        let next = blocks.beginning { $0.start > index }
        guard next > 0 else { return (index, 0, nil) }
        let block = blocks[next - 1]
        let offset = index - block.start
        if offset <= block.subtree.rowCount { return (block.position, offset, block) }
        return (index - block.shift, 0, nil)
    }

    /// The index of a shown key's row.
    func start(of position: Int) -> Int {
        let next = blocks.beginning { $0.position >= position }
        return position + (next > 0 ? blocks[next - 1].shift : 0)
    }

    /// A shown key's block; nil where that is closed.
    subscript(position: Int) -> Block? { index(of: position).map { blocks[$0] } }

    private func index(of position: Int) -> Int? {
        let index = blocks.beginning { $0.position >= position }
        return index < blocks.count && blocks[index].position == position ? index : nil
    }

    /// Sets what is shown below a key; nothing closes it.
    mutating func set(_ open: (node: ValueNode, subtree: VisibleSubtree)?, at position: Int) {
        let index = blocks.beginning { $0.position >= position }
        var change = 0
        if index < blocks.count, blocks[index].position == position {
            change -= blocks.remove(at: index).subtree.rowCount
        }
        if let open { change += open.subtree.rowCount }
        for later in index..<blocks.count { blocks[later].start += change }
        guard let (node, subtree) = open else { return }
        blocks.insert(
            Block(position: position, start: start(of: position), node: node, subtree: subtree),
            at: index
        )
    }

    /// Sets what is shown below a row of an opened key; nothing closes it.
    mutating func set(_ subtree: VisibleSubtree?, at steps: ArraySlice<PathStep>, below position: Int) {
        guard let index = index(of: position) else { return }
        let before = blocks[index].subtree.rowCount
        blocks[index].subtree.set(subtree, at: steps)
        let change = blocks[index].subtree.rowCount - before
        for later in (index + 1)..<blocks.count { blocks[later].start += change }
    }

    /// Moves what belongs to the keys from a place on, since there are more or fewer before it.
    mutating func move(from position: Int, by distance: Int) {
        for index in blocks.beginning(where: { $0.position >= position })..<blocks.count {
            blocks[index].position += distance
            blocks[index].start += distance
        }
    }
}

extension Array {
    /// In an array whose first elements do not belong to a part and whose last ones do, where it begins.
    func beginning(where belongs: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if belongs(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
