import PropertyList

/// The keys of a suite and what lies in the opened ones, as one list of rows. Each is made when it is asked
/// for, so that what is not on the screen costs no more than its place.
struct Rows: Sendable {
    typealias Entry = SortedEntries.Entry

    /// All keys, sorted, also those that are hidden.
    private(set) var entries = SortedEntries()
    /// Counts up whenever a value changes, or the keys do.
    private(set) var version = 0
    /// Counts up whenever a key has another place among those that are shown.
    private(set) var arrangement = 0
    /// The indices of the entries that are shown, where not all of them are.
    private var shown: [Int]?
    private var blocks = ExpandedKeys()
    private var onScreen = ViewportCache()
    /// What opened keys hold, while all keys are hidden until each is shown again.
    private var taken: [String: ValueNode] = [:]

    init() {}

    /// How many keys are shown.
    var keyCount: Int { shown?.count ?? entries.count }
}

extension Rows: RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { keyCount + blocks.rowCount }

    subscript(index: Int) -> Row {
        let place = blocks.place(ofRow: index)
        let entry = entry(at: place.position)
        guard let block = place.block else {
            return Row(path: entry.path, shown: known(entry) ?? entry.shown, isOpen: false)
        }
        if place.offset == 0 { return Row(path: entry.path, shown: block.node, isOpen: true) }
        let inside = block.subtree.place(ofRow: place.offset - 1, below: entry.path)
        let mayBeKnown = inside.children.mayHoldDocument(at: inside.number)
        return Row(
            path: inside.path,
            shown: (mayBeKnown ? onScreen[inside.path] : nil) ?? inside.children.shown(at: inside.number),
            isOpen: inside.isOpen
        )
    }

    /// The shown key that a row belongs to, and how far below the key's own row it is.
    func keyPlace(ofRow index: Int) -> (position: Int, offset: Int) {
        let place = blocks.place(ofRow: index)
        return (place.position, place.offset)
    }

    private func known(_ entry: Entry) -> ValueNode? {
        entry.value.mayHoldDocument ? onScreen[entry.path] : nil
    }
}

// What takes long to take apart.
extension Rows {
    /// Remembers what these rows show of data, and nothing else, so that each drawing need not take it
    /// apart again. What would hold up the keys is left to ``readOn(_:)``.
    mutating func look(at range: Range<Int>) {
        var rows: [Row] = []
        for index in range.clamped(to: indices) {
            let place = blocks.place(ofRow: index)
            if place.offset == 0 {
                guard place.block == nil, entry(at: place.position).value.mayHoldDocument else { continue }
                rows.append(self[index])
            } else {
                let row = self[index]
                if row.shown.mayHoldDocument { rows.append(row) }
            }
        }
        onScreen.look(at: rows)
    }

    /// Whether something on the screen is still being read.
    var isReading: Bool { onScreen.isReading }

    /// Reads what is on the screen and was not read yet, as far as the budget goes.
    mutating func readOn(_ budget: inout WorkBudget) { onScreen.readOn(&budget) }

    /// Reads what a row on the screen holds to its end.
    mutating func finishReading(_ path: ValuePath) { onScreen.finishReading(path) }

