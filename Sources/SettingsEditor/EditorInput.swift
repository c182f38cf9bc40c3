import PropertyList

/// What takes the keys in place of the panes.
enum EditorInput: Sendable, Hashable {
    case draft(Draft)
    case naming(Naming)
    case choosingType(TypeMenu)
    case question(Question)
    case search(SearchPrompt)
    case history(HistoryScreen)
    /// The first line that is shown.
    case help(top: Int)
    /// The level that the tree is to be opened to.
    case choosingLevel
    case finding(Finder)
    /// What keys are to be shown alone.
    case choosingOnly
}

/// A name that is being typed for something new.
struct Naming: Sendable, Hashable {
    enum Subject: Sendable, Hashable {
        case suite
        /// In a dictionary or an object of the suite; the empty path is the suite itself.
        case key(suite: String, parent: ValuePath)
    }

    let subject: Subject
    var line = LineEditor()
    var problem: String?
}

/// The choice of the type of something new, or of what replaces a null.
struct TypeMenu: Sendable, Hashable {
    let suite: String
    let path: ValuePath
    let purpose: Draft.Purpose
    let kinds: [ValueKind]
    var selected = 0
}

/// Something to be answered with yes or no.
struct Question: Sendable, Hashable {
    enum Subject: Sendable, Hashable {
        /// What the place held when it was asked.
        case delete(suite: String, path: ValuePath, ValueNode)
        /// What the place held when it was asked, nil for nothing.
        case overwrite(Draft, holding: ValueNode?)
        /// Likewise.
        case goBack(Journal.Entry, holding: PropertyListValue?, from: HistoryScreen)
        /// A file that can't be read, or one that was deleted.
        case recover(suite: String)
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
            case .choosingType, .question, .history, .help, .choosingLevel, .choosingOnly: nil
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
            case .choosingType, .question, .history, .help, .choosingLevel, .choosingOnly: break
            }
        }
    }

    /// What is said is shown, and gone with the next key; else it waits.
    var showsMessages: Bool { if case .history = self { true } else { false } }

    /// The suite that it is about, which stays in the list for as long as it is open.
    var suite: String? {
        switch self {
        case .draft(let draft): draft.suite
        case .naming(let naming): if case .key(let suite, _) = naming.subject { suite } else { nil }
        case .choosingType(let menu): menu.suite
        case .question(let question):
            switch question.subject {
            case .delete(let suite, _, _): suite
            case .overwrite(let draft, _): draft.suite
            case .goBack(let entry, _, _): entry.suite
            case .recover(let suite): suite
            }
        case .search, .finding, .history, .help, .choosingLevel, .choosingOnly: nil
        }
    }
}
