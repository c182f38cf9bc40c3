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
        /// Moves to a suite and replaces what it has, or moves under another name.
        case replace(suite: String)
        case rename(suite: String, as: String)
    }

    struct Item: Sendable, Hashable {
        let text: String
        /// The result of the choice, or why it is impossible.
        var detail = ""
        let choice: Choice

        /// The type, if its value is typed next.
        var kind: ValueKind? { if case .kind(let kind) = choice { kind } else { nil } }
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

    /// Selects the next item that starts with a letter. An opening quotation mark is ignored. Returns false if there is
    /// no such item.
    mutating func select(startingWith letter: String) -> Bool {
        let order = Array(items.indices.dropFirst(selected + 1)) + items.indices.prefix(selected + 1)
        let place = order.first {
            items[$0].text.drop { $0 == "“" }.lowercased().hasPrefix(letter.lowercased())
        }
        if let place { selected = place }
        return place != nil
    }

    /// The title above the items.
    var heading: String {
        asksForType ? "\(title): a letter, then Enter" : title
    }

    /// Whether the type of a value is asked for, which is typed next. Such a menu has no numbers, because people begin
    /// to type the value before they have chosen its type.
    var asksForType: Bool {
        items.allSatisfy { $0.kind != nil && $0.detail.isEmpty }
    }
}

extension Menu: Component {
    var keyMode: Mode { .menu }

    func click(_ point: Point, _ layout: Layout, in state: EditorState) -> Click? {
        guard let place = state.shownMenu(layout)?.layout, let line = place.items.line(of: point) else {
            return nil
        }
        var menu = self
        menu.selected = place.top + line
        return Click(modal: .menu(menu), actsLikeEnter: selected == place.top + line)
    }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        var menu = self
        switch command {
        case .cancel: state.modals.closeAll()
        case .move(let movement):
            menu.selected = movement.target(from: menu.selected, count: menu.items.count, page: 5)
            state.modals.replaceTop(.menu(menu))
        case .choose(let number) where 1...menu.items.count ~= number && !asksForType:
            return take(items[number - 1], in: &state)
        case .choose(let number): state.statusLine.stray = .character(Character(String(number)))
        case .insert(let text):
            if !menu.select(startingWith: text) { state.statusLine.stray = text.first.map(Key.character) }
            state.modals.replaceTop(.menu(menu))
        case .confirm: return take(items[selected], in: &state)
        default: break
        }
        return []
    }
}

extension Menu {
    /// Carries out the choice of an item.
    private func take(_ item: Item, in state: inout EditorState) -> [Effect] {
        state.modals.closeAll()
        if isUnsure {
            state.say("Nothing was changed: \(Refusal.unsure)", isProblem: true)
            return []
        }
        switch (item.choice, subject) {
        case (.kind(let kind), _):
            if let value = kind.onlyValue {
                let effects = state.perform { try putting(value, in: $0) }
                if kind.isContainer, subject == .adding, state.modal == nil,
                    !effects.isEmpty || state.staging.isOn
                {
                    state.openNewContainer(at: path, of: suite)
                }
                return effects
            }
            let hides = state.hides(path.key, of: suite)
            var draft = draft(of: kind, isHidden: hides)
            if asksForType { draft.kinds = items.compactMap(\.kind).filter { $0.onlyValue == nil } }
            state.modals.open(.draft(draft))
        case (.value(let value), _): return state.perform { try putting(value, in: $0) }
        case (.copy(let form), .copying(let paths)):
            return state.attempt { state throws in
                let suite = try state.existingSuite(suite)
                let text = try suite.text(of: paths, as: form)
                state.clipboard.keep(paths, of: suite)
                state.suiteList.deselectAll(of: suite.id)
                let what = paths.count == 1 ? "“\(paths[0].lastName)”" : "\(paths.count) rows"
                state.say("Copied the \(form.rawValue) of \(what).")
                return [.copy(text)]
            }
        case (.suite(let target), .moving(let paths)) where paths.count == 1 && paths[0].endsWithIndex:
            state.modals.open(.naming(NamePrompt(subject: .move(to: target), suite: suite, path: paths[0])))
            return state.suiteList.load(target)
        case (.suite(let target), .moving(let paths)):
            return state.attempt { state throws in try state.move(paths, of: suite, to: target) }
        case (.replace(let target), .moving(let paths)):
            return state.attempt { state throws in
                try state.move(paths, of: suite, to: target, replaces: true)
            }
        case (.rename(let target, let name), .moving(let paths)):
            var naming = NamePrompt(subject: .move(to: target), suite: suite, path: paths[0])
            naming.line = LineEditor(name)
            state.modals.open(.naming(naming))
        case (.copy, _), (.suite, _), (.replace, _), (.rename, _): break
        }
        return []
    }

    /// Writes a value that needs no typing.
    private func putting(_ value: NewValue, in state: EditorState) throws -> Outcome {
        if case .replacing(let node) = subject {
            try state.requireUnchanged(node, at: path, of: suite)
        }
        return .write(
            try state.existingSuite(suite).putting(value, at: path, inserting: subject == .adding)
        )
    }

    /// The draft in which a value of the chosen kind is typed.
    func draft(of kind: ValueKind, isHidden: Bool) -> Draft {
        var draft = Draft(suite: suite, path: path, purpose: .inserting, kind: kind, text: kind.firstText)
        if case .replacing(let node) = subject {
            draft.purpose = .replacing(node)
            // A text that cannot be parsed as the new type can be corrected here.
            if let text = node.typedText, kind.firstText.isEmpty, node.json?.kind != .null {
                draft.line = LineEditor(text, isSelected: kind.isTypedAnew)
            }
        }
        draft.isHidden = isHidden
        // The old value has another type, so any text is new.
        draft.original = nil
        return draft
    }
}

extension EditorState {
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
