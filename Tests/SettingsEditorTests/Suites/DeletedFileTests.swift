import PropertyList
import SettingsStore
import Testing

@testable import SettingsEditor

@Suite("Suites whose file is deleted or broken by another program")
struct DeletedFileTests {
    /// Another process deletes the file of “a”: the keys are removed, and the suite becomes absent.
    private func delete(_ desk: inout Desk) {
        for key in desk.files["a"]?.keys.sorted() ?? [] { desk.outside("a", key, nil) }
        desk.files["a"] = nil
        desk.statuses["a"] = SuiteStatus(content: .absent, watching: .events)
        desk.act(.status("a", SuiteStatus(content: .absent, watching: .events)))
        desk.list()
    }

    /// It leaves something there that can't be read, which is listed.
    private func `break`(_ desk: inout Desk) {
        desk.files["a"] = [:]
        desk.statuses["a"] = SuiteStatus(content: .unreadable("line 1"), watching: .events)
        desk.act(.status("a", SuiteStatus(content: .unreadable("line 1"), watching: .events)))
        desk.list()
    }

    private func desk(_ keys: String = "⏎") -> Desk {
        Desk(["a": ["k": 1, "l": ["x": 2], "name": "Eva"], "b": [:]], columns: 120, keys: keys)
    }

    @Test("A broken file in place of a deleted one is quarantined, and the known values are stored")
    func brokenAfterDeletion() {
        var desk = desk()
        delete(&desk)
        `break`(&desk)
        #expect(desk.outline.count == 3)
        desk.type("R")
        let question =
            "Move the unreadable file aside, and store the 3 known keys in a new one? The file stays beside the others as "
            + "“a.plist.broken-…”, where you can repair it."
        #expect(desk.message == question)
        desk.type("y")
        #expect(desk.files["a"] == ["k": 1, "l": ["x": 2], "name": "Eva"])
        #expect(desk.text.contains("kept as /home/u/.config/a.plist.broken-"))
        #expect(desk.text.contains("Restored: the 3 keys shown."))
        #expect(!desk.text.contains("unreadable:"))
        #expect(desk.outline.count == 3)
        desk.type("g⏎→5⏎")
        #expect(desk.files["a"]?["k"] == 15)
    }

    @Test("If nothing can be stored in its place, the message says where the quarantined file is")
    func setAsideInVain() {
        var desk = desk()
        delete(&desk)
        `break`(&desk)
        desk.holdsWrites = true
        desk.type("Ry")
        desk.finishWrites(failing: "write failed: File too large")
        #expect(desk.text.contains("File too large"))
        #expect(desk.text.contains("The unreadable file is kept as\n/home/u/.config/a.plist.broken-"))
        // Once it is stored that is over.
        desk.type("Ry")
        desk.finishWrites()
        #expect(desk.files["a"]?.count == 3)
        desk.type("g⏎5⏎")
        desk.finishWrites(failing: "write failed: File too large")
        #expect(desk.text.contains("File too large"))
        #expect(!desk.text.contains("kept as"))
    }

    @Test("If the file breaks or disappears during the question, the editor asks again")
    func anotherQuestion() {
        var desk = desk()
        delete(&desk)
        desk.type("R")
        `break`(&desk)
        desk.type("y")
        #expect(!desk.effects.contains(.recover("a")))
        #expect(desk.writes.isEmpty)
        #expect(desk.text.contains("Move the unreadable file aside"))
        desk.files["a"] = nil
        desk.statuses["a"]?.content = .absent
        desk.act(.status("a", SuiteStatus(content: .absent, watching: .events)))
        desk.type("y")
        #expect(desk.text.contains("Write the 3 keys shown of “a” into a new file?"))
        desk.type("y")
        #expect(desk.files["a"]?.count == 3)
    }

    @Test("If the write is refused or fails, the known values stay, and R tries again")
    func refused() {
        var desk = desk()
        delete(&desk)
        desk.holdsWrites = true
        desk.type("Ry")
        // Until it is stored all is as if it were.
        #expect(!desk.text.contains("deleted"))
        desk.finishWrites(failing: "the disk is full")
        #expect(desk.foot.contains("Not written: the disk is full.") == true)
        #expect(desk.outline == ["k", "l", "[name]"])
        #expect(desk.text.contains("deleted: the file is gone"))
        desk.act(.recovered("a", .failed("it is a folder")))
        #expect(desk.outline == ["k", "l", "[name]"])
        desk.holdsWrites = false
        desk.type("Ry")
        #expect(desk.files["a"]?.count == 3)
    }

    @Test("A directory in place of the file also keeps the known values")
    func notAFile() {
        var desk = desk()
        delete(&desk)
        `break`(&desk)
        desk.files["a"] = nil
        desk.list()
        desk.files["a"] = [:]
        desk.list()
        #expect(desk.outline == ["k", "l", "[name]"])
        desk.type("⏎")
        #expect(desk.foot.hasPrefix("Not written, because the stored values are unreadable") == true)
        #expect(desk.outline == ["k", "l", "[name]"])
    }

    @Test("Undo deletes a restored file, and redo restores it")
    func undone() {
        var desk = desk()
        delete(&desk)
        desk.type("Ryu")
        #expect(desk.files["a"] == nil)
        #expect(desk.foot == "Undone: “a” is gone again.")
        desk.press(.control("r"))
        #expect(desk.files["a"]?.count == 3)
    }

