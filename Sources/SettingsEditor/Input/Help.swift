import TerminalCanvas

/// Makes the lines of the help from the keymap, so that the help always names the real keys.
struct HelpText {
    struct Line {
        var keys = ""
        var text = ""
        /// The command of the line; nil for titles, and for lines that continue a sentence.
        var binding: KeyBinding?
        /// Whether the line explains a sign on the screen.
        var isSign = false
        /// Whether the command can do nothing here and now.
        var isFaint = false

        var isTitle: Bool { binding == nil && !isSign && !keys.isEmpty }
        /// Signs have no command, but the pages follow the selection.
        var isSelectable: Bool { binding != nil || isSign }
    }

    /// The number of columns left of the meanings of signs.
    static let signIndent = 5
    /// The number of columns for keys, which are between the sign of the selection and the sentence.
    static func keyColumns(of columns: Int) -> Int { min(columns < 80 ? 11 : 15, max(3, columns / 2 - 2)) }
    /// The number of columns left of the sentences.
    static func indent(of columns: Int) -> Int { 2 + keyColumns(of: columns) + 1 }

    /// The commands of a mode by task, then those that can do nothing now, with what they need, then the signs.
    ///
    /// - Parameters:
    ///   - columns: The width of one column of the help.
    ///   - filter: Only commands that match these words are listed.
    static func lines(_ state: EditorState, in mode: Mode, columns: Int, filter: String = "") -> [Line] {
        var lines: [Line] = []
        let glyphs = state.options.glyphs
        func add(_ title: String, _ section: [Line]) {
            if section.isEmpty { return }
            if !lines.isEmpty { lines.append(Line()) }
            lines.append(Line(keys: title))
            lines += section
        }
        func sentence(_ binding: KeyBinding, need: String?) -> [Line] {
            let sentence = need.map { "\(binding.sentence.dropLast()) (needs \($0))." } ?? binding.sentence
            let room = columns - indent(of: columns)
            var texts = wrapped(sentence, columns: room, glyphs: glyphs)
            // A command that has to be typed is never cut. It has a line of its own.
            let key = binding.helpKeys(glyphs)[0]
            if displayWidth(of: key, glyphs: glyphs) > keyColumns(of: columns) { texts.insert("", at: 0) }
            return texts.enumerated().map {
                let isFirst = $0 == 0
                let keys = isFirst ? binding.helpKeys(glyphs).joined(separator: " ") : ""
                return Line(keys: keys, text: $1, binding: isFirst ? binding : nil, isFaint: need != nil)
            }
        }
        let match = CommandMatch(filter)
        var possible: [HelpTask: [Line]] = [:]
        var impossible: [Line] = []
        for binding in state.commands(in: mode) {
            let keys = binding.keys.map { $0.name(glyphs) }
            guard match.score(CommandWords(binding), keys: keys) != nil else { continue }
            if let need = state.need(of: binding.command, in: mode) {
                impossible += sentence(binding, need: need)
            } else {
                possible[binding.task, default: []] += sentence(binding, need: nil)
            }
        }
        for task in HelpTask.allCases { add(task.rawValue, possible[task, default: []]) }
        add("Not possible now", impossible)
        let signs = Symbols(glyphs: glyphs).legend.filter { sign in
            filter.split(separator: " ").allSatisfy { sign.meaning.contains($0.lowercased()) }
        }
        add(
            "Signs",
            signs.flatMap { sign in
                wrapped(sign.meaning, columns: columns - signIndent, glyphs: glyphs).enumerated().map {
                    Line(keys: $0 == 0 ? sign.sign : "", text: $1, isSign: true)
                }
            }
        )
        return lines
    }
}

extension KeyBinding {
    /// The first sentence of the help.
    var sentence: String {
        help.firstRange(of: ". ").map { String(help[..<$0.lowerBound]) + "." } ?? help
    }

    /// The names of the keys. A command without a key is typed after a colon.
    func helpKeys(_ glyphs: Glyphs) -> [String] { keys.isEmpty ? [":\(name)"] : keyNames(glyphs) }
}

/// The help on the screen, and the mode and modal from which it was opened.
struct HelpScreen: Sendable, Hashable {
    /// The mode that the help was opened in, whose commands it lists.
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

    /// A column has room for some keys and a sentence.
    private static let narrowest = 75

    init(_ screen: HelpScreen, _ state: EditorState, _ layout: Layout) {
        count = max(1, layout.columns / Self.narrowest)
        width = layout.columns / count
        body = layout.body
        lines = HelpText.lines(
            state,
            in: screen.mode,
            columns: width - 1,
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
    var helpScreen: HelpScreen { HelpScreen(mode: mode) }
}

extension HelpScreen: Component {
    var keyMode: Mode { filter == nil ? .help : .helpFilter }

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

    /// Runs the selected command.
    private func run(_ layout: HelpLayout, in state: inout EditorState) -> [Effect] {
        guard let binding = layout.selected.flatMap({ layout.lines[$0].binding }), binding.isCommand else {
            return []
        }
        state.modals.pop()
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
            let head = word[...].prefixFitting(columns, glyphs)
            if head.isEmpty { break }
            lines.append(String(head))
            word = String(word[head.endIndex...])
            wordWidth = displayWidth(of: word, glyphs: glyphs)
        }
        (line, width) = (word, wordWidth)
    }
    if width > 0 { lines.append(line) }
    return lines
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
        if isSelected { write(symbols.selected, column: column, row: row, columns: min(1, width)) }
        if line.isSign {
            write(line.keys, column: column + 2, row: row, columns: min(1, width - 2), style: .heading)
            let indent = HelpText.signIndent
            write(line.text, column: column + indent, row: row, columns: width - indent)
            return
        }
        if line.isTitle {
            write(line.keys, column: column, row: row, columns: width, style: .title)
            return
        }
        let (room, start) = (HelpText.keyColumns(of: width), HelpText.indent(of: width))
        let style: Style = line.isFaint ? .faint : .plain
        write(line.text, column: column + start, row: row, columns: width - start, style: style)
        guard let binding = line.binding else { return }
        // As many keys as fit beside the sentence.
        let names = binding.helpKeys(glyphs)
        var keys = names[0]
        for name in names.dropFirst() where displayWidth(of: "\(keys) \(name)", glyphs: glyphs) <= room {
            keys += " " + name
        }
        let keyStyle: Style = line.isFaint ? .faint : .heading
        let keyRoom = line.text.isEmpty ? width - 2 : min(room, width - 2)
        write(keys, column: column + 2, row: row, columns: keyRoom, style: keyStyle)
        if isSelected {
            restyleSelection(Area(column: column, row: row, columns: width, rows: 1), row, hasFocus: true)
        }
    }
}
