import Foundation
import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("The external editor")
struct ExternalEditorTests {
    private func replacing(_ old: String, _ new: String) -> @Sendable (ExternalText) -> ExternalEditResult {
        { .text($0.text.replacing(old, with: new) + ($0.text.hasSuffix("\n") ? "" : "\n")) }
    }

    @Test(
        "The XML says that comments are lost, and removing that line or formatting changes nothing"
    )
    func commentsOfXML() {
        var desk = Desk(["s": ["k": ["a": 16]]], keys: "⏎")
        desk.outsideAnswers = [
            {
                .text($0.text.split(separator: "\n").filter { !$0.hasPrefix("<!--") }.joined(separator: "\n"))
            },
            { .text($0.text.replacing("16", with: "0x10")) },
            { .text($0.text.replacing("16", with: "0x11")) },
        ]
        for expected in ["Unchanged.", "Unchanged.", nil] {
            desk.type("X")
            #expect(expected == nil || desk.foot == expected)
        }
        let texts = desk.effects.compactMap { if case .edit(let text) = $0 { text.text } else { nil } }
        #expect(texts.count == 3)
        #expect(texts.allSatisfy { $0.contains("<!-- The file's comments are not shown here") })
        #expect(desk.files["s"] == ["k": ["a": 17]])
    }

