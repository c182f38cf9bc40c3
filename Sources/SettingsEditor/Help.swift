import TerminalCanvas

/// The help, made from the keymap.
struct HelpText {
    struct Line: Hashable {
        let keys: String
        let text: String
    }

    /// - Parameters:
    ///   - mode: where the help was called, whose keys come first.
    ///   - about: what is told before them.
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

    /// Where the texts begin: beside the keys, or set in below them.
    static func keyColumns(_ columns: Int) -> Int { isWide(columns) ? 20 : 4 }

    private static func isWide(_ columns: Int) -> Bool { columns >= 50 }
}

/// The help, and what it was called from.
struct HelpScreen: Sendable, Hashable {
    /// A setting, and what is known of it beside its value.
    struct About: Sendable, Hashable {
        let name: String
        let sentences: [String]
    }

    let mode: Mode
    /// What it goes back to; nil for the panes.
    var beneath: EditorInput?
    let about: About?
    /// The first line that is shown.
    var top = 0
}

extension EditorState {
    mutating func beginHelp() {
        input = .help(HelpScreen(mode: mode, beneath: input, about: focus == .keys ? aboutSelected : nil))
    }

    /// What was declared of the selected setting, of which the line below the rows may have no room for all.
    private var aboutSelected: HelpScreen.About? {
        guard let row = selectedRow, let suite, let declaration = suite.declaration(of: row.path.key) else {
            return nil
        }
        let name = row.path.key
        let value = declaration.defaultValue.map {
            sentence("By default it is \(brief($0, of: name, in: suite.id))")
        }
        let problem = suite.decodingProblem(of: row).map { sentence("What is there: \($0)") }
        let sentences = [declaration.about, value, problem].compactMap(\.self).filter { !$0.isEmpty }
        return sentences.isEmpty ? nil : HelpScreen.About(name: name, sentences: sentences)
    }

    mutating func readHelp(_ action: EditorAction, _ screen: HelpScreen) {
        switch action {
        case .cancel: if count == nil { input = screen.beneath }
        case .count(let digit): type(digit: digit)
        case .move(let movement):
            let height = Layout(self, size).body.count
            let count = HelpText.lines(
                columns: size.columns,
                glyphs: options.glyphs,
                from: screen.mode,
                about: screen.about
            ).count
            // The first line moves as a selection would, as far as there is something below.
            let target = movement.target(
                from: screen.top,
                count: max(1, count),
                page: height,
                times: self.count
            )
            var screen = screen
            screen.top = max(0, min(target, count - height))
            input = .help(screen)
        default: break
        }
    }
}

/// A text in lines of at most so many columns, broken at spaces where there are any.
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

/// As much of a text as fits, and the rest.
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
