import SettingsStore
import TerminalCanvas

extension Painter {
    mutating func paintTitle() {
        guard let row = layout.title else { return }
        grid.fill(at: Point(column: 0, row: row), size: Size(columns: columns, rows: 1), style: .title)
        let signs = titleSigns
        let signsWidth = displayWidth(of: signs, glyphs: glyphs)
        let room = columns - (signsWidth == 0 ? 0 : signsWidth + 2)
        write(title(room - 1), column: 1, row: row, columns: room - 1, style: .title)
        write(signs, column: columns - signsWidth - 1, row: row, columns: signsWidth, style: .title)
    }

    /// Program, place and suite; where there is no room for all of it, the suite or, in the list of
    /// suites, the end of the place.
    private func title(_ columns: Int) -> String {
        let place = state.options.place
        let isKeys = state.focus == .keys || layout.suites != nil && layout.keys != nil
        let suite = isKeys && !state.options.isSingle ? state.suite?.title : nil
        let program = "pdefaults  "
        let ofSuites = state.options.isSingle ? nil : state.suiteFilter
        let filters = [
            ofSuites.map { "  [&\($0.text)]" },
            isKeys ? state.suite?.tree.filter.map { "  [\($0.name)]" } : nil,
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

    /// How the suite stands, in a few words.
    private var titleSigns: String {
        var signs: [(long: String, short: String)] = []
        let status = state.suite?.status
        if state.options.readOnlyReason != nil || status?.readOnlyReason != nil {
            signs.append(("read-only", "RO"))
        }
        if let marked = state.suite?.marked.count, marked > 0 {
            signs.append(("\(marked) marked", self.signs.marked + String(marked)))
        }
        let waiting = state.pendingChanges.count
        if state.isStaging || waiting > 0 {
            signs.append(("\(waiting) not written", self.signs.staged + String(waiting)))
        }
        if case .failed = state.listing, state.connection == nil, !state.suites.isEmpty {
            signs.append(("folder unreadable", self.signs.problem))
        }
        if case .unreadable? = status?.content { signs.append(("unreadable", self.signs.problem)) }
        if case .unfinished? = status?.content { signs.append(("unfinished", self.signs.problem)) }
        if case .stale? = status?.content { signs.append(("stale", self.signs.problem)) }
        if status?.storingError != nil { signs.append(("not stored", self.signs.problem)) }
        if let count = status?.pendingKeys, count > 0 {
            signs.append(("\(count) pending", self.signs.pending + String(count)))
        }
        if status?.content == .absent { signs.append(("new", "new")) }
        if case .polling? = status?.watching { signs.append(("polling", "")) }
        return signs.map { columns >= 60 ? $0.long : $0.short }.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
