import TerminalCanvas

/// Makes the lines of the help from the keymap, so that the help always names the real keys.
struct HelpText {
    struct Line {
        let keys: String
        let text: String
        /// The command of the line; nil for titles and sentences.
        var binding: KeyBinding?
        /// The mode whose key it is.
        var mode: Mode?

        /// Whether the line explains a sign on the screen.
        var isSign = false

        var isTitle: Bool { binding == nil && !isSign && !keys.isEmpty }
        /// Signs have no command, but the pages follow the selection.
        var isSelectable: Bool { binding != nil || isSign }
    }

    /// The number of columns left of the meanings of signs.
    static let signIndent = 5

    /// - Parameters:
    ///   - columns: The width of one column of the help.
    ///   - mode: the mode from which the help was opened. Its keys come first.
    ///   - filter: Only commands that match these words are listed.
    static func lines(
        columns: Int,
        glyphs: Glyphs,
        from mode: Mode = .suites,
        _ keymap: Keymap = .standard,
        filter: String = ""
    ) -> [Line] {
        var lines: [Line] = []
        let match = CommandMatch(filter)
        for section in KeySection.bindings(from: mode, keymap) {
            let bindings = section.bindings.filter { binding in
                !binding.keys.isEmpty
                    && match.score(CommandWords(binding), keys: binding.keys.map { $0.name(glyphs) }) != nil
            }
            if bindings.isEmpty { continue }
            if !lines.isEmpty { lines.append(Line(keys: "", text: "")) }
            lines.append(Line(keys: section.title, text: ""))
            for binding in bindings {
                let keys = binding.keyNames(glyphs).joined(separator: " ")
                lines.append(Line(keys: keys, text: binding.name, binding: binding, mode: section.mode))
            }
        }
        let signs = Symbols(glyphs: glyphs).legend.filter { sign in
            filter.split(separator: " ").allSatisfy { sign.meaning.contains($0.lowercased()) }
        }
        if !signs.isEmpty {
            if !lines.isEmpty { lines.append(Line(keys: "", text: "")) }
            lines.append(Line(keys: "Signs", text: ""))
            for sign in signs {
                let texts = wrapped(sign.meaning, columns: columns - signIndent, glyphs: glyphs)
                lines += texts.enumerated().map {
                    Line(keys: $0 == 0 ? sign.sign : "", text: $1, isSign: true)
                }
            }
        }
        return lines
    }
}

/// The help on the screen, and the mode and modal from which it was opened.
struct HelpScreen: Sendable, Hashable {
    /// The mode that the help was opened in. Its keys come first.
    let mode: Mode
    /// The words that filter the commands; nil while no filter is typed.
    var filter: LineEditor?
    /// The selected line; nil for the first command.
    var selected: Int?
}

/// Divides the lines of the help into pages of columns. The selected line decides which page is shown.
struct HelpLayout {
    let lines: [HelpText.Line]
    let selected: Int?
    /// The number of columns, and the width of each.
    let count: Int
    let width: Int
    /// The shown lines, column after column.
    let page: Range<Int>
    let body: Range<Int>

    /// A column has room for some keys and a name.
    private static let narrowest = 40

    init(_ screen: HelpScreen, _ state: EditorState, _ layout: Layout) {
        count = max(1, layout.columns / Self.narrowest)
        width = layout.columns / count
        body = layout.body
        lines = HelpText.lines(
            columns: width - 1,
            glyphs: state.options.glyphs,
            from: screen.mode,
            state.keymap,
            filter: screen.filter?.text ?? ""
        )
        let selectable = lines.indices.filter { [lines] in lines[$0].isSelectable }
        selected = selectable.last { $0 <= screen.selected ?? 0 } ?? selectable.first
        let size = body.count * count
        let isAtStart = screen.selected == nil || selected == selectable.first || size == 0
        let start = isAtStart ? 0 : (selected ?? 0) / size * size
        page = start..<min(lines.count, start + size)
    }

    /// The line after a movement.
    func target(of movement: Movement, times: Int?) -> Int? {
        let selectable = lines.indices.filter { lines[$0].isSelectable }
        guard let selected, let place = selectable.firstIndex(of: selected) else { return nil }
        switch movement {
        case .pageDown: return selectable.first { $0 >= page.upperBound } ?? selectable.last
        case .pageUp: return selectable.first { $0 >= page.lowerBound - body.count * count }
        default:
            let shown = selectable.count { page.contains($0) }
            return selectable[
                movement.target(from: place, count: selectable.count, page: shown, times: times)
            ]
        }
    }
}

extension EditorState {
    /// The help for the current mode.
    var helpScreen: HelpScreen { HelpScreen(mode: mode) }
}

extension HelpScreen: Component {
    var keyMode: Mode { filter == nil ? .help : .helpFilter }

    var coversPanes: Bool { true }

    func paint(_ painter: inout Painter) { painter.paintHelp(self) }

