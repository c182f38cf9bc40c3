import TerminalCanvas

// What was searched for, wherever it stands on the screen.
extension Painter {
    /// Marks what was found in the rows of an area.
    mutating func markFound(_ area: Area, from column: Int = 0) {
        guard let pattern = state.patternToMark else { return }
        let first = area.column + column
        let columns = first..<max(first, min(grid.size.columns, area.column + area.columns))
        if columns.isEmpty { return }
        for row in area.row..<max(area.row, min(grid.size.rows, area.row + area.rows)) {
            // Not held meanwhile, or all cells would be copied.
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
    /// What is being searched for, or was; else what the filter of the part that has the keys leaves.
    var patternToMark: Pattern? {
        switch input {
        case .search(let prompt)?: return Pattern(prompt.line.text)
        case .finding(let finder)?: return finder.kind == .search ? Pattern(finder.line.text) : nil
        default: break
        }
        if marksFound, let pattern { return pattern }
        if focus == .suites { return suiteFilter }
        return suite?.tree.filter?.text
    }
}

extension Pattern {
    /// Where it stands in a line of cells, of which the second of a wide character is empty.
    fileprivate func places(in cells: ArraySlice<Cell>) -> [Range<Int>] {
        // By far most are, and their letters stand in a cell each.
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            var letters: [UInt8] = []
            letters.reserveCapacity(cells.count)
            for index in cells.indices {
                let letter = cells[index].text.utf8
                letters.append(letter.count == 1 ? folded(letter[letter.startIndex]) : 0)
            }
            return Self.places(of: text.utf8.map { folded($0) }, in: letters)
        }
        let texts = cells.map(\.text)
        let columns = texts.indices.filter { !texts[$0].isEmpty }
        let places = Self.places(of: text.map { folded(String($0)) }, in: columns.map { folded(texts[$0]) })
        return places.map { columns[$0.lowerBound]..<columns[$0.upperBound - 1] + 1 }.map { place in
            // With the second column of the last one.
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
        if heedsCase { return letter }
        guard letter.utf8.count == 1, let byte = letter.utf8.first else { return letter.lowercased() }
        return String(Unicode.Scalar(folded(byte)))
    }
}
