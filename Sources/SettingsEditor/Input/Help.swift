import TerminalCanvas

/// Makes the text of the help from the keymap, so that the help always names the real keys.
struct HelpText {
    struct Line: Hashable {
        let keys: String
        let text: String
    }

    /// - Parameters:
    ///   - mode: the mode from which the help was opened. Its keys come first.
    ///   - about: what the help says about the selected setting, above the keys.
    static func lines(
        columns: Int,
        glyphs: Glyphs,
        from mode: Mode = .suites,
        about: HelpScreen.About? = nil
    ) -> [Line] {
        let textColumns = columns - keyColumns(columns)
        var lines: [Line] = []
        if let about {
            let texts = about.sentences.flatMap {
                wrapped(spelled($0, glyphs), columns: textColumns, glyphs: glyphs)
            }
            lines = [Line(keys: about.name, text: "")] + texts.map { Line(keys: "", text: $0) }
        }
        for (title, bindings) in KeySection.bindings(from: mode) {
            if !lines.isEmpty { lines.append(Line(keys: "", text: "")) }
            lines.append(Line(keys: title, text: ""))
            for binding in bindings {
                let keys = "  " + binding.keys.map { $0.name(glyphs) }.joined(separator: " ")
                let texts = wrapped(binding.help, columns: textColumns, glyphs: glyphs)
                    .map { Line(keys: "", text: $0) }
                if isWide(columns), let first = texts.first {
                    lines.append(Line(keys: keys, text: first.text))
                    lines += texts.dropFirst()
                } else {
                    lines.append(Line(keys: keys, text: ""))
                    lines += texts
                }
            }
        }
        return lines
    }

    /// The column of the sentences: beside the keys, or indented below them.
    static func keyColumns(_ columns: Int) -> Int { isWide(columns) ? 20 : 4 }

    private static func isWide(_ columns: Int) -> Bool { columns >= 50 }
}

/// The help on the screen, and the mode and modal from which it was opened.
struct HelpScreen: Sendable, Hashable {
    /// A setting, and what its program has declared about it.
    struct About: Sendable, Hashable {
        let name: String
        let sentences: [String]
    }

    /// The mode that the help was opened in. Its keys come first.
    let mode: Mode
    let about: About?
    /// The first shown line.
    var top = 0
}

extension EditorState {
    /// The help for the current mode and the selected setting.
    var helpScreen: HelpScreen { HelpScreen(mode: mode, about: display.focus == .keys ? aboutSelected : nil) }

    /// The declaration of the selected setting. The status line may be too short for it.
    private var aboutSelected: HelpScreen.About? {
        guard let row = selectedRow, let suite, let declaration = suite.declaration(of: row.path.key) else {
            return nil
        }
        let name = row.path.key
        let value = declaration.defaultValue.map {
            sentence("The default is \(summary($0, of: name, in: suite.id))")
        }
        let problem = suite.decodingProblem(of: row).map { sentence("Stored value: \($0)") }
        let sentences = [declaration.about, value, problem].compactMap(\.self).filter { !$0.isEmpty }
        return sentences.isEmpty ? nil : HelpScreen.About(name: name, sentences: sentences)
    }
}

extension HelpScreen: Component {
    func mode(in state: EditorState) -> Mode { .help }

    var coversPanes: Bool { true }

    func paint(_ painter: inout Painter) { painter.paintHelp(self) }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        switch command {
        case .cancel: if state.keyInput.count == nil { state.modals.pop() }
        case .count(let digit): state.keyInput.type(digit: digit)
        case .move(let movement):
            let height = Layout(state, state.display.size).body.count
            let count = HelpText.lines(
                columns: state.display.size.columns,
                glyphs: state.options.glyphs,
                from: mode,
                about: about
            ).count
            // Scrolls as a selection moves, but not beyond the last line.
            let target = movement.target(
                from: top,
                count: max(1, count),
                page: height,
                times: state.keyInput.count
            )
            var screen = self
            screen.top = max(0, min(target, count - height))
            state.modals.replaceTop(.help(screen))
        default: break
        }
        return []
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
        let lines = HelpText.lines(columns: columns, glyphs: glyphs, from: screen.mode, about: screen.about)
        let body = layout.body
        let first = max(0, min(screen.top, lines.count - body.count))
        for (row, line) in zip(body, lines[first...]) {
            let isTitle = line.text.isEmpty && !line.keys.hasPrefix(" ")
            write(line.keys, column: 0, row: row, columns: columns, style: isTitle ? .title : .heading)
            let column = HelpText.keyColumns(columns)
            write(line.text, column: column, row: row, columns: columns - column)
        }
    }
}
