import PropertyList
import TerminalCanvas

/// The rows of a suite: its keys, and the values inside expanded keys. The selection stays on its row, and the row
/// at its height on the screen, when rows come and go.
struct Outline: Sendable {
    var rows = Rows()
    var open = ExpandedPaths()
    /// The secrets. Their values are not shown, found or expanded.
    private var secrets = Secrets()
    /// The keys whose rows show a value that another process deleted.
    var deleted: Set<String> = []
    /// The filter, and how far it has been applied.
    var session = FilterSession()
    /// The expansion to a level that is under way.
    @Boxed var opening: LevelExpansion?
    /// The index of the selected row; 0 if there are no rows.
    var selected = 0
    /// The index of the first row on the screen.
    var top = 0
    /// The row that was selected when a foreign change arrived. It keeps its height, even at the edge of the
    /// screen.
    private(set) var held: ValuePath?
    /// How wide the names and values of most rows are.
    private(set) var widths = RowWidths()

    init() {}

    /// The filter; nil if all keys are shown.
    var filter: RowFilter? {
        get { session.filter }
        set { session.filter = newValue }
    }

    /// All keys, sorted, including those that the filter hides.
    var entries: SortedEntries { rows.entries }

    /// The entry without its value if the value is secret, so that no search finds it.
    func searchable(_ entry: Rows.Entry) -> Rows.Entry {
        hides(entry.key) ? entry.withoutValue : entry
    }

    func hides(_ key: String) -> Bool { secrets.hides(key) }

    /// The path from a collapsed row down to the value because of which the row passes the filter. Nil if the row
    /// passes itself, or if the budget is used up first.
    func wayToFound(from row: Row, _ budget: inout WorkBudget) -> ValuePath? {
        if let path = session.found[row.path.key], path.steps.count > row.path.steps.count,
            path.starts(with: row.path)
        {
            return ValuePath(Array(path.steps.dropFirst(row.path.steps.count)))
        }
        guard row.depth > 0, let filter, filter.former(row.path.key) == nil, budget.isLeft,
            let nodeFilter = nodeFilter(at: row.path), !nodeFilter.isAll
        else { return nil }
        var subtreeFilterTask = SubtreeFilterTask(row.shown, nodeFilter, open: nil)
        guard case .done = subtreeFilterTask.next(&budget) else { return nil }
        return subtreeFilterTask.first
    }

    var selectedRow: Row? { rows.indices.contains(selected) ? rows[selected] : nil }

    func value(forKey key: String) -> PropertyListValue? { rows.value(forKey: key) }

    /// The value at a path; nil if it was deleted, even if its row is still shown.
    func node(at path: ValuePath) -> ValueNode? {
        deleted.contains(path.key) ? nil : rows.node(forKey: path.key)?.node(at: path.inside)
    }

    /// The value of a key; nil if it was deleted, even if its row is still shown.
    func valueThere(forKey key: String) -> PropertyListValue? {
        deleted.contains(key) ? nil : value(forKey: key)
    }

    /// The index of a path's row; nil if the path has no row.
    func index(of path: ValuePath) -> Int? { rows.index(of: path) }

    /// Parses the values on the screen, so that drawing them is fast.
    mutating func look(height: Int, _ glyphs: Glyphs) {
        let range = (max(0, top)..<max(0, top) + max(0, height)).clamped(to: rows.indices)
        rows.look(at: range)
        // A filter leaves the columns where they are.
        if filter == nil { widths.measure(rows, glyphs, hides: secrets.hides) }
    }

    /// Stops keeping the height of a row after the user has selected another row.
    mutating func releaseHeld() {
        if let held, held != selectedRow?.path { self.held = nil }
    }
}

// Changing the values.
extension Outline {
    /// Replaces all values. Expanded paths and the selection stay if their values are still there.
    ///
    /// - Parameter mappings: The new paths in expanded keys.
    mutating func load(_ values: PropertyListEntries, _ mappings: [String: PathMapping] = [:]) {
        let entries = SortedEntries(values)
        guard filter == nil else {
            let path = selectedRow?.path
            let keeping = path ?? session.kept
            rows.replaceAll(entries)
            showAgain(from: path ?? session.anchor?.path)
            session.kept = keeping
            return
        }
        let mapped = mappings.filter { rows.openNode(forKey: $0.key) != nil }
        anchoringSelection(mapped) { outline in
            outline.rows.replaceAll(entries)
            for key in outline.open.openKeys { outline.openAgain(key, mapped[key]) }
        }
        held = selectedRow?.path
    }

    /// Sets the secrets, and shows the rows of keys that are no longer secret.
    mutating func hide(_ secrets: Secrets) {
        let changed = secrets.differences(from: self.secrets) { entries.map(\.key) }
        self.secrets = secrets
        if changed.isEmpty { return }
        anchoringSelection { outline in
            for key in changed {
                outline.session.forgetWork(on: key)
                let (index, isThere) = outline.rows.find(key)
                if isThere { outline.showEntry(index) }
            }
        }
    }

    /// Sets the values of keys, or removes the keys whose value is nil.
    ///
    /// - Parameter mappings: The new paths in these keys. Without a mapping, array elements keep their index.
    mutating func set(
        _ changes: [(key: String, value: PropertyListValue?)],
        _ mappings: [String: PathMapping] = [:]
    ) {
        // Inserting one key into a long list takes as long as going through all of it.
        if changes.count > 50 {
            var values = rows.entries.values
            for (key, value) in changes { values[key] = value }
            return load(values, mappings)
        }
        anchoringSelection(mappings, keepsSelected: true) { outline in
            for (key, value) in changes { outline.set(value, forKey: key, mappings[key]) }
        }
        held = selectedRow?.path
    }

    private mutating func set(_ value: PropertyListValue?, forKey key: String, _ mapping: PathMapping?) {
        session.forgetWork(on: key)
        let (index, isThere) = rows.find(key)
        let isOpen = rows.openNode(forKey: key) != nil
        if let value {
            if isThere {
                rows.setValue(value, mapping?.preparedNode, at: index)
            } else {
                rows.insert(Rows.Entry(key: key, value: value), at: index)
                session.insertEntry(at: index)
            }
            showEntry(index, isOpen ? mapping : nil)
        } else if isThere {
            rows.remove(at: index)
            session.removeEntry(at: index)
        }
    }
}
