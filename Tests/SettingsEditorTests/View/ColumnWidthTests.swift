import PropertyList
import Testing

@testable import SettingsEditor

/// How the screen is divided between keys and values.
@Suite("Widths of the columns")
struct ColumnWidthTests {
    private static let long = "window." + String(repeating: "position.", count: 10) + "x"
    private static let thousands = Dictionary(
        uniqueKeysWithValues: (10_000...30_000).map { ("key.\($0)", PropertyListValue.integer(1)) }
    )

    /// The column of the values, from the left edge of their pane.
    private func valueColumn(_ desk: Desk) -> Int? {
        Layout(desk.state, desk.size).keys.flatMap { desk.state.suite?.keyColumns($0.columns).value }
    }

    @Test("One long key among thousands is read, and the columns stay when the user scrolls to it")
    func longAmongThousands() {
        var desk = Desk(["app": Self.thousands.merging([Self.long: 2]) { $1 }], columns: 100, keys: "⏎")
        desk.idle()
        #expect(desk.state.suite?.outline.rows.count == 20_002)
        let column = valueColumn(desk)
        desk.type("G")
        #expect(desk.selectedKey == Self.long)
        #expect(valueColumn(desk) == column)
        desk.type("k")
        #expect(desk.selectedKey == "key.30000")
    }

    @Test("A long key is cut in the middle, so that the values have room, and the details show it whole")
    func longKey() {
        let keys = ["alpha", "beta", "delta", "gamma", "kappa", "lambda"]
        var values = Dictionary(uniqueKeysWithValues: keys.map { ($0, PropertyListValue.string("short")) })
        let sentence = "a value of fifty characters, which fits on a row."
        values["beta"] = .string(sentence)
        values[Self.long] = 1
        let desk = Desk(["app": values], columns: 100, rows: 30, single: true, keys: "G")
        #expect(desk.text.contains(sentence))
        #expect(desk.body.last { !$0.isEmpty }?.contains("window.pos") == true)
        #expect(desk.detailWords.replacing(" ", with: "").contains(Self.long))
    }

    @Test("Long keys with short values get the room that the values do not need")
    func longKeysShortValues() {
        let keys = (10..<30).map { "editor.suggest.settings.of.the.language.\($0)" }
        let desk = Desk(
            ["app": Dictionary(uniqueKeysWithValues: keys.map { ($0, true) })],
            columns: 100,
            single: true
        )
        #expect(keys.prefix(5).allSatisfy(desk.text.contains))
    }

    @Test("A filter leaves the columns where they are")
    func filtered() {
        var desk = Desk(["app": [Self.long: 1, "a": 2, "b": 3, "c": 4]], columns: 100, keys: "⏎")
        let column = valueColumn(desk)
        desk.type("&window")
        desk.idle()
        #expect(desk.state.suite?.outline.rows.count == 1)
        #expect(valueColumn(desk) == column)
    }
}
