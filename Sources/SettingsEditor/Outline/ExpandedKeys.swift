import PropertyList

/// The expanded keys among the shown ones, each with the rows below it and their position in the list.
struct ExpandedKeys: Sendable {
    /// An expanded key and the rows below it.
    struct Block: Sendable {
        /// The position of the key among the shown keys.
        fileprivate(set) var position: Int
        /// The index of the key's own row.
        fileprivate(set) var start: Int
        let node: ValueNode
        fileprivate(set) var subtree: VisibleSubtree

        /// The number of rows that the block adds before the next key.
        fileprivate var shift: Int { start - position + subtree.rowCount }
    }

    private var blocks: [Block] = []

    /// The number of rows that are not keys.
    var rowCount: Int { blocks.last?.shift ?? 0 }

    /// The values of the expanded keys.
    var nodes: [(position: Int, node: ValueNode)] { blocks.map { ($0.position, $0.node) } }

    /// The shown key that a row belongs to, the row's distance below the key's row, and the key's block.
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

    /// The block of a shown key; nil if the key is collapsed.
    subscript(position: Int) -> Block? { index(of: position).map { blocks[$0] } }

    private func index(of position: Int) -> Int? {
        let index = blocks.beginning { $0.position >= position }
        return index < blocks.count && blocks[index].position == position ? index : nil
    }

    /// Sets the rows below a key. Nil collapses the key.
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

    /// Sets the rows below a row of an expanded key. Nil collapses the row.
    mutating func set(_ subtree: VisibleSubtree?, at steps: ArraySlice<PathStep>, below position: Int) {
        guard let index = index(of: position) else { return }
        let before = blocks[index].subtree.rowCount
        blocks[index].subtree.set(subtree, at: steps)
        let change = blocks[index].subtree.rowCount - before
        for later in (index + 1)..<blocks.count { blocks[later].start += change }
    }

    /// Moves the blocks from a position on, because rows before it came or went.
    mutating func move(from position: Int, by distance: Int) {
        for index in blocks.beginning(where: { $0.position >= position })..<blocks.count {
            blocks[index].position += distance
            blocks[index].start += distance
        }
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first index whose element is in the second part. The indexes begin at 0, and the elements are partitioned.
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
