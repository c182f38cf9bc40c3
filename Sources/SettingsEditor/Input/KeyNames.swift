import TerminalCanvas

// The names of keys. The keymap is written with them, and the hints, the help and the manual page show them.
extension Key {
    /// The key's name as printed on keyboards.
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

    /// The key with an ASCII name; nil if there is none.
    init?(named name: Substring) {
        if let special = Self.special[name] {
            self = special
        } else if name.count == 1 {
            self = .character(name[name.startIndex])
        } else if name.count == 2, name.hasPrefix("^") {
            self = .control(Character(name.dropFirst().lowercased()))
        } else if name.count == 5, name.hasPrefix("Alt-"), let letter = name.last {
            self = .alt(letter)
        } else {
            return nil
        }
    }

    /// The keys whose name is a word.
    private static let special: [Substring: Key] = {
        let keys: [Key] = [
            .character(" "), .alt("\u{7F}"), .enter, .escape, .tab, .backTab, .backspace, .delete, .insert,
            .up, .down, .left, .right, .wordLeft, .wordRight, .home, .end, .pageUp, .pageDown,
        ]
        let functions = (1...12).map(Key.function)
        return Dictionary(uniqueKeysWithValues: (keys + functions).map { (Substring($0.name(.ascii)), $0) })
    }()
}
