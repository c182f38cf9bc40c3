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
    let more: Int

    init(
        _ old: PropertyListValue,
        _ new: PropertyListValue,
        _ place: String,
        _ text: String,
        more: Int = 0
    ) {
        (self.old, self.new, self.place, self.text, self.more) = (old, new, place, text, more)
    }
}

@Suite("Describing a change inside a value")
struct ChangeSummaryTests {
    // TreeDiffTests test which values differ.
    static let cases: [TellingCase] = [
        TellingCase(["w": 800, "h": 1], ["w": 1024, "h": 1], "/w", "800 → 1024"),
        TellingCase(["a": ["w": 800, "h": 1]], ["a": ["w": 1, "h": 2]], "/a/h", "1 → 2", more: 1),
        TellingCase(["a": 1], ["a": 1, "b": "x"], "/b", "nothing → “x”"),
        TellingCase(["a": 1, "b": "x"], ["a": 1], "/b", "“x” → nothing"),
        TellingCase([1, 2, 3], [4], "/0", "1 → 4", more: 2),
        TellingCase([["k": 1]], [["k": "1"]], "/0/k", "1 → “1”"),
        TellingCase([[1]], [["k": 1]], "/0", "[1 item] → {1 key}"),
        TellingCase(json(#"{"a":1}"#), json(#"{"a":1,"z":null}"#), "/z", "nothing → null"),
        TellingCase(json("[1.50]"), json("[1.5]"), "/0", "1.50 → 1.5"),
        TellingCase(json(#"{"a":1}"#), json(#"{ "a": 1 }"#), "", "{1 member}, in another notation"),
        TellingCase("{\"a\":[1]}", "{\"a\":[2]}", "/a/0", "1 → 2"),
        TellingCase(json("[1]"), "[1]", "", "[1 element], in another notation"),
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
        var desk = Desk(["a": ["k": old]], columns: 126, keys: "⏎l")
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
