import FoundationEssentials
import PropertyList
import SettingsStore
import TerminalCanvas

/// The state of the editor, in sub-states that own their behaviour. It is a value: ``update(_:_:)`` changes it, and
/// ``view(_:size:)`` draws it.
public struct EditorState: Sendable {
    let options: EditorOptions
    var clock = EditorClock()
    var display: Display
    var suiteList = SuiteList()
    var search = SearchState()
    var staging: StagingState
    var history = HistoryState()
    var statusLine = StatusLine()
    var keyInput = KeyInput()
    var clipboard = EditorClipboard()
    var modals = ModalStack()
    /// The rows of the comparison on the screen; nil if nothing is compared.
    @Boxed var compared: ComparedRows?
    /// The suites that the command line wants to compare, until they are listed.
    /// The titles of the places that were closed.
    var closedPlaces: [String] = []
    var wantedComparison: (left: String, right: String)?
    var preferences: EditorPreferences
    var keymap: Keymap

    public init(options: EditorOptions) {
        self.options = options
        suiteList.places = options.places
        suiteList.places[0].isFirst = true
        suiteList.wanted = options.suite
        display = Display(options)
        preferences = options.preferences
        wantedComparison = options.comparedSuites
        keymap = Keymap(options.preferences)
        display.suitesWidth = options.preferences.suitesWidth
        if let problem = options.preferences.problems.first { statusLine.say(problem, isProblem: true) }
        staging = StagingState(isOn: options.isStaging && options.readOnlyReason == nil)
    }

    /// When the next ``Work/tick(now:)`` is needed; nil if nothing on the screen expires.
    public var nextDeadline: Double? {
        suiteList.suites.indices.reduce(statusLine.message?.until) { first, index in
            guard let end = suiteList.suites[index].highlights.nextEnd else { return first }
            return min(first ?? end, end)
        }
    }
}

extension EditorState {
    /// The selected suite.
    var suite: SuiteModel? { suiteList.suite }

    var selectedRow: Row? { suite?.outline.selectedRow }

    func suiteIndex(_ id: String) -> Int? { suiteList.index(of: id) }

    /// The name of a suite in messages, even of one that is gone.
    func title(ofSuite id: String) -> String {
        if let index = suiteIndex(id) { return suiteList.suites[index].title }
        return suiteList.places.lazy.compactMap { $0.name(ofSuite: id) }.first ?? id
    }

    /// - Throws: A refusal if the suite is gone.
    func existingSuite(_ id: String) throws -> SuiteModel {
        guard let index = suiteIndex(id) else { throw Refusal("“\(title(ofSuite: id))” is gone.") }
        return suiteList.suites[index]
    }

    /// The indices of the suites that match the filter.
    var shownSuites: [Int] { suiteList.shown }

    mutating func say(_ text: String, isProblem: Bool = false) { statusLine.say(text, isProblem: isProblem) }

    /// Reports a problem in the line that is being typed, or else in the status line.
    mutating func note(_ text: String) {
        switch modal {
        case .draft?, .naming?:
            modals.updateEach { $0.problem = text }
        default: say(text, isProblem: true)
        }
    }

    mutating func complain(_ error: any Error) { say(reason(of: error), isProblem: true) }
}

/// Why a command cannot be done, as a sentence for the user.
struct Refusal: Error, Sendable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The reason without the path, because the screen shows the path.
func reason(of error: any Error) -> String { (error as? ValueEditError)?.problem ?? "\(error)" }
