import TerminalCanvas

/// Finds a command of the current mode by a part of its name, so that its key need not be known.
struct Palette: Sendable, Hashable {
    let mode: Mode
    var line = LineEditor()
    var selected = 0
    var top = 0

    /// The place after `open`; nil if something else is typed.
    var place: String? {
        let parts = line.text.split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0] == "open" && parts[1] != "place" ? String(parts[1]) : nil
    }
}

extension KeyBinding {
    /// Whether the name says everything. Counts and levels need the key that was pressed.
    var isCommand: Bool {
        switch command {
        case .count, .level, .palette: false
        default: true
        }
    }
}

extension EditorState {
    /// The commands that match, best first. Without a pattern: all commands in the keymap's order, useful
    /// ones first.
    func commands(of palette: Palette) -> [KeyBinding] {
        let match = CommandMatch(palette.place == nil ? palette.line.text : "open place")
        var found: [(binding: KeyBinding, score: Int, isUseful: Bool)] = []
        for (binding, words) in zip(keymap.bindings, keymap.words)
        where binding.modes.contains(palette.mode) && binding.isCommand {
            let keys = binding.keys.map { $0.name(options.glyphs) }
            guard let score = match.score(words, keys: keys) else { continue }
            let isUseful = binding.isUseful?(self) == true
            // If a key does different things, the one that is useful here is listed.
            if let other = found.firstIndex(where: { $0.binding.command == binding.command }) {
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
}

extension Palette: Component {
    var keyMode: Mode { .palette }

    func paint(_ painter: inout Painter) { painter.paintPalette(self) }

    func click(_ point: Point, _ layout: Layout, in state: EditorState) -> Click? {
        guard let line = layout.bodyArea.line(of: point),
            state.commands(of: self).indices.contains(top + line)
        else { return nil }
        var palette = self
        palette.selected = top + line
        return Click(modal: .palette(palette), actsLikeEnter: selected == top + line)
    }

    func paintPrompt(_ painter: inout Painter, row: Int) {
        painter.write(":", column: 0, row: row, columns: painter.columns, style: .heading)
        painter.paintField(line, column: 1, row: row, columns: painter.columns - 1)
    }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        switch command {
        case .cancel: state.modals.pop()
        case .confirm:
            guard let binding = state.selectedCommand(of: self) else { break }
            state.modals.pop()
            return [.send(.command(place.map { .open($0) } ?? binding.command))]
        case .move(let movement):
            let count = state.commands(of: self).count
            guard count > 0 else { break }
            var palette = self
            let height = Layout(state, state.display.size).body.count
            palette.selected = movement.target(from: selected, count: count, page: height)
            palette.top = visibleTop(top, selected: palette.selected, count: count, height: height)
            state.modals.replaceTop(.palette(palette))
        default:
            guard state.typeInLine(command), case .palette(var new)? = state.modal,
                new.line.text != line.text
            else { break }
            (new.selected, new.top) = (0, 0)
            state.modals.replaceTop(.palette(new))
        }
        return []
    }
}
