import TerminalCanvas

/// Where a choice stands: below the row that it is for.
struct MenuLayout {
    let items: Area
    /// The line above them; nil where there is no room for it.
    let title: Int?
    /// What each begins with: the sign for the selection, and a number.
    let lead: Int
    let textColumns: Int
    let hasDetails: Bool
    /// The first item that is shown.
    let top: Int

    /// - Parameter row: The one that it is for.
    init(_ menu: Menu, below row: Int, indent: Int, _ area: Area, _ glyphs: Glyphs) {
        let room = area.row + area.rows - row - 1
        title = room >= 3 ? row + 1 : nil
        let rows = max(0, min(menu.items.count, title == nil ? room : room - 1))
        let hasDetails = menu.items.contains { !$0.detail.isEmpty }
        func width(of text: String) -> Int { displayWidth(of: text.prefix(area.columns), glyphs: glyphs) }
        textColumns = min(menu.items.map { width(of: $0.text) }.max() ?? 0, max(8, area.columns / 3))
        let wanted = max(
            24,
            width(of: menu.heading) + 4,
            hasDetails ? area.columns : textColumns + 6
        )
        let indent = min(indent, max(0, area.columns - (hasDetails ? max(40, textColumns + 16) : 16)))
        items = Area(
            column: area.column + indent,
            row: (title ?? row) + 1,
            columns: min(area.columns - indent, wanted),
            rows: rows
        )
        self.hasDetails = hasDetails
        lead = menu.items.count > 9 ? 5 : 4
        top = visibleTop(menu.top, selected: menu.selected, count: menu.items.count, height: rows)
    }
}

extension EditorState {
    /// Where the choice stands that is on the screen, and that; nil where there is none.
    func shownMenu(_ layout: Layout) -> (menu: Menu, layout: MenuLayout)? {
        guard case .menu(let menu)? = input, let area = layout.rows, let suite else { return nil }
        let rows = ShownRows(self, suite, area)
        let place = MenuLayout(
            menu,
            below: area.row + rows.place - rows.top,
            indent: suite.keyColumns(area.columns).behindName,
            area,
            options.glyphs
        )
        return (menu, place)
    }

    /// Has the lists over the panes stay where they are for as long as what is selected is in sight.
    mutating func keepTopsOfLists() {
        switch input {
        case .pending(var screen)?:
            screen.top = pendingTop(of: screen, Layout(self, size))
            input = .pending(screen)
        case .menu?:
            guard case (var menu, let place)? = shownMenu(Layout(self, size)) else { return }
            menu.top = place.top
            input = .menu(menu)
        default: break
        }
    }

    /// The first row of the list of what waits that is shown.
    func pendingTop(of screen: PendingScreen, _ layout: Layout) -> Int {
        visibleTop(
            screen.top,
            selected: screen.selected,
            count: pendingRows.count,
            height: ChangesLayout(layout).list.rows
        )
    }
}
