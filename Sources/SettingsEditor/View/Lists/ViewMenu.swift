import TerminalCanvas

extension Painter {
    mutating func paint(_ menu: Menu, _ place: MenuLayout) {
        let (column, width) = (place.items.column, place.items.columns)
        if let row = place.title {
            fill(Area(column: column, row: row, columns: width, rows: 1), with: glyphs.horizontalLine)
            write(
                spelled(menu.heading, glyphs),
                column: column + 1,
                row: row,
                columns: width - 2,
                style: .heading
            )
        }
        fill(place.items)
        let shown = menu.items.indices.dropFirst(place.top).prefix(place.items.rows)
        for (row, index) in zip(place.items.row..., shown) {
            let isSelected = index == menu.selected
            let item = menu.items[index]
            let sign = isSelected ? symbols.selected : " "
            let number = menu.items.count > 9 ? (index < 9 ? " \(index + 1)" : "  ") : "\(index + 1)"
            let lead = menu.asksForType ? sign : "\(sign) \(number) "
            write(lead, column: column, row: row, columns: width)
            write(
                item.text,
                column: column + place.lead,
                row: row,
                columns: min(place.textColumns, width - place.lead)
            )
            if place.hasDetails {
                let behind = place.lead + place.textColumns + 2
                write(
                    spelled(item.detail, glyphs),
                    column: column + behind,
                    row: row,
                    columns: width - behind,
                    style: .faint
                )
            }
            if isSelected {
                grid.restyle(from: Point(column: column, row: row), columns: width, style: .selected)
            }
        }
    }
}
