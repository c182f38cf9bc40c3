import TerminalCanvas

/// The help, made from the keymap.
struct HelpText {
    struct Line: Hashable {
        let keys: String
        let text: String
    }

    /// - Parameter mode: where the help was called, whose keys come first.
    static func lines(columns: Int, glyphs: Glyphs, from mode: Mode = .suites) -> [Line] {
        let textColumns = columns - keyColumns(columns)
        var lines: [Line] = []
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
    let mode: Mode
    /// What it goes back to; nil for the panes.
    var beneath: EditorInput?
    /// The first line that is shown.
    var top = 0
}

extension EditorState {
    mutating func beginHelp() { input = .help(HelpScreen(mode: mode, beneath: input)) }

    mutating func readHelp(_ action: EditorAction, _ screen: HelpScreen) {
        switch action {
        case .cancel: input = screen.beneath
        case .move(let movement):
            let height = Layout(self, size).body.count
            let count = HelpText.lines(columns: size.columns, glyphs: options.glyphs, from: screen.mode)
                .count
            // The first line moves as a selection would, as far as there is something below.
            let target = movement.target(from: screen.top, count: max(1, count), page: height)
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
