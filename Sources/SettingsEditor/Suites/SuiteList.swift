import PropertyList
import SettingsStore
import TerminalCanvas

/// The suites, and which of them is selected.
struct SuiteList: Sendable {
    /// The open places, at least one.
    var places: [Place] = []
    var suites: [SuiteModel] = []
    /// The index of the selected suite; 0 if there are none.
    var selected = 0 { didSet { selectedHead = nil } }
    /// The place whose head is selected. No suite is selected then.
    var selectedHead: String?
    /// The first row on the screen.
    var top = 0
    /// The suite that was selected when the list changed. It keeps its line.
    var held: String?
    /// The width of the longest title in columns.
    var widestTitle = 0
    var filter: Pattern?
    /// The secrets of suites that are no longer in the list, by their ids.
    var secretsOfGone: [String: Secrets] = [:]
    /// The path to select as soon as its suite is read.
    @Boxed var goal: (suite: String, path: ValuePath)?
    /// The suite to select as soon as it is listed.
    var wanted: String?
    /// The values to move as soon as the target suite is read.
    @Boxed var pendingMove: PendingMove?

    /// The selected suite.
    var suite: SuiteModel? {
        selectedHead == nil && suites.indices.contains(selected) ? suites[selected] : nil
    }

    func index(of id: String) -> Int? { suites.indices.first { suites[$0].id == id } }

    /// The same, faster if the suite is next to another one.
    func index(of id: String, near other: Int) -> Int? {
        let near = (other - 1...other + 1).first { suites.indices.contains($0) && suites[$0].id == id }
        return near ?? index(of: id)
    }

    /// The new paths in keys that have changed since the previous call, by suite and key.
    mutating func takeMappings() -> [String: [String: PathMapping]] {
        var mappings: [String: [String: PathMapping]] = [:]
        for index in suites.indices where !suites[index].mappings.isEmpty {
            mappings[suites[index].id] = suites[index].takeMappings()
        }
        return mappings
    }

    /// The indices of the suites that match the filter.
    var shown: [Int] {
        guard let filter else { return Array(suites.indices) }
        return suites.indices.filter { filter.matches(suites[$0].label) }
    }
}

// Suites that come, and suites that are read.
extension SuiteList {
    /// Adds a suite that is not in the list, and returns its index. The suite is loaded next.
    ///
    /// - Returns: nil if its place is closed.
    mutating func insert(_ id: String) -> Int? {
        guard let place = placeIndex(ofSuite: id), let name = places[place].name(ofSuite: id) else {
            return nil
        }
        var suite = SuiteModel(id: id, name, in: places[place].id, secrets: secretsOfGone[id] ?? Secrets())
        suite.presence = .new
        suite.contents = .loading
        let range = range(of: place)
        let index = range.first { suites[$0].label > name } ?? range.upperBound
        return keepingHead { list in
            list.suites.insert(suite, at: index)
            if index <= list.selected, list.suites.count > 1 { list.selected += 1 }
            list.tellApart()
            return index
        }
    }

    /// Adds a suite that the user creates, and selects it.
    mutating func create(_ id: String) {
        let former = suite?.id
        guard let index = insert(id) else { return }
        selected = index
        suites[selected].madeBehind = former
        filter = nil
    }

    /// Adds suites to the list that undo or redo creates again.
    mutating func makeRoom(for parts: [Transaction.Part]) -> [Effect] {
        parts.flatMap { part in
            let isMade = part.whole?.isMade == true || part.wholeReversed?.isRemoved == true
            return isMade ? makeRoom(for: part.suite) : []
        }
    }

    /// The same for one suite. It may be listed already because of its declarations.
    mutating func makeRoom(for id: String) -> [Effect] {
        if index(of: id) != nil { return load(id) }
        return insert(id) == nil ? [] : [.load(id)]
    }

    /// Adds the suite of a restored key to the list.
    mutating func makeRoom(for change: Journal.KeyChange, of suite: String) -> [Effect] {
        guard change.value.old != nil, index(of: suite) == nil, insert(suite) != nil else { return [] }
        return [.load(suite)]
    }

