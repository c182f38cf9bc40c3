import PropertyList

/// The keys of a suite and what lies in the opened ones, as one list of rows. Each is made when it is asked
/// for, so that what is not on the screen costs no more than its place.
struct Rows: Sendable {
    typealias Entry = SortedEntries.Entry

    /// An opened key's row and all below it.
    private struct Block {
        /// The key's place among the keys that are shown.
        var position: Int
        /// The index of its first row.
        var start: Int
        let node: ValueNode
        var branch: Branch

        /// What the rows of later keys are further down than their keys.
        var shift: Int { start - position + branch.rowCount }
    }

    /// All keys, sorted, also those that are hidden.
    private(set) var entries = SortedEntries()
    /// Counts up whenever a value changes, or the keys do.
    private(set) var version = 0
    /// Counts up whenever a key has another place among those that are shown.
    private(set) var arrangement = 0
    /// The indices of the entries that are shown, where not all of them are.
    private var shown: [Int]?
    private var blocks: [Block] = []
    /// What is on the screen of the data and long strings, which take long to take apart.
    private var parsed: [ValuePath: ValueNode] = [:]

    init() {}

    /// How many keys are shown.
    var keyCount: Int { shown?.count ?? entries.count }
}

extension Rows: RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { keyCount + (blocks.last?.shift ?? 0) }

    subscript(index: Int) -> Row {
        let place = place(ofRow: index)
        let entry = entry(at: place.position)
        guard let block = place.block.map({ blocks[$0] }) else {
            return Row(path: entry.path, node: node(of: entry), isOpen: false)
        }
        if place.offset == 0 { return Row(path: entry.path, node: block.node, isOpen: true) }
        let inside = block.branch.place(ofRow: place.offset - 1, below: entry.path)
        let isKnown = inside.children.mayHoldDocument(at: inside.number)
        return Row(
            path: inside.path,
            node: (isKnown ? parsed[inside.path] : nil) ?? inside.children[inside.number].node,
            isOpen: inside.isOpen
        )
    }

    /// The shown key that a row belongs to, and how far below the key's own row it is.
    func keyPlace(ofRow index: Int) -> (position: Int, offset: Int) {
        let place = place(ofRow: index)
        return (place.position, place.offset)
    }

    private func place(ofRow index: Int) -> (position: Int, offset: Int, block: Int?) {
        let next = blocks.beginning { $0.start > index }
        guard next > 0 else { return (index, 0, nil) }
        let block = blocks[next - 1]
        let offset = index - block.start
        if offset <= block.branch.rowCount { return (block.position, offset, next - 1) }
        return (index - block.shift, 0, nil)
    }

    private func node(of entry: Entry) -> ValueNode {
        if entry.value.mayHoldDocument, let node = parsed[entry.path] { return node }
        return entry.node
    }

    /// Remembers what these rows show of data, and nothing else, so that each drawing need not take it
    /// apart again.
    mutating func look(at range: Range<Int>) {
        var seen: [ValuePath: ValueNode] = [:]
        for index in range.clamped(to: indices) {
            let place = place(ofRow: index)
            if place.offset == 0 {
                let entry = entry(at: place.position)
                guard place.block == nil, entry.value.mayHoldDocument else { continue }
                seen[entry.path] = node(of: entry)
            } else if let row = place.block.map({ _ in self[index] }), row.node.mayHoldDocument {
                seen[row.path] = row.node
            }
        }
        if !seen.isEmpty || !parsed.isEmpty { parsed = seen }
    }
}

extension ValueNode {
    fileprivate var mayHoldDocument: Bool {
        if case .propertyList(let value) = content { value.mayHoldDocument } else { false }
    }
}

// Keys and their rows.
extension Rows {
    /// The first entry that does not come before a key, and whether it is that key's.
    func find(_ key: String) -> (index: Int, isThere: Bool) { entries.find(key) }

    func value(forKey key: String) -> PropertyListValue? { entries.values[key] }

    /// What an entry's value is, where that was found out already.
    func knownNode(_ entry: Entry) -> ValueNode? {
        guard entry.value.mayHoldDocument else { return nil }
        let (position, isShown) = findShown(entry.key)
        if isShown, let block = openBlock(at: position) { return blocks[block].node }
        return parsed[entry.path]
    }

    func node(forKey key: String) -> ValueNode? {
        let (position, isShown) = findShown(key)
        if isShown, let block = openBlock(at: position) { return blocks[block].node }
        return value(forKey: key).map { node(of: Entry(key: key, value: $0)) }
    }

    /// The first place among the shown keys that does not come before a key, and whether it is that key's.
    func findShown(_ key: String) -> (position: Int, isThere: Bool) {
        let (index, isThere) = find(key)
        let position = position(notBefore: index)
        return (position, isThere && position < keyCount && entryIndex(at: position) == index)
    }

    private func position(notBefore entry: Int) -> Int {
        guard let shown else { return entry }
        return shown.beginning { $0 >= entry }
    }

    func entryIndex(at position: Int) -> Int { shown?[position] ?? position }

    func entry(at position: Int) -> Entry { entries[entryIndex(at: position)] }

