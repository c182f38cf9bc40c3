import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Writing only when asked to")
struct StagingTests {
    static let movedInside: [(PropertyListValue, way: String, moves: String)] = [
        ([1, 2, 3], "lj", "2>"), ([1, 2, 3], "ljj", "<"), (json("[1,2,3]"), "lj", "2>"),
        (json(#"{"alpha":1,"beta":2}"#), "lj", "r!first⏎"), (["alpha": 1, "beta": 2], "lj", "r!first⏎"),
        ([["a": 1], ["b": 2], ["c": 3]], "lj", ">>"),
    ]

    @Test(
        "What was moved or renamed inside a value is dropped as a whole, whichever of its lines that is asked of"
    )
    func movedInsideAValue() {
        for (value, way, moves) in Self.movedInside {
            for line in 1...2 {
                var desk = Desk(["s": ["k": value]], keys: "⏎S" + way)
                for character in moves {
                    if character == "!" {
                        desk.press(.control("u"))
                    } else {
                        desk.type(String(character))
                    }
                }
                desk.type("W")
                let waits = desk.state.pendingRows.count
                desk.type(String(repeating: "j", count: line) + "d")
                #expect(waits > 1)
                #expect(desk.state.pendingChanges.isEmpty)
                desk.type("Ww")
                #expect(desk.files["s"] == ["k": value])
                // Taken back, it waits again.
                desk.type("⎋u")
                #expect(desk.state.pendingChanges.count == 1)
            }
        }
    }

    static let overtaken: [(old: PropertyListValue?, keys: String, theirs: PropertyListValue?)] = [
        (1, "⏎⌫7⏎", 55), (1, "⏎5⏎⏎⌫⌫7⏎", 55), (1, "⏎⌫7⏎", nil), ("x", "dy", "theirs"),
        (json(#"{"a": 1.00, "b": 1}"#), "lj⏎⌫⌫⌫⌫7⏎k", json(#"{"a": 9.99, "b": 2}"#)),
    ]

    @Test(
        "What went over others' change, as it was agreed to, is taken back to that",
        arguments: [false, true]
    )
    func backToTheirs(isWritten: Bool) {
        for (old, keys, theirs) in Self.overtaken {
            var desk = Desk(["s": ["k": old ?? 0, "z": 1]], keys: "⏎S" + keys)
            desk.outside("s", "k", theirs)
            desk.type("W⏎y")
            #expect(desk.state.pendingChanges.count == 1)
            desk.type(isWritten ? "w" : "⎋")
            for _ in 0..<keys.count(where: { $0 == "7" || $0 == "d" || $0 == "5" }) { desk.type("u") }
            if isWritten { desk.type("Ww") }
            #expect(desk.files["s"]?["k"] == theirs)
            #expect(desk.state.pendingChanges.isEmpty)
        }
    }

    static let cursors: [(PropertyListValue, keys: String, path: ValuePath)] = [
        (["alpha": 1, "beta": 2], "ljr!zeta⏎", [.key("k"), .key("zeta")]),
        (json(#"{"alpha":1,"beta":2}"#), "ljr!zeta⏎", [.key("k"), .key("zeta")]),
        ([1, 2, 3], "lj2>", [.key("k"), .index(2)]), ([1, 2, 3], "ljD", [.key("k"), .index(1)]),
        (["alpha": 1, "beta": 2], "ljanew⏎1x⏎", [.key("k"), .key("new")]),
    ]

    @Test("The cursor stays on what it is on when that is written")
    func cursorOverWriting() {
        for (value, keys, path) in Self.cursors {
            var desk = Desk(["s": ["k": value, "z": 1]], keys: "⏎S")
            for character in keys {
                if character == "!" { desk.press(.control("u")) } else { desk.type(String(character)) }
            }
            #expect(desk.state.selectedRow?.path == path)
            desk.type("Ww")
            #expect(desk.writes.count == 1)
            #expect(desk.state.selectedRow?.path == path)
        }
    }

    @Test("Who moves a value to a suite that does not take it, and agrees to that, stays where that was")
    func moveThatIsAskedAbout() {
        let schema = SuiteSchema(["vol": SettingDeclaration(.integer(), defaultValue: 6)])
        for staged in ["", "S"] {
            var desk = Desk(["a": ["vol": "x", "z": 1], "b": ["n": 1]], schemas: ["b": schema])
            desk.type("⏎\(staged)M1")
            desk.type("y")
            #expect(desk.selectedSuite == "a")
            #expect(desk.selectedKey == "z")
        }
    }

    @Test("What else was changed in such a value is dropped alone, and stays where the move is dropped")
    func besideAMove() {
        var desk = Desk(["s": ["k": ["a": [1, 2, 3], "b": "x"]]], keys: "⏎S")
        desk.type("lz4/b⏎⏎⌫y⏎kk>W")
        #expect(desk.text.contains("with where it went"))
        #expect(desk.state.pendingRows.count == 4)
        var other = desk
        desk.type("jd")
        #expect(desk.state.pendingChanges.first?.change.new == ["a": [1, 2, 3], "b": "y"])
        other.type("Gd")
        let left = other.state.pendingChanges.first?.change.new
        #expect(left != ["a": [1, 2, 3], "b": "x"])
        #expect(left != nil)
    }

    @Test("A suite that gets another name, or a second one, has its declarations while that waits")
    func declaredWhileItWaits() {
        let schema = SuiteSchema(["vol": SettingDeclaration(.integer(), defaultValue: 6)])
        for keys in ["r", "D"] {
            var desk = Desk(["dec": ["x": 1]], schemas: ["dec": schema])
            desk.type("S" + keys)
            desk.press(.control("u"))
            desk.type("zz⏎⏎")
            #expect(desk.selectedSuite == "zz")
            #expect(desk.outline.contains("[vol]") || desk.outline.contains("vol"))
            desk.type("/vol⏎⏎")
            desk.press(.control("u"))
            desk.type("x9⏎")
            #expect(desk.text.contains("is not a whole number"))
        }
    }

    @Test("Changes wait, marked with a sign, until w in the list writes them, one write a suite")
    func waiting() {
        var desk = Desk(["a": ["b": true, "k": 1], "c": ["z": "x"]], columns: 100, keys: "⏎S j⏎2⏎⇥j⏎⏎y⏎")
        #expect(desk.writes.isEmpty)
        #expect(desk.screen[1].contains("»±"))
        #expect(desk.screen[0].hasSuffix("3 not written"))
        desk.type("W")
        #expect(
            desk.screen[1...3].map { $0.split(separator: " ").joined(separator: " ") } == [
                "»± a › b true → false", "± a › k 1 → 12", "± c › z “x” → “xy”",
            ]
        )
        desk.type("w")
        #expect(desk.files == ["a": ["b": false, "k": 12], "c": ["z": "xy"]])
        #expect(desk.writes.count == 2)
        #expect(desk.screen.last == "Written: 3 keys.")
        #expect(desk.screen[0].hasSuffix("0 not written"))
    }

    @Test("What waits can be changed again, undone and dropped; a change back waits no longer")
    func changingAgain() {
        var desk = Desk(["a": ["k": 1, "l": 1]], keys: "⏎S⏎2⏎⏎3⏎")
        #expect(desk.state.pendingChanges.map(\.change) == [ValueChange(old: 1, new: 123)])
        desk.type("uu")
        #expect(desk.state.pendingChanges.isEmpty)
        desk.press(.control("r"))
        #expect(desk.state.pendingChanges.map(\.change) == [ValueChange(old: 1, new: 12)])
        desk.type("j⏎5⏎Wd")
        #expect(desk.state.pendingChanges.map(\.key) == ["l"])
        desk.type("⏎")
        #expect(desk.state.mode == .keys)
        #expect(desk.selectedKey == "l")
        desk.type("Wd")
        #expect(desk.state.mode == .keys)
        #expect(desk.outline == ["k", "[l]"])
        #expect(desk.writes.isEmpty)
    }

    private func moved() -> Desk {
        Desk(["a": ["n": 5], "b": ["q": 1]], columns: 110, keys: "⏎SM1")
    }

    @Test(
        "The halves of a move wait in one line each that names the other, and are written one after the other"
    )
    func moving() {
        var desk = moved()
        desk.type("W")
        #expect(
            desk.screen[1...2].map { $0.split(separator: " ").joined(separator: " ") } == [
                "»± a › n 5 → nothing with “b › n”", "± b › n nothing → 5 with “a › n”",
            ]
        )
        desk.holdsWrites = true
        desk.type("w")
        // It goes only once it has come.
        #expect(desk.waiting.map(\.suite) == ["b"])
        desk.finishWrites()
        #expect(desk.waiting.map(\.suite) == ["a"])
        desk.finishWrites()
        #expect(desk.files == ["a": [:], "b": ["n": 5, "q": 1]])
    }

    @Test("Where others have changed what a move goes to, or its suite is broken, none of it is written")
    func movingOverOthers() {
        var desk = moved()
        desk.outside("b", "n", 99)
        desk.type("Ww")
        #expect(desk.files == ["a": ["n": 5], "b": ["n": 99, "q": 1]])
        #expect(
            desk.screen.last
                == "2 not written: others have changed the key, or one that it goes with, meanwhile. Enter decides."
        )
        desk.type("j⏎y")
        desk.type("w")
        #expect(desk.files == ["a": [:], "b": ["n": 5, "q": 1]])
        desk = moved()
        desk.statuses["b"] = SuiteStatus(content: .unreadable("line 1"), watching: .events)
        desk.act(.status("b", SuiteStatus(content: .unreadable("line 1"), watching: .events)))
        desk.type("Ww")
        #expect(desk.files["a"] == ["n": 5])
        #expect(desk.state.pendingChanges.count == 2)
    }

    @Test("A rename that others are in the way of is not written by halves, of a key and of a suite")
    func renamingOverOthers() {
        var desk = Desk(["a": ["n": 5, "o": 1]], columns: 110, keys: "⏎Sr⌫zz⏎")
        desk.outside("a", "zz", 99)
        desk.type("Ww")
        #expect(desk.files == ["a": ["n": 5, "o": 1, "zz": 99]])
        desk = Desk(["a": ["n": 5]], columns: 110, keys: "Sr⌫ren⏎")
        desk.files["ren"] = [:]
        desk.outside("ren", "n", 7)
        desk.list()
        desk.type("Ww")
        #expect(desk.files == ["a": ["n": 5], "ren": ["n": 7]])
    }

    @Test("Where others have changed what waits, the three values stand side by side, and t leaves theirs")
    func sideBySide() {
        var desk = Desk(["a": ["j": 1, "k": 1]], columns: 110, keys: "⏎S⏎4⏎j⏎2⏎")
        desk.outside("a", "k", 77)
        desk.type("Wj⏎")
        #expect(desk.state.mode == .conflict)
        let lines = desk.screen.map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines[1] == "a › k: yours, and what the file has become")
        #expect(lines.contains { $0.contains("Yours") && $0.contains("In the file now") })
        #expect(desk.text.contains("When you began"))
        #expect(["12", "77", "1"].allSatisfy { value in lines[3].contains(value) })
        desk.type("n")
        #expect(desk.state.mode == .pending && desk.screen[2].hasPrefix("»"))
        desk.type("⏎t")
        #expect(desk.state.pendingChanges.map(\.key) == ["j"])
        desk.type("w")
        #expect(desk.files == ["a": ["j": 14, "k": 77]])
    }

    @Test("A move of what is inside a key, or of what was moved before, is not written by halves either")
    func movingFurther() {
        var desk = Desk(["a": ["c": ["x": 1, "y": 2]], "b": ["q": 1]], columns: 110, keys: "⏎Slj")
        desk.type("M")
        desk.type("b⏎")
        #expect(desk.state.pendingChanges.map(\.key) == ["c", "x"])
        desk.outside("b", "x", 99)
        desk.type("Ww")
        #expect(desk.files == ["a": ["c": ["x": 1, "y": 2]], "b": ["q": 1, "x": 99]])

        desk = Desk(["a": ["c": ["x": 1, "y": 2]], "b": ["q": 1]], columns: 110, keys: "⏎Slj")
        desk.type("M")
        desk.type("b⏎")
        desk.holdsWrites = true
        desk.type("Ww")
        // It goes only once it has come.
        #expect(desk.waiting.map(\.suite) == ["b"])
        desk.finishWrites()
        desk.finishWrites()
        #expect(desk.files == ["a": ["c": ["y": 2]], "b": ["q": 1, "x": 1]])

        desk = Desk(["a": ["n": 5], "b": ["q": 1]], columns: 110, keys: "⏎Sr⌫zz⏎")
        desk.type("M")
        desk.type("b⏎")
        #expect(desk.state.pendingChanges.map(\.key) == ["n", "zz"])
        desk.outside("b", "zz", 99)
        desk.type("Ww")
        #expect(desk.files == ["a": ["n": 5], "b": ["q": 1, "zz": 99]])

        desk = Desk(["a": ["n": 5, "o": 1]], columns: 110, keys: "Sr⌫ren⏎")
        desk.type("r⌫⌫⌫zzz⏎")
        #expect(desk.state.pendingChanges.map(\.suite) == ["a", "a", "zzz", "zzz"])
        desk.files["zzz"] = [:]
        desk.outside("zzz", "n", 7)
        desk.list()
        desk.type("Ww")
        #expect(desk.files == ["a": ["n": 5, "o": 1], "zzz": ["n": 7]])
    }

    @Test("What a move goes from is written last, whatever has come to it since")
    func movingFromWhatGrows() {
        var desk = Desk(["a": ["c": ["x": 1, "y": 2]], "b": ["q": 1]], columns: 110, keys: "⏎Slj")
        desk.type("M")
        desk.type("b⏎")
        desk.type("aone⏎21⏎atwo⏎22⏎athree⏎23⏎")
        desk.holdsWrites = true
        desk.type("Ww")
        #expect(desk.waiting.map(\.suite) == ["b"])
        desk.finishWrites()
        desk.finishWrites()
        #expect(
            desk.files == ["a": ["c": ["y": 2, "one": 1, "two": 2, "three": 3]], "b": ["q": 1, "x": 1]]
        )
    }

    @Test("What comes and what goes in several keys, one by one, waits singly")
    func comingAndGoing() {
        var desk = Desk(["a": ["k": 1, "n": 5, "o": 1]], columns: 110, keys: "⏎Sjdydy")
        desk.type("azz⏎7⏎")
        desk.outside("a", "zz", 99)
        desk.type("Ww")
        #expect(desk.files == ["a": ["k": 1, "zz": 99]])
    }

    @Test("What was renamed in the user's own editor is not written by halves")
    func renamedOutside() {
        var desk = Desk(["a": ["k": 1, "n": 5]], columns: 110, keys: "S")
        desk.outsideAnswers = [{ .text($0.text.replacing("\"n\"", with: "\"zz\"")) }]
        desk.type("E")
        #expect(desk.state.pendingChanges.map(\.key) == ["n", "zz"])
        desk.outside("a", "zz", 99)
        desk.type("Ww")
        #expect(desk.files == ["a": ["k": 1, "n": 5, "zz": 99]])
    }

    @Test("A rename of a suite that is dropped waits again with u, just as it did")
    func droppingRenames() throws {
        var desk = Desk(["a": ["n": 5, "o": 1]], columns: 110, keys: "Sr⌫ren⏎")
        let whole = try #require(desk.state.suites.last?.stagedWhole)
        #expect(whole == .made(like: "a", asLink: true, declaredAs: "a"))
        desk.type("Wd")
        #expect(desk.state.suites.map(\.id) == ["a"])
        desk.type("u")
        #expect(desk.screen.last == "Undone: “a” is “ren” again.")
        #expect(desk.state.suites.last?.stagedWhole == whole)
        desk.press(.control("r"))
        #expect(desk.state.suites.map(\.id) == ["a"])
        #expect(desk.state.pendingChanges.isEmpty)
        desk.type("uWw")
        #expect(desk.files == ["ren": ["n": 5, "o": 1]])
        desk.type("⎋u")
        desk.type("Ww")
        #expect(desk.files == ["a": ["n": 5, "o": 1]])
    }

    @Test("What is done to several marked rows at once waits singly")
    func markedRows() {
        var desk = Desk(
            ["a": ["c": ["x": true], "d": true, "e": true, "f": true]],
            columns: 110,
            keys: "⏎Slj"
        )
        desk.type("mjm")
        desk.type("d")
        desk.type("y")
        #expect(desk.state.pendingChanges.count == 2 && desk.state.pendingChanges[0].key == "c")
        desk.type("Wd")
        #expect(desk.state.pendingChanges.count == 1)
    }

    @Test("A half of a move that is dropped takes the other with it, and u brings both back")
    func droppingMoves() {
        var desk = moved()
        desk.type("Wd")
        #expect(desk.state.pendingChanges.isEmpty)
        #expect(desk.screen.last == "Dropped the change of “n”, and “b › n”, with which it goes.")
        desk.type("u")
        #expect(desk.state.pendingChanges.count == 2)
        desk.type("Ww")
        #expect(desk.files == ["a": [:], "b": ["n": 5, "q": 1]])
    }

    @Test("A move whose second half is refused waits on with that half, which goes alone then")
    func halfMove() {
        var desk = moved()
        desk.holdsWrites = true
        desk.type("Ww")
        desk.finishWrites()
        desk.finishWrites(failing: "the disk is full")
        #expect(desk.files["b"]?["n"] == 5 && desk.files["a"]?["n"] == 5)
        #expect(desk.state.pendingChanges.map(\.suite) == ["a"])
        desk.holdsWrites = false
        desk.type("Ww")
        #expect(desk.files == ["a": [:], "b": ["n": 5, "q": 1]])
    }

    @Test("What is moved to and fro between suites is stored everywhere before it goes from anywhere")
    func movingBothWays() {
        var desk = Desk(["a": ["n": 5], "b": ["q": 1]], columns: 110, keys: "⏎SM1⎋⇥j⏎")
        desk.type("↖jM1")
        #expect(desk.state.pendingChanges.count == 4)
        desk.holdsWrites = true
        desk.type("Ww")
        #expect(desk.waiting.map(\.changes.count) == [1])
        for _ in 0..<4 { desk.finishWrites() }
        #expect(desk.files == ["a": ["q": 1], "b": ["n": 5]])
    }

    @Test("What others change beneath what waits is marked alone, where it shows by now")
    func marksBeneath() throws {
        let (alpha, beta): (PropertyListValue, PropertyListValue) = (
            ["n": "alpha", "w": 1], ["n": "beta", "w": 2]
        )
        var desk = Desk(["s": ["arr": [alpha, beta]]], columns: 60, keys: "⏎Sljlj⏎!⏎")
        #expect(desk.state.pendingChanges.count == 1)
        desk.outside("s", "arr", [["n": "new"], alpha, beta])
        let suite = try #require(desk.state.suite)
        let marked = suite.tree.rows.filter { $0.depth == 1 && suite.marks.contains($0) }.map(\.name)
        #expect(marked == ["0"])
        let staged = suite.tree.rows.filter { $0.depth == 1 && suite.isStaged($0) }.map(\.name)
        #expect(staged == ["1"])
    }

    @Test("Where others have taken the place away that a change waited for, u says what is there instead")
    func undoneBeneath() {
        var desk = Desk(["s": ["arr": [10, 20, 30]]], columns: 100, keys: "⏎Sljj⏎7⏎")
        desk.outside("s", "arr", [10, 30])
        desk.type("u")
        #expect(desk.state.pendingChanges.isEmpty)
        #expect(
            desk.screen.last == "Undone: what waited for “arr” is dropped; the file holds [2 items]."
        )
    }

