import FoundationEssentials
import PropertyList
import SettingsStore
import TerminalCanvas

/// Everything that the editor knows: what is shown, what is selected, what is being typed, and what
/// is being written. A value; ``update(_:_:)`` changes it and ``view(_:size:)`` shows it.
public struct EditorState: Sendable {
    let options: EditorOptions
    /// Of the last tick, in seconds.
    var now = 0.0
    var size = Size(columns: 80, rows: 24)
    var focus: Pane
    var listing = Listing.waiting
    /// How the service is reached that keeps the suites; nil where there is none.
    var connection: PlaceConnection?
    var suites: [SuiteModel] = []
    /// What was secret in suites that are no longer in the list, by their ids.
    var secretsOfGone: [String: Secrets] = [:]
    /// The index of the selected suite; 0 where there are none.
    var selectedSuite = 0
    /// The first suite on the screen, counted among those that the filter leaves.
    var suitesTop = 0
    /// The selected suite as others changed the list, which keeps its line.
    var heldSuite: String?
    /// The columns of the longest title.
    var widestTitle = 0
    var suiteFilter: Pattern?
    /// The last pattern that was searched for.
    var pattern: Pattern?
    /// It is marked where it stands on the screen.
    var marksFound = false
    @Seldom var runningSearch: RunningSearch?
    /// The same in the list of changes.
    @Seldom var historySearch: HistorySearch?
    /// What was looked for so far.
    var promptWords = PromptWords()
    /// How many places it finds.
    @Seldom var hits: HitCount?
    /// The suite that a search of the list has found, which of how many that is.
    @Seldom var suiteHits: (suite: String, number: Int, count: Int)?
    /// How often something that was looked for was not there.
    private(set) var misses = 0
    /// What was read of suites for the finder, by their ids; nil while it is not open.
    var library: [String: Finder.Source]?
    /// The index of the suite that was read for it last.
    var lastRead = 0
    /// Where the finder has come to in a key that holds much.
    @Seldom var findingInside: EntrySearch?
    /// Where the user wants to go as soon as the suite is read.
    @Seldom var goal: (suite: String, path: ValuePath)?
    /// What is to be moved as soon as the suite is read that it goes to.
    @Seldom var waitingMove: WaitingMove?
    var renewal = Renewal.none
    /// The changes are shown below the panes.
    var showsChanges = false
    var input: EditorInput?
    /// What others have just changed of the selected row.
    @Seldom var unseen: Unseen?
    /// The next key is inserted as it is.
    var insertsNext = false
    /// The key that was pressed last, if it has no meaning where messages are not shown.
    var stray: Key?
    /// How often the next movement is done, as far as it is typed.
    var count: Int?
    var message: Message?
    /// What was said of something that was not written since the cluster was out of reach.
    @Seldom var outageNotice: Notice?
    /// What was said of something that was not written since somebody else made the suite.
    @Seldom var makingNotice: (suite: String, failure: String, notice: Notice)?
    /// What it told last of others' changes, and when.
    @Seldom var told: (suite: String, changes: [Change], message: Message, at: Double)?
    /// Likewise of suites that have come and gone.
    @Seldom var toldOfSuites: Message?
    /// The list of what waits, while it is on the screen.
    var pendingRows: [PendingRow] = []
    /// The values that are compared on the screen.
    var comparison: Comparison?
    /// Of the last tick, where it was told.
    var date: Date?
    var undoHistory = UndoHistory()
    var journal = Journal()
    /// What was taken out of a line last.
    var killed = ""
    /// What was copied last.
    var clips: [Clip] = []
    /// What the user's own editor has at the moment.
    @Seldom var outsideEdit: OutsideEdit?
    /// Why no suite can be made in the folder; nil where one can.
    var placeReadOnlyReason: String?
    var usesMouse: Bool
    /// Changes wait until they are written all together.
    var isStaging: Bool
    /// What of it was moved.
    var stagedMoves: [StagedMove] = []
    private var numbers = 0

    public init(options: EditorOptions) {
        self.options = options
        focus = options.isSingle ? .keys : .suites
        usesMouse = options.usesMouse
        isStaging = options.isStaging
    }

    /// When the next ``EditorAction/tick(now:)`` is wanted, by its clock; nil while nothing on the
    /// screen changes by itself.
    public var nextDeadline: Double? {
        suites.indices.reduce(message?.until) { first, index in
            guard let end = suites[index].marks.nextEnd else { return first }
            return min(first ?? end, end)
        }
    }
}

/// The two halves of the screen.
enum Pane: Sendable, Hashable {
    case suites, keys
}

/// What is known of the folder.
enum Listing: Sendable, Hashable {
    case waiting, listed
    case failed(String)
}

extension PlaceConnection {
    var isLost: Bool { if case .lost = state { true } else { false } }
}

/// What the last line says until the next key, or until its time is over.
struct Message: Sendable, Hashable {
    var text: String
    var isProblem = false
    /// It goes by itself, and takes no more than the one line that is there anyway.
    var until: Double?
}

extension EditorState {
    /// The selected suite; nil where there are none, or the filter leaves none.
    var suite: SuiteModel? {
        guard suites.indices.contains(selectedSuite) else { return nil }
        return suites[selectedSuite]
    }

    var selectedRow: Row? { suite?.tree.selectedRow }

    func suiteIndex(_ id: String) -> Int? { suites.indices.first { suites[$0].id == id } }

    /// The same, which is quicker where the suite stands beside another one, in front or behind.
    func suiteIndex(_ id: String, behind other: Int) -> Int? {
        [other + 1, other - 1].first { suites.indices.contains($0) && suites[$0].id == id } ?? suiteIndex(id)
    }

    /// The indices of the suites that the filter leaves.
    var shownSuites: [Int] {
        guard let suiteFilter else { return Array(suites.indices) }
        return suites.indices.filter { suiteFilter.matches(suites[$0].title) }
    }

    /// Unlike every other.
    mutating func nextNumber() -> Int {
        numbers += 1
        return numbers
    }

    /// What was looked for is not there: nothing that was typed behind is about it.
    mutating func miss() { misses += 1 }

    mutating func say(_ text: String, isProblem: Bool = false) {
        message = Message(text: text, isProblem: isProblem)
    }

    /// Says something about what is being typed, where it stands.
    mutating func note(_ text: String) {
        switch input {
        case .draft(var draft)?:
            draft.problem = text
            input = .draft(draft)
        case .naming(var naming)?:
            naming.problem = text
            input = .naming(naming)
        default: say(text, isProblem: true)
        }
    }

    mutating func complain(_ error: any Error) { say(reason(of: error), isProblem: true) }
}

/// Why the editor does not do something.
struct Refusal: Error, Sendable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A sentence without the place, which the screen shows anyway.
func reason(of error: any Error) -> String { (error as? ValueEditError)?.problem ?? "\(error)" }