    /// Loads a suite, unless it was loaded or is being loaded.
    mutating func load(_ id: String) -> [Effect] {
        guard let index = index(of: id), suites[index].contents == .unknown else { return [] }
        suites[index].contents = .loading
        return [.load(id)]
    }

    /// Reads changed suites, so that their next change can be shown with values. Only a few small ones, because the
    /// user did not ask for them.
    mutating func load(_ changed: [SuiteListing]) -> [Effect] {
        let (count, size) = (8, 1 << 18)
        let small = changed.filter { $0.version.map { $0.size <= size } ?? false }
        return small.prefix(count).flatMap { load($0.id) }
    }

    /// Remembers the selection after a write began.
    mutating func noteSelection(behind write: Write) {
        guard let index = index(of: write.suite) else { return }
        let selected = suites[index].outline.selectedRow?.path
        suites[index].layers.update(write.id) { $0.selectedBehind = selected }
    }
}

// Invariants that are restored after every message.
extension SuiteList {
    /// Removes suites without keys that are no longer listed or were created here, when no work on them is left.
    ///
    /// - Returns: The selected suite, if it was created here and is removed.
    mutating func dropUnlisted(isInUse: (String) -> Bool) -> SuiteModel? {
        guard suites.indices.contains(where: { suites[$0].presence != .listed }) else { return nil }
        let former = suite
        keepingHead { list in
            for index in list.suites.indices.reversed() {
                let suite = list.suites[index]
                // A deleted suite stays until the store reports that its values are gone.
                if suite.presence == .listed || suite.beginsAnew { continue }
                if !suite.outline.entries.isEmpty { continue }
                if isInUse(suite.id) || !suite.inFlight.isEmpty || !suite.staged.isEmpty { continue }
                if let secrets = suite.secrets.hidden { list.secretsOfGone[suite.id] = secrets }
                list.suites.remove(at: index)
                if index < list.selected || list.selected == list.suites.count { list.selected -= 1 }
            }
            list.selected = max(0, list.selected)
        }
        guard let former, former.presence == .new, index(of: former.id) == nil else { return nil }
        return former
    }

    /// The number of rows to keep above and below a selection.
    private static let margin = 3

    /// Scrolls both panes so that the selected rows are on the screen.
    mutating func scroll(_ layout: Layout, _ glyphs: Glyphs) {
        if held != suite?.id { held = nil }
        // The selection is always on the screen.
        if let suite, let place = placeIndex(suite.place) { places[place].isFolded = false }
        let list = rows
        top = visibleTop(
            top,
            selected: selectedRow(of: list),
            count: list.count,
            height: layout.suites?.rows ?? layout.body.count,
            margin: held == nil ? Self.margin : 0
        )
        guard suite != nil else { return }
        suites[selected].outline.releaseHeld()
        let outline = suites[selected].outline
        suites[selected].outline.top = visibleTop(
            outline.top,
            selected: outline.selected,
            count: outline.rows.count,
            height: layout.keyRows,
            margin: outline.held == nil ? Self.margin : 0
        )
        suites[selected].outline.look(height: layout.keyRows, glyphs)
    }

    mutating func expireHighlights(now: Double) {
        for index in suites.indices { suites[index].highlights.expire(now: now) }
    }
}

/// The first row to show, so that the selected row and a margin are among `height` rows. It moves as little as
/// possible.
func visibleTop(_ top: Int, selected: Int, count: Int, height: Int, margin: Int = 0) -> Int {
    guard height > 0 else { return max(0, selected) }
    let margin = min(margin, (height - 1) / 2)
    let nearest = min(max(top, selected - height + 1 + margin), selected - margin)
    return max(0, min(nearest, count - height))
}

/// Whether the list of suites was read.
enum ListingState: Sendable, Hashable {
    case waiting, listed
    case failed(String)
}

extension BackendConnection {
    var isLost: Bool { if case .lost = state { true } else { false } }
}
