import Foundation
import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Renaming, duplicating, moving and changing types")
struct RearrangingTests {
    @Test("A value that moves onto an existing key replaces it or gets another name")
    func ontoExisting() {
        var desk = Desk(["a": ["k": 1], "b": ["k": 2]], columns: 100, keys: "⏎M⏎")
        #expect(desk.text.contains("“b” already has “k”"))
        #expect(desk.text.contains("2 → 1"))
        desk.type("⏎")
        #expect(desk.files["b"] == ["k": 1])
        #expect(desk.files["a"] == [:])
        desk.type("u")
        #expect(desk.files["b"] == ["k": 2])
        #expect(desk.files["a"] == ["k": 1])
        desk.type("M⏎2⏎")
        #expect(desk.files["b"] == ["k": 2, "k copy": 1])
    }

    @Test(
        "Undo of a moved element or of a renamed member says so",
        arguments: [
            ("jj>u", "Undone: “list” has its previous order again."),
            ("jj2<u", "Undone: “list” has its previous order again."),
            ("jj2<u^", "Redone: “list” has its new order again."),
            ("Gkr2⏎u", "Undone: “x2” is “x” again."),
        ]
    )
    func undoWords(keys: String, words: String) {
        var desk = Desk(["s": ["list": ["a", "b", "c"], "zoo": ["x": 1, "y": 2]]], keys: "⏎⏎G⏎gg")
        for key in keys {
            if key == "^" { desk.press(.control("r")) } else { desk.type(String(key)) }
        }
        #expect(desk.foot == words)
    }

    private func retyped(_ desk: inout Desk, _ keys: String) {
        desk.press(.control("u"))
        desk.type(keys)
    }

