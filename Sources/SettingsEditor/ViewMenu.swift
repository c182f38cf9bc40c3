import TerminalCanvas

extension TypeMenu {
    /// The rows that it wants, its title included.
    var height: Int { kinds.count + 1 }
}

extension Painter {
    /// The choice of a type, below the row that it is for.
    mutating func paint(_ menu: TypeMenu, below row: Int, _ area: Area) {
        let room = area.row + area.rows - row - 1
        let hasTitle = room >= 3
        let rows = max(0, min(menu.kinds.count, hasTitle ? room - 1 : room))
        let first = row + (hasTitle ? 2 : 1)
        let title = "Type of “\(menu.path.lastName)”"
        let indent = min(KeyColumns(area.columns).behindName, max(0, area.columns - 16))
        let column = area.column + indent
        let width = min(area.columns - indent, max(24, displayWidth(of: title, glyphs: glyphs) + 4))
        if hasTitle {
            let line = Size(columns: width, rows: 1)
            grid.fill(at: Point(column: column, row: first - 1), size: line, with: glyphs.horizontalLine)
            write(
                spelled(title, glyphs),
                column: column + 1,
                row: first - 1,
                columns: width - 2,
                style: .heading
            )
        }
        grid.fill(at: Point(column: column, row: first), size: Size(columns: width, rows: rows))
        let top = visibleTop(0, selected: menu.selected, count: menu.kinds.count, height: rows)
        for (line, index) in (top..<min(menu.kinds.count, top + rows)).enumerated() {
            let isSelected = index == menu.selected
            let sign = isSelected ? signs.selected : " "
            let text = "\(sign) \(index + 1) \(menu.kinds[index].name)"
            write(text, column: column, row: first + line, columns: width)
            if isSelected {
                let start = Point(column: column, row: first + line)
                grid.restyle(from: start, columns: width, style: .selected)
            }
        }
    }
}
