import PropertyList
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Empty values")
struct EmptyValuesTests {
    @Test(
        "An empty text shows quotation marks that look like a hint",
        arguments: [("", "", 1), (json(#"[""]"#), "j⏎k", 2)] as [(PropertyListValue, String, Int)]
    )
    func texts(value: PropertyListValue, keys: String, row: Int) {
        let desk = Desk(["a": ["a": 1, "k": value]], columns: 100, single: true, keys: keys)
        #expect(desk.body[row].hasSuffix(" \"\""))
        let first = Layout(desk.state, desk.size).rows?.row ?? 0
        let marks = view(desk.state, size: desk.size).row(first + row).filter { $0.text == "\"" }
        #expect(marks.map(\.style) == [.faint, .faint])
    }

    @Test(
        "An empty array or dictionary cannot be expanded, and says how to fill it",
        arguments: [[], [:], json("{}"), json("[]")] as [PropertyListValue]
    )
    func containers(value: PropertyListValue) {
        var desk = Desk(["a": ["k": value, "l": [1]]], columns: 100, single: true)
        #expect(!desk.body[0].contains("▸") && desk.body[1].contains("▸"))
        #expect(!desk.keyLine.contains("Enter"))
        desk.type("⏎")
        #expect(desk.foot == "It is empty. Press A to add inside.")
        #expect(!desk.body[0].contains("▾"))
    }

    @Test("Enter collapses an expanded row, and the hints say so")
    func expanded() {
        var desk = Desk(["a": ["l": [1]]], columns: 100, single: true, keys: "⏎")
        #expect(desk.keyLine.hasPrefix("Enter collapse"))
        desk.type("⏎")
        #expect(desk.outline == ["[l]"])
        #expect(desk.keyLine.hasPrefix("Enter open"))
    }
}
