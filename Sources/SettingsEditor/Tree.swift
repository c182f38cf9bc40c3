import PropertyList

/// The keys of a suite and what is inside the opened ones: a flat list of rows, with a selection
/// that stays on its place, and that at its height on the screen, when rows come and go.
struct Tree: Sendable {
    private(set) var rows = Rows()
    /// The places that were opened, also where nothing can be open at the moment.
    private(set) var open: Set<ValuePath> = []
    private(set) var filter: RowFilter?
    /// The entries that the filter was tried on so far; the others are hidden. It begins where the
    /// selection was and goes down first.
    private var examined = 0..<0
    /// What was selected when the filter was set, and how far down the screen.
    private var anchor: (path: ValuePath, height: Int)?
    /// A row's index; 0 where there are no rows.
    private(set) var selected = 0
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
    mutating func load(_ values: [String: PropertyListValue]) {
        let entries = sortedByKey(values).map { Rows.Entry(key: $0.key, value: $0.value) }
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

    /// The row of the next or last place that lies in the same one; nil where there is none.
    func sibling(of index: Int, forwards: Bool) -> Int? {
        let (position, offset) = rows.keyPlace(ofRow: index)
        if offset == 0 {
            let next = position + (forwards ? 1 : -1)
            return 0..<rows.keyCount ~= next ? rows.start(of: next) : nil
        }
        let block = rows.block(at: position)
        let depth = block[offset].depth
        let next =
            forwards
            ? block[(offset + 1)...].firstIndex { $0.depth <= depth }
            : block[..<offset].lastIndex { $0.depth <= depth }
        return next.flatMap { block[$0].depth == depth ? index - offset + $0 : nil }
    }
}

// Showing what the filter leaves.
extension Tree {
    /// Whether the filter has been tried on all keys.
    var isFiltered: Bool { filter == nil || examined.count == entries.count }

    /// Shows only the keys that a filter leaves; with none all. They come with ``examine(_:)``, those
    /// from a place on first, which is selected if it is there.
    mutating func setFilter(_ filter: RowFilter?, from path: ValuePath?) {
        if self.filter != filter {
            self.filter = filter
            showAgain(from: path ?? selectedRow?.path ?? anchor?.path)
        }
        if let path { select(path) }
    }

    /// Tries the filter on further keys, as far as the effort goes.
    mutating func examine(_ effort: inout Effort) {
        guard let filter, !isFiltered, effort.isLeft else { return }
        let entries = rows.entries
        var below: [Int] = []
        while examined.upperBound < entries.count, effort.isLeft {
            let index = examined.upperBound
            if filter.leaves(entries[index], &effort) { below.append(index) }
            examined = examined.lowerBound..<index + 1
        }
        var above: [Int] = []
        while examined.lowerBound > 0, effort.isLeft {
            let index = examined.lowerBound - 1
            if filter.leaves(entries[index], &effort) { above.append(index) }
            examined = index..<examined.upperBound
        }
        if below.isEmpty, above.isEmpty { return }
        let wasEmpty = rows.isEmpty
        keepingPlace { tree in
            tree.rows.show(below)
            tree.rows.show(above.reversed())
            guard !tree.open.isEmpty else { return }
            for index in below + above { tree.openAgain(entries[index].key) }
        }
        if wasEmpty, let anchor {
            // What comes first lies behind the place, or is the last one before it.
            select(below.isEmpty ? rows.count - 1 : above.isEmpty ? 0 : rows.start(of: above.count))
            select(anchor.path)
            top = Swift.max(0, selected - anchor.height)
        }
    }

    private mutating func insertExamined(_ index: Int) {
        guard filter != nil else { return }
        let isBelow = index > examined.upperBound
        let isAbove = index < examined.lowerBound
        let lower = examined.lowerBound + (isAbove ? 1 : 0)
        examined = lower..<examined.upperBound + (isBelow ? 0 : 1)
    }

    private mutating func removeExamined(_ index: Int) {
        let lower = examined.lowerBound - (index < examined.lowerBound ? 1 : 0)
        examined = lower..<examined.upperBound - (index < examined.upperBound ? 1 : 0)
    }

    /// Shows an entry as it is now, if it is to be shown.
    private mutating func showEntry(_ index: Int) {
        let entry = entries[index]
        if let filter {
            guard examined.contains(index) else { return }
            var effort = Effort.unlimited
            let isShown = rows.findShown(entry.key).isThere
            guard filter.leaves(entry, &effort) else { return rows.hide(index) }
            if !isShown { rows.show([index]) }
        }
        openAgain(entry.key)
    }

    /// Shows a key's rows as they are to be, open or closed.
    private mutating func openAgain(_ key: String) {
        let (position, isThere) = rows.findShown(key)
        guard isThere else { return }
        rows.setRows(open.contains([.key(key)]) ? built(rows.entry(at: position)) : [], at: position)
    }

    /// Shows all anew, of which a filter leaves nothing before it is tried.
    private mutating func showAgain(from path: ValuePath?) {
        if filter == nil {
            keepingPlace { tree in
                tree.rows.showAll()
                for path in tree.open where path.steps.count == 1 { tree.openAgain(path.key) }
            }
            return
        }
        anchor = path.map { ($0, rows.isEmpty ? anchor?.height ?? 0 : selected - top) }
        rows.hideAll()
        (selected, top) = (0, 0)
        let start = path.map { rows.find($0.key).index } ?? 0
        examined = start..<start
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
    private mutating func keepingPlace(_ change: (inout Tree) -> Void) {
        guard let row = selectedRow else {
            change(&self)
            return select(0)
        }
        let (position, offset) = rows.keyPlace(ofRow: selected)
        let block = offset > 0 ? rows.block(at: position) : []
        let height = selected - top
        change(&self)
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
