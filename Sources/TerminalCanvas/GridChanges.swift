// Finds the cells that differ between two grids. A key usually changes only a few cells, and sending only
// these keeps a slow connection fast.

extension Grid {
    /// Adjacent cells that differ from the previous grid.
    public struct Run: Sendable, Hashable {
        public let start: Point
        public let cells: ArraySlice<Cell>
    }

    /// Returns the cells to write so that a screen with the old grid shows this one.
    ///
    /// The runs are ordered by row, then from the left. No run starts or ends inside a wide character. If
    /// there is no old grid or its size differs, every row is a run.
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
                while new[first].isSecondHalf, first > new.startIndex { first -= 1 }
                while index < new.endIndex, new[index] != before[index] || new[index].isSecondHalf {
                    index += 1
                }
                let column = first - new.startIndex
                runs.append(Run(start: Point(column: column, row: number), cells: new[first..<index]))
            }
        }
        return runs
    }
}
