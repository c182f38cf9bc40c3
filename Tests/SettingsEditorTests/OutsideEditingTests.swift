import Foundation
import PropertyList
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("The user's own editor")
struct OutsideEditingTests {
    private func replacing(_ old: String, _ new: String) -> @Sendable (OutsideText) -> OutsideResult {
        { .text($0.text.replacing(old, with: new) + ($0.text.hasSuffix("\n") ? "" : "\n")) }
    }

    @Test(
        "E opens a text or all that is inside in the form that has a place for it, X opens XML",
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

    @Test("Unchanged means unchanged, with the line end that editors add as well")
    func unchanged() {
        let values: [PropertyListValue] = ["text", "text\n", ["a": 1], json("[ 1 ]"), 5]
        for value in values {
            var desk = Desk(["s": ["k": value]], keys: "⏎")
            desk.outsideAnswers = [replacing("nothing", "")]
            desk.type("E")
            #expect(desk.writes.isEmpty)
            #expect(desk.screen.last == "Unchanged.")
        }
    }

    @Test("What does not parse is opened again with the reason and the text; left so, it is not written")
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
        #expect(desk.screen.last?.hasPrefix("Not written: line ") == true)
        #expect(desk.writes.count == 1)
    }

    @Test("A value that changes meanwhile is shown beside the edited one, and overwritten only by choice")
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

    @Test("An editor that fails writes nothing, and neither does one where nothing may be written")
    func failure() {
        var desk = Desk(["s": ["k": "text"]], keys: "⏎")
        desk.outsideAnswers = [{ _ in .failed("The editor ended with status 1") }]
        desk.type("E")
        #expect(desk.screen.last == "Not written: The editor ended with status 1.")
        var readOnly = Desk(["s": ["k": "text"]], readOnly: "it is", keys: "⏎")
        readOnly.type("E")
        #expect(readOnly.screen.last == "Read-only: it is")
        #expect(readOnly.effects == [.load("s")])
    }
}
