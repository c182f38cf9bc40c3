import TerminalCanvas

/// The commands of a mode by their names, from the keymap, of which one is being looked for.
struct Palette: Sendable, Hashable {
    let mode: Mode
    /// What it was called from, and goes back to; nil for the panes.
    let beneath: EditorInput?
    var line = LineEditor()
    var selected = 0
    var top = 0

    /// The same above something else.
    func above(_ input: EditorInput) -> Palette {
        Palette(mode: mode, beneath: input, line: line, selected: selected, top: top)
    }
}

extension KeyBinding {
    /// Of all, in their order; made once.
    fileprivate static let words = all.map(CommandWords.init)

    /// Whether its name says all: a number, a level, is in its keys.
    fileprivate var isCommand: Bool {
        switch action {
        case .count, .level, .palette: false
        default: true
        }
    }
}

extension EditorState {
    mutating func beginPalette() {
        input = .palette(Palette(mode: mode, beneath: input))
    }

    /// The commands that the letters leave, those that fit best first; without any in the keymap's order,
    /// those first that have a use with what is selected.
    func commands(of palette: Palette) -> [KeyBinding] {
        let match = CommandMatch(palette.line.text)
        var found: [(binding: KeyBinding, score: Int, isUseful: Bool)] = []
        for (binding, words) in zip(KeyBinding.all, KeyBinding.words)
        where binding.modes.contains(palette.mode) && binding.isCommand {
            let keys = binding.keys.map { $0.name(options.glyphs) }
            guard let score = match.score(words, keys: keys) else { continue }
            let isUseful = binding.isUseful?(self) == true
            // A key that does one thing or another is listed as what it does here.
            if let other = found.firstIndex(where: { $0.binding.action == binding.action }) {
                if isUseful, !found[other].isUseful { found[other] = (binding, score, isUseful) }
                continue
            }
            found.append((binding, score, isUseful))
        }
        let places = found.indices.sorted { a, b in
            let (first, second) = (found[a], found[b])
            if !match.isEmpty, first.score != second.score { return first.score > second.score }
            if first.isUseful != second.isUseful { return first.isUseful }
            let lengths = (first.binding.name.count, second.binding.name.count)
            if !match.isEmpty, lengths.0 != lengths.1 { return lengths.0 < lengths.1 }
            return a < b
        }
        return places.map { found[$0].binding }
    }

    func selectedCommand(of palette: Palette) -> KeyBinding? {
        let commands = commands(of: palette)
        return commands.indices.contains(palette.selected) ? commands[palette.selected] : nil
    }

    mutating func use(_ action: EditorAction, in palette: Palette) -> [EditorEffect] {
        switch action {
        case .cancel: input = palette.beneath
        case .confirm:
            guard let command = selectedCommand(of: palette) else { break }
            input = palette.beneath
            return update(&self, command.action)
        case .move(let movement):
            let count = commands(of: palette).count
            guard count > 0 else { break }
            var palette = palette
            let height = Layout(self, size).body.count
            palette.selected = movement.target(from: palette.selected, count: count, page: height)
            palette.top = visibleTop(palette.top, selected: palette.selected, count: count, height: height)
            input = .palette(palette)
        default:
            guard typeInLine(action), case .palette(var new)? = input, new.line.text != palette.line.text
            else { break }
            (new.selected, new.top) = (0, 0)
            input = .palette(new)
        }
        return []
    }
}
