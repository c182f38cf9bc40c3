import PropertyList

// Showing what the filter leaves.
extension Tree {
    /// Whether the filter has been tried on all keys.
    var isFiltered: Bool { filter == nil || examined.count == entries.count }

    /// Whether there is something left to do that takes its time.
    var hasWork: Bool { !isFiltered || opening != nil || rows.isReading }

    /// Shows only the keys that a filter leaves; with none all. They come with ``examine(_:)``, those
    /// from a place on first, which is selected if it is there.
    mutating func setFilter(_ filter: RowFilter?, from path: ValuePath?) {
        if self.filter != filter {
            let wasFiltered = self.filter != nil
            self.filter = filter
            showAgain(from: path ?? selectedRow?.path ?? anchor?.path, wasFiltered: wasFiltered)
        }
        if let path { select(path) }
    }

    /// Has a filter decide anew on some keys.
    mutating func amendFilter(_ filter: RowFilter, _ keys: [String]) {
        self.filter = filter
        keepingPlace { tree in
            for key in keys {
                let (index, isThere) = tree.rows.find(key)
                if isThere { tree.showEntry(index) }
            }
        }
    }

    /// Tries the filter on further keys, as far as the effort goes.
    mutating func examine(_ effort: inout Effort) {
        guard let filter, !isFiltered, effort.isLeft else { return }
        let entries = rows.entries
        var below: [Int] = []
        while examined.upperBound < entries.count, effort.isLeft {
            let index = examined.upperBound
            guard let isLeft = leaves(filter, entries[index], &effort) else { break }
            if isLeft { below.append(index) }
            examined = examined.lowerBound..<index + 1
        }
        var above: [Int] = []
        while examined.lowerBound > 0, effort.isLeft {
            let index = examined.lowerBound - 1
            guard let isLeft = leaves(filter, entries[index], &effort) else { break }
            if isLeft { above.append(index) }
            examined = index..<examined.upperBound
        }
        if below.isEmpty, above.isEmpty { return }
        let wasEmpty = rows.isEmpty
        keepingPlace { tree in
            tree.rows.show(below)
            tree.rows.show(above.reversed())
            guard !tree.open.isEmpty else { return }
            for index in below + above { tree.openAgain(entries.key(at: index)) }
        }
        if wasEmpty, let anchor {
            // What comes first lies behind the place, or is the last one before it.
            select(below.isEmpty ? rows.count - 1 : above.isEmpty ? 0 : rows.start(of: above.count))
            select(anchor.path)
        }
        // It keeps its height, unless the user has gone on.
        if let anchor, selectedRow?.path == anchor.path { top = Swift.max(0, selected - anchor.height) }
    }

    /// Whether a filter leaves an entry; nil while that is not known, since it holds much.
    private mutating func leaves(_ filter: RowFilter, _ entry: Rows.Entry, _ effort: inout Effort) -> Bool? {
        switch filter {
        case .among(_, let keys):
            effort.spend(1)
            return keys.contains(entry.key)
        case .undecodable(let check):
            return check.problem(with: entry.value, forKey: entry.key, &effort) != nil
        case .text(let pattern):
            let underWay = examining.flatMap {
                $0.key == entry.key && $0.version == rows.version ? $0 : nil
            }
            examining = nil
            setFound(nil, entry.key)
            let entry = searchable(entry)
            if underWay == nil, let isFound = pattern.isFound(in: entry, &effort) { return isFound }
            var search =
                underWay ?? EntrySearch(pattern, in: entry, rows.version, node: rows.knownNode(entry))
            switch search.next(&effort) {
            case .found(let path, _):
                setFound(path.steps.count > 1 ? path : nil, entry.key)
                return true
            case .nothing: return false
            case .notYet:
                examining = search
                return nil
            }
        }
    }

    mutating func insertExamined(_ index: Int) {
        guard filter != nil else { return }
        let isBelow = index > examined.upperBound
        let isAbove = index < examined.lowerBound
        let lower = examined.lowerBound + (isAbove ? 1 : 0)
        examined = lower..<examined.upperBound + (isBelow ? 0 : 1)
    }

    mutating func removeExamined(_ index: Int) {
        let lower = examined.lowerBound - (index < examined.lowerBound ? 1 : 0)
        examined = lower..<examined.upperBound - (index < examined.upperBound ? 1 : 0)
    }

    /// Shows an entry as it is now, if it is to be shown.
    mutating func showEntry(_ index: Int, from old: ValueNode? = nil) {
        let entry = entries[index]
        if let filter {
            guard examined.contains(index) else { return }
            var effort = Effort.unlimited
            let isShown = rows.findShown(entry.key).isThere
            guard leaves(filter, entry, &effort) == true else { return rows.hide(index) }
            if !isShown { rows.show([index]) }
        }
        openAgain(entry.key, from: old)
    }

    /// Shows all anew, of which a filter leaves nothing before it is tried.
    mutating func showAgain(from path: ValuePath?, wasFiltered: Bool = false) {
        forgetFound()
        if filter == nil {
            keepingPlace { tree in
                tree.rows.showAll()
                for key in tree.open.openKeys { tree.openAgain(key) }
            }
            return
        }
        let isSame = rows.isEmpty || wasFiltered && anchor?.path == path
        anchor = path.map { ($0, isSame ? anchor?.height ?? 0 : selected - top) }
        examining = nil
        rows.hideAll()
        (selected, top) = (0, 0)
        let start = path.map { rows.find($0.key).index } ?? 0
        examined = start..<start
    }
}
