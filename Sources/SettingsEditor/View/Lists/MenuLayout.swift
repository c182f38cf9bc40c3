import TerminalCanvas

/// Places a menu below its row. If there is little room, the menu has no title and shows only some items.
struct MenuLayout {
    let items: Area
    /// The line above the items; nil if it does not fit.
    let title: Int?
    /// The columns before each item: the selection symbol, and a number if there is one.
    let lead: Int
    let textColumns: Int
    let hasDetails: Bool
    let top: Int

    /// - Parameter row: the row that the menu belongs to.
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
        lead = menu.asksForType ? 2 : menu.items.count > 9 ? 5 : 4
        top = visibleTop(menu.top, selected: menu.selected, count: menu.items.count, height: rows)
    }
}

extension EditorState {
    /// The menu on the screen and its layout; nil if no menu is open.
    func shownMenu(_ layout: Layout) -> (menu: Menu, layout: MenuLayout)? {
        guard case .menu(let menu)? = modal, let area = layout.rows, let suite else { return nil }
        let rows = ShownRows(self, suite, area, isBoxed: false)
        let place = MenuLayout(
            menu,
            below: area.row + rows.place - rows.top,
            indent: suite.keyColumns(area.columns).value,
            area,
            options.glyphs
        )
        return (menu, place)
    }

    /// Keeps the scroll position of the menu or the list of pending changes while the selection is visible.
    mutating func keepTopsOfLists() {
        switch modal {
        case .pending(var screen)?:
            screen.top = pendingTop(of: screen, Layout(self, display.size))
            modals.replaceTop(.pending(screen))
        case .menu?:
            guard case (var menu, let place)? = shownMenu(Layout(self, display.size)) else { return }
            menu.top = place.top
            modals.replaceTop(.menu(menu))
        default: break
        }
    }

    func pendingTop(of screen: PendingScreen, _ layout: Layout) -> Int {
        visibleTop(
            screen.top,
            selected: screen.selected,
            count: staging.rows.count,
            height: ChangesLayout(layout).list.rows
        )
    }
}
