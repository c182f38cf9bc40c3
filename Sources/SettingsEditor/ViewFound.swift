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
            for run in pattern.places(in: columns.map { grid[$0, row].text }) {
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
    fileprivate var patternToMark: Pattern? {
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
    fileprivate func places(in cells: [String]) -> [Range<Int>] {
        let wanted = text.map { folded(String($0)) }
        let columns = cells.indices.filter { !cells[$0].isEmpty }
        guard let first = wanted.first, columns.count >= wanted.count else { return [] }
        let letters = columns.map { folded(cells[$0]) }
        var places: [Range<Int>] = []
        var start = 0
        while start + wanted.count <= letters.count {
            let end = start + wanted.count
            if letters[start] == first, letters[start..<end].elementsEqual(wanted) {
                places.append(columns[start]..<(end < columns.count ? columns[end] : cells.count))
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
        return byte &- UInt8(ascii: "A") < 26 ? String(Unicode.Scalar(byte | 0x20)) : letter
    }
}
