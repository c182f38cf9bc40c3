import TerminalCanvas

extension Menu {
    /// The rows that it wants, its title included.
    var height: Int { items.count + 1 }
}

extension Painter {
    /// A choice, below the row that it is for.
    mutating func paint(_ menu: Menu, below row: Int, _ area: Area) {
        let room = area.row + area.rows - row - 1
        let hasTitle = room >= 3
        let rows = max(0, min(menu.items.count, hasTitle ? room - 1 : room))
        let first = row + (hasTitle ? 2 : 1)
        let hasDetails = menu.items.contains { !$0.detail.isEmpty }
        let texts = menu.items.map { displayWidth(of: $0.text.prefix(columns), glyphs: glyphs) }
        let textWidth = min(texts.max() ?? 0, max(8, area.columns / 3))
        let wanted = max(
            24,
            displayWidth(of: menu.heading.prefix(columns), glyphs: glyphs) + 4,
            hasDetails ? area.columns : textWidth + 6
        )
        let indent = min(
            keyColumns(area).behindName,
            max(0, area.columns - (hasDetails ? max(40, textWidth + 16) : 16))
        )
        let column = area.column + indent
        let width = min(area.columns - indent, wanted)
        if hasTitle {
            let line = Size(columns: width, rows: 1)
            grid.fill(at: Point(column: column, row: first - 1), size: line, with: glyphs.horizontalLine)
            write(
                spelled(menu.heading, glyphs),
                column: column + 1,
                row: first - 1,
                columns: width - 2,
                style: .heading
            )
        }
        grid.fill(at: Point(column: column, row: first), size: Size(columns: width, rows: rows))
        let top = visibleTop(0, selected: menu.selected, count: menu.items.count, height: rows)
        for (line, index) in (top..<min(menu.items.count, top + rows)).enumerated() {
            let isSelected = index == menu.selected
            let item = menu.items[index]
            let sign = isSelected ? signs.selected : " "
            let number = menu.items.count > 9 ? (index < 9 ? " \(index + 1)" : "  ") : "\(index + 1)"
            let start = "\(sign) \(number) "
            let row = first + line
            write(start, column: column, row: row, columns: width)
            write(
                item.text,
                column: column + start.count,
                row: row,
                columns: min(textWidth, width - start.count)
            )
            if hasDetails {
                let place = start.count + textWidth + 2
                write(
                    spelled(item.detail, glyphs),
                    column: column + place,
                    row: row,
                    columns: width - place,
                    style: .faint
                )
            }
            if isSelected {
                grid.restyle(from: Point(column: column, row: row), columns: width, style: .selected)
            }
        }
    }
}