    @Test("JSON in data is expanded when the whole suite is edited, and keeps its formatting")
    func openedJSON() {
        var desk = Desk(["s": ["j": json(#"{"a": 1.50, "b":[1,2]}"#), "n": 1]])
        desk.outsideAnswers = [
            { .text($0.text.replacing("[1,2]", with: "[1, nope]")) },
            { .text($0.text.replacing("nope", with: "3")) },
        ]
        desk.type("E")
        #expect(desk.files["s"] == ["j": json(#"{"a": 1.50, "b":[1, 3]}"#), "n": 1])
        #expect(desk.writes.map { $0.changes.keys.sorted() } == [["j"]])
    }

    @Test(
        "E opens a value in the most readable format that can hold it, X opens XML",
        arguments: [
            ("one\ntwo", "E", "value.txt", "one", "1", "1\ntwo"),
            (["a": [1, 2.0], "b": "x"], "E", "value.json", "2.0", "2.5", ["a": [1, 2.5], "b": "x"]),
            (["a": 1], "X", "value.plist", "<integer>1", "<integer>7", ["a": 7]),
            ([.uid(1), 5], "E", "value.plist", "<integer>5", "<integer>6", [.uid(1), 6]),
            (json("{ \"a\":1.50 }"), "E", "value.json", "1.50", "1.5000", json("{ \"a\":1.5000 }")),
            (json("\"a\\nb\""), "E", "value.txt", "b", "c", json("\"a\\nc\"")),
            (12, "E", "value.txt", "2", "3", 13),
            (.data(Data([0xFF])), "E", "value.txt", "ff", "fe00", .data(Data([0xFE, 0]))),
        ] as [(PropertyListValue, String, String, String, String, PropertyListValue)]
    )
    func forms(
        value: PropertyListValue,
        key: String,
        name: String,
        old: String,
        new: String,
        result: PropertyListValue
    ) {
        var desk = Desk(["s": ["k": value]], keys: "⏎")
        desk.outsideAnswers = [replacing(old, new)]
        desk.type(key)
        let texts = desk.effects.compactMap { if case .edit(let text) = $0 { text } else { nil } }
        #expect(texts.map(\.fileName) == [name])
        #expect(desk.files["s"] == ["k": result])
        desk.type("u")
        #expect(desk.files["s"] == ["k": value])
    }

    @Test(
        "JSON on one line is shown in lines, and only the differences are written, in the form of the value",
        arguments: [
            (
                #"{ "b":1.50, "a": [1,2], "s":"x, {y}: \"z\"" }"#, "2\n", "20\n",
                #"{ "b":1.50, "a": [1,20], "s":"x, {y}: \"z\"" }"#
            ),
            (
                #"{"a": 1, "b": 2}"#, "1,", "1,\n  \"n\": {\n \"x\": [1,2]\n},",
                #"{"a": 1, "n": {"x": [1, 2]}, "b": 2}"#
            ),
            (#"{"a": 1, "b": 2}"#, "\"a\": 1,", "", #"{"b": 2}"#),
            (#"[1,[],{}]"#, "1,", "  0, 1,", #"[0,1,[],{}]"#),
            (#"[1, 2, 3]"#, ",\n  3", "", "[1, 2]"), (#"{"a":{}}"#, "{}", "{\"k\":1}", #"{"a":{"k":1}}"#),
        ]
    )
    func oneLine(stored: String, old: String, new: String, result: String) {
        var desk = Desk(["s": ["k": json(stored)]], keys: "⏎")
        desk.outsideAnswers = [replacing(old, new)]
        desk.type("E")
        let texts = desk.effects.compactMap { if case .edit(let text) = $0 { text.text } else { nil } }
        #expect(texts.count == 1 && texts[0].contains("\n  "))
        #expect(jsonText(desk.files["s"]?["k"]) == result)
    }

    @Test(
        "JSON on one line is not written if only its white space was edited, and is compared as lines if it is nested"
    )
    func oneLineUnchanged() {
        var desk = Desk(["s": ["k": json(#"{"a": [1, {"b": []}]}"#)]], keys: "⏎")
        desk.outsideAnswers = [{ .text($0.text.replacing("\n", with: " ")) }]
        desk.type("E")
        let texts = desk.effects.compactMap { if case .edit(let text) = $0 { text.text } else { nil } }
        #expect(texts == ["{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ]\n}"])
        #expect(desk.writes.isEmpty)
        #expect(desk.foot == "Unchanged.")
    }

    @Test("A long line of JSON whose values all change is still written on one line")
    func longLine() {
        let stored = "[" + (0..<5000).map(String.init).joined(separator: ", ") + "]"
        let other = "[" + (0..<5000).map { String($0 + 10_000) }.joined(separator: ", ") + "]"
        #expect(OneLineJSON(stored)?.edited(other.replacing(" ", with: "\n")) == other)
    }

    @Test("An unchanged text writes nothing, even with the line end that editors add")
    func unchanged() {
        let values: [PropertyListValue] = ["text", "text\n", ["a": 1], json("[ 1 ]"), 5]
        for value in values {
            var desk = Desk(["s": ["k": value]], keys: "⏎")
            desk.outsideAnswers = [replacing("nothing", "")]
            desk.type("E")
            #expect(desk.writes.isEmpty)
            #expect(desk.foot == "Unchanged.")
        }
    }

    @Test(
        "A text that does not parse is opened again with the reason, and if left unchanged it is not written"
    )
    func again() {
        var desk = Desk(["s": ["k": ["a": 1]]], columns: 120, keys: "⏎")
        desk.outsideAnswers = [replacing("1", "1,"), replacing("1,", "2")]
        desk.type("E")
        let texts = desk.effects.compactMap { if case .edit(let text) = $0 { text } else { nil } }
        #expect(texts.count == 2)
        #expect(texts.last?.text.hasPrefix("// pdefaults: line 3, column 1: ") == true)
        #expect(texts.last?.text.contains("\"a\": 1,\n}") == true)
        #expect(texts.last?.line == 4)
        #expect(desk.files["s"] == ["k": ["a": 2]])
        desk.outsideAnswers = [replacing("2", "[")]
        desk.type("E")
        #expect(desk.files["s"] == ["k": ["a": 2]])
        #expect(desk.foot.hasPrefix("Not written: line ") == true)
        #expect(desk.foot.hasSuffix("Edit it again?  y yes  n no") == true)
        desk.type("y")
        #expect(desk.state.mode == .question)
        desk.type("n")
        #expect(desk.foot == "Discarded. Nothing was written.")
        #expect(desk.writes.count == 1)
    }

    @Test("A foreign change during the edit leads to a conflict")
    func conflict() {
        var desk = Desk(["s": ["k": "mine"]], keys: "⏎")
        // The change arrives once the editor has gone.
        desk.files["s"]?["k"] = "mine"
        desk.outsideAnswers = [{ _ in .text("edited\n") }]
        desk.outsideMeanwhile = ("s", "k", "theirs")
        desk.type("E")
        #expect(desk.state.mode == .conflict)
        #expect(desk.files["s"] == ["k": "theirs"])
        desk.outsideAnswers = [{ .text($0.text + " again") }]
        desk.type("n")
        #expect(desk.state.mode == .conflict)
        desk.type("y")
        #expect(desk.files["s"] == ["k": "edited again"])
    }

    @Test("A whole suite is edited as JSON, and its changes are written in one transaction")
    func suite() {
        let values: [String: PropertyListValue] = [
            "a": 1, "b": .date(Date(timeIntervalSinceReferenceDate: 0)), "c": "x", "d": [1, 2.5],
        ]
        let left = values.filter { $0.key != "c" }.merging(["a": 2, "n": true]) { $1 }
        var desk = Desk(["s": values])
        let text = PropertyListValue.dictionary(left).typedJSON(indented: true) + "\n"
        desk.outsideAnswers = [{ _ in .text(text) }]
        desk.type("E")
        let texts = desk.effects.compactMap { if case .edit(let text) = $0 { text } else { nil } }
        #expect(texts.map(\.fileName) == ["suite.json"])
        #expect(desk.files["s"] == left)
        #expect(desk.writes.map { $0.changes.keys.sorted() } == [["a", "c", "n"]])
        #expect(desk.foot == "Changed: 3 keys, 1 of them deleted. Press u to undo.")
        desk.type("u")
        #expect(desk.files["s"] == values)
        // Left as it is, nothing is written.
        desk.press(.tab)
        desk.press(.control("e"))
        #expect(desk.foot == "Unchanged.")
        #expect(desk.writes.count == 2)
    }

    @Test(
        "A suite's text that does not parse, is no dictionary or contains a secret is opened again with the reason"
    )
    func suiteAgain() throws {
        let secret = SettingDeclaration(.string(), isSecret: true)
        var desk = Desk(["s": ["k": 1, "token": "t"]], schemas: ["s": SuiteSchema(["token": secret])])
        desk.outsideAnswers = [
            replacing("1", "1;"), { _ in .text("[]") }, { _ in .text(#"{"k": 1, "token": "mine"}"#) },
            { _ in .text(#"{"k": 2}"#) },
        ]
        desk.type("E")
        // From the second such text on, the user is asked.
        desk.type("yy")
        let texts = desk.effects.compactMap { if case .edit(let text) = $0 { text.text } else { nil } }
        try #require(texts.count == 4)
        #expect(texts[0] == "{\n  \"k\": 1\n}")
        #expect(texts[1].hasPrefix("// pdefaults: line 2, column 9: "))
        #expect(texts[2] == "// pdefaults: A suite must be a dictionary.\n[]")
        #expect(texts[3].hasPrefix("// pdefaults: “token” is a secret. You cannot change it here.\n"))
        #expect(desk.files["s"] == ["k": 2, "token": "t"])
    }

    @Test(
        "Foreign changes of a suite during the edit are kept, or overwritten if the user says so",
        arguments: [
            ("y", ["a": 2, "b": 9, "c": 3], 1), ("t", ["a": 5, "b": 9, "c": 3], 1),
            ("nt", ["a": 5, "b": 9, "c": 4], 2),
        ] as [(String, [String: PropertyListValue], Int)]
    )
    func suiteConflict(answer: String, result: [String: PropertyListValue], runs: Int) {
        var desk = Desk(["s": ["a": 1, "b": 1, "c": 1, "gone": 1]], columns: 100)
        desk.outsideAnswers = [
            { _ in .text(#"{"a": 2, "b": 1, "c": 3}"#) }, { .text($0.text.replacing("3", with: "4")) },
        ]
        desk.outsideMeanwhile = ("s", "a", 5)
        desk.type("E")
        #expect(desk.state.mode == .conflict)
        #expect(
            desk.foot
                == "Another program changed “a”. Write yours?  y mine  t theirs  n back"
        )
        #expect(desk.writes.isEmpty)
        desk.outside("s", "b", 9)
        desk.type(answer)
        #expect(desk.state.mode == .suites)
        #expect(desk.files["s"] == result)
        #expect(desk.writes.count == 1)
        #expect(desk.effects.count { if case .edit = $0 { true } else { false } } == runs)
    }

    @Test("A value that cannot be stored is opened again with the reason, and nothing is lost")
    func failedWrite() {
        var desk = Desk(["s": ["k": "text"]], keys: "⏎")
        desk.holdsWrites = true
        desk.outsideAnswers = [{ _ in .text("a long text") }]
        desk.type("E")
        desk.finishWrites(failing: "the disk is full.")
        let texts = desk.effects.compactMap { if case .edit(let text) = $0 { text.text } else { nil } }
        #expect(texts.last == "// pdefaults: the disk is full.\na long text")
        #expect(desk.foot == "Not written: the disk is full. Edit it again?  y yes  n no")
    }

    @Test("A key that is deleted while its whole suite is edited is written if the user says so")
    func keyDeleted() {
        var desk = Desk(["s": ["a": 1, "b": 2]], columns: 100)
        desk.outsideAnswers = [{ _ in .text(#"{"a": 3, "b": 2}"#) }]
        desk.outsideMeanwhile = ("s", "a", nil)
        desk.type("E")
        #expect(desk.message == "Another program deleted “a”. Write yours?")
        desk.type("y")
        #expect(desk.files["s"] == ["a": 3, "b": 2])
    }

    @Test("A failing editor writes nothing, and in a read-only suite the text can only be read")
    func failure() {
        var desk = Desk(["s": ["k": "text"]], keys: "⏎")
        desk.outsideAnswers = [{ _ in .failed("The editor ended with status 1") }]
        desk.type("E")
        #expect(desk.foot == "Not written: The editor ended with status 1.")
        var readOnly = Desk(["s": ["k": "text"]], readOnly: "it is", keys: "⏎")
        readOnly.outsideAnswers = [{ .text($0.text) }, { _ in .text("mine") }]
        readOnly.type("E")
        #expect(readOnly.state.statusLine.message == nil)
        readOnly.type("E")
        #expect(readOnly.foot == "Not written: Read-only: it is.")
        #expect(readOnly.writes.isEmpty)
    }
}
