import PropertyList
import TerminalCanvas

/// A menu below a row.
struct Menu: Sendable, Hashable {
    enum Choice: Sendable, Hashable {
        /// A type, whose value is typed next.
        case kind(ValueKind)
        /// A known value.
        case value(NewValue)
        case copy(CopyForm)
        /// The id of a suite.
        case suite(String)
    }

    struct Item: Sendable, Hashable {
        let text: String
        /// The result of the choice, or why it is impossible.
        var detail = ""
        let choice: Choice
    }

    enum Subject: Sendable, Hashable {
        /// Adds a new value at the path.
        case adding
        /// Replaces the value that was there when the menu was opened.
        case replacing(ValueNode)
        /// Copies or moves the values at these paths.
        case copying([ValuePath])
        case moving([ValuePath])
    }

    let suite: String
    /// The path of the row above the menu, or of the new value.
    var path: ValuePath
    /// A foreign change of an array may have moved a value, so a path may be another element's.
    var isUnsure = false
    let title: String
    var subject: Subject
    let items: [Item]
    var selected = 0
    /// The first item on the screen.
    var top = 0
    /// The letters that were typed to find an item.
    private(set) var typed = ""
    /// Whether no item starts with these letters, so that Enter chooses none.
    private(set) var isWithoutMatch = false

    /// The first item that starts with these letters. An opening quotation mark is ignored.
    private func place(of text: String) -> Int? {
        items.firstIndex { $0.text.drop { $0 == "“" }.lowercased().hasPrefix(text.lowercased()) }
    }

    /// Whether a letter with a command continues the typed letters.
    func goesOn(with letter: Character) -> Bool {
        !typed.isEmpty && !letter.isNumber && place(of: typed + String(letter)) != nil
    }

    mutating func type(_ text: String) {
        typed += text
        let place = place(of: typed)
        isWithoutMatch = place == nil
        if let place { selected = place }
    }

    mutating func forgetTyped() { (typed, isWithoutMatch) = ("", false) }

    /// The title above the items.
    var heading: String {
        if isWithoutMatch { return "Nothing begins with “\(typed)”" }
        return typed.isEmpty ? title : "\(title): \(typed)"
    }
}

extension Menu: Component {
    func mode(in state: EditorState) -> Mode { .menu }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        var menu = self
        switch command {
        case .cancel: state.modals.closeAll()
        case .move(let movement):
            menu.forgetTyped()
            menu.selected = movement.target(from: menu.selected, count: menu.items.count, page: 5)
            state.modals.replaceTop(.menu(menu))
        case .choose(let number) where 1...menu.items.count ~= number:
            return state.take(menu.items[number - 1], of: menu)
        case .choose(let number): state.statusLine.stray = .character(Character(String(number)))
        case .insert(let text):
            if menu.isWithoutMatch { menu.forgetTyped() }
            menu.type(text)
            state.modals.replaceTop(.menu(menu))
        case .confirm where menu.isWithoutMatch:
            menu.forgetTyped()
            state.modals.replaceTop(.menu(menu))
        case .confirm: return state.take(menu.items[menu.selected], of: menu)
        default: break
        }
        return []
    }
}

extension EditorState {
    fileprivate mutating func take(_ item: Menu.Item, of menu: Menu) -> [Effect] {
        modals.closeAll()
        if menu.isUnsure {
            say("Nothing was changed: \(Refusal.unsure)", isProblem: true)
            return []
        }
        switch (item.choice, menu.subject) {
        case (.kind(let kind), let subject): return begin(kind, at: menu.path, of: menu.suite, subject)
        case (.value(let value), let subject):
            return attempt { state throws in
                if case .replacing(let node) = subject {
                    try state.requireUnchanged(node, at: menu.path, of: menu.suite)
                }
                return try state.put(value, at: menu.path, of: menu.suite, inserting: subject == .adding)
            }
        case (.copy(let form), .copying(let paths)):
            return attempt { state throws in try state.copy(paths, of: menu.suite, as: form) }
        case (.suite(let target), .moving(let paths)) where paths.count == 1 && paths[0].endsWithIndex:
            modals.open(.naming(NamePrompt(subject: .move(paths[0], of: menu.suite, to: target))))
            // The current value keeps its name.
            guard let index = suiteIndex(target), suiteList.suites[index].contents == .unknown else {
                return []
            }
            suiteList.suites[index].contents = .loading
            return [.load(target)]
        case (.suite(let target), .moving(let paths)):
            return attempt { state throws in try state.move(paths, of: menu.suite, to: target) }
        case (.copy, _), (.suite, _): return []
        }
    }

    /// Opens a draft for a kind, unless the kind has only one value.
    private mutating func begin(
        _ kind: ValueKind,
        at path: ValuePath,
        of suite: String,
        _ subject: Menu.Subject
    ) -> [Effect] {
        if let value = kind.onlyValue {
            return attempt { state throws in
                if case .replacing(let node) = subject {
                    try state.requireUnchanged(node, at: path, of: suite)
                }
                return try state.put(value, at: path, of: suite, inserting: subject == .adding)
            }
        }
        var draft = Draft(
            suite: suite,
            path: path,
            purpose: .inserting,
            kind: kind,
            text: kind.firstText
        )
        if case .replacing(let node) = subject {
            draft.purpose = .replacing(node)
            // A text that cannot be parsed as the new type can be corrected here.
            if let text = node.typedText, kind.firstText.isEmpty, node.json?.kind != .null {
                draft.line = LineEditor(text)
            }
        }
        draft.isHidden = suiteIndex(suite).map { suiteList.suites[$0].hides(path.key) } ?? false
        // The old value has another type, so any text is new.
        draft.original = nil
        modals.open(.draft(draft))
        return []
    }

    /// - Throws: A refusal if the value at a path has changed.
    func requireUnchanged(_ node: ValueNode, at path: ValuePath, of suite: String) throws {
        guard let index = suiteIndex(suite), let current = suiteList.suites[index].outline.node(at: path)
        else {
            throw Refusal("“\(path.lastName)” is gone.")
        }
        guard current == node else {
            throw Refusal(
                "“\(path.lastName)” has changed. It is now \(summary(current, of: path.key, in: suite))."
            )
        }
    }
}
