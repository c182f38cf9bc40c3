import PropertyList
import TerminalCanvas

/// The rows of a suite: its keys, and the values inside expanded keys. The selection stays on its row, and the row
/// at its height on the screen, when rows come and go.
struct Outline: Sendable {
    var rows = Rows()
    var open = ExpandedPaths()
    /// Whose values are not to be shown, found or opened.
    private var secrets = Secrets()
    /// The keys of rows that show what has been deleted: nothing is there any more.
    var deleted: Set<String> = []
    @Boxed var filter: RowFilter?
    /// The entries that the filter was tried on so far; the others are hidden. It begins where the
    /// selection was and goes down first.
    var examined = 0..<0
    /// Where it has come to in a key that holds much.
    @Boxed var examining: EntryFilterTask?
    /// What was opened since, and does not show yet what the filter leaves of it.
    var subtreesToFilter: [ValuePath] = []
    /// Where it has come to in the last of these.
    @Boxed var subtreeFilterTask: (path: ValuePath, node: ValueNode, subtreeFilterTask: SubtreeFilterTask)?
    /// What is to be selected as soon as it is shown, and how far down the screen.
    @Boxed var awaited: (path: ValuePath, height: Int)?
    /// Of keys that the filter leaves for what is inside them, the first place that it found there.
    private(set) var found: [String: ValuePath] = [:]
    /// A row that is shown though the filter does not leave it any more since a change, as long as it is selected.
    var kept: ValuePath?
    /// What is not to go with the change that is under way.
    var keeping: ValuePath?
    /// What was selected when the filter was set, and how far down the screen.
    @Boxed var anchor: (path: ValuePath, height: Int)?
    /// The changes that are about to be shown, where they were read beforehand: several of a key in their order.
    var known: [String: [PreparedDiff]] = [:]
    /// What is being opened to a level.
    @Boxed var opening: LevelExpansion?
    /// A row's index; 0 where there are no rows.
    var selected = 0
    /// The first row on the screen.
    var top = 0
    /// Selected as others changed something: its line is kept, also where that is at the edge of the screen.
    private(set) var held: ValuePath?
    /// The columns of the longest name that was on the screen, with what it is set in.
    private(set) var widestName = 0

    init() {}

    /// All keys, sorted, also those that the filter leaves out.
    var entries: SortedEntries { rows.entries }

    /// An entry as far as anything may be found in it.
    func searchable(_ entry: Rows.Entry) -> Rows.Entry {
        hides(entry.key) ? entry.withoutValue : entry
    }

    func hides(_ key: String) -> Bool { secrets.hides(key) }

    mutating func setFound(_ path: ValuePath?, _ key: String) {
        if path != nil || !found.isEmpty { found[key] = path }
    }

    mutating func forgetFound() { found = [:] }

    /// The way from a closed row to what the filter shows it for; nil where that is the row itself, or the budget
    /// does not suffice.
    func wayToFound(from row: Row, _ budget: inout WorkBudget) -> ValuePath? {
        if let path = found[row.path.key], path.steps.count > row.path.steps.count,
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

    /// What is at a place; nil where it is gone, also where that is still shown.
    func node(at path: ValuePath) -> ValueNode? {
        deleted.contains(path.key) ? nil : rows.node(forKey: path.key)?.node(at: path.inside)
    }

    /// The value that a key has; nil where it is gone, also where that is still shown.
    func valueThere(forKey key: String) -> PropertyListValue? {
        deleted.contains(key) ? nil : value(forKey: key)
    }

    mutating func note(_ change: PreparedDiff, _ key: String) { known[key, default: []].append(change) }

    /// What a key's value has become, where that was read beforehand and leads to what it is now.
    func changes(from old: ValueNode, to value: PropertyListValue, _ key: String) -> [PreparedDiff]? {
        guard let changes = known[key], changes.first?.old == old, changes.last?.isOf(value) == true else {
            return nil
        }
        return changes
    }

    /// The row of a place; nil where it is not among the rows.
    func index(of path: ValuePath) -> Int? { rows.index(of: path) }

    /// Readies what is on the screen to be drawn quickly.
    mutating func look(height: Int, _ glyphs: Glyphs) {
        let range = (max(0, top)..<max(0, top) + max(0, height)).clamped(to: rows.indices)
        rows.look(at: range)
        for index in range {
            let row = rows[index]
            // A character has at least as many bytes as columns, except for escaped ones.
            guard 2 * row.depth + row.name.utf8.count > widestName else { continue }
            widestName = max(
                widestName,
                2 * row.depth + displayWidth(of: row.name.tellingSpaces, glyphs: glyphs)
            )
        }
    }

    /// Lets go of the line that was kept as soon as something else is selected.
    mutating func releaseHeld() {
        if let held, held != selectedRow?.path { self.held = nil }
    }
}

// Values.
extension Outline {
    /// Starts over with these values; what is open and selected stays so where it is still there.
    ///
    /// - Parameter follows: Of which keys an element of an array is looked for where it may be now.
    mutating func load(_ values: PropertyListEntries, following follows: (String) -> Bool = { _ in false }) {
        replaceAll(SortedEntries(values), follows)
    }

    /// Hides these values, and no others.
    mutating func hide(_ secrets: Secrets) {
        let changed = secrets.differences(from: self.secrets) { entries.map(\.key) }
        self.secrets = secrets
        if changed.isEmpty { return }
        anchoringSelection { outline in
            for key in changed {
                outline.forgetExamining(key)
                let (index, isThere) = outline.rows.find(key)
                if isThere { outline.showEntry(index) }
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
        anchoringSelection(following: follows, keepsSelected: true) { outline in
            for (key, value) in changes { outline.set(value, forKey: key, follows) }
        }
        held = selectedRow?.path
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
                rows.setValue(value, known[key]?.last.flatMap { $0.isOf(value) ? $0.new : nil }, at: index)
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
        guard filter == nil else {
            let path = selectedRow?.path
            let keeping = path ?? kept
            rows.replaceAll(entries)
            showAgain(from: path ?? anchor?.path)
            kept = keeping
            return
        }
        let old = Dictionary(
            uniqueKeysWithValues: open.openKeys.filter(follows).compactMap { key in
                rows.openNode(forKey: key).map { (key, $0) }
            }
        )
        anchoringSelection(following: follows) { outline in
            outline.rows.replaceAll(entries)
            for key in outline.open.openKeys { outline.openAgain(key, from: old[key]) }
        }
        held = selectedRow?.path
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
