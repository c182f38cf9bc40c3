import PropertyList

/// The keys of a suite and what is inside the opened ones: a flat list of rows, with a selection
/// that stays on its place, and that at its height on the screen, when rows come and go.
struct Tree: Sendable {
    var rows = Rows()
    var open = OpenPlaces()
    /// The keys whose values are not to be shown, found or opened.
    private var hidden: Set<String> = []
    /// The keys of rows that show what has been deleted: nothing is there any more.
    var deleted: Set<String> = []
    var filter: RowFilter?
    /// The entries that the filter was tried on so far; the others are hidden. It begins where the
    /// selection was and goes down first.
    var examined = 0..<0
    /// Where it has come to in a key that holds much.
    var examining: Sifting?
    /// What was opened since, and does not show yet what the filter leaves of it.
    var toNarrow: [ValuePath] = []
    /// Where it has come to in the last of these.
    var narrowing: (path: ValuePath, node: ValueNode, narrowing: Narrowing)?
    /// What is to be selected as soon as it is shown, and how far down the screen.
    var awaited: (path: ValuePath, height: Int)?
    /// Of keys that the filter leaves for what is inside them, the first place that it found there.
    private(set) var found: [String: ValuePath] = [:]
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
    var entries: SortedEntries { rows.entries }

    /// An entry as far as anything may be found in it.
    func searchable(_ entry: Rows.Entry) -> Rows.Entry {
        hidden.contains(entry.key) ? entry.withoutValue : entry
    }

    func hides(_ key: String) -> Bool { hidden.contains(key) }

    mutating func setFound(_ path: ValuePath?, _ key: String) {
        if path != nil || !found.isEmpty { found[key] = path }
    }

    mutating func forgetFound() { found = [:] }

    /// The way from a closed row to what the filter shows it for; nil where that is the row itself, or the effort
    /// does not suffice.
    func wayToFound(from row: Row, _ effort: inout Effort) -> ValuePath? {
        if let path = found[row.path.key], path.steps.count > row.path.steps.count, path.starts(with: row.path) {
            return ValuePath(Array(path.steps.dropFirst(row.path.steps.count)))
        }
        guard row.depth > 0, let filter, filter.former(row.path.key) == nil, effort.isLeft,
            let sieve = sieve(at: row.path), !sieve.isAll
        else { return nil }
        var narrowing = Narrowing(row.shown, sieve, open: nil)
        guard case .done = narrowing.next(&effort) else { return nil }
        return narrowing.first
    }

    var selectedRow: Row? { rows.indices.contains(selected) ? rows[selected] : nil }

    func value(forKey key: String) -> PropertyListValue? { rows.value(forKey: key) }

    /// What is at a place; nil where it is gone, also where that is still shown.
    func node(at path: ValuePath) -> ValueNode? {
        deleted.contains(path.key) ? nil : rows.node(forKey: path.key)?.node(at: path.inside)
    }

    /// The value that a key has; nil where it is gone, also where that is still shown.
    func valueThere(forKey key: String) -> PropertyListValue? {
        deleted.contains(key) ? nil : value(forKey: key)
    }

    /// The row of a place; nil where it is not among the rows.
    func index(of path: ValuePath) -> Int? { rows.index(of: path) }

    /// Readies what is on the screen to be drawn quickly.
    mutating func look(height: Int) { rows.look(at: max(0, top)..<max(0, top) + max(0, height)) }
}

// Values.
extension Tree {
    /// Starts over with these values; what is open and selected stays so where it is still there.
    ///
    /// - Parameter follows: Of which keys an element of an array is looked for where it may be now.
    mutating func load(_ values: PropertyListEntries, following follows: (String) -> Bool = { _ in false }) {
        replaceAll(SortedEntries(values), follows)
    }

    /// Hides the values of these keys, and of no others.
    mutating func hide(_ keys: Set<String>) {
        let changed = hidden.symmetricDifference(keys)
        hidden = keys
        if changed.isEmpty { return }
        keepingPlace { tree in
            for key in changed {
                tree.forgetExamining(key)
                let (index, isThere) = tree.rows.find(key)
                if isThere { tree.showEntry(index) }
            }
        }
    }

    /// Gives keys other values, or takes them away where the value is nil.
    ///
    /// - Parameter follows: As above.
    mutating func set(
        _ changes: [(key: String, value: PropertyListValue?)],
        following follows: (String) -> Bool = { _ in false }
    ) {
        // One more place in a long list costs as much as going through all of it.
        if changes.count > 50 { return setMany(changes, follows) }
        keepingPlace(following: follows) { tree in
            for (key, value) in changes { tree.set(value, forKey: key, follows) }
        }
    }

    private mutating func set(
        _ value: PropertyListValue?,
        forKey key: String,
        _ follows: (String) -> Bool
    ) {
        forgetExamining(key)
        let (index, isThere) = rows.find(key)
        let old = follows(key) ? rows.openNode(forKey: key) : nil
        if let value {
            if isThere {
                rows.setValue(value, at: index)
            } else {
                rows.insert(Rows.Entry(key: key, value: value), at: index)
                insertExamined(index)
            }
            showEntry(index, from: old)
        } else if isThere {
            rows.remove(at: index)
            if filter != nil { removeExamined(index) }
        }
    }

