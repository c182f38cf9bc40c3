import PropertyList
import TerminalCanvas
import Testing
import ValueDiff

@testable import SettingsEditor

@Suite("Staged changes inside a key")
struct StagedPlaceTests {
    @Test("Additions and deletions in several keys are staged one by one")
    func comingAndGoing() {
        var desk = Desk(["a": ["k": 1, "n": 5, "o": 1]], columns: 110, keys: "⏎Sjdyd")
        desk.type("azz⏎a⏎")
        desk.outside("a", "zz", 99)
        desk.type("Ww")
        #expect(desk.files == ["a": ["k": 1, "zz": 99]])
    }

    @Test("If a foreign change removed the path of a staged change, u names the current value")
    func undoneBeneath() {
        var desk = Desk(["s": ["arr": [10, 20, 30]]], columns: 100, keys: "⏎Sljj⏎7⏎")
        desk.outside("s", "arr", [10, 30])
        desk.type("u")
        #expect(desk.state.pendingChanges.isEmpty)
        #expect(
            desk.foot
                == "Undone: the staged change of “arr” is discarded. The stored value is [2 items]."
        )
    }

    @Test("One staged change of a key can be discarded without the others, and u restores it")
    func places() {
        let text = #"{ "a": 1.50, "b": [1, 2, 3], "c": {"x": "y"} }"#
        var desk = Desk(["s": ["k": json(text), "z": 1]], columns: 80, keys: "⏎Sl")
        desk.type("j⏎→7⏎")
        desk.type("jljjd")
        desk.type("jlj⏎!⏎")
        let edited = #"{ "a": 1.507, "b": [1, 3], "c": {"x": "y!"} }"#
        #expect(jsonText(desk.state.pendingChanges.first?.change.new) == edited)
        desk.type("W")
        #expect(
            desk.body[0...3].map { $0.split(separator: " ").joined(separator: " ") } == [
                "»± s › k 3 places", "/a 1.50 → 1.507", "/b/1 2 → nothing", "/c/x “y” → “y!”",
            ]
        )
        #expect(desk.title.hasSuffix("± 1 staged"))
        desk.type("jd")
        #expect(
            jsonText(desk.state.pendingChanges.first?.change.new)
                == #"{ "a": 1.50, "b": [1, 3], "c": {"x": "y!"} }"#
        )
        #expect(desk.foot == "Discarded the change of “k/a”.")
        desk.type("u")
        #expect(jsonText(desk.state.pendingChanges.first?.change.new) == edited)
        desk.type("d")
        desk.press(.control("r"))
        desk.type("d")
        #expect(
            jsonText(desk.state.pendingChanges.first?.change.new)
                == #"{ "a": 1.50, "b": [1, 2, 3], "c": {"x": "y!"} }"#
        )
        // One change is left, which the row of the key shows.
        #expect(desk.state.staging.rows.count == 1)
        desk.type("d")
        // With the last of them nothing waits any more.
        #expect(desk.state.pendingChanges.isEmpty)
        #expect(desk.state.mode == .keys)
        desk.type("j")
        #expect(jsonText(desk.files["s"]?["k"]) == text)
        #expect(desk.writes.isEmpty)
    }

    @Test(
        "Enter goes to the changed value, and u restores a discarded key, also among foreign changes"
    )
    func placesInside() {
        var desk = Desk(
            ["s": ["k": ["a": ["x": 1, "y": 2], "b": 3]]],
            keys: "⏎Sljljj⏎→5⏎j⏎→5⏎W"
        )
        #expect(desk.state.pendingChanges.map(\.change.new) == [["a": ["x": 1, "y": 25], "b": 35]])
        desk.type("j⏎")
        #expect(desk.state.mode == .keys)
        #expect(desk.selectedKey == "y")
        desk.type("Wd")
        #expect(desk.state.pendingChanges.isEmpty)
        desk.type("u")
        #expect(desk.state.pendingChanges.map(\.change.new) == [["a": ["x": 1, "y": 25], "b": 35]])
        desk.outside("s", "k", ["a": 1])
        desk.type("W")
        #expect(desk.text.contains("»! s › k"))
        desk.type("jd")
        #expect(desk.state.pendingChanges.map(\.change.new) == [["a": 1, "b": 35]])
        #expect(desk.state.pendingChanges.map(\.isOvertaken) == [true])
    }

    @Test("A staged change inside an array follows its element, and foreign changes of the array are shown")
    func insideArrays() {
        var desk = Desk(["s": ["k": [10, 20, 30]]], columns: 100, keys: "⏎Sljj⏎⌫⌫77⏎")
        desk.outside("s", "k", [5, 10, 20, 30])
        #expect(desk.state.pendingChanges.map(\.change.new) == [[5, 10, 77, 30]])
        #expect(desk.state.pendingChanges.allSatisfy { !$0.isOvertaken })
        #expect(desk.selectedKey == "2")
        var back = desk
        back.type("u")
        #expect(back.state.pendingChanges.isEmpty)
        #expect(back.foot == "Undone: “k/2” is 20 again.")
        desk.outside("s", "k", [5, 20, 30])
        desk.type("Ww")
        #expect(desk.files["s"]?["k"] == [5, 77, 30])
    }

    @Test(
        "If more than 10,000 values of a key changed, the question says that all are decided at once"
    )
    func tooManyPlaces() {
        let text = "{" + (0...ThreeWayMerge.mostPlaces).map { "\"m\($0)\":1" }.joined(separator: ",") + "}"
        let mine = text.replacing(":1", with: ":2")
        var desk = Desk(["s": ["k": json(text)]], columns: 100, keys: "⏎S")
        desk.outsideAnswers = [{ _ in .text(mine) }]
        desk.type("E")
        desk.outside("s", "k", json(text.replacing("\"m0\":1", with: "\"m0\":7")))
        desk.type("W⏎")
        #expect(desk.text.contains("“k” has changed in too many places to merge"))
    }

    @Test("A staged change is applied to foreign changes of other members, and is written with them")
    func besideOthers() {
        var desk = Desk(
            ["s": ["j": json(#"{ "a":5,"b":"x", "o":{"k":1.0} }"#)]],
            columns: 100,
            keys: "⏎Sljj⏎!⏎"
        )
        desk.wait(1)
        desk.outside("s", "j", json(#"{ "a":6,"b":"x", "o":{"k":1.0} }"#))
        #expect(
            jsonText(desk.state.pendingChanges.first?.change.new) == #"{ "a":6,"b":"x!", "o":{"k":1.0} }"#
        )
        #expect(desk.state.pendingChanges.map(\.isOvertaken) == [false])
        func symbols(_ desk: Desk) -> [String] {
            desk.body[0...3].map { line in
                line.split(separator: "│").last.map { String($0.prefix(2).suffix(1)) } ?? ""
            }
        }
        #expect(symbols(desk) == ["●", "●", "±", " "])
        #expect(desk.body[1].hasSuffix("6  was 5"))
        // A place of one's own has one's own sign, though others have changed another shortly before.
        desk.type("jlj⏎→5⏎")
        #expect(symbols(desk) == ["●", "●", "±", "±"])
        #expect(!desk.body[4].contains("was"))
        desk.wait(60)
        #expect(symbols(desk) == ["±", " ", "±", "±"])
        desk.type("Ww")
        #expect(jsonText(desk.files["s"]?["j"]) == #"{ "a":6,"b":"x!", "o":{"k":1.05} }"#)
        desk.type("u")
        #expect(
            jsonText(desk.state.pendingChanges.first?.change.new) == #"{ "a":6,"b":"x!", "o":{"k":1.0} }"#
        )
        desk.type("u")
        #expect(jsonText(desk.state.pendingChanges.first?.change.new) == #"{ "a":6,"b":"x", "o":{"k":1.0} }"#)
        desk.outside("s", "j", json(#"{ "a":7,"b":"x!", "o":{"k":1.05} }"#))
        desk.press(.control("r"))
        desk.press(.control("r"))
        #expect(desk.state.pendingChanges.isEmpty)
    }

    @Test(
        "If a foreign change affects the same value, the value is named, and the other foreign changes stay"
    )
    func overtakenInside() {
        var desk = Desk(["s": ["k": ["a": 5, "b": "x", "c": 1]]], columns: 100, keys: "⏎Sljj⏎!⏎j⏎→2⏎")
        desk.outside("s", "k", ["a": 6, "b": "theirs", "c": 1])
        #expect(desk.state.pendingChanges.map(\.change.new) == [["a": 6, "b": "x!", "c": 12]])
        desk.type("Ww")
        #expect(desk.writes.isEmpty)
        #expect(desk.body[0].hasSuffix("  /b file “theirs”, yours “x!”"))
        desk.type("⏎")
        #expect(
            desk.foot
                == "“k/b” is now “theirs”. Overwrite it with “x!”?  y mine  t theirs  n back"
        )
        desk.outside("s", "k", ["a": 7, "b": "theirs", "c": 1])
        var other = desk
        other.outside("s", "k", ["a": 7, "b": "once more", "c": 1])
        other.type("y")
        #expect(other.foot == "“k” has changed again.")
        desk.type("y")
        desk.type("w")
        #expect(desk.files["s"]?["k"] == ["a": 7, "b": "x!", "c": 12])
        // After the other process has restored the old value, nothing conflicts.
        other.outside("s", "k", ["a": 8, "b": "x", "c": 1])
        other.type("w")
        #expect(other.files["s"]?["k"] == ["a": 8, "b": "x!", "c": 12])
    }

    @Test("A staged change whose write finds another value is staged again on top of that value")
    func overtakenOnTheWay() {
        var desk = Desk(["s": ["k": ["a": 5, "b": 1]]], keys: "⏎Sljj⏎→2⏎")
        desk.holdsWrites = true
        desk.type("Ww")
        desk.files["s"]?["k"] = ["a": 6, "b": 1]
        desk.finishWrites()
        #expect(desk.state.pendingChanges.map(\.change.new) == [["a": 6, "b": 12]])
        #expect(desk.state.pendingChanges.map(\.isOvertaken) == [false])
        desk.type("Ww")
        desk.finishWrites()
        #expect(desk.files["s"]?["k"] == ["a": 6, "b": 12])
    }
}