    @Test("A draft of a deleted file is written into the new file with all known values")
    func conflict() {
        var desk = desk("⏎jj⏎x")
        delete(&desk)
        desk.type("⏎")
        let question =
            "The file of “a” was deleted. Write the 3 keys shown into a new one, “name” with “Evax”?"
        #expect(desk.message == question)
        desk.type("y")
        #expect(desk.files["a"] == ["k": 1, "l": ["x": 2], "name": "Evax"])
        #expect(desk.outline == ["k", "l", "[name]"])
        #expect(desk.foot == "Restored: the 3 keys shown, with “name” changed.")
        // The answer restores; the value that was typed can be taken back.
        desk.type("u")
        #expect(desk.files["a"] == ["k": 1, "l": ["x": 2], "name": "Eva"])
    }

    @Test("The same holds inside a dictionary, and a failure opens the draft again")
    func conflictInside() {
        var desk = desk("⏎jlj⏎→5")
        delete(&desk)
        desk.holdsWrites = true
        desk.type("⏎y")
        desk.finishWrites(failing: "the disk is full")
        #expect(desk.state.mode.isText)
        #expect(desk.outline == ["k", "l", "  [x]", "name"])
        desk.holdsWrites = false
        desk.type("⏎y")
        #expect(desk.files["a"] == ["k": 1, "l": ["x": 25], "name": "Eva"])
    }

    @Test("A value that does not fit its declaration is asked about, and no other value")
    func undeclared() {
        let schema = SuiteSchema([
            "k": SettingDeclaration(.integer(Bounds(0...10)), defaultValue: 1),
            "m": SettingDeclaration(.integer(Bounds(0...10)), defaultValue: 1),
        ])
        var desk = Desk(["a": ["k": 1, "m": 99]], columns: 120, schemas: ["a": schema], keys: "⏎⏎→2")
        delete(&desk)
        desk.type("⏎y")
        #expect(desk.text.contains("“k” can't have this value"))
        #expect(!desk.text.contains("more"))
        desk.type("y")
        #expect(desk.files["a"] == ["k": 12, "m": 99])
    }

    @Test("A whole suite that was edited meanwhile keeps its secrets")
    func secrets() {
        let schema = SuiteSchema(["token": SettingDeclaration(.string(), isSecret: true)])
        var desk = Desk(["s": ["a": 1, "b": 2, "token": "hush"]], schemas: ["s": schema])
        desk.outsideAnswers = [{ _ in .text(#"{"a": 3}"#) }]
        desk.outsideDeletes = "s"
        desk.type("E")
        #expect(desk.text.contains("The file of “s” was deleted. Write yours into a new one?"))
        desk.type("y")
        #expect(desk.files["s"] == ["a": 3, "token": "hush"])
    }

    @Test("Restoring a file with staged changes writes the old values, and the changes stay staged")
    func staged() {
        var desk = desk("⏎S⏎→7⏎")
        delete(&desk)
        #expect(desk.outline.count == 3)
        desk.type("R")
        #expect(
            desk.message.contains(
                "Write the 3 keys with their previous values of “a” into a new file at once?"
            )
        )
        desk.type("y")
        #expect(desk.files["a"] == ["k": 1, "l": ["x": 2], "name": "Eva"])
        #expect(desk.foot == "Restored: the 3 keys with their previous values. 1 change is staged.")
        #expect(desk.state.pendingChanges.map(\.change) == [ValueChange(old: 1, new: 17)])
        #expect(desk.state.pendingChanges.allSatisfy { !$0.isOvertaken })
        var back = desk
        back.type("u")
        #expect(back.state.pendingChanges.isEmpty)
        #expect(back.outline.count == 3)
        desk.type("Ww")
        #expect(desk.files["a"] == ["k": 17, "l": ["x": 2], "name": "Eva"])
    }

    @Test("Restoring a file for a draft stages the draft")
    func stagedConflict() {
        var desk = desk("⏎Sjj⏎x")
        delete(&desk)
        desk.type("⏎y")
        #expect(desk.files["a"]?["name"] == "Eva")
        #expect(desk.files["a"]?.count == 3)
        #expect(desk.state.pendingChanges.map(\.change) == [ValueChange(old: "Eva", new: "Evax")])
        desk.type("u")
        #expect(desk.state.pendingChanges.isEmpty)
        #expect(desk.outline == ["k", "l", "[name]"])
    }

    @Test(
        "A suite that was unreadable from the start stays, empty, with the cursor on it",
        arguments: ["", "⏎"]
    )
    func brokenFromTheStart(keys: String) {
        let broken = SuiteStatus(content: .unreadable("line 1"))
        var desk = Desk(["a": [:], "b": ["z": 1]], columns: 120, statuses: ["a": broken], keys: keys + "R")
        #expect(desk.text.contains("Its values are not restored"))
        desk.type("y")
        desk.list()
        #expect(desk.files["a"] == nil)
        #expect(desk.state.suiteList.suites.map(\.id) == ["a", "b"])
        #expect(desk.selectedSuite == "a")
        #expect(desk.text.contains("a.plist.broken-"))
        desk.type(keys.isEmpty ? "⏎" : "")
        desk.type("ak⏎⏎v⏎")
        #expect(desk.files["a"] == ["k": "v"])
        #expect(desk.files["b"] == ["z": 1])
        desk.list()
        // From here on it is one like others.
        delete(&desk)
        #expect(desk.text.contains("deleted: the file is gone"))
    }
}
