import Foundation
import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

/// A change inside a value, and its summary.
struct TellingCase: Sendable {
    let old: PropertyListValue
    let new: PropertyListValue
    /// The place, and what is said of it.
    let place: String
    let text: String
    var more = 0
}

@Suite("Describing a change inside a value")
struct ChangeSummaryTests {
    static let cases: [TellingCase] = [
        TellingCase(old: ["w": 800, "h": 1], new: ["w": 1024, "h": 1], place: "/w", text: "800 → 1024"),
        TellingCase(
            old: ["a": ["w": 800, "h": 1]],
            new: ["a": ["w": 1, "h": 2]],
            place: "/a/h",
            text: "1 → 2",
            more: 1
        ),
        TellingCase(old: ["a": 1], new: ["a": 1, "b": "x"], place: "/b", text: "nothing → “x”"),
        TellingCase(old: ["a": 1, "b": "x"], new: ["a": 1], place: "/b", text: "“x” → nothing"),
        TellingCase(old: [1, 2, 3], new: [1, 9, 2, 3], place: "/1", text: "nothing → 9"),
        TellingCase(old: [1, 9, 2, 3], new: [1, 2, 3], place: "/1", text: "9 → nothing"),
        TellingCase(old: [1, 2, 3], new: [1, 7, 3], place: "/1", text: "2 → 7"),
        TellingCase(old: [1, 2, 3, 4], new: [0, 1, 2, 4], place: "/0", text: "nothing → 0", more: 1),
        TellingCase(old: [1, 2, 3], new: [0, 1, 7, 3], place: "/0", text: "nothing → 0", more: 1),
        TellingCase(old: [1, 2, 3], new: [4], place: "/0", text: "1 → 4", more: 2),
        TellingCase(old: [1, 1], new: [1, 1, 1], place: "/2", text: "nothing → 1"),
        TellingCase(old: [["k": 1]], new: [["k": "1"]], place: "/0/k", text: "1 → “1”"),
        TellingCase(old: [[1]], new: [["k": 1]], place: "/0", text: "[1 item] → {1 key}"),
        TellingCase(
            old: json(#"{"b":[1,2,3],"c":{"d":"x"}}"#),
            new: json(#"{"b":[1,5,3],"c":{"d":"x"}}"#),
            place: "/b/1",
            text: "2 → 5"
        ),
        TellingCase(
            old: json(#"{"a":1,"b":{"c":2}}"#),
            new: json(#"{"a":1,"b":{"c":2},"z":null}"#),
            place: "/z",
            text: "nothing → null"
        ),
        TellingCase(old: json("[1.50]"), new: json("[1.5]"), place: "/0", text: "1.50 → 1.5"),
        TellingCase(
            old: json(#"{"a":1}"#),
            new: json(#"{ "a": 1 }"#),
            place: "",
            text: "{1 member}, in another notation"
        ),
        TellingCase(
            old: json(#"{"a":1,"a":2}"#),
            new: json(#"{"a":1,"a":3}"#),
            place: "/a (2)",
            text: "2 → 3"
        ),
        TellingCase(old: "{\"a\":[1]}", new: "{\"a\":[2]}", place: "/a/0", text: "1 → 2"),
        TellingCase(
            old: ["j": json(#"{"a":1}"#)],
            new: ["j": json(#"{"a":2}"#)],
            place: "/j/a",
            text: "1 → 2"
        ),
        TellingCase(old: json("[1]"), new: "[1]", place: "", text: "[1 element], in another notation"),
    ]

    @Test("A change is described by the first changed value and the number of others", arguments: cases)
    func telling(_ change: TellingCase) throws {
        let words = try #require(ChangeSummary(change.old, change.new, nil))
        let first = try #require(words.first(below: []))
        #expect(first.place.path.description == change.place)
        #expect(first.place.text == change.text)
        #expect(first.more == change.more)
    }

    @Test("Long texts and data are described from shortly before their difference")
    func long() throws {
        let x = String(repeating: "x", count: 3000)
        let texts = try #require(ChangeSummary(.string(x + "A" + x), .string(x + "C" + x), nil))
        #expect(texts.places[0].old.hasPrefix("“…xxxxxxxxAxxx"))
        #expect(texts.places[0].new.hasPrefix("“…xxxxxxxxCxxx"))
        #expect(texts.places[0].new.hasSuffix("x…”"))
        let end = try #require(ChangeSummary(.string(x), .string(x + "e\u{301}"), nil))
        #expect(end.places[0].text == "“…xxxxxxxx” → “…xxxxxxxxe\u{301}”")
        let zeros = Data(repeating: 0, count: 3000)
        let data = try #require(ChangeSummary(.data(zeros + [1]), .data(zeros + [2]), nil))
        #expect(data.places[0].text == "3001 bytes  …000001 → 3001 bytes  …000002")
    }

    @Test("In long arrays a few inserted and removed elements leave the others unchanged")
    func longArraysMoved() {
        let before = (0..<10_000).map { ["n": .integer(PropertyListInteger($0))] as PropertyListValue }
        var after = before
        after.remove(at: 8000)
        after[5000] = ["n": -1]
        after.insert("new", at: 0)
        let (old, new) = (PropertyListValue.array(before), PropertyListValue.array(after))
        var desk = Desk(["a": ["k": old]], columns: 80, keys: "⏎l")
        desk.outside("a", "k", new)
        desk.type("gjj")
        #expect(desk.body[1].contains("●"))
        #expect(!desk.body[2].contains("●"))
    }

    @Test("Texts are cut at the start of a character", arguments: ["é", "👍🏽", "\r\n", "क्षि"])
    func characters(character: String) {
        let start = String(repeating: "ab", count: 40)
        let (old, new) = excerpts(
            ValueNode(.string(start + "e" + character)),
            ValueNode(.string(start + character + "e")),
            nil
        )
        #expect(old.hasPrefix("“…abababab"))
        #expect(new == "“…abababab\(character)e”")
    }

    @Test("Row, status line, watch pane and history name the same changed value")
    func everywhere() {
        let old = json(#"{"list":[1,2,3],"size":{"width":800,"height":600}}"#)
        let new = json(#"{"list":[1,2,3],"size":{"width":1024,"height":600}}"#)
        var desk = Desk(["a": ["k": old, "z": 1]], columns: 120, keys: "⏎w")
        desk.outside("a", "k", new)
        #expect(desk.foot == "k/size/width changed by another program: 800 → 1024")
        #expect(desk.body[0].contains("  /size/width was 800"))
        let pane = desk.screen.first { $0.contains("a › k/size/width") }
        #expect(pane?.contains("800 → 1024") == true)
        desk.type("H")
        #expect(desk.body[0].contains("a › k/size/width"))
        #expect(desk.body[0].hasSuffix("800 → 1024"))
        desk.outside("a", "k", json(#"{"list":[1,3],"size":{"width":1,"height":1}}"#))
        #expect(desk.body[0].contains("a › k/list/1"))
        #expect(desk.body[0].hasSuffix("2 → nothing, 2 more"))
        // Narrow, the number stays.
        desk.size = Size(columns: 40, rows: 24)
        desk.act(.resized(desk.size))
        #expect(desk.body[0].hasSuffix(", 2 more"))
    }

    @Test("A collapsed row names a changed value inside it, and an expanded row leaves that to its members")
    func nested() {
        let old: PropertyListValue = ["a": ["x": 1, "y": 2], "b": ["z": 1]]
        let new: PropertyListValue = ["a": ["x": 5, "y": 6], "b": ["z": 7]]
        var desk = Desk(["a": ["k": old]], columns: 120, keys: "⏎l")
        desk.outside("a", "k", new)
        #expect(desk.outline == ["[k]", "  a", "  b"])
        #expect(!desk.body[0].contains("was"))
        #expect(desk.body[1].hasSuffix("/x was 1, 1 more"))
        #expect(desk.body[2].hasSuffix("/z was 1"))
        desk.type("h")
        #expect(desk.body[0].hasSuffix("/a/x was 1, 2 more"))
    }

    @Test("For a secret no path is named")
    func secret() {
        let schema = SuiteSchema(["token": SettingDeclaration(.anything, isSecret: true)])
        var desk = Desk(["a": ["token": ["pin": 1234]]], columns: 120, schemas: ["a": schema], keys: "⏎w")
        desk.outside("a", "token", ["pin": 9876])
        #expect(desk.text.contains("a secret → a secret"))
        desk.type("H")
        for hidden in ["pin", "1234", "9876"] { #expect(!desk.text.contains(hidden)) }
    }
}
