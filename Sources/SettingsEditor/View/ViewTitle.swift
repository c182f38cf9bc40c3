import SettingsStore
import TerminalCanvas

extension Painter {
    mutating func paintTitle() {
        guard let row = layout.title else { return }
        grid.fill(at: Point(column: 0, row: row), size: Size(columns: columns, rows: 1), style: .title)
        let symbols = titleSigns
        let signsWidth = displayWidth(of: symbols, glyphs: glyphs)
        let room = columns - (signsWidth == 0 ? 0 : signsWidth + 2)
        write(title(room - 1), column: 1, row: row, columns: room - 1, style: .title)
        write(symbols, column: columns - signsWidth - 1, row: row, columns: signsWidth, style: .title)
    }

    /// Program, location and suite. On a narrow screen only the suite, or in the list of suites the end of
    /// the location.
    private func title(_ columns: Int) -> String {
        let place = state.options.place
        let isKeys = state.display.focus == .keys || layout.suites != nil && layout.keys != nil
        let suite = isKeys && !state.options.isSingle ? state.suite?.title : nil
        let program = "pdefaults  "
        let ofSuites = state.options.isSingle ? nil : state.suiteList.filter
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

    /// The state of the suite, in a few words.
    private var titleSigns: String {
        var symbols: [(long: String, short: String)] = []
        let status = state.suite?.status
        if state.options.readOnlyReason != nil || status?.readOnlyReason != nil {
            symbols.append(("read-only", "RO"))
        }
        if let multiSelection = state.suite?.multiSelection.count, multiSelection > 0 {
            symbols.append(
                ("\(multiSelection) selected", self.symbols.multiSelection + String(multiSelection))
            )
        }
        let waiting = state.pendingChanges.count
        if state.staging.isOn || waiting > 0 {
            symbols.append(("\(waiting) not written", self.symbols.staged + String(waiting)))
        }
        if case .failed = state.suiteList.listing, state.suiteList.connection == nil,
            !state.suiteList.suites.isEmpty
        {
            symbols.append(("folder unreadable", self.symbols.problem))
        }
        if case .unreadable? = status?.content { symbols.append(("unreadable", self.symbols.problem)) }
        if case .unfinished? = status?.content { symbols.append(("unfinished", self.symbols.problem)) }
        if case .stale? = status?.content { symbols.append(("stale", self.symbols.problem)) }
        if status?.storingError != nil { symbols.append(("not stored", self.symbols.problem)) }
        if let count = status?.pendingKeys, count > 0 {
            symbols.append(("\(count) pending", self.symbols.pending + String(count)))
        }
        if status?.content == .absent { symbols.append(("new", "new")) }
        if case .polling? = status?.watching { symbols.append(("polling", "")) }
        return symbols.map { columns >= 60 ? $0.long : $0.short }.filter { !$0.isEmpty }.joined(
            separator: " "
        )
    }
}