    func paintPrompt(_ painter: inout Painter, row: Int) {
        guard let filter else { return }
        painter.write("/", column: 0, row: row, columns: painter.columns, style: .heading)
        painter.paintField(filter, column: 1, row: row, columns: painter.columns - 1)
    }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        let layout = HelpLayout(self, state, Layout(state, state.display.size))
        var screen = self
        switch command {
        case .cancel where filter != nil: screen.filter = nil
        case .cancel:
            if state.keyInput.count == nil { state.modals.pop() }
            return []
        case .count(let digit):
            state.keyInput.type(digit: digit)
            return []
        case .search: screen.filter = LineEditor()
        case .confirm: return run(layout, in: &state)
        case .move(let movement):
            screen.selected = layout.target(of: movement, times: state.keyInput.count)
        default:
            guard state.typeInLine(command), case .help(let typed)? = state.modal else { return [] }
            screen = typed
        }
        if screen.filter != filter { screen.selected = nil }
        state.modals.replaceTop(.help(screen))
        return []
    }

    /// Runs the selected command, if it is one of the mode from which the help was opened.
    private func run(_ layout: HelpLayout, in state: inout EditorState) -> [Effect] {
        guard let binding = layout.selected.flatMap({ layout.lines[$0].binding }), binding.isCommand else {
            return []
        }
        state.modals.pop()
        guard binding.modes.contains(mode) else {
            let line = layout.selected.map { layout.lines[$0] }
            let place = line?.mode.flatMap(KeySection.title) ?? ""
            state.say("“\(binding.name)” works only \(place.prefix(1).lowercased())\(place.dropFirst()).")
            return []
        }
        return [.send(.command(binding.command))]
    }
}

/// Breaks a text into lines, at spaces if possible.
func wrapped(_ text: String, columns: Int, glyphs: Glyphs) -> [String] {
    let text = escapedForDisplay(text, glyphs: glyphs)
    guard columns > 0 else { return [] }
    var lines: [String] = []
    var line = ""
    var width = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
        var word = String(word)
        var wordWidth = displayWidth(of: word, glyphs: glyphs)
        if width > 0, width + 1 + wordWidth <= columns {
            line += " " + word
            width += 1 + wordWidth
            continue
        }
        if width > 0 { lines.append(line) }
        while wordWidth > columns {
            let (head, tail) = split(word, columns: columns, glyphs: glyphs)
            if head.isEmpty { break }
            lines.append(head)
            word = tail
            wordWidth = displayWidth(of: word, glyphs: glyphs)
        }
        (line, width) = (word, wordWidth)
    }
    if width > 0 { lines.append(line) }
    return lines
}

/// The part of a text that fits, and the rest.
private func split(_ text: String, columns: Int, glyphs: Glyphs) -> (head: String, tail: String) {
    var width = 0
    var end = text.startIndex
    while end < text.endIndex {
        width += displayWidth(of: String(text[end]), glyphs: glyphs)
        if width > columns { break }
        end = text.index(after: end)
    }
    return (String(text[..<end]), String(text[end...]))
}

extension Painter {
    mutating func paintHelp(_ screen: HelpScreen) {
        let help = HelpLayout(screen, state, layout)
        if help.lines.isEmpty {
            write(
                "No command matches.",
                column: 1,
                row: help.body.lowerBound,
                columns: columns - 1,
                style: .faint
            )
        }
        for number in help.page {
            let place = number - help.page.lowerBound
            paint(
                help.lines[number],
                isSelected: number == help.selected,
                place / help.body.count * help.width,
                help.body.lowerBound + place % help.body.count,
                help.width - 1
            )
        }
    }

    private mutating func paint(
        _ line: HelpText.Line,
        isSelected: Bool,
        _ column: Int,
        _ row: Int,
        _ width: Int
    ) {
        // As many keys as fit beside the name.
        let room = min(11, max(3, width / 2 - 2))
        if isSelected { write(symbols.selected, column: column, row: row, columns: min(1, width)) }
        if line.isSign {
            write(line.keys, column: column + 2, row: row, columns: min(1, width - 2), style: .heading)
            let indent = HelpText.signIndent
            write(line.text, column: column + indent, row: row, columns: width - indent)
            return
        }
        guard let binding = line.binding else {
            write(
                line.isTitle ? line.keys : line.text,
                column: column,
                row: row,
                columns: width,
                style: line.isTitle ? .title : .plain
            )
            return
        }
        let names = binding.keyNames(glyphs)
        var keys = names[0]
        for name in names.dropFirst() where displayWidth(of: "\(keys) \(name)", glyphs: glyphs) <= room {
            keys += " " + name
        }
        write(keys, column: column + 2, row: row, columns: min(room, width - 2), style: .heading)
        write(line.text, column: column + room + 3, row: row, columns: width - room - 3)
        if isSelected {
            restyleSelection(Area(column: column, row: row, columns: width, rows: 1), row, hasFocus: true)
        }
    }
}
