import TerminalCanvas

// Highlights the matches of the search or the filter on the screen.
extension Painter {
    mutating func highlightMatches(_ area: Area, from column: Int = 0) {
        guard let pattern = state.patternToHighlight else { return }
        let first = area.column + column
        let columns = first..<max(first, min(grid.size.columns, area.column + area.columns))
        if columns.isEmpty { return }
        for row in area.row..<max(area.row, min(grid.size.rows, area.row + area.rows)) {
            // Holding the row in a variable would copy all cells.
            for run in pattern.places(in: grid.row(row).dropFirst(columns.lowerBound).prefix(columns.count)) {
                grid.restyle(
                    from: Point(column: first + run.lowerBound, row: row),
                    columns: run.count,
                    style: .found
                )
            }
        }
    }
}

extension EditorState {
    /// The pattern of the search, or else the text of the filter.
    var patternToHighlight: Pattern? {
        switch modal {
        case .search(let prompt)?: return Pattern(prompt.line.text)
        case .finding(let finder)?: return finder.kind == .search ? Pattern(finder.line.text) : nil
        default: break
        }
        if search.highlightsMatches, let pattern = search.pattern { return pattern }
        if display.focus == .suites { return suiteList.filter }
        return suite?.outline.filter?.text
    }
}

extension Pattern {
    /// The matches in a line of cells. The second cell of a wide character is empty.
    fileprivate func places(in cells: ArraySlice<Cell>) -> [Range<Int>] {
        // In ASCII each character is one cell, which is the usual case.
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            var letters: [UInt8] = []
            letters.reserveCapacity(cells.count)
            for index in cells.indices { letters.append(cells[index].ascii.map(folded) ?? 0) }
            return Self.places(of: text.utf8.map { folded($0) }, in: letters)
        }
        let texts = cells.map(\.text)
        let columns = texts.indices.filter { !texts[$0].isEmpty }
        let places = Self.places(of: text.map { folded(String($0)) }, in: columns.map { folded(texts[$0]) })
        return places.map { columns[$0.lowerBound]..<columns[$0.upperBound - 1] + 1 }.map { place in
            // Including the second cell of the last character.
            place.lowerBound..<(texts[place.upperBound...].firstIndex { !$0.isEmpty } ?? texts.count)
        }
    }

    private static func places<Letter: Equatable>(of wanted: [Letter], in letters: [Letter]) -> [Range<Int>] {
        guard let first = wanted.first, letters.count >= wanted.count else { return [] }
        var places: [Range<Int>] = []
        var start = 0
        while start + wanted.count <= letters.count {
            let end = start + wanted.count
            if letters[start] == first, letters[start..<end].elementsEqual(wanted) {
                places.append(start..<end)
                start = end
            } else {
                start += 1
            }
        }
        return places
    }

    private func folded(_ letter: String) -> String {
        if isCaseSensitive { return letter }
        guard letter.utf8.count == 1, let byte = letter.utf8.first else { return letter.lowercased() }
        return String(Unicode.Scalar(folded(byte)))
    }
}
