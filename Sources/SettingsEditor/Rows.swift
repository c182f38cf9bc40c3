import PropertyList

/// The keys of a suite and what lies in the opened ones, as one list of rows. The row of a closed key
/// is made when it is asked for, so that keys which are not on the screen cost no more than their place.
struct Rows: Sendable {
    struct Entry: Sendable, Hashable {
        let key: String
        var value: PropertyListValue

        var path: ValuePath { [.key(key)] }
        var node: ValueNode { ValueNode(value) }

        static func sorted(_ values: PropertyListEntries) -> [Entry] {
            sortedByKey(values).map { Entry(key: $0.key, value: $0.value) }
        }

        /// Whether it takes long to find out what is in it.
        var mayHoldDocument: Bool {
            switch value {
            case .data: true
            case .string(let text): text.utf8.count > 100
            default: false
            }
        }
    }

    /// An opened key's row and all below it.
    private struct Block {
        /// The key's place among the keys that are shown.
        var position: Int
        /// The index of its first row.
        var start: Int
        var rows: [Row]

        /// What the rows of later keys are further down than their keys.
        var shift: Int { start - position + rows.count - 1 }
    }

    /// All keys, sorted, also those that are hidden.
    private(set) var entries: [Entry] = []
    /// The indices of the entries that are shown, where not all of them are.
    private var shown: [Int]?
    private var blocks: [Block] = []
    /// What is on the screen of the data and long strings, which take long to take apart.
    private var parsed: [String: ValueNode] = [:]

    init() {}

    /// How many keys are shown.
    var keyCount: Int { shown?.count ?? entries.count }
}

extension Rows: RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { keyCount + (blocks.last?.shift ?? 0) }

    subscript(index: Int) -> Row {
        let place = place(ofRow: index)
        if let block = place.block { return blocks[block].rows[place.offset] }
        return closedRow(entries[entryIndex(at: place.position)])
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
        if index < block.start + block.rows.count { return (block.position, index - block.start, next - 1) }
        return (index - block.shift, 0, nil)
    }

    private func closedRow(_ entry: Entry) -> Row {
        Row(path: entry.path, node: node(of: entry), isOpen: false)
    }

    private func node(of entry: Entry) -> ValueNode {
        if entry.mayHoldDocument, let node = parsed[entry.key] { return node }
        return entry.node
    }

    /// Remembers what these rows show of data, and nothing else, so that each drawing need not take it
    /// apart again.
    mutating func look(at range: Range<Int>) {
        var seen: [String: ValueNode] = [:]
        for index in range.clamped(to: indices) {
            let place = place(ofRow: index)
            let entry = entries[entryIndex(at: place.position)]
            guard place.offset == 0, entry.mayHoldDocument else { continue }
            seen[entry.key] = parsed[entry.key] ?? entry.node
        }
        if !seen.isEmpty || !parsed.isEmpty { parsed = seen }
    }
}

// Keys and their rows.
extension Rows {
    /// The first entry that does not come before a key, and whether it is that key's.
    func find(_ key: String) -> (index: Int, isThere: Bool) {
        let index = entries.beginning { !($0.key < key) }
        return (index, index < entries.count && entries[index].key == key)
    }

    func value(forKey key: String) -> PropertyListValue? {
        let (index, isThere) = find(key)
        return isThere ? entries[index].value : nil
    }

    func node(forKey key: String) -> ValueNode? {
        let (index, isThere) = find(key)
        return isThere ? node(of: entries[index]) : nil
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

    /// A shown key's row and all that is shown below it.
    func block(at position: Int) -> [Row] {
        if let block = openBlock(at: position) { return blocks[block].rows }
        return [closedRow(entry(at: position))]
    }

    private func openBlock(at position: Int) -> Int? {
        let index = blocks.beginning { $0.position >= position }
        return index < blocks.count && blocks[index].position == position ? index : nil
    }

    /// The row of a place; nil where it is not among the rows.
    func index(of path: ValuePath) -> Int? {
        let (position, isThere) = findShown(path.key)
        guard isThere else { return nil }
        guard let block = openBlock(at: position) else {
            return path.steps.count == 1 ? start(of: position) : nil
        }
        // Comparing the last steps first leaves few whole paths to compare.
        let (count, last) = (path.steps.count, path.steps.last)
        let offset = blocks[block].rows.firstIndex {
            $0.path.steps.count == count && $0.path.steps.last == last && $0.path == path
        }
        return offset.map { blocks[block].start + $0 }
    }
}

// Changing.
extension Rows {
    /// Starts over with entries that are sorted, all closed and none hidden.
    mutating func replaceAll(_ entries: [Entry]) {
        self = Rows()
        self.entries = entries
    }

    /// Closes all keys.
    mutating func closeAll() { blocks = [] }

    /// Hides all keys, until each is shown.
    mutating func hideAll() {
        shown = []
        blocks = []
    }

    /// Shows all keys, closed.
    mutating func showAll() {
        shown = nil
        blocks = []
    }

    /// Gives a key that is there a value. Its rows are to be set then.
    mutating func setValue(_ value: PropertyListValue, at index: Int) {
        parsed[entries[index].key] = nil
        entries[index].value = value
    }

    /// Puts in a key that is not there; it is shown only where no key is hidden.
    mutating func insert(_ entry: Entry, at index: Int) {
        entries.insert(entry, at: index)
        guard var shown else { return moveBlocks(from: index, by: 1) }
        self.shown = nil
        for place in shown.beginning(where: { $0 >= index })..<shown.count { shown[place] += 1 }
        self.shown = shown
    }

    mutating func remove(at index: Int) {
        hide(index)
        parsed[entries[index].key] = nil
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
        let position = position(notBefore: first)
        shown?.insert(contentsOf: indices, at: position)
        moveBlocks(from: position, by: indices.count)
    }

    /// Hides an entry where some are hidden; else its rows go, but the key stays.
    mutating func hide(_ index: Int) {
        let position = position(notBefore: index)
        guard position < keyCount, entryIndex(at: position) == index else { return }
        setRows([], at: position)
        guard shown != nil else { return }
        shown?.remove(at: position)
        moveBlocks(from: position, by: -1)
    }

    /// Sets what is shown of a key: its own row, and all below it. A closed key's is nothing.
    mutating func setRows(_ rows: [Row], at position: Int) {
        let index = blocks.beginning { $0.position >= position }
        var oldCount = 1
        if index < blocks.count, blocks[index].position == position {
            oldCount = blocks.remove(at: index).rows.count
        }
        let isOpen = rows.first?.isOpen == true
        let change = (isOpen ? rows.count : 1) - oldCount
        for later in index..<blocks.count { blocks[later].start += change }
        if isOpen {
            blocks.insert(Block(position: position, start: start(of: position), rows: rows), at: index)
        }
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
