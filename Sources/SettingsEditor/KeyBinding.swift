import TerminalCanvas

/// What some keys mean in some modes. All that the editor says about its keys comes from these.
struct KeyBinding: Sendable {
    let keys: [Key]
    let modes: [Mode]
    let action: EditorAction
    /// A word or two, for the last line of the screen and for the palette.
    let name: String
    /// A sentence for the help.
    let help: String
    /// Other words that people look for it by.
    let also: String
    /// Whether it has a use with what is selected, so that it is worth a place in the last line; nil for
    /// what is never shown there.
    let isUseful: (@Sendable (EditorState) -> Bool)?

    init(
        _ keys: [Key],
        in modes: [Mode],
        _ action: EditorAction,
        _ name: String,
        help: String,
        also: String = "",
        when isUseful: (@Sendable (EditorState) -> Bool)? = nil
    ) {
        self.keys = keys
        self.modes = modes
        self.action = action
        self.name = name
        self.help = help
        self.also = also
        self.isUseful = isUseful
    }
}

extension KeyBinding {
    static let always: @Sendable (EditorState) -> Bool = { _ in true }

    /// The action, with the number of a key that is one.
    func action(for key: Key) -> EditorAction {
        guard case .character(let character) = key, let number = character.wholeNumberValue else {
            return action
        }
        return switch action {
        case .count: .count(number)
        case .level: .level(number)
        default: action
        }
    }

    static let digits = "0123456789".map(Key.character)
}

/// What the events of a terminal mean in the state as it is. A key that means nothing gives nothing.
public func actions(for event: InputEvent, in state: EditorState) -> [EditorAction] {
    switch event {
    case .resize(let size): return [.resized(size)]
    case .paste(let text): return [.paste(text)]
    case .pasteLacks(let loss): return [.pasteLacked(loss)]
    case .undecodable(let count): return [.undecodable(count)]
    case .mouse(let action, let point): return [.mouse(action, point)]
    case .key(let key):
        let mode = state.mode
        if case .menu(let menu)? = state.input, case .character(let letter) = key, menu.goesOn(with: letter) {
            return [.insert(String(letter))]
        }
        if let binding = KeyBinding.all.first(where: { $0.keys.contains(key) && $0.modes.contains(mode) }) {
            return [binding.action(for: key)]
        }
        guard case .character(let character) = key else { return [.meaningless(key)] }
        if mode == .literal || mode.isText { return [.insert(String(character))] }
        if mode == .menu {
            return [character.wholeNumberValue.map { .choose($0) } ?? .insert(String(character))]
        }
        return [.meaningless(key)]
    }
}

extension Key {
    /// The key's name, as it stands on keyboards.
    func name(_ glyphs: Glyphs) -> String {
        switch self {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .control(let letter): "^" + letter.uppercased()
        case .alt("\u{7F}"): "Alt-Backspace"
        case .alt(let character): "Alt-\(character)"
        case .enter: "Enter"
        case .escape: "Esc"
        case .tab: "Tab"
        case .backTab: "Shift-Tab"
        case .backspace: "Backspace"
        case .delete: "Del"
        case .insert: "Ins"
        case .up: glyphs == .unicode ? "↑" : "Up"
        case .down: glyphs == .unicode ? "↓" : "Down"
        case .left: glyphs == .unicode ? "←" : "Left"
        case .right: glyphs == .unicode ? "→" : "Right"
        case .wordLeft: glyphs == .unicode ? "Ctrl-←" : "Ctrl-Left"
        case .wordRight: glyphs == .unicode ? "Ctrl-→" : "Ctrl-Right"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .function(let number): "F\(number)"
        }
    }
}
