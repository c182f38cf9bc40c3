import Foundation
import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Comparing values side by side")
struct ComparisonTests {
    /// The texts of the lines that are marked as differing, for two or three values.
    private func marked(_ values: [PropertyListValue?], columns: Int = 40) -> [[String]] {
        comparison(values, columns: columns).texts.map { $0.filter(\.differs).map(\.text) }
    }

    private func comparison(_ values: [PropertyListValue?], columns: Int = 40, height: Int = 5) -> Comparison
    {
        let subject = ComparisonSubject(
            parts: values.map { .init(title: "", shortTitle: "", value: .init($0)) },
            isHidden: false,
            columns: columns
        )
        let format = ValueFormat(date: nil, zone: { _ in 0 })
        return Comparison(subject, height: height, format, .unicode)
    }

    @Test("Each value is marked where it differs from the base, and the base where any other value differs")
    func containers() {
        #expect(
            marked([["w": 800, "h": 1, "old": 1], ["w": 1024, "h": 1, "new": [1, 2]]])
                == [["old: 1", "w: 800"], ["new:", "0: 1", "1: 2", "w: 1024"]]
        )
        #expect(marked([[1, 2, 3], [1, 9, 2, 3]]) == [[], ["1: 9"]])
        #expect(
            marked([json(#"{"a":1,"b":2}"#), json(#"{"a":1,"b":3}"#), json(#"{"a":0,"b":3}"#)])
                == [["a: 1", "b: 2"], ["a: 1"], ["a: 0", "b: 3"]]
        )
        // Without a base, the other two are compared with each other.
        #expect(marked([["a": 1, "b": 2], ["a": 1, "b": 3], nil]) == [["b: 2"], ["b: 3"], ["nothing"]])
        #expect(marked([["a": 1], ["a": 2], 5]) == [["a: 1"], ["a: 2"], ["5"]])
        // One value was deleted. The other one is compared with the base.
        #expect(marked([["a": 1, "b": 3], nil, ["a": 1, "b": 2]]) == [["b: 3"], ["nothing"], ["b: 2"]])
        // The order of members is none of their values'.
        #expect(
            marked([json(#"{"a":1,"b":2,"c":3}"#), json(#"{"c":3,"b":0,"a":1}"#)]) == [["b: 2"], ["b: 0"]]
        )
        #expect(marked([json(#"{"a":1,"a":2}"#), json(#"{"a":1,"a":3}"#)]) == [["a: 2"], ["a: 3"]])
        #expect(marked([["a": 1], 5, nil]) == [["a: 1"], ["5"], ["nothing"]])
        #expect(marked([[], [1]]) == [[], ["0: 1"]])
        #expect(marked([["a": 1], ["a": 1]]) == [[], []])
    }

    @Test(
        "A string is in quotation marks, so that it differs from every other value that is written the same",
        arguments: [3, true, ["nothing": 1], nil, json("3"), json("\"3\""), json("null")]
            as [PropertyListValue?]
    )
    func types(other: PropertyListValue?) throws {
        let shown = try #require(rows([other]).first)
        for text in ["3", "true", "nothing", "null", "nothing: 1", ""] {
            let both = rows([.string(text), other])
            #expect(both[0] == ["≠“\(text)”"])
            #expect(both[1].map { $0.trimmingPrefix("≠") } == shown.map { $0.trimmingPrefix("≠") })
            #expect(!shown.contains("“\(text)”"))
        }
    }

    @Test("In a conflict the string 3 and the number 3 look different")
    func typesInConflict() {
        var desk = Desk(["a": ["k": "2", "z": 1]], columns: 90, rows: 20, keys: "⏎⏎3")
        desk.outside("a", "k", 3)
        desk.type("⌫⌫3⏎")
        #expect(desk.screen.contains { $0.hasPrefix("▌“3” ") && $0.contains("│▌3 ") }, "\(desk.text)")
        #expect(desk.text.contains("Another program stored an integer, 3. Overwrite it with “3”?"))
    }

    @Test("The history and the row name a former string in quotation marks")
    func typesInHistory() {
        var desk = Desk(["a": ["k": "3"]], columns: 80, rows: 24, keys: "⏎w")
        desk.outside("a", "k", 3)
        #expect(desk.body[0].contains("3  was “3”"), "\(desk.body[0])")
        #expect(desk.text.contains("“3” → 3"))
        desk.type("H")
        #expect(desk.screen.contains { $0.hasPrefix("▌“3” ") && $0.contains("│▌3") }, "\(desk.text)")
    }

    @Test("In a text whole lines are marked, and all rows of a long line")
    func texts() {
        #expect(marked(["a\nb\nc", "a\nB\nc"]) == [["b"], ["B"]])
        #expect(marked(["a\nb\nc", "a\nnew\nb\nc"]) == [[], ["new"]])
        #expect(marked(["a\r\nb", "a\nb"]) == [["“a␍"], ["“a"]])
        #expect(marked(["a  b", "a b"]) == [["“a  b”"], ["“a b”"]])
        #expect(marked(["", "x", nil]) == [["“”"], ["“x”"], ["nothing"]])
        let long = String(repeating: "0123456789", count: 10)
        #expect(
            marked([.string(long + "A" + long), .string(long + "B" + long)], columns: 10).map(\.count)
                == [21, 21]
        )
        #expect(marked([.string(long), .string(long + "B")], columns: 10).map(\.count) == [11, 11])
        // Moved lines do not mark the lines between them.
        #expect(marked(["1\n2\n3\n4", "0\n2\n3"]) == [["“1", "4”"], ["“0"]])
    }

    /// The rows of each value, “-” where another has more of them.
    private func rows(_ values: [PropertyListValue?], columns: Int = 40) -> [[String]] {
        comparison(values, columns: columns).texts.map { rows in
            rows.map { ($0.differs ? "≠" : "") + ($0.text.isEmpty ? "-" : $0.text) }
        }
    }

    @Test("Equal lines stay beside each other after lines that only one value has")
    func alignment() {
        #expect(
            rows(["a\nb\nc", "a\nx\ny\nb\nC"]) == [
                ["“a", "-", "-", "b", "≠c”"], ["“a", "≠x", "≠y", "b", "≠C”"],
            ]
        )
        #expect(
            rows([[1, 2, 3], [1, 9, 2, 3]]) == [
                ["0: 1", "-", "1: 2", "2: 3"], ["0: 1", "≠1: 9", "2: 2", "3: 3"],
            ]
        )
        #expect(
            rows([["a": [1], "c": 3], ["a": [1, 2], "b": 0, "c": 3]])
                == [["a:", "0: 1", "-", "-", "c: 3"], ["a:", "0: 1", "≠1: 2", "≠b: 0", "c: 3"]]
        )
        // Two that put something in at the same place have it in the same rows.
        #expect(
            rows(["a\nmine\nb", "a\ntheirs\nand more\nb", "a\nb"])
                == [
                    ["“a", "≠mine", "-", "b”"], ["“a", "≠theirs", "≠and more", "b”"], ["“a", "-", "-", "b”"],
                ]
        )
        // Elements that came in several places, and one that went.
        #expect(
            rows([[1, 2, 3, 4, 5], [0, 1, 2, 9, 3, 5]])
                == [
                    ["-", "0: 1", "1: 2", "-", "2: 3", "≠3: 4", "4: 5"],
                    ["≠0: 0", "1: 1", "2: 2", "≠3: 9", "4: 3", "-", "5: 5"],
                ]
        )
        // Values of different kinds have rows of their own.
        #expect(rows(["one\ntwo", [1, 2, 3]]) == [["≠“one", "≠two”", "-"], ["≠0: 1", "≠1: 2", "≠2: 3"]])
    }

    @Test("A very long line is shown from its first difference on")
    func longLines() {
        let long = String(repeating: "0123456789", count: 2000)
        let texts = comparison([.string("A" + long), .string(long + "B"), .string(long)], columns: 40).texts
        #expect(texts.allSatisfy { $0.count < 200 && $0.contains(where: \.differs) })
        #expect(texts[0][0].text.hasPrefix("“A0123"))
        #expect(texts[0].contains { $0.text.hasSuffix("(20001 bytes)") })
        #expect(texts[1][0].text.hasPrefix("“…01234567890123456789B”"))
        #expect(texts[2][0].text.hasPrefix("“0123"))
        // The same for strings inside containers.
        let inside = comparison([["k": .string("A" + long)], ["k": .string(long)]], columns: 40).texts
        #expect(inside[0][0].text.hasPrefix("k: “A0123"))
    }

    @Test(
        "A comparison starts at the first difference, Tab goes through all differences, and scrolling reaches both ends"
    )
    func scrolling() {
        let old = (0..<100).map { PropertyListValue.string("v\($0)") }
        var new = old
        (new[30], new[31], new[70]) = ("x", "y", "z")
        var comparison = comparison([.array(old), .array(new)])
        #expect(comparison.top == 29)
        comparison.goToDifference(forwards: true)
        #expect(comparison.top == 69)
        comparison.goToDifference(forwards: true)
        #expect(comparison.top == 29)
        comparison.goToDifference(forwards: false)
        #expect(comparison.top == 69)
        comparison.scroll(.last)
        #expect(comparison.top == 95)
        comparison.scroll(.down)
        #expect(comparison.top == 95)
        comparison.scroll(.first)
        comparison.scroll(.up)
        #expect(comparison.top == 0)
        comparison.scroll(.halfPageDown)
        #expect(comparison.top == 2)
    }

    @Test("Tab shows a long difference page by page")
    func longDifference() {
        let old = (0..<50).map { PropertyListValue.integer(PropertyListInteger($0)) }
        let new = old.enumerated().map { (20..<28).contains($0) ? .string("new") : $1 }
        var comparison = comparison([.array(old), .array(new)])
        for top in [19, 23, 19] {
            #expect(comparison.top == top)
            comparison.goToDifference(forwards: true)
        }
        comparison.goToDifference(forwards: false)
        #expect(comparison.top == 19)
    }

    @Test("A comparison of huge values shows at most 5,000 lines, and the first difference is one of them")
    func large() {
        let members = (0..<30_000).map { "\"k\(100_000 + $0)\":\($0)" }
        var others = members
        others[20_000] = "\"k120000\":true"
        others[29_000] = "\"k129000\":true"
        let objects = [members, others].map { json("{" + $0.joined(separator: ",") + "}") }
        var parts = comparison(objects)
        #expect(parts.texts.allSatisfy { $0.count <= 5001 })
        #expect(parts.texts[1][parts.top + 1].text == "k120000: true")
        #expect(parts.texts[0][parts.top + 1] == .init(text: "k120000: 20000", indent: 0, differs: true))
        #expect(parts.texts[0].contains { $0.text == "… 19600 are the same" })
        // The next one is to be seen too.
        parts.goToDifference(forwards: true)
        #expect(parts.texts[1][parts.top + 1].text == "k129000: true")
        let text = String(repeating: "é", count: 300_000)
        let texts = comparison([.string(text + "A" + text), .string(text + "B" + text)])
        #expect(texts.texts[0].count < 5000)
        #expect(texts.texts[0].contains { $0.differs && $0.text.contains("A") })
        #expect(texts.texts[1].contains { $0.differs && $0.text.contains("B") })
        let lines = (0..<100_000).map { "line \($0)" }
        let changed = ["new"] + lines[..<50_000] + ["LINE"] + lines[50_001...]
        let long = comparison([
            .string(lines.joined(separator: "\n")), .string(changed.joined(separator: "\n")),
        ])
        #expect(long.texts[0].filter(\.differs).map(\.text) == ["line 50000"])
        #expect(long.texts[1].filter(\.differs).map(\.text) == ["“new", "LINE"])
    }

    @Test(
        "A conflict fits any screen size, and scrolling back shows the first screen again",
        arguments: 1...12
    )
    func sizes(rows: Int) {
        for columns in [1, 5, 19, 20, 40, 61, 100] {
            var desk = Desk(["a": ["k": "old", "z": 1]], columns: columns, rows: rows, keys: "⏎⏎er")
            desk.outside("a", "k", .string(String(repeating: "theirs ", count: 40)))
            desk.type("⏎")
            let drawn = desk.screen
            #expect(drawn.count == rows)
            desk.type("jjGgk⇟⇞⇥")
            #expect(desk.state.mode == .conflict)
            desk.type("g")
            #expect(desk.screen == drawn || desk.state.display.comparison?.scrolls == true)
            desk.type("t")
            #expect(desk.state.mode == .keys)
        }
    }

    @Test("On 20 by 5 all lines of three long values can be reached, and all answers are visible")
    func smallest() {
        let old = (0..<30).map { "line \($0)" }.joined(separator: "\n")
        var desk = Desk(["a": ["k": .string(old)]], columns: 20, rows: 5, keys: "⏎⏎!")
        desk.outside("a", "k", .string(old.replacing("line 3\n", with: "LINE 3\n")))
        desk.type("⏎")
        #expect(
            desk.screen == [
                "Yours: line 3      …", "File: ▌LINE 3      …", "Was:  ▌line 3      …", "y mine  t theirs",
                "n back",
            ]
        )
        desk.type("⇥")
        #expect(desk.title == "Yours:▌line 29!”")
        #expect(desk.screen[1] == "File:  line 29”")
        #expect(desk.screen[2] == "Was:  ▌line 29”")
        desk.type("g")
        #expect(desk.screen[..<3].allSatisfy { $0.contains(" “line 0") })
        desk.type("jjjj")
        #expect(desk.screen[..<3].allSatisfy { $0.contains(" line 4") })
        desk.send(.mouse(.wheelUp, Point(column: 8, row: 1)))
        #expect(desk.screen[1].contains(" line 1"))
        desk.type("y")
        #expect(desk.files["a"]?["k"] == .string(old + "!"))
    }

    @Test("In the history J and K scroll the values, Tab goes to the next difference, and the list stays")
    func history() {
        let old = (0..<50).map { PropertyListValue.integer(PropertyListInteger($0)) }
        var new = old
        (new[20], new[40]) = ("a", "b")
        var desk = Desk(["a": ["k": .array(old)]], columns: 80, rows: 24, keys: "⏎")
        desk.outside("a", "k", .array(new))
        desk.type("H")
        #expect(desk.text.contains("▌20: 20 "))
        #expect(desk.text.contains("│▌20: “a”"))
        #expect(desk.text.contains(" 20-28 of 50 "))
        desk.type("J")
        #expect(desk.text.contains(" 21-29 of 50 "))
        desk.type("K⇥")
        #expect(desk.text.contains(" 40-48 of 50 "))
        #expect(desk.text.contains("│▌40: “b”"))
        desk.press(.control("u"))
        #expect(desk.text.contains(" 36-44 of 50 "))
        desk.press(.backTab)
        #expect(desk.text.contains(" 20-28 of 50 "))
        #expect(desk.body[0].hasPrefix("»"))
        desk.outside("a", "z", 1)
        #expect(desk.text.contains(" 20-28 of 50 "))
        #expect(desk.foot.contains("Tab next difference") == true)
        desk.type("k")
        #expect(!desk.text.contains(" of 50 "))
    }

    @Test("Without Unicode the comparison is ASCII")
    func ascii() {
        var desk = Desk(["a": ["k": ["list": ["a", "b"], "s": "x"]]], glyphs: .ascii, keys: "⏎")
        desk.outside("a", "k", ["list": ["a", "c"], "s": .string(String(repeating: "y ", count: 90))])
        desk.type("H")
        #expect(desk.text.contains(/\| *1: "b"/), "\(desk.text)")
        #expect(desk.text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("A foreign change during a conflict updates the values and the question")
    func following() {
        var desk = Desk(["a": ["k": ["x": 1, "y": 2]]], columns: 90, rows: 20, keys: "⏎")
        desk.outsideAnswers = [{ _ in .text(#"{"x": 5, "y": 2}"#) }]
        desk.outsideMeanwhile = ("a", "k", ["x": 7, "y": 2])
        desk.type("E")
        #expect(desk.text.contains("At /x another program stored 7, you have 5. Overwrite with yours?"))
        #expect(
            desk.screen.contains { $0.hasPrefix("▌x: 5 ") && $0.contains("│▌x: 7 ") && $0.contains("│▌x: 1") }
        )
        desk.outside("a", "k", ["x": 5, "y": 3])
        #expect(desk.text.contains("At /y another program stored 3, you have 2. Overwrite with yours?"))
        #expect(desk.screen.contains { $0.hasPrefix(" y: 2 ") && $0.contains("│▌y: 3 ") })
    }
}
