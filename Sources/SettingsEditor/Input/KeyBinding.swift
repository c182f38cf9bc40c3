import TerminalCanvas

/// Some keys, and their command in some modes.
///
/// The keymap is a list of these, and the only place that says what a key does.
struct KeyBinding: Sendable {
    var keys: [Key]
    var modes: [Mode]
    let command: Command
    /// A word or two, for the hints and the palette.
    let name: String
    /// A sentence for the help, the palette and the manual page.
    let help: String
    /// Other words by which the palette finds this command.
    let also: String
    /// Whether the keys do something useful for the selected row, so that a hint is shown; nil if a hint is never
    /// shown.
    let isUseful: (@Sendable (EditorState) -> Bool)?

    /// - Parameters:
    ///   - keys: names separated by spaces, as in the manual page: "Del ^D Alt-b".
    ///   - modes: empty for those of the table that the binding is in.
    init(
        _ keys: String,
        in modes: [Mode] = [],
        _ command: Command,
        _ name: String,
        when isUseful: (@Sendable (EditorState) -> Bool)? = nil,
        also: String = "",
        _ help: String
    ) {
        self.keys = keys.split(separator: " ").map { name in
            guard let key = Key(named: name) else { preconditionFailure("There is no key named \(name)") }
            return key
        }
        self.modes = modes
        self.command = command
        self.name = name
        self.help = help
        self.also = also
        self.isUseful = isUseful
    }

    /// A table of the keymap. Bindings without modes of their own get the table's.
    static func bindings(in modes: [Mode], _ bindings: [KeyBinding]) -> [KeyBinding] {
        bindings.map { binding in
            var binding = binding
            if binding.modes.isEmpty { binding.modes = modes }
            return binding
        }
    }

    static let always: @Sendable (EditorState) -> Bool = { _ in true }
}

extension KeyBinding {
    /// The first key for a hint. Digits that follow each other are one name.
    func keyName(_ glyphs: Glyphs) -> String { keyNames(glyphs)[0] }

    /// The names of the keys. Digits that follow each other are one name, such as 1–9.
    func keyNames(_ glyphs: Glyphs) -> [String] {
        let names = keys.map { $0.name(glyphs) }
        let digits = names.prefix { $0.count == 1 && $0.first?.isNumber == true }
        guard digits.count > 2 else { return names }
        return ["\(digits[0])\(glyphs == .unicode ? "–" : "-")\(digits[digits.count - 1])"]
            + names[digits.count...]
    }

    /// The command of a key. If the command takes a digit, the pressed digit is in it.
    func command(for key: Key) -> Command {
        guard case .character(let character) = key, let number = character.wholeNumberValue else {
            return command
        }
        return switch command {
        case .count: .count(number)
        case .level: .level(number)
        default: command
        }
    }
}

/// Translates an event of the terminal into messages, according to the current mode.
public func messages(for event: InputEvent, in state: EditorState) -> [Message] {
    switch event {
    case .resize(let size): return [.terminal(.resized(size))]
    case .paste(let text): return [.command(.paste(text))]
    case .pasteLacks(let count): return [.terminal(.pasteLacked(count))]
    case .undecodable(let count): return [.terminal(.undecodable(count))]
    case .mouse(let action, let point): return [.terminal(.mouse(action, point))]
    case .key(let key):
        let mode = state.mode
        if let binding = state.keymap.bindings.first(where: {
            $0.keys.contains(key) && $0.modes.contains(mode)
        }) {
            return [.command(binding.command(for: key))]
        }
        guard case .character(let character) = key else { return [.terminal(.meaningless(key))] }
        if mode == .literal || mode.isText { return [.command(.insert(String(character)))] }
        if mode == .menu {
            return [.command(character.wholeNumberValue.map { .choose($0) } ?? .insert(String(character)))]
        }
        return [.terminal(.meaningless(key))]
    }
}
