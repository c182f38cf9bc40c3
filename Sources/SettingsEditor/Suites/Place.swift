import SettingsStore
import TerminalCanvas

/// A folder, a cluster or a file whose suites the editor shows.
public struct Place: Sendable, Equatable {
    /// The location: a path or a URL.
    public let id: String
    /// The location as the screen shows it.
    public let title: String
    /// Whether it is one file, which is its only suite.
    public let isFile: Bool
    public var kind = BackendKind.files
    /// The options with which a command finds the suites, such as `--directory` and a folder.
    public var commandOptions: [String] = []
    /// The suite that holds the editor's own preferences; nil if it is not here.
    public var preferencesSuite: String?
    /// Whether the editor was opened on it. The ids of its suites are their names.
    public var isFirst = false
    /// Why no suite can be created; nil if one can.
    var readOnlyReason: String?
    var listing = ListingState.waiting
    /// How the service that keeps the suites is reached; nil if there is none.
    var connection: BackendConnection?
    /// Whether the list hides its suites.
    var isFolded = false

    public init(_ id: String, title: String, isFile: Bool = false) {
        (self.id, self.title, self.isFile) = (id, title, isFile)
    }

    /// The start of the ids of its suites. No name contains it, so no two places have an id in common.
    private var idStart: String { isFirst ? "" : id + Self.separator }
    private static let separator = "//"

    /// The id of the suite with a name.
    public func suiteID(_ name: String) -> String { isFile && !isFirst ? idStart : idStart + name }

    /// The name of the suite with an id; nil if the suite is in another place.
    public func name(ofSuite id: String) -> String? {
        if isFirst { return id.contains(Self.separator) ? nil : id }
        // By bytes, because a name can begin with a combining character.
        guard id.utf8.starts(with: idStart.utf8) else { return nil }
        return isFile ? title : String(Substring(id.utf8.dropFirst(idStart.utf8.count)))
    }

    /// The name of a suite in a command: for a file its path.
    func commandName(_ name: String) -> String { isFile ? id : name }
}

/// A row of the list of suites: the head of a place, or a suite. By indexes.
enum PaneRow: Sendable, Hashable {
    case head(Int)
    case suite(Int)
}

// The places. With only one of them, the list has no heads.
extension SuiteList {
    var hasHeads: Bool { places.count > 1 }
    /// Whether the list has nothing to show.
    var isEmpty: Bool { suites.isEmpty && !hasHeads }

    func placeIndex(_ id: String) -> Int? { places.firstIndex { $0.id == id } }

    /// The index of the place of a suite, even of one that is not listed; nil if the place is closed.
    func placeIndex(ofSuite id: String) -> Int? { places.firstIndex { $0.name(ofSuite: id) != nil } }

    /// The index of the place that is selected, or whose suite is.
    var selectedPlace: Int { (selectedHead ?? suite?.place).flatMap(placeIndex(_:)) ?? 0 }

    /// The suites of a place. They are next to each other, in the order of the places.
    func range(of place: Int) -> Range<Int> {
        let before = Set(places[..<place].map(\.id))
        let start = suites.firstIndex { !before.contains($0.place) } ?? suites.count
        return start..<(suites[start...].firstIndex { $0.place != places[place].id } ?? suites.count)
    }

    /// The rows of the list. A file has no head, because it is its only suite.
    var rows: [PaneRow] {
        var rest = shown[...]
        guard hasHeads else { return rest.map(PaneRow.suite) }
        var rows: [PaneRow] = []
        for (index, place) in places.enumerated() {
            let inPlace = rest.prefix { suites[$0].place == place.id }
            rest = rest.dropFirst(inPlace.count)
            if filter != nil, inPlace.isEmpty { continue }
            if !place.isFile || inPlace.isEmpty { rows.append(.head(index)) }
            if filter != nil || !place.isFolded { rows += inPlace.map(PaneRow.suite) }
        }
        return rows
    }

    /// The number of the selected row; 0 if there is none.
    func selectedRow(of rows: [PaneRow]) -> Int {
        let row = selectedHead.flatMap(placeIndex(_:)).map(PaneRow.head) ?? .suite(selected)
        return rows.firstIndex(of: row) ?? 0
    }

