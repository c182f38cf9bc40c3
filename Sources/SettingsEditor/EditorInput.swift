import PropertyList

/// What takes the keys in place of the panes.
enum EditorInput: Sendable, Hashable {
    case draft(Draft)
    case naming(Naming)
    case menu(Menu)
    case question(Question)
    case search(SearchPrompt)
    case conflict(Conflict)
    case history(HistoryScreen)
    case pending(PendingScreen)
    indirect case help(HelpScreen)
    /// The level that the tree is to be opened to.
    case choosingLevel
    case finding(Finder)
    /// What keys are to be shown alone.
    case choosingOnly
    indirect case palette(Palette)
}

/// A name that is being typed for something new.
struct Naming: Sendable, Hashable {
    enum Subject: Sendable, Hashable {
        case suite
        /// A second one with all that this holds, or another name for it.
        case copy(ofSuite: String, isRename: Bool)
        /// In a dictionary or an object of the suite; the empty path is the suite itself.
        case key(suite: String, parent: ValuePath)
        /// Likewise, of something whose value is known.
        case value(suite: String, parent: ValuePath, NewValue)
        /// Another one for what is at the place.
        case rename(suite: String, ValuePath)
        /// For an element of an array, which goes to another suite.
        case move(ValuePath, of: String, to: String)
    }

    var subject: Subject
    /// Others have changed an array that it is in, so that the place may be another element's.
    var isUnsure = false
    var line = LineEditor()
    /// The value is a secret's.
    var isHidden = false
    var problem: String?
}

extension Naming.Subject {
    var suite: String? {
        switch self {
        case .suite: nil
        case .key(let suite, _), .value(let suite, _, _), .rename(let suite, _), .copy(let suite, _),
            .move(_, let suite, _):
            suite
        }
    }

    /// What has another name already, and is there.
    var place: ValuePath? {
        switch self {
        case .rename(_, let path), .move(let path, _, _): path
        case .suite, .copy, .key, .value: nil
        }
    }

    /// A suite is named, and not something in one.
    var isOfSuite: Bool {
        switch self {
        case .suite, .copy: true
        case .key, .value, .rename, .move: false
        }
    }
}

/// Something to be answered with yes or no.
struct Question: Sendable, Hashable {
    enum Subject: Sendable, Hashable {
        /// What the places held when it was asked.
        case delete(suite: String, [Place])
        /// What was pasted as an element of an array, in front of that index, and what its key held then.
        case putIn(Clip, suite: String, parent: ValuePath, index: Int, over: PropertyListValue)
        /// A suite with what it held when it was asked.
        case deleteSuite(String, [String: PropertyListValue])
        /// One that somebody has begun to make and not finished.
        case removePart(String)
        /// A change that waits, and what of it others have changed when it was asked; it goes over that.
        case replaceOvertaken(PendingChange, over: [Merge.Clash], from: PendingScreen)
        case quit
        /// A draft that is none of the values that were declared.
        case invalid(Draft)
        /// Likewise of one that is to be taken back.
        case goBack(Journal.KeyChange, suite: String, over: [Merge.Clash], from: HistoryScreen)
        /// A text that was not written, and why.
        case editAgain(OutsideEdit, String)
        /// A file that can't be read, which is set aside, or one that was deleted.
        case recover(suite: String, setsAside: Bool)
        /// What is shown of a file that was deleted.
        case forgetLost(suite: String)
        /// What others have deleted inside a place, when it was asked.
        case putBack(suite: String, ValuePath, GoneInside)
        /// A change to values that were not declared so, and what was open when it was asked.
        indirect case undeclared(UndeclaredChange, from: EditorInput?)
    }

    struct Place: Sendable, Hashable {
        var path: ValuePath
        let node: ValueNode
        /// Others have changed an array that it is in, so that the path may be another element's.
        var isUnsure = false
    }

    let text: String
    let subject: Subject
}

extension EditorInput {
    /// The line that is being typed in; setting it where there is none does nothing.
    var line: LineEditor? {
        get {
            switch self {
            case .draft(let draft): draft.line
            case .naming(let naming): naming.line
            case .search(let prompt): prompt.line
            case .finding(let finder): finder.line
            case .palette(let palette): palette.line
            case .menu, .question, .conflict, .history, .pending, .help, .choosingLevel, .choosingOnly: nil
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
            case .menu, .question, .conflict, .history, .pending, .help, .choosingLevel, .choosingOnly: break
            }
        }
    }

    /// Which of the prompts it is whose words are kept; nil where it is none.
    var promptKind: PromptWords.Kind? {
        switch self {
        case .search(let prompt): prompt.isFilter ? .filter : .search
        case .finding(let finder): finder.words
        default: nil
        }
    }

    /// What is said is shown, and gone with the next key; else it waits.
    var showsMessages: Bool {
        switch self {
        case .history, .pending: true
        default: false
        }
    }

    /// The place that is being edited, on which the selection stays.
    var edited: ValuePath? {
        switch self {
        case .draft(let draft): return draft.purpose == .inserting ? nil : draft.path
        case .naming(let naming):
            return naming.subject.place
        case .conflict(let conflict): return conflict.whole == nil ? conflict.path : nil
        case .help(let screen): return screen.beneath?.edited
        default: return nil
        }
    }

    /// The suite that it is about, which stays in the list for as long as it is open.
    var suite: String? {
        switch self {
        case .draft(let draft): draft.suite
        case .naming(let naming): naming.subject.suite
        case .menu(let menu): menu.suite
        case .question(let question):
            switch question.subject {
            case .delete(let suite, _), .deleteSuite(let suite, _), .removePart(let suite): suite
            case .goBack(_, let suite, _, _), .putIn(_, let suite, _, _, _): suite
            case .invalid(let draft): draft.suite
            case .replaceOvertaken(let pending, _, _): pending.suite
            case .quit: nil
            case .recover(let suite, _), .forgetLost(let suite), .putBack(let suite, _, _): suite
            case .editAgain(let edit, _): edit.suite
            case .undeclared(let change, _): change.parts.first?.suite
            }
        case .conflict(let conflict): conflict.suite
        case .palette(let palette): palette.beneath?.suite
        case .help(let screen): screen.beneath?.suite
        case .search, .finding, .history, .pending, .choosingLevel, .choosingOnly: nil
        }
    }
}