    /// The index of a shown key's row.
    func start(of position: Int) -> Int {
        let next = blocks.beginning { $0.position >= position }
        return position + (next > 0 ? blocks[next - 1].shift : 0)
    }

    /// What is shown below a shown key's row; nil where that is closed.
    func branch(at position: Int) -> Branch? { openBlock(at: position).map { blocks[$0].branch } }

    private func openBlock(at position: Int) -> Int? {
        let index = blocks.beginning { $0.position >= position }
        return index < blocks.count && blocks[index].position == position ? index : nil
    }

    /// The row of a place; nil where it is not among the rows.
    func index(of path: ValuePath) -> Int? {
        let (position, isThere) = findShown(path.key)
        guard isThere else { return nil }
        if path.steps.count == 1 { return start(of: position) }
        guard let block = openBlock(at: position).map({ blocks[$0] }) else { return nil }
        return block.branch.row(of: path.steps.dropFirst()).map { block.start + 1 + $0 }
    }
}

// Changing.
extension Rows {
    /// Starts over with entries, all closed and none hidden.
    mutating func replaceAll(_ entries: SortedEntries) {
        let (version, arrangement) = (version + 1, arrangement + 1)
        self = Rows()
        (self.entries, self.version, self.arrangement) = (entries, version, arrangement)
    }

    /// Closes all keys.
    mutating func closeAll() { blocks = [] }

    /// Hides all keys, until each is shown.
    mutating func hideAll() {
        arrangement += 1
        shown = []
        blocks = []
    }

    /// Shows all keys, closed.
    mutating func showAll() {
        arrangement += 1
        shown = nil
        blocks = []
    }

    /// Gives a key that is there a value. Its rows are to be set then.
    mutating func setValue(_ value: PropertyListValue, at index: Int) {
        forget(entries[index].key)
        entries.setValue(value, at: index)
    }

    private mutating func forget(_ key: String) {
        version += 1
        for path in parsed.keys where path.key == key { parsed[path] = nil }
    }

    /// Keeps what a row shows of data for as long as it is on the screen, open or closed.
    mutating func remember(_ row: Row) {
        if row.node.mayHoldDocument { parsed[row.path] = row.node }
    }

    /// What is in an entry that may have been taken apart already, and whose rows are to be made anew.
    func freshNode(of entry: Entry) -> ValueNode { parsed[entry.path] ?? entry.node }

    /// Puts in a key that is not there; it is shown only where no key is hidden.
    mutating func insert(_ entry: Entry, at index: Int) {
        version += 1
        arrangement += 1
        entries.insert(entry, at: index)
        guard var shown else { return moveBlocks(from: index, by: 1) }
        self.shown = nil
        for place in shown.beginning(where: { $0 >= index })..<shown.count { shown[place] += 1 }
        self.shown = shown
    }

    mutating func remove(at index: Int) {
        hide(index)
        forget(entries[index].key)
        arrangement += 1
        entries.remove(at: index)
        guard var shown else { return moveBlocks(from: index, by: -1) }
        self.shown = nil
        for place in shown.beginning(where: { $0 >= index })..<shown.count { shown[place] -= 1 }
        self.shown = shown
    }

    /// Shows entries where some are hidden; they lie all before, or all behind, those that are shown
    /// already, or there is one.
    mutating func show(_ indices: [Int]) {
        guard let first = indices.first, shown != nil else { return }
        arrangement += 1
        let position = position(notBefore: first)
        shown?.insert(contentsOf: indices, at: position)
        moveBlocks(from: position, by: indices.count)
    }

    /// Hides an entry where some are hidden; else its rows go, but the key stays.
    mutating func hide(_ index: Int) {
        let position = position(notBefore: index)
        guard position < keyCount, entryIndex(at: position) == index else { return }
        set(nil, at: position)
        guard shown != nil else { return }
        arrangement += 1
        shown?.remove(at: position)
        moveBlocks(from: position, by: -1)
    }

    /// Sets what is shown below a key; nothing closes it.
    mutating func set(_ open: (node: ValueNode, branch: Branch)?, at position: Int) {
        let index = blocks.beginning { $0.position >= position }
        var change = 0
        if index < blocks.count, blocks[index].position == position {
            change -= blocks.remove(at: index).branch.rowCount
        }
        if let open { change += open.branch.rowCount }
        for later in index..<blocks.count { blocks[later].start += change }
        guard let (node, branch) = open else { return }
        blocks.insert(
            Block(position: position, start: start(of: position), node: node, branch: branch),
            at: index
        )
    }

    /// Sets what is shown below a row of an opened key; nothing closes it.
    mutating func set(_ branch: Branch?, at steps: ArraySlice<PathStep>, below position: Int) {
        guard let index = openBlock(at: position) else { return }
        let before = blocks[index].branch.rowCount
        blocks[index].branch.set(branch, at: steps)
        let change = blocks[index].branch.rowCount - before
        for later in (index + 1)..<blocks.count { blocks[later].start += change }
    }

    private mutating func moveBlocks(from position: Int, by distance: Int) {
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