    /// Keeps what a row shows of data for as long as it is on the screen, open or closed.
    mutating func remember(_ row: Row) { onScreen.remember(row) }
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
        return (isShown ? blocks[position]?.node : nil) ?? remembered(entry)
    }

    /// Likewise, but for what its rows show, which may be what it held before.
    func remembered(_ entry: Entry) -> ValueNode? { onScreen[entry.path] ?? taken[entry.key] }

    func node(forKey key: String) -> ValueNode? {
        let (position, isShown) = findShown(key)
        if isShown, let block = blocks[position] { return block.node }
        return value(forKey: key).map {
            let entry = Entry(key: key, value: $0)
            return remembered(entry) ?? entry.node
        }
    }

    /// What a key holds whose inside is shown; nil where that is closed.
    func openNode(forKey key: String) -> ValueNode? {
        let (position, isThere) = findShown(key)
        return isThere ? blocks[position]?.node : nil
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
    func start(of position: Int) -> Int { blocks.start(of: position) }

    /// What is shown below a shown key's row; nil where that is closed.
    func subtree(at position: Int) -> VisibleSubtree? { blocks[position]?.subtree }

    /// The row of a place; nil where it is not among the rows.
    func index(of path: ValuePath) -> Int? {
        let (position, isThere) = findShown(path.key)
        guard isThere else { return nil }
        if path.steps.count == 1 { return start(of: position) }
        guard let block = blocks[position] else { return nil }
        return block.subtree.row(of: path.steps.dropFirst()).map { block.start + 1 + $0 }
    }
}

// Changing.
extension Rows {
    /// Starts over with entries, all closed and none hidden.
    mutating func replaceAll(_ entries: SortedEntries) {
        let (version, arrangement) = (version + 1, arrangement + 1)
        self = Rows()
        (self.version, self.arrangement) = (version, arrangement)
        self.entries = entries
    }

    /// Closes all keys.
    mutating func closeAll() { blocks = ExpandedKeys() }

    /// Hides all keys, until each is shown.
    mutating func hideAll() {
        arrangement += 1
        for (position, node) in blocks.nodes where node.mayHoldDocument {
            taken[entry(at: position).key] = node
        }
        shown = []
        closeAll()
    }

    /// Shows all keys, closed.
    mutating func showAll() {
        arrangement += 1
        shown = nil
        closeAll()
    }

    /// Gives a key that is there a value. Its rows are to be set then.
    ///
    /// - Parameter node: That value, where it was read beforehand.
    mutating func setValue(_ value: PropertyListValue, _ node: ValueNode? = nil, at index: Int) {
        forget(entries.key(at: index))
        entries.setValue(value, at: index)
        if let node, node.mayHoldDocument { onScreen.remember(node, at: entries[index].path) }
    }

    private mutating func forget(_ key: String) {
        version += 1
        onScreen.forget(key)
        taken[key] = nil
    }

    /// What is in an entry that may have been taken apart already, and whose rows are to be made anew.
    func freshNode(of entry: Entry) -> ValueNode { remembered(entry) ?? entry.node }

    /// Puts in a key that is not there; it is shown only where no key is hidden.
    mutating func insert(_ entry: Entry, at index: Int) {
        version += 1
        arrangement += 1
        entries.insert(entry, at: index)
        guard var shown else {
            return blocks.move(from: index, by: 1)
        }
        self.shown = nil
        for place in shown.beginning(where: { $0 >= index })..<shown.count { shown[place] += 1 }
        self.shown = shown
    }

    mutating func remove(at index: Int) {
        hide(index)
        forget(entries.key(at: index))
        arrangement += 1
        entries.remove(at: index)
        guard var shown else {
            return blocks.move(from: index, by: -1)
        }
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
        blocks.move(from: position, by: indices.count)
    }

    /// Hides an entry where some are hidden; else its rows go, but the key stays.
    mutating func hide(_ index: Int) {
        let position = position(notBefore: index)
        guard position < keyCount, entryIndex(at: position) == index else { return }
        set(nil, at: position)
        guard shown != nil else { return }
        arrangement += 1
        shown?.remove(at: position)
        blocks.move(from: position, by: -1)
    }

    /// Sets what is shown below a key; nothing closes it.
    mutating func set(_ open: (node: ValueNode, subtree: VisibleSubtree)?, at position: Int) {
        if !taken.isEmpty { taken[entry(at: position).key] = nil }
        blocks.set(open, at: position)
    }

    /// Sets what is shown below a row of an opened key; nothing closes it.
    mutating func set(_ subtree: VisibleSubtree?, at steps: ArraySlice<PathStep>, below position: Int) {
        blocks.set(subtree, at: steps, below: position)
    }
}