    mutating func select(_ row: PaneRow) {
        switch row {
        case .head(let place): selectedHead = places[place].id
        case .suite(let index): selected = index
        }
    }

    /// Changes the list without leaving a selected head.
    mutating func keepingHead<Result>(_ change: (inout SuiteList) -> Result) -> Result {
        let head = selectedHead
        defer { if let head, placeIndex(head) != nil { selectedHead = head } }
        return change(&self)
    }

    /// Adds a place, or shows it if it is open.
    mutating func open(_ place: Place, selecting suite: String?) {
        if placeIndex(place.id) == nil { places.append(place) }
        filter = nil
        selectedHead = place.id
        wanted = (suite ?? (place.isFile ? place.title : nil)).map(place.suiteID)
    }

    /// Removes a place with its suites, and selects what is next to it.
    mutating func close(_ place: Int) {
        let range = range(of: place)
        places.remove(at: place)
        suites.removeSubrange(range)
        (filter, goal, wanted, pendingMove) = (nil, nil, nil, nil)
        selected = max(0, min(range.lowerBound, suites.count - 1))
        if suites.isEmpty, hasHeads { selectedHead = places[0].id }
        tellApart()
    }

    /// Names the place in the titles of suites that have the same name in several places.
    mutating func tellApart() {
        var counts: [String: Int] = [:]
        if hasHeads { for suite in suites { counts[suite.label, default: 0] += 1 } }
        for index in suites.indices {
            let label = suites[index].label
            let place = (counts[label] ?? 1) > 1 ? placeIndex(suites[index].place) : nil
            suites[index].title = place.map { "\(label) (\(places[$0].title))" } ?? label
        }
    }
}

// Opening, closing and folding places.
extension EditorState {
    /// The place that is selected, or whose suite is.
    var place: Place { suiteList.places[suiteList.selectedPlace] }

    /// Whether there is a list: the editor shows more than one file.
    var hasSuitesPane: Bool { suiteList.hasHeads || !suiteList.places[0].isFile }
    var isHeadSelected: Bool { suiteList.selectedHead != nil }

    /// The places that were opened earlier, the last one last.
    var earlierPlaces: [String] { preferences.places.filter { !closedPlaces.contains($0) } + closedPlaces }

    mutating func openPlace(_ text: String?) -> [Effect] {
        if let text { return [.open(text)] }
        search.prompts.begin()
        search.prompts.replace(earlierPlaces, .place)
        modals.open(.path(PathPrompt(purpose: .open, line: LineEditor("~/"))))
        return []
    }

    mutating func opened(_ place: Place, selecting suite: String?) {
        suiteList.open(place, selecting: suite)
        if case .path? = modal { modals.closeAll() }
        if modal == nil { display.focus = .suites }
        goToWantedSuite()
    }

    mutating func closePlace() throws -> [Effect] {
        let (place, index) = (place, suiteList.selectedPlace)
        guard suiteList.hasHeads else {
            throw Refusal("Only \(place.title) is open. Press O to open another place, or q to quit.")
        }
        for suite in suiteList.suites[suiteList.range(of: index)] {
            if !suite.staged.isEmpty || suite.stagedWhole != nil {
                throw Refusal("“\(suite.title)” has unsaved changes. Press W to save or discard them first.")
            }
            if !suite.inFlight.isEmpty { throw Refusal("“\(suite.title)” is still being saved. Try again.") }
        }
        suiteList.close(index)
        closedPlaces.append(place.title)
        if !hasSuitesPane { display.focus = .keys }
        say("Closed \(place.title). Press O to open it again.")
        return [.close(place.id)]
    }

    /// Handles a command while the head of a place is selected.
    mutating func browseHead(_ command: Command) -> [Effect] {
        let index = suiteList.selectedPlace
        switch command {
        case .confirm: suiteList.places[index].isFolded.toggle()
        case .left: suiteList.places[index].isFolded = true
        case .right where suiteList.places[index].isFolded: suiteList.places[index].isFolded = false
        case .right: if let first = suiteList.range(of: index).first { suiteList.selected = first }
        case .delete, .rename, .duplicate, .compare, .compareDefaults, .compareStart, .exportSuite,
            .importFile, .editSuiteExternally:
            complain(Refusal("This works on a suite. Select one, or press x to close \(place.title)."))
        default: break
        }
        return []
    }
}
