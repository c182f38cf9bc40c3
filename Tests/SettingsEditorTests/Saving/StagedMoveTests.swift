import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Staged moves and renames")
struct StagedMoveTests {
    static let movedInside: [(PropertyListValue, way: String, moves: String)] = [
        ([1, 2, 3], "lj", "2>"), ([1, 2, 3], "ljj", "<"), (json("[1,2,3]"), "lj", "2>"),
        (json(#"{"alpha":1,"beta":2}"#), "lj", "r!first⏎"), (["alpha": 1, "beta": 2], "lj", "r!first⏎"),
        ([["a": 1], ["b": 2], ["c": 3]], "lj", ">>"),
    ]

    @Test("A key in which a value was moved or renamed has one line, and is discarded as a whole")
    func movedInsideAValue() {
        for (value, way, moves) in Self.movedInside {
            var desk = Desk(["s": ["k": value]], keys: "⏎S" + way)
            for character in moves {
                if character == "!" {
                    desk.press(.control("u"))
                } else {
                    desk.type(String(character))
                }
            }
            desk.type("W")
            #expect(desk.state.staging.rows.count == 1)
            desk.type("d")
            #expect(desk.state.pendingChanges.isEmpty)
            desk.type("Ww")
            #expect(desk.files["s"] == ["k": value])
            // Undo stages it again.
            desk.type("⎋u")
            #expect(desk.state.pendingChanges.count == 1)
            desk.type("W")
            #expect(desk.state.staging.rows.count == 1)
        }
    }

    @Test("After a move that the user agreed to despite its type, the cursor stays where the value was")
    func moveThatIsAskedAbout() {
        let schema = SuiteSchema(["vol": SettingDeclaration(.integer(), defaultValue: 6)])
        for staged in ["", "S"] {
            var desk = Desk(["a": ["vol": "x", "z": 1], "b": ["n": 1]], schemas: ["b": schema])
            desk.type("⏎\(staged)M1")
            desk.type("y")
            #expect(desk.selectedSuite == "a")
            // The row of a staged deletion stays.
            #expect(desk.selectedKey == (staged.isEmpty ? "z" : "vol"))
        }
    }

    @Test("A key that is changed again after a discarded move is on its own")
    func afterADiscardedMove() {
        var desk = moved()
        desk.type("Wd")
        #expect(desk.state.pendingChanges.isEmpty)
        desk.type("⏎7⏎")
        desk.type("⇥j⇥an⏎ddd⏎W")
        #expect(desk.state.pendingChanges.map(\.suite) == ["a", "b"])
        #expect(!desk.text.contains("with “"))
        desk.type("d")
        #expect(desk.state.pendingChanges.map(\.suite) == ["b"])
    }

    @Test("A suite that is renamed or duplicated has its declarations while the change is staged")
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

    private func moved() -> Desk {
        Desk(["a": ["n": 5], "b": ["q": 1]], columns: 110, keys: "⏎SM1")
    }

    @Test(
        "Each half of a move has a line that names the other half, and they are written one after the other"
    )
    func moving() {
        var desk = moved()
        desk.type("W")
        #expect(
            desk.body[0...1].map { $0.split(separator: " ").joined(separator: " ") } == [
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

    @Test("If the target of a move has changed, or its suite is unreadable, nothing of the move is written")
    func movingOverOthers() {
        var desk = moved()
        desk.outside("b", "n", 99)
        desk.type("Ww")
        #expect(desk.files == ["a": ["n": 5], "b": ["n": 99, "q": 1]])
        #expect(
            desk.foot
                == "Not saved: 2 keys. Another program changed these keys, or one that moves with them. Press Enter to decide."
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

    @Test("A rename with a conflict is never half written, for a key and for a suite")
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

    @Test("A move inside a key, or of a moved value, is never half written")
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

    @Test("The source of a move is written last, whatever else has changed there")
    func movingFromWhatGrows() {
        var desk = Desk(["a": ["c": ["x": 1, "y": 2]], "b": ["q": 1]], columns: 110, keys: "⏎Slj")
        desk.type("M")
        desk.type("b⏎")
        desk.type("aone⏎i⏎1⏎atwo⏎i⏎2⏎athree⏎i⏎3⏎")
        desk.holdsWrites = true
        desk.type("Ww")
        #expect(desk.waiting.map(\.suite) == ["b"])
        desk.finishWrites()
        desk.finishWrites()
        #expect(
            desk.files == ["a": ["c": ["y": 2, "one": 1, "two": 2, "three": 3]], "b": ["q": 1, "x": 1]]
        )
    }

    @Test("A rename made in the external editor is never half written")
    func renamedOutside() {
        var desk = Desk(["a": ["k": 1, "n": 5]], columns: 110, keys: "S")
        desk.outsideAnswers = [{ .text($0.text.replacing("\"n\"", with: "\"zz\"")) }]
        desk.type("E")
        #expect(desk.state.pendingChanges.map(\.key) == ["n", "zz"])
        desk.outside("a", "zz", 99)
        desk.type("Ww")
        #expect(desk.files == ["a": ["k": 1, "n": 5, "zz": 99]])
    }

    @Test("A discarded rename of a suite is staged again by u")
    func droppingRenames() throws {
        var desk = Desk(["a": ["n": 5, "o": 1]], columns: 110, keys: "Sr⌫ren⏎")
        let whole = try #require(desk.state.suiteList.suites.last?.stagedWhole)
        #expect(whole == .made(like: "a", asLink: true, declaredAs: "a"))
        desk.type("Wd")
        #expect(desk.state.suiteList.suites.map(\.id) == ["a"])
        desk.type("u")
        #expect(desk.foot == "Undone: “a” is “ren” again.")
        #expect(desk.state.suiteList.suites.last?.stagedWhole == whole)
        desk.press(.control("r"))
        #expect(desk.state.suiteList.suites.map(\.id) == ["a"])
        #expect(desk.state.pendingChanges.isEmpty)
        desk.type("uWw")
        #expect(desk.files == ["ren": ["n": 5, "o": 1]])
        desk.type("⎋u")
        desk.type("Ww")
        #expect(desk.files == ["a": ["n": 5, "o": 1]])
    }

    @Test("Discarding half of a move discards the other half, and u restores both")
    func droppingMoves() {
        var desk = moved()
        desk.type("Wd")
        #expect(desk.state.pendingChanges.isEmpty)
        #expect(desk.foot == "Discarded the change of “n”, and “b › n”, which moved with it.")
        desk.type("u")
        #expect(desk.state.pendingChanges.count == 2)
        desk.type("Ww")
        #expect(desk.files == ["a": [:], "b": ["n": 5, "q": 1]])
    }

    @Test("A move whose second half is refused keeps that half staged")
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

    @Test("A value moved back and forth between suites is stored everywhere before it is deleted anywhere")
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
}
