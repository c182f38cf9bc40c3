import PropertyList

/// The keys of a suite and what is inside the opened ones: a flat list of rows, with a selection
/// that stays on its place, and that at its height on the screen, when rows come and go.
struct Tree: Sendable {
    var rows = Rows()
    /// The places that were opened, also where nothing can be open at the moment.
    var open: Set<ValuePath> = []
    var filter: RowFilter?
    /// The entries that the filter was tried on so far; the others are hidden. It begins where the
    /// selection was and goes down first.
    var examined = 0..<0
    /// What was selected when the filter was set, and how far down the screen.
    var anchor: (path: ValuePath, height: Int)?
    /// What is being opened to a level.
    var opening: Opening?
    /// A row's index; 0 where there are no rows.
    var selected = 0
    /// The first row on the screen.
    var top = 0

    init() {}

    /// All keys, sorted, also those that the filter leaves out.
    var entries: [Rows.Entry] { rows.entries }

    var selectedRow: Row? { rows.indices.contains(selected) ? rows[selected] : nil }

    func value(forKey key: String) -> PropertyListValue? { rows.value(forKey: key) }

    func node(at path: ValuePath) -> ValueNode? { rows.node(forKey: path.key)?.node(at: path.inside) }

    /// The row of a place; nil where it is not among the rows.
    func index(of path: ValuePath) -> Int? { rows.index(of: path) }

    /// Readies what is on the screen to be drawn quickly.
    mutating func look(height: Int) { rows.look(at: max(0, top)..<max(0, top) + max(0, height)) }
}

// Values.
extension Tree {
    /// Starts over with these values; what is open and selected stays so where it is still there.
    mutating func load(_ values: PropertyListEntries) {
        let entries = Rows.Entry.sorted(values)
        replaceAll(entries)
    }

    /// Gives keys other values, or takes them away where the value is nil.
    mutating func set(_ changes: [(key: String, value: PropertyListValue?)]) {
        // One more place in a long list costs as much as going through all of it.
        if changes.count > 50 { return setMany(changes) }
        keepingPlace { tree in
            for (key, value) in changes { tree.set(value, forKey: key) }
        }
    }

    private mutating func set(_ value: PropertyListValue?, forKey key: String) {
        let (index, isThere) = rows.find(key)
        if let value {
            if isThere {
                rows.setValue(value, at: index)
            } else {
                rows.insert(Rows.Entry(key: key, value: value), at: index)
                insertExamined(index)
            }
            showEntry(index)
        } else if isThere {
            rows.remove(at: index)
            if filter != nil { removeExamined(index) }
        }
    }

    private mutating func replaceAll(_ entries: [Rows.Entry]) {
        let path = selectedRow?.path
        guard filter == nil else {
            rows.replaceAll(entries)
            return showAgain(from: path)
        }
        keepingPlace { tree in
            tree.rows.replaceAll(entries)
            for path in tree.open where path.steps.count == 1 { tree.openAgain(path.key) }
        }
    }

    private mutating func setMany(_ changes: [(key: String, value: PropertyListValue?)]) {
        let new = Dictionary(changes) { _, last in last }
        var added = new.compactMap { key, value in value.map { Rows.Entry(key: key, value: $0) } }
            .sorted { $0.key < $1.key }[...]
        var entries: [Rows.Entry] = []
        entries.reserveCapacity(rows.entries.count + added.count)
        for entry in rows.entries {
            while let next = added.first, next.key < entry.key { entries.append(added.removeFirst()) }
            if new[entry.key] == nil { entries.append(entry) }
        }
        entries += added
        replaceAll(entries)
    }
}

// Selecting, opening and closing.
extension Tree {
    mutating func select(_ index: Int) { selected = Swift.max(0, min(index, rows.count - 1)) }

    mutating func select(_ path: ValuePath) {
        if let index = index(of: path) { selected = index }
    }

    mutating func open(_ index: Int) {
        let row = rows[index]
        guard row.node.canBeOpened, !row.isOpen else { return }
        open.insert(row.path)
        rebuild(index, row)
    }

    mutating func close(_ index: Int) {
        let row = rows[index]
        guard row.isOpen else { return }
        open.remove(row.path)
        rebuild(index, row)
    }

    /// Shows below a row what is to be shown now.
    private mutating func rebuild(_ index: Int, _ row: Row) {
        let (position, offset) = rows.keyPlace(ofRow: index)
        keepingPlace { tree in
            var block = tree.rows.block(at: position)
            block.replaceSubrange(
                offset..<block.endOfSubtree(at: offset),
                with: tree.built(row.path, row.node)
            )
            tree.rows.setRows(block, at: position)
        }
    }

