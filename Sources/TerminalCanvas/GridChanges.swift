extension Grid {
    /// Cells side by side that differ from what stood there before.
    public struct Run: Sendable, Hashable {
        public let start: Point
        public let cells: ArraySlice<Cell>
    }

    /// What has to be written to make the old grid this one, row by row from the left.
    ///
    /// No run begins or ends in the middle of a wide character. All rows are returned whole where
    /// there is no old grid, or one of another size.
    public func changedRuns(from old: Grid?) -> [Run] {
        guard size.columns > 0 else { return [] }
        guard let old, old.size == size else {
            return (0..<size.rows).map { Run(start: Point(column: 0, row: $0), cells: row($0)) }
        }
        var runs: [Run] = []
        for number in 0..<size.rows {
            let new = row(number)
            let before = old.row(number)
            guard new != before else { continue }
            // Both grids have the same size, so a cell has the same index in both.
            var index = new.startIndex
            while index < new.endIndex {
                guard new[index] != before[index] else {
                    index += 1
                    continue
                }
                var first = index
                while new[first].text.isEmpty, first > new.startIndex { first -= 1 }
                while index < new.endIndex, new[index] != before[index] || new[index].text.isEmpty {
                    index += 1
                }
                let column = first - new.startIndex
                runs.append(Run(start: Point(column: column, row: number), cells: new[first..<index]))
            }
        }
        return runs
    }
}