    @Test("r renames a key at any depth in one write that keeps its value")
    func renaming() {
        var desk = Desk(
            ["a": ["d": ["x": 1, "y": 2], "j": json(#"{ "p" : 1.50, "q":2 }"#), "k": 7]],
            keys: "⏎Gr"
        )
        #expect(desk.status == "New name for “k”")
        retyped(&desk, "m⏎")
        #expect(desk.files["a"]?["k"] == nil)
        #expect(desk.files["a"]?["m"] == 7)
        #expect(desk.writes.count == 1)
        #expect(desk.selectedKey == "m")
        desk.type("u")
        #expect(desk.files["a"]?["k"] == 7)
        desk.type("gljr")
        retyped(&desk, "z⏎")
        #expect(desk.files["a"]?["d"] == ["y": 2, "z": 1])
        #expect(desk.selectedKey == "z")
        desk.type("jljr")
        retyped(&desk, "pp⏎")
        #expect(jsonText(desk.files["a"]?["j"]) == #"{ "pp" : 1.50, "q":2 }"#)
    }

    @Test(
        "A name that exists, an empty name and a name for an element are refused, and the same name changes nothing"
    )
    func refusedNames() {
        var desk = Desk(["a": ["k": [1], "l": 2]], keys: "⏎r⌫l⏎")
        #expect(desk.foot == "“l” already exists.")
        desk.type("⌫⏎")
        #expect(desk.foot == "Type a name.")
        desk.type("k⏎")
        #expect(desk.state.mode == .keys)
        desk.type("⏎jr")
        #expect(desk.foot == "The elements of an array have numbers, not names.")
        #expect(desk.writes.isEmpty)
    }

    @Test("A foreign change of a key during its renaming is kept")
    func renamingChanged() {
        var desk = Desk(["a": ["k": 1]], keys: "⏎rk")
        desk.outside("a", "k", 5)
        desk.type("⏎")
        #expect(desk.files["a"] == ["kk": 5])
        desk.type("rx")
        desk.outside("a", "kk", nil)
        desk.type("⏎")
        #expect(desk.foot == "“kk” is gone.")
        #expect(desk.files["a"] == [:])
    }

    @Test("D duplicates a key under a suggested name")
    func duplicating() {
        var desk = Desk(["a": ["j": json("[1.0, 2]"), "k": ["x": 1], "k copy": 0]], keys: "⏎jD⏎")
        #expect(desk.files["a"]?["k copy 2"] == ["x": 1])
        #expect(desk.selectedKey == "k copy 2")
        desk.type("g⏎jD")
        #expect(jsonText(desk.files["a"]?["j"]) == "[1.0, 1.0, 2]")
        #expect(desk.outline.prefix(4) == ["j", "  0", "  [1]", "  2"])
    }

    @Test("< and > move an element of an array, and the text around it stays")
    func elements() {
        var desk = Desk(["a": ["j": json("[ 1.0,2 , [3] ]"), "k": [1, 2, 3]]], keys: "⏎⏎j>")
        #expect(jsonText(desk.files["a"]?["j"]) == "[ 2,1.0 , [3] ]")
        #expect(desk.outline.prefix(4) == ["j", "  0", "  [1]", "  2"])
        desk.type(">>")
        #expect(jsonText(desk.files["a"]?["j"]) == "[ 2,[3] , 1.0 ]")
        #expect(desk.foot == "It is already the last element.")
        desk.type("G⏎jj<")
        #expect(desk.files["a"]?["k"] == [2, 1, 3])
        desk.type("<")
        #expect(desk.foot == "It is already the first element.")
        desk.type("k<")
        #expect(desk.foot == "Only elements of an array can be moved.")
    }

    @Test("M moves a key to another suite, which stores the key before it is deleted here")
    func moving() {
        var desk = Desk(["a": ["k": 1, "l": 2], "b": [:], "c": [:]], keys: "⏎M")
        #expect(desk.text.contains("Move “k” to"))
        desk.holdsWrites = true
        desk.type("2")
        #expect(desk.writes.map(\.suite) == ["c"])
        desk.finishWrites()
        #expect(desk.files["c"] == ["k": 1])
        #expect(desk.files["a"] == ["k": 1, "l": 2])
        #expect(desk.writes.map(\.suite) == ["c", "a"])
        desk.holdsWrites = false
        desk.finishWrites()
        #expect(desk.files["a"] == ["l": 2])
        desk.type("u")
        #expect(desk.files == ["a": ["k": 1, "l": 2], "b": [:], "c": [:]])
        desk.press(.control("r"))
        #expect(desk.files == ["a": ["l": 2], "b": [:], "c": ["k": 1]])
    }

    @Test(
        "An element that is moved to a suite gets a name, now or after the suite was read"
    )
    func movingAnElement() {
        for isRead in [true, false] {
            var desk = Desk(["a": ["k": ["x", "y"]], "b": ["n": 1]], keys: "⏎lj")
            desk.holdsLoads = !isRead
            desk.type("M1")
            #expect(desk.text.contains("A key for element 0 of “k” in “b”"))
            #expect(desk.writes.isEmpty)
            desk.type("⏎")
            #expect(desk.text.contains("Type a name."))
            desk.type("name⏎")
            if !isRead { desk.finishLoads() }
            #expect(desk.files == ["a": ["k": ["y"]], "b": ["n": 1, "name": "x"]])
            desk.type("u")
            #expect(desk.files == ["a": ["k": ["x", "y"]], "b": ["n": 1]])
        }
        var taken = Desk(["a": ["k": ["x", "y"]], "b": ["n": 1]], keys: "⏎ljM1n⏎")
        #expect(taken.writes.isEmpty)
        #expect(taken.text.contains("“n” already exists."))
        // The name goes with the element.
        taken.outside("a", "k", ["new", "x", "y"])
        taken.type("2")
        #expect(taken.text.contains("A key for element 1 of “k” in “b”"))
        taken.type("⏎")
        #expect(taken.files == ["a": ["k": ["new", "y"]], "b": ["n": 1, "n2": "x"]])
    }

    @Test("A move does not overwrite a key of the other suite, and nothing is lost")
    func movingOntoAnother() {
        var desk = Desk(["a": ["k": 1], "b": [:]], keys: "⏎")
        desk.holdsWrites = true
        desk.type("M1")
        desk.outside("b", "k", 5)
        desk.finishWrites()
        #expect(desk.files == ["a": ["k": 1], "b": ["k": 5]])
        #expect(desk.foot == "Not written: “k” is now 5.")
        desk.type("u")
        #expect(desk.foot == "Nothing to undo.")
    }

    @Test("If the deletion after a move fails, the move is undone, by u if that fails too")
    func halfAMove() {
        var desk = Desk(["a": ["k": 1], "b": [:]], keys: "⏎")
        desk.holdsWrites = true
        desk.type("M1")
        desk.finishWrites()
        desk.finishWrites(failing: "the disk is full")
        #expect(
            desk.foot == "Not written: the disk is full. The parts that were stored are undone."
        )
        #expect(desk.selectedSuite == "a")
        var failing = desk
        failing.finishWrites(failing: "it is still full")
        #expect(failing.files == ["a": ["k": 1], "b": ["k": 1]])
        failing.holdsWrites = false
        failing.type("u")
        #expect(failing.files == ["a": ["k": 1], "b": [:]])
        desk.finishWrites()
        #expect(desk.files == ["a": ["k": 1], "b": [:]])
        desk.type("u")
        #expect(desk.foot == "Nothing to undo.")
    }

    @Test(
        "t offers the value in other types, with the converted values",
        arguments: [
            ("12", "2", 12), ("true", "4", true), (5, "1", "5"), (2.0, "2", 2), (true, "2", 1),
            ("text", "6", .data(Data("text".utf8))), (.data(Data("Hi".utf8)), "1", "Hi"),
            ("2001-01-01", "5", .date(Date(timeIntervalSinceReferenceDate: 0))),
            (["a": [1, 2.5]], "8", json("{\n  \"a\": [\n    1,\n    2.5\n  ]\n}")),
            (json(#"{"a": [1, 2.5]}"#), "7", ["a": [1, 2.5]]), (#"["x"]"#, "6", ["x"]), (5, "6", [5]),
            (json(#""x""#), "1", "x"),
        ] as [(PropertyListValue, String, PropertyListValue)]
    )
    func types(old: PropertyListValue, keys: String, new: PropertyListValue) {
        var desk = Desk(["a": ["k": old]], keys: "⏎t")
        // The list has all kinds but the value's own.
        guard case .menu(let menu)? = desk.state.modal,
            let place = menu.items.firstIndex(where: { $0.choice == .value(.propertyList(new)) })
        else {
            Issue.record("\(old) is not offered as \(new): \(desk.text)")
            return
        }
        #expect(!menu.items[place].detail.isEmpty)
        desk.type(String(place + 1))
        #expect(desk.files["a"] == ["k": new])
        desk.type("u")
        #expect(desk.files["a"] == ["k": old])
    }

    @Test("A type that cannot hold the value says why, and choosing it opens the text to be edited")
    func misfit() {
        var desk = Desk(["a": ["k": "12x"]], columns: 100, keys: "⏎t")
        #expect(desk.text.contains("1 integer"))
        // The first type that is possible is selected. The line below tells all of the reason.
        desk.type("↖")
        #expect(desk.text.contains("(“12x” is not a whole number)"))
        desk.type("1")
        #expect(desk.state.modal?.line?.text == "12x")
        desk.type("→⌫⏎")
        #expect(desk.files["a"] == ["k": 12])
    }

    @Test("In JSON the types are JSON's")
    func jsonTypes() {
        var desk = Desk(["a": ["k": json(#"{"n": "1.50", "z": true}"#)]], keys: "⏎⏎jt")
        desk.type("1")
        #expect(jsonText(desk.files["a"]?["k"]) == #"{"n": 1.50, "z": true}"#)
        desk.type("jt")
        #expect(desk.text.contains("1 string"))
        desk.type("1")
        #expect(jsonText(desk.files["a"]?["k"]) == #"{"n": 1.50, "z": "true"}"#)
    }

    @Test("A value that changed after the menu was opened is not replaced")
    func changedMeanwhile() {
        var desk = Desk(["a": ["k": 5]], keys: "⏎t")
        desk.outside("a", "k", 6)
        desk.type("1")
        #expect(desk.files["a"] == ["k": 6])
        #expect(desk.foot == "“k” has changed. It is now 6.")
    }

    @Test("JSON and property lists in strings and data can be expanded and edited inside")
    func documents() throws {
        let list = Data(try PropertyListValue.dictionary(["a": [1, 2]]).encoded(as: .binary))
        var desk = Desk(["a": ["l": .data(list), "s": #"{ "x" : 1 }"#]], keys: "⏎⏎j⏎jj⏎→0⏎")
        #expect(desk.text.contains("plist"))
        let inside = desk.files["a"]?["l"].map(ValueNode.init)?.node(at: [.key("a"), .index(1)])
        #expect(inside?.displayText() == "20")
        desk.type("G⏎j⏎→5⏎")
        #expect(desk.files["a"]?["s"] == #"{ "x" : 15 }"#)
        desk.type("ke")
        #expect(desk.state.modal?.line?.text == #"{ "x" : 15 }"#)
        desk.type("→⌫, \"y\":2}⏎")
        #expect(desk.files["a"]?["s"] == #"{ "x" : 15 , "y":2}"#)
    }

    @Test("e edits JSON as text, and refuses a text that is no longer JSON")
    func editingText() {
        var desk = Desk(["a": ["k": json("[ 1 ]")]], keys: "⏎e→⌫⏎")
        #expect(desk.text.contains("the text is not JSON"))
        desk.type(",2]⏎")
        #expect(jsonText(desk.files["a"]?["k"]) == "[ 1 ,2]")
        desk.type("e⏎")
        #expect(desk.writes.count == 1)
    }
}

@Suite("Multi-selection, copying and pasting")
struct MarkingTests {
    @Test("A command on selected rows is undone in one step")
    func marked() {
        let file: [String: PropertyListValue] = [
            "a": true, "b": ["x": 1, "y": [1, 2, 3]], "c": false, "d": 4,
        ]
        var desk = Desk(["s": file], keys: "⏎mjm")
        #expect(desk.body[0].contains("│◇   a"))
        #expect(desk.body[2].contains("│◇   c"))
        desk.type(" ")
        #expect(desk.files["s"]?["a"] == false)
        #expect(desk.files["s"]?["c"] == true)
        #expect(desk.writes.count == 1)
        desk.type("u")
        #expect(desk.files["s"] == file)
        desk.type("d")
        #expect(desk.foot == "Deleted 2 rows. Press u to undo.")
        #expect(desk.files["s"]?.keys.sorted() == ["b", "d"])
        desk.type("u")
        #expect(desk.files["s"] == file)
    }

    @Test(
        "Selected elements of an array are deleted together, including those inside another selected element"
    )
    func elements() {
        var desk = Desk(["s": ["b": ["x": 1, "y": [1, 2, 3]]]], keys: "⏎⏎jj⏎jmjmd")
        #expect(desk.files["s"] == ["b": ["x": 1, "y": [2]]])
        desk.type("ugmjmd")
        #expect(desk.files["s"] == [:])
    }

    @Test(
        "Selected elements stay selected when a foreign change moves them"
    )
    func marksStayTrue() {
        var desk = Desk(["a": ["k": [1, 2, 3, 4], "l": 1]], keys: "⏎ljmjjm")
        #expect(desk.state.suite?.multiSelection.count == 2)
        desk.outside("a", "l", 2)
        #expect(desk.state.suite?.multiSelection.count == 2)
        desk.outside("a", "k", [0, 1, 2, 3, 4])
        #expect(desk.state.suite?.multiSelection == [[.key("k"), .index(1)], [.key("k"), .index(4)]])
        desk.outside("a", "k", [7, 8])
        #expect(desk.state.suite?.multiSelection.isEmpty == true)
        desk.outside("a", "k", [0, 1, 2, 3, 4])
        desk.type("gjmmdyu")
        #expect(desk.files["a"]?["k"] == [0, 1, 2, 3, 4])
        #expect(desk.state.suite?.multiSelection.isEmpty == true)
    }

    @Test("Esc clears the multi-selection, and its symbols do not need Unicode")
    func unmarking() {
        var desk = Desk(["s": ["a": 1, "b": 2]], glyphs: .ascii, keys: "⏎mk")
        #expect(desk.body[0].contains("|X   a"))
        desk.type("j")
        #expect(desk.body[0].contains("|x   a"))
        desk.type("⎋")
        #expect(desk.state.suite?.multiSelection.isEmpty == true)
        #expect(desk.state.targets == [[.key("b")]])
    }

    @Test("Selected rows move to another suite together")
    func moving() {
        let desk = Desk(["a": ["k": 1, "l": ["x": 2], "m": 3], "b": [:]], keys: "⏎mmM1")
        #expect(desk.files == ["a": ["m": 3], "b": ["k": 1, "l": ["x": 2]]])
        #expect(desk.writes.count == 2)
    }

    @Test(
        "c copies the value, the key, the path, or everything as JSON or XML",
        arguments: [
            ("g", "c1", "v"), ("g", "c2", "k"), ("g", "c3", "/k"), ("g", "c4", #""v""#),
            ("j⏎j", "c3", "/l/0"), ("j⏎j", "c1", "1.50"), ("j", "c1", "[1.50, 2]"), ("j", "c⏎", "[1.50, 2]"),
            ("mm", "c2", "k\nl"), ("mm", "c4", "{\n  \"k\": \"v\"\n}"),
        ]
    )
    func copying(place: String, keys: String, text: String) {
        let desk = Desk(["a": ["k": "v", "l": json("[1.50, 2]")]], keys: "⏎" + place + keys)
        let copies = desk.effects.compactMap { if case .copy(let text) = $0 { text } else { nil } }
        if place == "mm", keys == "c4" {
            // Data have no place in JSON, so that this is the XML.
            #expect(copies.first?.contains("<key>l</key>") == true)
        } else {
            #expect(copies == [text])
        }
        #expect(desk.writes.isEmpty)
        #expect(desk.foot.hasPrefix("Copied the") == true)
    }

    @Test("p pastes under a free name; into an array, or several values, without asking for a name")
    func pasting() {
        var desk = Desk(["a": ["k": ["x": 1], "l": [10]]], keys: "⏎c1p⏎")
        #expect(desk.files["a"]?["k copy"] == ["x": 1])
        desk.type("G⏎p")
        #expect(desk.files["a"]?["l"] == [10, ["x": 1]])
        desk.type("p")
        #expect(desk.files["a"]?["l"] == [10, ["x": 1], ["x": 1]])
        var other = Desk(["a": ["k": 1, "l": 2], "b": ["z": 0]], keys: "⏎mmc1⇥j⏎p")
        #expect(other.files["b"] == ["k": 1, "l": 2, "z": 0])
        other.type("p")
        #expect(other.foot == "“k” already exists.")
        other.type("u")
        #expect(other.files["b"] == ["z": 0])
    }

    @Test(
        "A property list or JSON pasted from another program asks for a name before anything is written",
        arguments: [
            (#"{"a": [1, 2.0]}"#, ["a": [1, 2.0]]), ("[true]", [true]),
            (#"[null]"#, json("[null]")),
            ("<plist version=\"1.0\"><array><integer>5</integer></array></plist>", [5]),
            ("{ a = (1, \"x y\"); }", ["a": ["1", "x y"]]),
        ] as [(String, PropertyListValue)]
    )
    func pastingFromElsewhere(text: String, value: PropertyListValue) {
        var desk = Desk(["s": ["k": 1]], keys: "⏎")
        desk.send(.paste(text))
        #expect(desk.state.mode == .naming)
        #expect(desk.writes.isEmpty)
        desk.type("n⏎")
        #expect(desk.files["s"] == ["k": 1, "n": value])
    }

    @Test("Text pasted into an array is written only after a question is answered")
    func pastingIntoArray() {
        var desk = Desk(["s": ["k": [10, 20]]], columns: 110, keys: "⏎lj")
        desk.send(.paste("[1, 2]"))
        #expect(desk.text.contains("Insert the pasted value into “k” as element 1: an array, [2 items]?"))
        desk.type("n")
        #expect(desk.writes.isEmpty)
        desk.send(.paste("[null]"))
        #expect(desk.text.contains("JSON"))
        desk.outside("s", "k", [5, 10, 20])
        desk.type("y")
        #expect(desk.writes.isEmpty)
        #expect(desk.foot == "Not pasted: “k” has changed.")
        desk.send(.paste("[1, 2]"))
        desk.type("y")
        #expect(desk.files["s"]?["k"] == [5, 10, [1, 2], 20])
        desk.type("u")
        #expect(desk.files["s"]?["k"] == [5, 10, 20])
    }

    @Test(
        "Any other text pasted where no text is typed does nothing",
        arguments: ["dy", "q", "rm -rf /\n", "{ a", "[1,"]
    )
    func pastingText(text: String) {
        var desk = Desk(["s": ["k": 1]], keys: "⏎")
        desk.send(.paste(text))
        #expect(desk.state.mode == .keys)
        #expect(desk.effects == [.load("s")])
        #expect(desk.text.contains("paste"))
    }

    @Test("A value pasted into JSON becomes JSON, and a value that JSON cannot hold is refused")
    func intoJSON() {
        var desk = Desk(
            ["a": ["d": .data(Data([0xFF])), "j": json(#"{"x": 1}"#), "k": ["y": [2.0]]]],
            keys: "⏎Gc1k⏎p⏎"
        )
        #expect(jsonText(desk.files["a"]?["j"])?.filter { !$0.isWhitespace } == #"{"x":1,"k":{"y":[2.0]}}"#)
        desk.type("gc1jp")
        #expect(desk.foot == "JSON cannot hold all of it.")
    }

    @Test(
        "A number before < and > moves an element by that many places, as far as possible",
        arguments: [
            ("2>", [2, 3, 1, 4], 2), ("9>", [2, 3, 4, 1], 3), ("jjj2<", [1, 4, 2, 3], 1),
            ("jj9<", [3, 1, 2, 4], 0),
        ]
    )
    func movingFar(keys: String, result: [Int], row: Int) {
        var desk = Desk(["a": ["l": [1, 2, 3, 4]]], keys: "⏎⏎j" + keys)
        #expect(desk.files["a"]?["l"] == .array(result.map { .integer(PropertyListInteger($0)) }))
        #expect(desk.selectedKey == "\(row)")
        desk.type("u")
        #expect(desk.files["a"]?["l"] == [1, 2, 3, 4])
    }
}
