import TerminalCanvas

extension Painter {
    /// Draws a line for each command: name, keys and as much of the help as fits.
    mutating func paintPalette(_ palette: Palette) {
        let commands = state.commands(of: palette)
        let body = layout.body
        if commands.isEmpty {
            write(
                "No command matches.",
                column: 1,
                row: body.lowerBound,
                columns: columns - 1,
                style: .faint
            )
        }
        let top = visibleTop(
            palette.top,
            selected: palette.selected,
            count: commands.count,
            height: body.count
        )
        let keys = 2 + (columns >= 60 ? 24 : max(0, columns - 2) * 6 / 10)
        let help = columns >= 60 ? keys + 20 : columns
        for (row, number) in zip(body, top..<max(top, commands.count)) {
            let command = commands[number]
            if number == palette.selected {
                write(symbols.selected, column: 0, row: row, columns: min(1, columns))
            }
            write(command.name, column: 2, row: row, columns: keys - 3)
            let names = command.keys.map { $0.name(glyphs) }.joined(separator: " ")
            write(names, column: keys, row: row, columns: help - keys - 1, style: .heading)
            write(
                spelled(command.help, glyphs),
                column: help,
                row: row,
                columns: columns - help,
                style: .faint
            )
            if number == palette.selected {
                restyleSelection(Area(column: 0, row: row, columns: columns, rows: 1), row, hasFocus: true)
            }
        }
    }
}
