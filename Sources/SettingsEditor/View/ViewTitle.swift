import SettingsStore
import TerminalCanvas

extension Painter {
    mutating func paintTitle() {
        guard let row = layout.title else { return }
        fill(Area(column: 0, row: row, columns: columns, rows: 1), style: .title)
        let signs = titleSigns
        let gap = columns >= Layout.bothPanes ? 3 : 1
        let signsWidth =
            signs.reduce(0) { $0 + displayWidth(of: $1, glyphs: glyphs) } + gap * (signs.count - 1)
        let room = columns - (signs.isEmpty ? 0 : signsWidth + 2)
        write(title(room - 1), column: 1, row: row, columns: room - 1, style: .title)
        var column = columns - signsWidth - 1
        for sign in signs {
            column += write(sign, column: column, row: row, columns: columns - column, style: .title) + gap
        }
    }

    /// Program, location and suite. On a narrow screen only the suite, or in the list of suites the end of
    /// the location.
    private func title(_ columns: Int) -> String {
        let place = state.place.title
        let isKeys = state.display.focus == .keys || layout.suites != nil && layout.keys != nil
        let suite = isKeys && !state.place.isFile ? state.suite?.label : nil
        let program = "pdefaults  "
        let ofSuites = state.hasSuitesPane ? state.suiteList.filter : nil
        let filters = [
            ofSuites.map { "  [&\($0.text)]" },
            isKeys ? state.suite?.outline.filter.map { "  [\($0.name)]" } : nil,
        ]
        let end =
            (filters[0] ?? "") + (suite.map { " \(glyphs == .unicode ? "›" : ">") \($0)" } ?? "")
            + (filters[1] ?? "")
        let whole = program + place + end
        if displayWidth(of: whole, glyphs: glyphs) <= columns { return whole }
        let room = columns - displayWidth(of: end, glyphs: glyphs)
        if let suite, room < 12 { return suite }
        if room >= 30 { return program + tail(of: place, columns: room - program.count) + end }
        return tail(of: place, columns: room) + end
    }

    /// The state of the editor and of the suite, in a few words each.
    private var titleSigns: [String] {
        var signs: [(long: String, short: String)] = []
        let status = state.suite?.status
        if state.options.readOnlyReason != nil || status?.readOnlyReason != nil {
            signs.append(("read-only", "RO"))
        }
        if let multiSelection = state.suite?.multiSelection.count, multiSelection > 0 {
            signs.append(("\(multiSelection) selected", symbols.multiSelection + String(multiSelection)))
        }
        let waiting = state.pendingChanges.count
        if state.staging.isOn || waiting > 0 {
            signs.append(("\(symbols.staged) \(waiting) staged", symbols.staged + String(waiting)))
        }
        let outside = state.suiteList.suites.reduce(0) { $0 + $1.changedByOthers.count }
        if outside > 0 {
            signs.append(("\(symbols.changed) \(outside) outside", symbols.changed + String(outside)))
        }
        if case .failed = state.place.listing, state.place.connection == nil,
            !state.suiteList.suites.isEmpty
        {
            signs.append(("folder unreadable", symbols.problem))
        }
        if case .unreadable? = status?.content { signs.append(("unreadable", symbols.problem)) }
        if case .stale? = status?.content { signs.append(("stale", symbols.problem)) }
        if status?.storingError != nil { signs.append(("not stored", symbols.problem)) }
        if let count = status?.pendingKeys, count > 0 {
            signs.append(("\(count) pending", symbols.pending + String(count)))
        }
        if status?.content == .absent { signs.append(("new", "new")) }
        switch status?.watching {
        case .polling?: signs.append(("polling", ""))
        // Changes of other programs appear at once.
        case .events? where state.place.connection?.isLost != true: signs.append(("LIVE", ""))
        default: break
        }
        return signs.map { columns >= Layout.bothPanes ? $0.long : $0.short }.filter { !$0.isEmpty }
    }
}
