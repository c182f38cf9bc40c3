import PropertyList
import TerminalCanvas

extension Painter {
    /// One's own value, the one that the file holds now, and the one from which the editing began, beside
    /// each other.
    mutating func paint(_ asked: Conflict) {
        let conflict = state.renewed(asked)
        let values =
            [
                ("Yours", conflict.new.node), ("In the file now", conflict.holding),
                ("When you began", conflict.base),
            ] as [(String, ValueNode?)]
        let texts = fromFirstDifference(
            values.map { ($0, fullText($1, of: conflict.path.key, in: conflict.suite)) }
        )
        if layout.body.count < 6 { return paintShort(texts) }
        let place =
            "\(conflict.whole == nil ? conflict.path.lastName : conflict.suite): yours, and what the file has become"
        write(place, column: 1, row: layout.body.lowerBound, columns: columns - 2, style: .heading)
        let rows = layout.body.count - 1
        guard rows > 0 else { return }
        paint(
            texts: texts,
            in: Area(column: 0, row: layout.body.lowerBound + 1, columns: columns, rows: rows)
        )
    }

    /// A line each, as far as there are lines.
    private mutating func paintShort(_ texts: [(title: String, text: String)]) {
        for ((title, part), row) in zip(zip(["Yours: ", "File:  ", "Was:   "], texts), layout.body) {
            let used = write(title, column: 0, row: row, columns: columns, style: .heading)
            write(part.text, column: used, row: row, columns: columns - used)
        }
    }
}
