import PropertyList

/// The keys of a suite and what is inside the opened ones: a flat list of rows, with a selection
/// that stays on its place when rows come and go.
struct Tree: Sendable {
    struct Entry: Sendable {
        let key: String
        let node: ValueNode
    }

    /// All keys, sorted, also those that the filter leaves out.
    private(set) var entries: [Entry] = []
    private(set) var rows: [Row] = []
    /// The places that were opened, also where nothing can be open at the moment.
    private(set) var open: Set<ValuePath> = []
    private(set) var filter: Pattern?
    /// A row's index; 0 where there are no rows.
    private(set) var selected = 0
    /// The first row on the screen.
    var top = 0

    init() {}

    var selectedRow: Row? { rows.indices.contains(selected) ? rows[selected] : nil }

    /// Starts over with these values; what is open and selected stays so where it is still there.
    mutating func load(_ values: [String: PropertyListValue]) {
        entries = values.sorted { $0.key < $1.key }.map { Entry(key: $0.key, node: ValueNode($0.value)) }
        rebuild()
    }

    /// Gives a key another value, or takes it away where the value is nil.
    mutating func set(_ value: PropertyListValue?, forKey key: String) {
        let place = entries.firstIndex(notBefore: key) { $0.key }
        let exists = place < entries.count && entries[place].key == key
        let entry = value.map { Entry(key: key, node: ValueNode($0)) }
        entries.replaceSubrange(place..<(exists ? place + 1 : place), with: entry.map { [$0] } ?? [])
        let start = rows.firstIndex(notBefore: key) { $0.path.key }
        let end = rows.firstIndex(notBefore: key, orAt: true) { $0.path.key }
        splice(start..<end, entry.map(block) ?? [])
    }

    func node(at path: ValuePath) -> ValueNode? {
        let place = entries.firstIndex(notBefore: path.key) { $0.key }
        guard place < entries.count, entries[place].key == path.key else { return nil }
        return entries[place].node.node(at: path.inside)
    }

    /// The row of a place; nil where it is not among the rows.
    func index(of path: ValuePath) -> Int? {
        let start = rows.firstIndex(notBefore: path.key) { $0.path.key }
        return rows[start...].prefix { $0.path.key == path.key }.firstIndex { $0.path == path }
    }
}

// Selecting, opening and closing.
extension Tree {
    mutating func select(_ index: Int) { selected = max(0, min(index, rows.count - 1)) }

    mutating func select(_ path: ValuePath) {
        if let index = index(of: path) { selected = index }
    }

    mutating func open(_ index: Int) {
        let row = rows[index]
        guard row.node.canBeOpened, !row.isOpen else { return }
        open.insert(row.path)
        splice(index..<index + 1, built(row.path, row.node))
    }

    mutating func close(_ index: Int) {
        let row = rows[index]
        guard row.isOpen else { return }
        open.remove(row.path)
        splice(index..<rows.endOfSubtree(at: index), built(row.path, row.node))
    }

    /// Opens what a place lies in and returns what had to be opened for that.
    mutating func reveal(_ path: ValuePath) -> [ValuePath] {
        var opened: [ValuePath] = []
        for count in 1..<max(1, path.steps.count) {
            let ancestor = ValuePath(Array(path.steps[..<count]))
            guard let index = index(of: ancestor) else { break }
            if rows[index].isOpen { continue }
            open(index)
            opened.append(ancestor)
        }
        return opened
    }

    func parent(of index: Int) -> Int? {
        rows[..<index].lastIndex { $0.depth < rows[index].depth }
    }

    /// Shows only keys in which the pattern is found, be it anywhere inside them.
    mutating func setFilter(_ pattern: Pattern?) {
        guard filter != pattern else { return }
        filter = pattern
        rebuild()
    }
}

// Building rows.
extension Tree {
    private mutating func rebuild() { splice(0..<rows.count, entries.flatMap(block)) }

    private func block(_ entry: Entry) -> [Row] {
        let path = ValuePath([.key(entry.key)])
        if let filter, !filter.matches(path, entry.node, anywhere: true) { return [] }
        return built(path, entry.node)
    }

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

    private mutating func splice(_ range: Range<Int>, _ new: [Row]) {
        let growth = new.count - range.count
        if rows.isEmpty {
            selected = 0
        } else if range.contains(selected) {
            selected = range.lowerBound + successor(in: range, new)
        } else if selected >= range.upperBound {
            selected += growth
        }
        if top >= range.upperBound, !rows.isEmpty { top += growth }
        rows.replaceSubrange(range, with: new)
        select(selected)
        top = max(0, min(top, rows.count - 1))
    }

    /// Where the selection goes in rows that replace those of the range: to its own place, else to
    /// the sibling that followed, else to what stood before it.
    private func successor(in range: Range<Int>, _ new: [Row]) -> Int {
        let row = rows[selected]
        let start = new.firstIndex(notBefore: row.path.key) { $0.path.key }
        let block = new[start...].prefix { $0.path.key == row.path.key }
        guard row.depth > 0, !block.isEmpty else { return start }
        let places = Dictionary(zip(block.map(\.path), block.indices)) { first, _ in first }
        if let place = places[row.path] { return place }
        for later in rows[selected..<range.upperBound].dropFirst() {
            if later.depth < row.depth { break }
            if later.depth == row.depth, let place = places[later.path] { return place }
        }
        for earlier in rows[range.lowerBound..<selected].reversed() where earlier.depth <= row.depth {
            if let place = places[earlier.path] { return place }
        }
        return start
    }
}

extension [Row] {
    fileprivate func endOfSubtree(at index: Int) -> Int {
        self[(index + 1)...].firstIndex { $0.depth <= self[index].depth } ?? count
    }
}

extension Array {
    /// In an array sorted by a key, the first element that does not come before it, or with `orAt`
    /// the first that comes behind it.
    fileprivate func firstIndex(notBefore key: String, orAt: Bool = false, by: (Element) -> String) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            let other = by(self[middle])
            if other < key || orAt && other == key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