    /// Opens what a place lies in and returns what had to be opened for that.
    mutating func reveal(_ path: ValuePath) -> [ValuePath] {
        var opened: [ValuePath] = []
        for count in 1..<Swift.max(1, path.steps.count) {
            let ancestor = ValuePath(Array(path.steps[..<count]))
            guard let index = index(of: ancestor) else { break }
            if rows[index].isOpen { continue }
            open(index)
            opened.append(ancestor)
        }
        return opened
    }

    func parent(of index: Int) -> Int? {
        let (position, offset) = rows.keyPlace(ofRow: index)
        guard offset > 0 else { return nil }
        let block = rows.block(at: position)
        return block[..<offset].lastIndex { $0.depth < block[offset].depth }.map { index - offset + $0 }
    }

    /// The row, so many places on, of what lies in the same place as a row; the last one where there are
    /// not so many.
    func sibling(of index: Int, forwards: Bool, times: Int) -> Int {
        let (position, offset) = rows.keyPlace(ofRow: index)
        if offset == 0 {
            return rows.start(of: max(0, min(position + (forwards ? times : -times), rows.keyCount - 1)))
        }
        let block = rows.block(at: position)
        let depth = block[offset].depth
        var (place, last, left) = (offset, offset, times)
        while left > 0 {
            place += forwards ? 1 : -1
            guard block.indices.contains(place), block[place].depth >= depth else { break }
            if block[place].depth == depth { (last, left) = (place, left - 1) }
        }
        return index - offset + last
    }
}

// Rows of what is open.
extension Tree {
    /// Shows a key's rows as they are to be, open or closed.
    mutating func openAgain(_ key: String) {
        let (position, isThere) = rows.findShown(key)
        guard isThere else { return }
        let isOpen = open.contains([.key(key)])
        rows.setRows(isOpen ? built(rows.entry(at: position)) : [], at: position)
    }

    private func built(_ entry: Rows.Entry) -> [Row] { built(entry.path, entry.node) }

    private func built(_ path: ValuePath, _ node: ValueNode) -> [Row] {
        var rows: [Row] = []
        build(path, node, &rows)
        return rows
    }

    private func build(_ path: ValuePath, _ node: ValueNode, _ rows: inout [Row]) {
        let isOpen = node.canBeOpened && open.contains(path)
        rows.append(Row(path: path, node: node, isOpen: isOpen))
        guard isOpen else { return }
        for child in node.children { build(path.appending(child.step), child.node, &rows) }
    }
}

// Keeping the selection.
extension Tree {
    /// Changes rows. The selection stays on its own place, else goes to the sibling that followed, else
    /// to what stood before it; and it stays at its height on the screen.
    mutating func keepingPlace(_ change: (inout Tree) -> Void) {
        guard let row = selectedRow else {
            change(&self)
            select(0)
            if let anchor { select(anchor.path) }
            return
        }
        let (position, offset) = rows.keyPlace(ofRow: selected)
        let block = offset > 0 ? rows.block(at: position) : []
        let height = selected - top
        change(&self)
        if rows.isEmpty { anchor = (row.path, height) }
        let place = rows.findShown(row.path.key)
        if place.position == rows.keyCount {
            select(rows.count - 1)
        } else {
            let start = rows.start(of: place.position)
            let isBelow = place.isThere && offset > 0
            select(start + (isBelow ? successor(of: offset, in: block, rows.block(at: place.position)) : 0))
        }
        top = Swift.max(0, min(selected - height, rows.count - 1))
    }

    private func successor(of offset: Int, in old: [Row], _ new: [Row]) -> Int {
        let row = old[offset]
        let places = Dictionary(zip(new.map(\.path), new.indices)) { first, _ in first }
        if let place = places[row.path] { return place }
        for later in old[offset...].dropFirst() {
            if later.depth < row.depth { break }
            if later.depth == row.depth, let place = places[later.path] { return place }
        }
        for earlier in old[..<offset].reversed() where earlier.depth <= row.depth {
            if let place = places[earlier.path] { return place }
        }
        return 0
    }
}

extension [Row] {
    fileprivate func endOfSubtree(at index: Int) -> Int {
        self[(index + 1)...].firstIndex { $0.depth <= self[index].depth } ?? count
    }
}
