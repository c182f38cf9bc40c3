import PropertyList
import TerminalCanvas

/// How many columns the names and the values of most rows need: nine of ten rows, wherever they are in the list.
///
/// One long name must not take the room of all values, and the columns must not move while the user scrolls. So rows
/// of the whole list are measured, and only again when rows come or go. Longer names and values are cut.
struct RowWidths: Sendable, Equatable {
    /// With the indentation.
    private(set) var names = 0
    private(set) var values = KeyColumns.narrowestValue
    /// The rows that were measured: their number, and the version of their order.
    private var count = 0
    private var arrangement = -1

    /// How many rows are measured, at equal distances.
    private static let sample = 100
    /// Every name is shown whole up to this width.
    private static let usualName = 24
    /// A longer value is readable without its end.
    private static let widestValue = 60

    mutating func measure(_ rows: Rows, _ glyphs: Glyphs, hides: (String) -> Bool) {
        guard rows.count != count || rows.arrangement != arrangement else { return }
        (count, arrangement) = (rows.count, rows.arrangement)
        let sample = (0..<min(count, Self.sample)).map { $0 * count / min(count, Self.sample) }
        var (names, values): ([Int], [Int]) = ([], [])
        for index in sample {
            let place = rows.keyPlace(ofRow: index)
            // A key's value is not parsed for this.
            let entry = rows.entry(at: place.position)
            let isKey = place.offset == 0
            let path = isKey ? entry.path : rows.path(ofRow: index)
            let depth = path.steps.count - 1
            names.append(2 * depth + displayWidth(of: path.lastName.tellingSpaces, glyphs: glyphs))
            if isKey, !hides(entry.key) { values.append(entry.value.usualWidth) }
        }
        self.names = max(Self.most(names), min(names.max() ?? 0, Self.usualName))
        self.values = min(max(Self.most(values), KeyColumns.narrowestValue), Self.widestValue)
    }

    /// The width that is enough for nine of ten.
    private static func most(_ widths: [Int]) -> Int {
        widths.isEmpty ? 0 : widths.sorted()[(widths.count - 1) * 9 / 10]
    }
}

extension PropertyListValue {
    /// About how many columns the value needs in a row. Only texts need more than the narrowest column has.
    fileprivate var usualWidth: Int {
        if case .string(let text) = self { text.utf8.count } else { KeyColumns.narrowestValue }
    }
}