    @Test("Of several places of one key each can be dropped alone, the rest as it was, and u brings it back")
    func places() {
        let text = #"{ "a": 1.50, "b": [1, 2, 3], "c": {"x": "y"} }"#
        var desk = Desk(["s": ["k": json(text), "z": 1]], columns: 80, keys: "⏎Sl")
        desk.type("j⏎7⏎")
        desk.type("jljjdy")
        desk.type("jljr!⏎")
        let edited = #"{ "a": 1.507, "b": [1, 3], "c": {"x!": "y"} }"#
        #expect(jsonText(desk.state.pendingChanges.first?.change.new) == edited)
        desk.type("W")
        #expect(
            desk.screen[1...5].map { $0.split(separator: " ").joined(separator: " ") } == [
                "»± s › k 4 places", "/a 1.50 → 1.507", "/b/1 2 → nothing",
                "/c/x “y” → nothing with where it went", "/c/x! nothing → “y” with where it was",
            ]
        )
        #expect(desk.screen[0].hasSuffix("1 not written"))
        desk.type("jd")
        #expect(
            jsonText(desk.state.pendingChanges.first?.change.new)
                == #"{ "a": 1.50, "b": [1, 3], "c": {"x!": "y"} }"#
        )
        #expect(desk.screen.last == "Dropped the change of “k/a”.")
        desk.type("u")
        #expect(jsonText(desk.state.pendingChanges.first?.change.new) == edited)
        desk.type("d")
        desk.press(.control("r"))
        desk.type("d")
        #expect(
            jsonText(desk.state.pendingChanges.first?.change.new)
                == #"{ "a": 1.50, "b": [1, 2, 3], "c": {"x!": "y"} }"#
        )
        // The values below are those of the place.
        desk.type("jj")
        #expect(desk.text.contains("≠nothing") && desk.text.contains("≠y"))
        desk.type("d")
        // With the last of them nothing waits any more.
        #expect(desk.state.pendingChanges.isEmpty)
        #expect(desk.state.mode == .keys)
        desk.type("j")
        #expect(jsonText(desk.files["s"]?["k"]) == text)
        #expect(desk.writes.isEmpty)
    }

    @Test(
        "Enter goes to the place; a dropped key comes back with u; what others have changed has places, too"
    )
    func placesInside() {
        var desk = Desk(
            ["s": ["k": ["a": ["x": 1, "y": 2], "b": 3]]],
            keys: "⏎Sljljj⏎5⏎j⏎5⏎W"
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

    @Test("What waits inside an array goes with its element, and others' changes to the array show")
    func insideArrays() {
        var desk = Desk(["s": ["k": [10, 20, 30]]], columns: 100, keys: "⏎Sljj⏎⌫⌫77⏎")
        desk.outside("s", "k", [5, 10, 20, 30])
        #expect(desk.state.pendingChanges.map(\.change.new) == [[5, 10, 77, 30]])
        #expect(desk.state.pendingChanges.allSatisfy { !$0.isOvertaken })
        #expect(desk.selectedKey == "2")
        var back = desk
        back.type("u")
        #expect(back.state.pendingChanges.isEmpty)
        #expect(back.screen.last == "Undone: “k/2” is 20 again.")
        desk.outside("s", "k", [5, 20, 30])
        desk.type("Ww")
        #expect(desk.files["s"]?["k"] == [5, 77, 30])
    }

    @Test("A deletion that waits is still to be done once a file that others delete is there again")
    func deletionInADeletedFile() {
        var desk = Desk(["s": ["k": 1, "l": 2, "m": 3]], columns: 100, keys: "⏎Sdy⏎5⏎")
        #expect(desk.state.pendingChanges.map(\.change.new) == [nil, 25])
        for key in ["k", "l", "m"] { desk.outside("s", key, nil) }
        desk.files["s"] = nil
        desk.statuses["s"] = SuiteStatus(content: .absent, watching: .events)
        desk.act(.status("s", SuiteStatus(content: .absent, watching: .events)))
        desk.list()
        #expect(desk.state.pendingChanges.map(\.change.new) == [nil, 25])
        desk.type("Ry")
        #expect(desk.files["s"] == ["k": 1, "l": 2, "m": 3])
        #expect(desk.outline == ["[l]", "m"] || desk.outline == ["l", "[m]"])
        desk.type("Ww")
        #expect(desk.files["s"] == ["l": 25, "m": 3])
    }

    @Test("A key that others delete by itself has had its deletion")
    func deletedByOthers() {
        var desk = Desk(["s": ["k": 1, "l": 2]], columns: 100, keys: "⏎Sdy")
        desk.outside("s", "k", nil)
        #expect(desk.state.pendingChanges.isEmpty)
    }

    @Test(
        "Where more than 10,000 places of a key have changed the question says that they are decided at once"
    )
    func tooManyPlaces() {
        let text = "{" + (0...Merge.mostPlaces).map { "\"m\($0)\":1" }.joined(separator: ",") + "}"
        let mine = text.replacing(":1", with: ":2")
        var desk = Desk(["s": ["k": json(text)]], columns: 100, keys: "⏎S")
        desk.outsideAnswers = [{ _ in .text(mine) }]
        desk.type("E")
        desk.outside("s", "k", json(text.replacing("\"m0\":1", with: "\"m0\":7")))
        desk.type("W⏎")
        #expect(desk.text.contains("Too many places of “k” have changed to be written one by one"))
    }

    @Test("What waits lies over what others have changed elsewhere in the key, and is written beside that")
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
        func signs(_ desk: Desk) -> [String] {
            desk.screen[1...4].map { line in
                line.split(separator: "│").last.map { String($0.prefix(2).suffix(1)) } ?? ""
            }
        }
        #expect(signs(desk) == ["●", "●", "±", " "])
        #expect(desk.screen[2].hasSuffix("6  was 5"))
        // A place of one's own has one's own sign, though others have changed another shortly before.
        desk.type("jlj⏎5⏎")
        #expect(signs(desk) == ["●", "●", "±", "±"])
        #expect(!desk.screen[5].contains("was"))
        desk.wait(60)
        #expect(signs(desk) == ["±", " ", "±", "±"])
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

    @Test("Where others have changed the same place it is named, and what else they changed stays theirs")
    func overtakenInside() {
        var desk = Desk(["s": ["k": ["a": 5, "b": "x", "c": 1]]], columns: 100, keys: "⏎Sljj⏎!⏎j⏎2⏎")
        desk.outside("s", "k", ["a": 6, "b": "theirs", "c": 1])
        #expect(desk.state.pendingChanges.map(\.change.new) == [["a": 6, "b": "x!", "c": 12]])
        desk.type("Ww")
        #expect(desk.writes.isEmpty)
        #expect(desk.screen[1].hasSuffix("  2 places  (/b “theirs” in the file now)"))
        desk.type("⏎")
        #expect(
            desk.screen.last
                == "The file holds “theirs” for “k/b” now: is “x!” to replace it?  y mine  t theirs  n back"
        )
        desk.outside("s", "k", ["a": 7, "b": "theirs", "c": 1])
        var other = desk
        other.outside("s", "k", ["a": 7, "b": "once more", "c": 1])
        other.type("y")
        #expect(other.screen.last == "“k” has changed once more.")
        desk.type("y")
        desk.type("w")
        #expect(desk.files["s"]?["k"] == ["a": 7, "b": "x!", "c": 12])
        // Where they put back what was there, nothing is in the way any more.
        other.outside("s", "k", ["a": 8, "b": "x", "c": 1])
        other.type("w")
        #expect(other.files["s"]?["k"] == ["a": 8, "b": "x!", "c": 12])
    }

    @Test("A write of a place that meets another value of the key waits again, over that value")
    func overtakenOnTheWay() {
        var desk = Desk(["s": ["k": ["a": 5, "b": 1]]], keys: "⏎Sljj⏎2⏎")
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

    @Test("What others have changed meanwhile is not written until the user decides")
    func overtaken() {
        var desk = Desk(["a": ["k": 1, "l": 1]], keys: "⏎S⏎2⏎j⏎2⏎")
        desk.outside("a", "k", 7)
        #expect(desk.text.contains("12"))
        desk.type("Ww")
        #expect(desk.files["a"] == ["k": 7, "l": 12])
        #expect(desk.text.contains("»! a › k"))
        #expect(desk.screen[1].hasSuffix("1 → 12  (7 in the file now)"))
        desk.type("⏎")
        #expect(
            desk.screen.last == "The file holds 7 for “k” now: is 12 to replace it?  y mine  t theirs  n back"
        )
        desk.type("nw⏎y")
        #expect(desk.files["a"]?["k"] == 7)
        desk.type("w")
        #expect(desk.files["a"] == ["k": 12, "l": 12])
    }

    @Test("Ctrl-C leaves what is typed, asks where changes wait, and else ends the editor")
    func interrupting() {
        let interrupt = Key.control("c")
        var desk = Desk(["a": ["k": 1]], keys: "⏎")
        #expect(desk.state.endsOnInterrupt)
        desk.type("⏎2")
        #expect(!desk.state.endsOnInterrupt)
        desk.press(interrupt)
        #expect(desk.state.mode == .keys)
        for keys in ["d", "t", "o", "z", "?", "c"] {
            desk.type(keys)
            #expect(desk.state.mode != .keys && !desk.state.endsOnInterrupt, "\(keys)")
            desk.press(interrupt)
            #expect(desk.state.mode == .keys, "\(keys)")
        }
        desk.type("S⏎2⏎")
        #expect(!desk.state.endsOnInterrupt)
        desk.type("W")
        desk.press(interrupt)
        desk.press(interrupt)
        #expect(
            desk.screen.last == "1 change is not written: leave without it?  y yes  n no  w write and leave"
        )
        #expect(desk.state.endsOnInterrupt)
    }

    @Test("A write that fails, or meets another value, leaves the changes waiting")
    func failing() {
        var desk = Desk(["a": ["k": 1]], keys: "⏎S⏎2⏎")
        desk.holdsWrites = true
        desk.type("Ww")
        desk.finishWrites(failing: "the disk is full")
        #expect(desk.screen.last == "Not written: the disk is full.")
        #expect(desk.state.pendingChanges.map(\.change) == [ValueChange(old: 1, new: 12)])
        desk.type("Ww")
        desk.files["a"]?["k"] = 9
        desk.finishWrites()
        #expect(desk.state.pendingChanges.map(\.isOvertaken) == [true])
        #expect(desk.files["a"] == ["k": 9])
    }

    @Test("Leaving with something that waits asks first, and so does writing at once again")
    func leaving() {
        var desk = Desk(["a": ["k": 1]], keys: "⏎S⏎2⏎q")
        #expect(
            desk.screen.last == "1 change is not written: leave without it?  y yes  n no  w write and leave"
        )
        desk.type("n")
        #expect(!desk.effects.contains(.quit))
        desk.type("S")
        #expect(desk.state.isStaging)
        desk.type("qy")
        #expect(desk.effects.last == .quit)
        #expect(desk.writes.isEmpty)
    }

    @Test(
        "w at the question about leaving writes what waits and leaves, unless others have changed some of it"
    )
    func writingAndLeaving() {
        var desk = Desk(["a": ["k": 1, "l": 1]], columns: 100, keys: "⏎S⏎⌫5⏎j⏎⌫6⏎q")
        #expect(desk.screen.last?.contains("w write and leave") == true)
        #expect(desk.state.unwritten == "2 changes were not written: a › k, a › l.")
        var other = desk
        desk.type("w")
        #expect(desk.files["a"] == ["k": 5, "l": 6])
        #expect(desk.effects.contains(.quit))
        #expect(desk.state.unwritten == nil)
        other.outside("a", "k", 9)
        other.type("w")
        #expect(other.files["a"] == ["k": 9, "l": 6])
        #expect(!other.effects.contains(.quit))
        #expect(other.state.mode == .pending)
        // Any other question has none of it.
        desk = Desk(["a": ["k": 1]], keys: "⏎dw")
        #expect(desk.screen.last?.contains("write") == false)
        #expect(desk.writes.isEmpty)
    }
}
