import PropertyList

/// The keys of a suite and the values inside expanded keys, as one list of rows. A row is made when it is asked
/// for, so that rows off the screen cost nothing.
struct Rows: Sendable {
    typealias Entry = SortedEntries.Entry

    /// All keys, sorted, including hidden ones.
    private(set) var entries = SortedEntries()
    /// Increases whenever a value or a key changes.
    private(set) var version = 0
    /// Increases whenever the position of a shown key changes.
    private(set) var arrangement = 0
    /// The indices of the shown entries; nil if all are shown.
    private var shown: [Int]?
    private var blocks = ExpandedKeys()
    /// The values that take long to parse, as far as they are on the screen.
    var onScreen = ViewportCache()
    /// The parsed values of expanded keys, while a filter starts again.
    private var taken: [String: ValueNode] = [:]

    init() {}

    /// The number of shown keys.
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

    /// The shown key that a row belongs to, and the row's distance below the key's row.
    func keyPlace(ofRow index: Int) -> (position: Int, offset: Int) {
        let place = blocks.place(ofRow: index)
        return (place.position, place.offset)
    }

    /// The path of a row, without its value.
    func path(ofRow index: Int) -> ValuePath {
        let place = blocks.place(ofRow: index)
        let path = entry(at: place.position).path
        guard place.offset > 0, let block = place.block else { return path }
        return block.subtree.place(ofRow: place.offset - 1, below: path).path
    }

    private func known(_ entry: Entry) -> ValueNode? {
        entry.value.mayHoldDocument ? onScreen[entry.path] : nil
    }
}

// Values that take long to parse.
extension Rows {
    /// Keeps the parsed values of these rows and no others, so that each drawing need not parse them again.
    /// ``ViewportCache/readOn(_:)`` parses values that take long.
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

}

// Keys and their rows.
extension Rows {
    /// The index of the first entry that is not before a key, and whether it is the key's.
    func find(_ key: String) -> (index: Int, isThere: Bool) { entries.find(key) }

    func value(forKey key: String) -> PropertyListValue? { entries.values[key] }

    /// The parsed value of an entry, if it is known.
    func knownNode(_ entry: Entry) -> ValueNode? {
        guard entry.value.mayHoldDocument else { return nil }
        let (position, isShown) = findShown(entry.key)
        return (isShown ? blocks[position]?.node : nil) ?? remembered(entry)
    }

    /// The same, but not from the key's rows, which may still show the previous value.
    func remembered(_ entry: Entry) -> ValueNode? { onScreen[entry.path] ?? taken[entry.key] }

    func node(forKey key: String) -> ValueNode? {
        let (position, isShown) = findShown(key)
        if isShown, let block = blocks[position] { return block.node }
        return value(forKey: key).map {
            let entry = Entry(key: key, value: $0)
            return remembered(entry) ?? entry.node
        }
    }

    /// The parsed value of an expanded key; nil if the key is collapsed.
    func openNode(forKey key: String) -> ValueNode? {
        let (position, isThere) = findShown(key)
        return isThere ? blocks[position]?.node : nil
    }

    /// The position of the first shown key that is not before a key, and whether it is that key.
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

    /// The rows below a shown key; nil if the key is collapsed.
    func subtree(at position: Int) -> VisibleSubtree? { blocks[position]?.subtree }

    /// The index of a path's row; nil if the path has no row.
    func index(of path: ValuePath) -> Int? {
        let (position, isThere) = findShown(path.key)
        guard isThere else { return nil }
        if path.steps.count == 1 { return start(of: position) }
        guard let block = blocks[position] else { return nil }
        return block.subtree.row(of: path.steps.dropFirst()).map { block.start + 1 + $0 }
    }
}

// Changing the rows.
extension Rows {
    /// Replaces all entries. All are shown and collapsed.
    mutating func replaceAll(_ entries: SortedEntries) {
        let (version, arrangement) = (version + 1, arrangement + 1)
        self = Rows()
        (self.version, self.arrangement) = (version, arrangement)
        self.entries = entries
    }

    mutating func closeAll() { blocks = ExpandedKeys() }

    /// Hides all keys, until ``show(_:)`` shows them again.
    mutating func hideAll() {
        arrangement += 1
        for (position, node) in blocks.nodes where node.mayHoldDocument {
            taken[entry(at: position).key] = node
        }
        shown = []
        closeAll()
    }

    /// Shows all keys, collapsed.
    mutating func showAll() {
        arrangement += 1
        shown = nil
        closeAll()
    }

    /// Sets the value of an existing key. The caller updates the rows below it.
    ///
    /// - Parameter node: The parsed value, if it is known.
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

    /// The parsed value of an entry whose rows will be made again.
    func freshNode(of entry: Entry) -> ValueNode { remembered(entry) ?? entry.node }

    /// Inserts a new key. It is shown only if no key is hidden.
    mutating func insert(_ entry: Entry, at index: Int) {
        version += 1
        arrangement += 1
        entries.insert(entry, at: index)
        moveEntries(from: index, by: 1)
    }

    mutating func remove(at index: Int) {
        hide(index)
        forget(entries.key(at: index))
        arrangement += 1
        entries.remove(at: index)
        moveEntries(from: index, by: -1)
    }

    /// Moves the entries from an index on, because one before them came or went.
    private mutating func moveEntries(from index: Int, by distance: Int) {
        guard var shown else { return blocks.move(from: index, by: distance) }
        self.shown = nil
        for place in shown.beginning(where: { $0 >= index })..<shown.count { shown[place] += distance }
        self.shown = shown
    }

    /// Shows hidden entries. They must be all before or all after the shown ones, or there must be only one.
    mutating func show(_ indices: [Int]) {
        guard let first = indices.first, shown != nil else { return }
        arrangement += 1
        let position = position(notBefore: first)
        shown?.insert(contentsOf: indices, at: position)
        blocks.move(from: position, by: indices.count)
    }

    /// Hides an entry if others are hidden too. Otherwise it collapses the key.
    mutating func hide(_ index: Int) {
        let position = position(notBefore: index)
        guard position < keyCount, entryIndex(at: position) == index else { return }
        set(nil, at: position)
        guard shown != nil else { return }
        arrangement += 1
        shown?.remove(at: position)
        blocks.move(from: position, by: -1)
    }

    /// Sets the rows below a key. Nil collapses the key.
    mutating func set(_ open: (node: ValueNode, subtree: VisibleSubtree)?, at position: Int) {
        if !taken.isEmpty { taken[entry(at: position).key] = nil }
        blocks.set(open, at: position)
    }

    /// Sets the rows below a row of an expanded key. Nil collapses the row.
    mutating func set(_ subtree: VisibleSubtree?, at steps: ArraySlice<PathStep>, below position: Int) {
        blocks.set(subtree, at: steps, below: position)
    }
}
