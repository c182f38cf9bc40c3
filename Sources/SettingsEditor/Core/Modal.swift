import PropertyList
import TerminalCanvas

/// A prompt, menu, dialog or full-screen list on top of the panes. See ``ModalStack``.
enum Modal: Sendable, Hashable {
    case draft(Draft)
    case naming(NamePrompt)
    case menu(Menu)
    case question(Confirmation)
    case search(SearchPrompt)
    case conflict(ConflictDialog)
    case history(HistoryScreen)
    case comparing(CompareScreen)
    case pending(PendingScreen)
    case help(HelpScreen)
    case choosing(ChoicePrompt)
    case finding(Finder)
    case palette(Palette)
    case path(PathPrompt)
    case details(DetailScreen)

    var component: any Component {
        switch self {
        case .draft(let draft): draft
        case .naming(let naming): naming
        case .menu(let menu): menu
        case .question(let question): question
        case .search(let prompt): prompt
        case .conflict(let conflict): conflict
        case .history(let screen): screen
        case .comparing(let screen): screen
        case .pending(let screen): screen
        case .help(let screen): screen
        case .choosing(let prompt): prompt
        case .finding(let finder): finder
        case .palette(let palette): palette
        case .path(let prompt): prompt
        case .details(let screen): screen
        }
    }
}

/// Every modal handles its commands, knows its keys and draws itself.
protocol Component {
    /// Handles a command. The component is the modal on top of the stack.
    func handle(_ command: Command, in state: inout EditorState) -> [Effect]

    /// The modal after a click on a line of its list; nil if there is no line. A click on the selected line acts like
    /// Enter.
    func click(_ point: Point, _ layout: Layout, in state: EditorState) -> Click?

    /// The mode whose keys it has.
    var keyMode: Mode { get }

    /// Whether it is shown in place of the panes. Other modals are drawn over the panes or over the screen below.
    var coversPanes: Bool { get }

    /// Draws the screen of a modal that covers the panes.
    func paint(_ painter: inout Painter)

    /// Draws the line of a prompt.
    func paintPrompt(_ painter: inout Painter, row: Int)
}

extension Component {
    var coversPanes: Bool { Mode.coveringPanes.contains(keyMode) }
    func click(_ point: Point, _ layout: Layout, in state: EditorState) -> Click? { nil }
    func paint(_ painter: inout Painter) {}
    func paintPrompt(_ painter: inout Painter, row: Int) {}
}

/// The result of a click on a line of a list.
struct Click {
    /// The modal with the line selected.
    let modal: Modal
    let actsLikeEnter: Bool
}

extension Modal {
    /// The line that is being typed. Setting it does nothing if the modal has no line.
    var line: LineEditor? {
        get {
            switch self {
            case .draft(let draft): draft.line
            case .naming(let naming): naming.line
            case .search(let prompt): prompt.line
            case .finding(let finder): finder.line
            case .palette(let palette): palette.line
            case .help(let screen): screen.filter
            case .path(let prompt): prompt.line
            case .menu, .question, .conflict, .history, .comparing, .pending, .choosing, .details: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .draft(var draft):
                draft.line = newValue
                draft.problem = nil
                self = .draft(draft)
            case .naming(var naming):
                naming.line = newValue
                naming.problem = nil
                self = .naming(naming)
            case .search(var prompt):
                prompt.line = newValue
                self = .search(prompt)
            case .finding(var finder):
                finder.line = newValue
                self = .finding(finder)
            case .palette(var palette):
                palette.line = newValue
                self = .palette(palette)
            case .path(var prompt):
                prompt.line = newValue
                (prompt.problem, prompt.candidates) = (nil, [])
                self = .path(prompt)
            case .help(var screen):
                if screen.filter != nil { screen.filter = newValue }
                self = .help(screen)
            case .menu, .question, .conflict, .history, .comparing, .pending, .choosing, .details: break
            }
        }
    }

    /// The list of earlier words that the prompt offers; nil if it has none.
    var promptKind: PromptHistory.Kind? {
        switch self {
        case .search(let prompt): prompt.isFilter ? .filter : .search
        case .finding(let finder): finder.words
        case .path(let prompt): prompt.purpose == .open ? .place : nil
        default: nil
        }
    }

    /// Whether the status line is shown below the modal. Otherwise a message waits until the modal is closed.
    var showsMessages: Bool {
        switch self {
        case .history, .comparing, .pending, .details: true
        default: false
        }
    }

    /// The path that is being edited. The selection stays on it.
    var edited: ValuePath? {
        switch self {
        case .draft(let draft): return draft.purpose == .inserting ? nil : draft.path
        case .naming(let naming): return naming.place
        case .conflict(let conflict): return conflict.whole == nil ? conflict.path : nil
        default: return nil
        }
    }

    /// The suite that the modal is about. It stays in the list while the modal is open.
    var suite: String? {
        switch self {
        case .draft(let draft): draft.suite
        case .naming(let naming): naming.suite
        case .menu(let menu): menu.suite
        case .question(let question):
            switch question.subject {
            case .deleteSuite(let suite, _), .goBack(_, let suite, _), .putIn(_, let suite, _, _, _),
                .recover(let suite), .exportOver(_, let suite):
                suite
            case .replaceOvertaken(let pending, _): pending.suite
            case .editAgain(let edit, _): edit.suite
            case .undeclared(let change): change.parts.first?.suite
            case .quit, .invalid, .copy: nil
            }
        case .conflict(let conflict): conflict.suite
        case .path(let prompt): prompt.suite
        case .palette, .help, .search, .finding, .history, .comparing, .pending, .choosing, .details: nil
        }
    }

    /// Why what was typed was refused. Setting it does nothing if nothing is typed.
    var problem: String? {
        get {
            switch self {
            case .draft(let draft): draft.problem
            case .naming(let naming): naming.problem
            default: nil
            }
        }
        set {
            switch self {
            case .draft(var draft):
                draft.problem = newValue
                self = .draft(draft)
            case .naming(var naming):
                naming.problem = newValue
                self = .naming(naming)
            default: break
            }
        }
    }
}
