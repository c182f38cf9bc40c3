import TerminalCanvas

extension Painter {
    /// The choice of a type, over the end of the keys.
    mutating func paint(_ menu: TypeMenu, _ area: Area) {
        let hasTitle = area.rows >= 4
        let rows = max(0, min(menu.kinds.count, area.rows - (hasTitle ? 2 : min(1, area.rows - 1))))
        let first = area.row + area.rows - rows
        let title = "Type of “\(menu.path.lastName)”"
        let width = min(area.columns, max(24, displayWidth(of: title, glyphs: glyphs) + 4))
        let column = area.column + area.columns - width
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
            write(
                "\(isSelected ? signs.selected : " ") \(index + 1) \(menu.kinds[index].name)",
                column: column,
                row: first + line,
                columns: width
            )
            if isSelected {
                grid.restyle(
                    from: Point(column: column, row: first + line),
                    columns: width,
                    style: .selected
                )
            }
        }
    }
}
