import PropertyList

// Selecting, opening and closing.
extension Outline {
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
        if hides(row.path.key) { return }
        open.set(isOpen, at: row.path.steps[...])
        rows.remember(row)
        anchoringSelection { $0.showBelow(row.path, row.node) }
    }

    /// Closes what was opened, be it shown or not.
    mutating func close(_ path: ValuePath) {
        if let index = index(of: path) { return close(index) }
        if open[path.steps[...]]?.isOpen == true { open.set(false, at: path.steps[...]) }
    }

    /// Shows below a row what is to be shown there; what a filter leaves of that comes with ``filterSubtrees(_:)``.
    mutating func showBelow(_ path: ValuePath, _ node: ValueNode) {
        guard let places = open[path.steps[...]], places.isOpen, filter != nil else {
            return set(open[path.steps[...]]?.subtree(of: node), below: path, node)
        }
        set(VisibleSubtree(node.children, shown: []), below: path, node)
        subtreesToFilter.append(path)
    }

    /// Sets what is shown below a row; nothing closes it.
    mutating func set(_ subtree: VisibleSubtree?, below path: ValuePath, _ node: ValueNode) {
        let (position, isThere) = rows.findShown(path.key)
        guard isThere else { return }
        if path.steps.count == 1 {
            rows.set(subtree.map { (node, $0) }, at: position)
        } else {
            rows.set(subtree, at: path.steps.dropFirst(), below: position)
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
        if selectedRow?.path != path, !subtreesToFilter.isEmpty { awaited = (path, selected - top) }
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
        guard offset > 0, let subtree = rows.subtree(at: position) else {
            return rows.start(of: max(0, min(position + distance, rows.keyCount - 1)))
        }
        return index - offset + 1 + subtree.sibling(ofRow: offset - 1, by: distance)
    }

    /// What was opened in a key's value is open where it is now.
    mutating func follow(_ key: String, from old: ValueNode, to node: ValueNode) {
        guard case .propertyList(let value) = node.content,
            let changes = changes(from: old, to: value, key)
        else { return open.follow(key, from: old, to: node) }
        for change in changes { open.follow(key, change.differences) }
    }

    /// Shows a key's rows as they are to be, open or closed, where there is no filter.
    ///
    /// - Parameter old: What it held, where that was open and what was opened in it is to be looked for.
    mutating func openAgain(_ key: String, from old: ValueNode? = nil) {
        let (position, isThere) = rows.findShown(key)
        guard isThere else { return }
        let places = hides(key) ? nil : open[[.key(key)]]
        guard let places, places.isOpen else { return rows.set(nil, at: position) }
        let entry = rows.entry(at: position)
        let read = known[key]?.last.flatMap { $0.isOf(entry.value) ? $0.new : nil }
        let node = read ?? rows.freshNode(of: entry)
        if let old { follow(key, from: old, to: node) }
        rows.set((open[[.key(key)]] ?? places).subtree(of: node).map { (node, $0) }, at: position)
    }
}
