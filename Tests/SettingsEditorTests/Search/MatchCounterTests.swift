import PropertyList
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Counting matches")
struct MatchCounterTests {
    private let values: [String: PropertyListValue] = [
        "Apple": "green", "basket": ["Pear": 1, "nuts": ["hazel": "pear-shaped"]], "cherry": "red",
        "json": json(#"{"pears": [{"pear": 1}, "pear"], "x": 0}"#), "pear": 2,
    ]

    @Test(
        "The status line says which match is selected, however it was reached",
        arguments: [
            ("", "match 1 of 6"), ("n", "match 2 of 6"), ("nnn", "match 4 of 6"), ("N", "match 6 of 6"),
            ("4n", "match 5 of 6"), ("5N", "match 2 of 6"), ("8n", "match 3 of 6"), ("8N", "match 5 of 6"),
            ("G", "match 6 of 6"),
            ("g", "6 found"), ("gn", "match 1 of 6"), ("nnnnnkj", "match 6 of 6"), ("j", "6 found"),
            ("nnk", "6 found"), ("/red⏎", "match 1 of 1"),
        ]
    )
    func number(keys: String, text: String) {
        var desk = Desk(["a": values], columns: 100, keys: "⏎/pear⏎")
        for key in keys { desk.type(String(key)) }
        desk.idle()
        #expect(desk.lineEnd == text, "\(desk.text)")
        #expect(!desk.state.hasWork)
    }

    @Test("While a pattern is typed its count is shown after it")
    func typing() {
        var desk = Desk(["a": values], columns: 100, keys: "⏎/pe")
        desk.idle()
        #expect(desk.foot.hasSuffix(" 1 of 6") == true)
        desk.type("ars")
        desk.idle()
        #expect(desk.foot.hasSuffix(" 1 of 1") == true)
        desk.type("x")
        desk.idle()
        #expect(desk.foot.hasSuffix("not found") == true)
        desk.type("⎋")
        #expect(!desk.state.hasWork)
        #expect(!desk.text.contains(" of 1"))
    }

    @Test("The count follows foreign changes and the filter, and Esc removes it")
    func changes() {
        var desk = Desk(["a": values], columns: 100, keys: "⏎/pear⏎G")
        desk.outside("a", "another pear", "pear")
        desk.idle()
        #expect(desk.lineEnd == "match 7 of 7")
        desk.outside("a", "json", nil)
        desk.idle()
        #expect(desk.lineEnd == "match 4 of 4")
        desk.type("&shaped⏎")
        desk.idle()
        #expect(desk.lineEnd == "1 found")
        desk.type("n")
        desk.idle()
        #expect(desk.lineEnd == "match 1 of 1")
        desk.type("⎋")
        #expect(!desk.lineEnd.contains("match"))
        #expect(!desk.state.hasWork)
    }

    @Test("The matches of many keys are counted between keys, and n does not count again")
    func inSteps() {
        var values: [String: PropertyListValue] = [:]
        for number in 10_000..<13_000 { values["k\(number)"] = .string("value \(number)") }
        values["m"] = json("[" + (0..<5000).map { "\"value \($0)\"" }.joined(separator: ",") + "]")
        var desk = Desk(["a": values], columns: 100, keys: "⏎/value⏎")
        #expect(desk.state.hasWork)
        #expect(desk.lineEnd.contains("+ found"))
        desk.idle()
        #expect(desk.lineEnd.contains("match 1 of 8000"))
        desk.type("N")
        desk.idle()
        #expect(desk.lineEnd.contains("match 8000 of 8000"))
        for _ in 0..<7 { desk.type("N") }
        #expect(desk.lineEnd.contains("match 7993 of 8000"))
        desk.type("k")
        desk.idle()
        #expect(desk.lineEnd.contains("match 7992 of 8000"))
    }

    @Test("Matches in the list of suites are counted too")
    func suites() {
        var desk = Desk(
            ["com.a": [:], "com.b": [:], "org.c": [:], "org.d": [:]],
            columns: 100,
            keys: "/org⏎n"
        )
        #expect(desk.lineEnd == "match 2 of 2")
        desk.type("n")
        #expect(desk.lineEnd == "match 1 of 2")
        desk.type("k")
        #expect(!desk.text.contains("match"))
    }
}
