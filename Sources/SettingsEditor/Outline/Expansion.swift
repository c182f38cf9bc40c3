import PropertyList

// Selecting, expanding and collapsing rows.
extension Outline {
    mutating func select(_ index: Int) { selected = Swift.max(0, min(index, rows.count - 1)) }

    mutating func select(_ path: ValuePath) {
        if let index = index(of: path) { selected = index }
    }

    /// Selects a path, or its nearest shown ancestor.
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
        rows.onScreen.finishReading(rows[index].path)
        let row = rows[index].read
        if row.node.isContainer, !row.isOpen { setOpen(true, row) }
    }

    mutating func close(_ index: Int) {
        let row = rows[index]
        if row.isOpen { setOpen(false, row) }
    }

    /// Expands or collapses a row. The row and the selection keep their heights on the screen.
    private mutating func setOpen(_ isOpen: Bool, _ row: Row) {
        if hides(row.path.key) { return }
        open.set(isOpen, at: row.path.steps[...])
        rows.onScreen.remember(row)
        anchoringSelection { $0.showBelow(row.path, row.node) }
    }

    /// Collapses a path, whether its row is shown or not.
    mutating func close(_ path: ValuePath) {
        if let index = index(of: path) { return close(index) }
        if open[path.steps[...]]?.isOpen == true { open.set(false, at: path.steps[...]) }
    }

    /// Shows the rows below a row. If there is a filter, ``filterSubtrees(_:)`` adds the matching rows later.
    mutating func showBelow(_ path: ValuePath, _ node: ValueNode) {
        guard let places = open[path.steps[...]], places.isOpen, filter != nil else {
            return set(open[path.steps[...]]?.subtree(of: node), below: path, node)
        }
        set(VisibleSubtree(node.children, shown: []), below: path, node)
        session.subtreesToFilter.append(path)
    }

    /// Sets the rows below a row. Nil collapses the row.
    mutating func set(_ subtree: VisibleSubtree?, below path: ValuePath, _ node: ValueNode) {
        let (position, isThere) = rows.findShown(path.key)
        guard isThere else { return }
        if path.steps.count == 1 {
            rows.set(subtree.map { (node, $0) }, at: position)
        } else {
            rows.set(subtree, at: path.steps.dropFirst(), below: position)
        }
    }

    /// Expands the ancestors of a path. Returns the ancestors that were collapsed.
    mutating func reveal(_ path: ValuePath) -> [ValuePath] {
        var opened: [ValuePath] = []
        for count in 1..<Swift.max(1, path.steps.count) {
            let ancestor = ValuePath(Array(path.steps[..<count]))
            if let index = index(of: ancestor) {
                if rows[index].isOpen { continue }
                open(index)
            } else if !opened.isEmpty, filter != nil {
                // The row appears with its ancestor.
                if open[ancestor.steps[...]]?.isOpen == true { continue }
                open.set(true, at: ancestor.steps[...])
            } else {
                break
            }
            opened.append(ancestor)
        }
        return opened
    }

    /// Expands the ancestors of a path and selects the path, now or as soon as its row appears. If the path does
    /// not exist, the nearest ancestor is selected. Returns the ancestors that were collapsed.
    mutating func go(to path: ValuePath) -> [ValuePath] {
        let opened = reveal(path)
        select(nearest: path)
        if selectedRow?.path != path, !session.subtreesToFilter.isEmpty {
            session.awaited = (path, selected - top)
        }
        return opened
    }

    /// Whether a path is selected, or will be as soon as its row appears.
    func isGoing(to path: ValuePath) -> Bool { selectedRow?.path == path || session.awaited?.path == path }

    func parent(of index: Int) -> Int? {
        let path = rows[index].path
        return path.steps.count > 1 ? path.parent.flatMap(rows.index) : nil
    }

    /// Updates the rows of a key, if there is no filter.
    ///
    /// - Parameter mapping: The new paths of the values that were expanded in the key.
    mutating func openAgain(_ key: String, _ mapping: PathMapping? = nil) {
        let (position, isThere) = rows.findShown(key)
        guard isThere else { return }
        guard !hides(key), open[[.key(key)]]?.isOpen == true else { return rows.set(nil, at: position) }
        let node = mapping?.preparedNode ?? rows.freshNode(of: rows.entry(at: position))
        if let mapping { open.remap(key, mapping.reading(node)) }
        rows.set(open[[.key(key)]]?.subtree(of: node).map { (node, $0) }, at: position)
    }
}
