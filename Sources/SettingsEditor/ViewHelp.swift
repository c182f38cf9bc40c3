import TerminalCanvas

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