    private mutating func replaceAll(_ entries: SortedEntries, _ follows: (String) -> Bool) {
        let path = selectedRow?.path
        guard filter == nil else {
            examining = nil
            rows.replaceAll(entries)
            return showAgain(from: path)
        }
        let old = Dictionary(
            uniqueKeysWithValues: open.openKeys.filter(follows).compactMap { key in
                rows.openNode(forKey: key).map { (key, $0) }
            }
        )
        keepingPlace(following: follows) { tree in
            tree.rows.replaceAll(entries)
            for key in tree.open.openKeys { tree.openAgain(key, from: old[key]) }
        }
    }

    private mutating func setMany(
        _ changes: [(key: String, value: PropertyListValue?)],
        _ follows: (String) -> Bool
    ) {
        var values = rows.entries.values
        for (key, value) in changes { values[key] = value }
        replaceAll(SortedEntries(values), follows)
    }
}

// Selecting, opening and closing.
extension Tree {
    mutating func select(_ index: Int) { selected = Swift.max(0, min(index, rows.count - 1)) }

    mutating func select(_ path: ValuePath) {
        if let index = index(of: path) { selected = index }
    }

    /// Selects a place, or what is shown of the way to it.
    mutating func select(nearest path: ValuePath) {
        var place: ValuePath? = path
        while let path = place {
            if let index = index(of: path) {
                selected = index
                return
            }
            place = path.parent
        }
    }

    mutating func open(_ index: Int) {
        rows.finishReading(rows[index].path)
        let row = rows[index].read
        if row.node.isContainer, !row.isOpen { setOpen(true, row) }
    }

    mutating func close(_ index: Int) {
        let row = rows[index]
        if row.isOpen { setOpen(false, row) }
    }

    /// Opens or closes a row, which keeps its place on the screen, and so does the selection.
    private mutating func setOpen(_ isOpen: Bool, _ row: Row) {
        if hidden.contains(row.path.key) { return }
        open.set(isOpen, at: row.path.steps[...])
        rows.remember(row)
        keepingPlace { $0.showBelow(row.path, row.node) }
    }

    /// Closes what was opened, be it shown or not.
    mutating func close(_ path: ValuePath) {
        if let index = index(of: path) { return close(index) }
        if open[path.steps[...]]?.isOpen == true { open.set(false, at: path.steps[...]) }
    }

    /// Shows below a row what is to be shown there; what a filter leaves of that comes with ``narrow(_:)``.
    mutating func showBelow(_ path: ValuePath, _ node: ValueNode) {
        guard let places = open[path.steps[...]], places.isOpen, filter != nil else {
            return set(open[path.steps[...]]?.branch(of: node), below: path, node)
        }
        set(Branch(node.children, shown: []), below: path, node)
        toNarrow.append(path)
    }

    /// Sets what is shown below a row; nothing closes it.
    mutating func set(_ branch: Branch?, below path: ValuePath, _ node: ValueNode) {
        let (position, isThere) = rows.findShown(path.key)
        guard isThere else { return }
        if path.steps.count == 1 {
            rows.set(branch.map { (node, $0) }, at: position)
        } else {
            rows.set(branch, at: path.steps.dropFirst(), below: position)
        }
    }

    /// Opens what a place lies in and returns what had to be opened for that.
    mutating func reveal(_ path: ValuePath) -> [ValuePath] {
        var opened: [ValuePath] = []
        for count in 1..<Swift.max(1, path.steps.count) {
            let ancestor = ValuePath(Array(path.steps[..<count]))
            if let index = index(of: ancestor) {
                if rows[index].isOpen { continue }
                open(index)
            } else if !opened.isEmpty, filter != nil {
                // It is shown with what was opened before.
                if open[ancestor.steps[...]]?.isOpen == true { continue }
                open.set(true, at: ancestor.steps[...])
            } else {
                break
            }
            opened.append(ancestor)
        }
        return opened
    }

    /// Opens what a place lies in, and selects it, at once or as soon as it is shown; where it is not there, what
    /// of the way to it is. Returns what had to be opened for that.
    mutating func go(to path: ValuePath) -> [ValuePath] {
        let opened = reveal(path)
        select(nearest: path)
        if selectedRow?.path != path, !toNarrow.isEmpty { awaited = (path, selected - top) }
        return opened
    }

    /// Whether a place is selected, or is about to be.
    func isGoing(to path: ValuePath) -> Bool { selectedRow?.path == path || awaited?.path == path }

    func parent(of index: Int) -> Int? {
        let path = rows[index].path
        return path.steps.count > 1 ? path.parent.flatMap(rows.index) : nil
    }

    /// The row, so many places on, of what lies in the same place as a row; the last one where there are
    /// not so many.
    func sibling(of index: Int, forwards: Bool, times: Int) -> Int {
        let (position, offset) = rows.keyPlace(ofRow: index)
        let distance = forwards ? times : -times
        guard offset > 0, let branch = rows.branch(at: position) else {
            return rows.start(of: max(0, min(position + distance, rows.keyCount - 1)))
        }
        return index - offset + 1 + branch.sibling(ofRow: offset - 1, by: distance)
    }

    /// Shows a key's rows as they are to be, open or closed, where there is no filter.
    ///
    /// - Parameter old: What it held, where that was open and what was opened in it is to be looked for.
    mutating func openAgain(_ key: String, from old: ValueNode? = nil) {
        let (position, isThere) = rows.findShown(key)
        guard isThere else { return }
        let places = hidden.contains(key) ? nil : open[[.key(key)]]
        guard let places, places.isOpen else { return rows.set(nil, at: position) }
        let node = rows.freshNode(of: rows.entry(at: position))
        if let old { open.follow(key, from: old, to: node) }
        rows.set((open[[.key(key)]] ?? places).branch(of: node).map { (node, $0) }, at: position)
    }
}
