import PropertyList
import TerminalCanvas
import Testing

@testable import SettingsEditor
@testable import SettingsStore

@Suite("Creating, renaming, duplicating and deleting suites")
struct SuiteOperationTests {
    @Test("While a suite is renamed, its name is on the screen once, in its row")
    func nameOnce() {
        let desk = Desk(["alpha": ["k": 1], "beta": ["k": 1]], keys: "jr")
        #expect(desk.body[1].hasPrefix("» beta"))
        #expect(!desk.body[2].contains("beta"))
    }

    private func desk(_ keys: String = "") -> Desk {
        Desk(["a": ["k": 1, "l": ["x": 2]], "b": ["z": "w"], "e": [:]], columns: 110, keys: keys)
    }

    private func titles(_ desk: Desk) -> [String] { desk.state.suiteList.suites.map(\.title) }

    @Test("Undo deletes a suite that was created with its first key, and redo creates it again")
    func madeWithAKey() {
        var desk = Desk(["a": ["k": 1]], keys: "asu⏎n⏎⏎v⏎")
        #expect(desk.files["su"] == ["n": "v"])
        desk.type("u")
        #expect(desk.files == ["a": ["k": 1]])
        desk.press(.control("r"))
        #expect(desk.files["su"] == ["n": "v"])
        // Keys of other processes in it stay.
        desk.outside("su", "theirs", 1)
        desk.type("u")
        #expect(desk.files["su"] == ["n": "v", "theirs": 1])
        #expect(desk.foot.contains("“su” now has “theirs”.") == true)
    }

    @Test("A refused rename shows a key that another program has added and that was not reported yet")
    func unknownKey() {
        var desk = desk("r⌫n")
        desk.files["a"]?["new"] = 5
        desk.type("⏎")
        #expect(desk.files["a"] == ["k": 1, "l": ["x": 2], "new": 5])
        #expect(desk.files["n"] == nil)
        #expect(desk.text.contains("Not written: another program changed"))
        desk.type("g")
        #expect(desk.selectedSuite == "a")
        #expect(desk.body.contains { $0.contains("new") && $0.contains("5") })
    }

    @Test("d deletes a suite after a question that counts its keys, u restores it, ^R deletes it again")
    func deleting() {
        var desk = desk("d")
        #expect(desk.text.contains("Delete the suite “a” with its 2 keys?"))
        desk.type("n")
        #expect(desk.files["a"] != nil)
        desk.type("dy")
        #expect(desk.files == ["b": ["z": "w"], "e": [:]])
        #expect(titles(desk) == ["b", "e"])
        #expect(desk.foot == "“a” is deleted. Press u to undo.")
        desk.type("u")
        #expect(desk.files["a"] == ["k": 1, "l": ["x": 2]])
        #expect(desk.selectedSuite == "a")
        #expect(desk.foot == "Undone: “a” exists again.")
        desk.press(.control("r"))
        #expect(desk.files["a"] == nil)
        #expect(titles(desk) == ["b", "e"])
        desk.type("H")
        #expect(desk.text.contains("the suite is gone"))
        #expect(desk.text.contains("a new suite"))
        #expect(!desk.body.joined().contains("●"))
    }

    @Test("A suite without keys can be deleted and restored")
    func empty() {
        var desk = desk("Gd")
        #expect(desk.text.contains("Delete the suite “e”, which has no keys?"))
        desk.type("y")
        #expect(desk.files["e"] == nil)
        desk.type("u")
        #expect(desk.files["e"] == [:])
        #expect(titles(desk) == ["a", "b", "e"])
    }

    @Test("If a value or a key changes after the question, the editor asks again")
    func changedMeanwhile() {
        var desk = desk("d")
        desk.outside("a", "k", 5)
        desk.type("y")
        #expect(desk.files["a"]?["k"] == 5)
        #expect(desk.text.contains("It has changed. Delete the suite “a” with its 2 keys?"))
        desk.outside("a", "new", true)
        desk.type("y")
        #expect(desk.text.contains("It has changed. Delete the suite “a” with its 3 keys?"))
        desk.type("y")
        #expect(desk.files["a"] == nil)
    }

    @Test("If a value changes during the deletion, the suite stays, and the editor asks again")
    func changedOnTheWay() {
        var desk = desk()
        desk.holdsWrites = true
        desk.type("dy")
        desk.files["a"]?["new"] = true
        desk.holdsWrites = false
        desk.finishWrites()
        #expect(desk.files["a"]?.count == 3)
        desk.outside("a", "new", true)
        #expect(desk.text.contains("It has changed."))
        #expect(!desk.state.history.undo.hasPast)
    }

    @Test("D duplicates a suite, r renames it, and each is undone as a whole")
    func copying() {
        var desk = desk("D")
        #expect(desk.text.contains("a copy"))
        desk.type("⏎")
        #expect(desk.files["a copy"] == desk.files["a"])
        #expect(desk.writes.last?.whole == .made(like: "a", declaredAs: "a"))
        #expect(desk.selectedSuite == "a copy")
        desk.type("u")
        #expect(desk.files["a copy"] == nil)
        #expect(titles(desk) == ["a", "b", "e"])
        desk.type("gr2⏎")
        #expect(desk.files == ["a2": ["k": 1, "l": ["x": 2]], "b": ["z": "w"], "e": [:]])
        #expect(titles(desk) == ["a2", "b", "e"])
        #expect(desk.selectedSuite == "a2")
        #expect(desk.foot == "Renamed “a” to “a2”. Press u to undo.")
        desk.type("u")
        #expect(desk.files == ["a": ["k": 1, "l": ["x": 2]], "b": ["z": "w"], "e": [:]])
        #expect(desk.foot == "Undone: “a2” is “a” again.")
        desk.press(.control("r"))
        #expect(desk.files["a"] == nil && desk.files["a2"]?.count == 2)
    }

    @Test(
        "If another program creates the new suite first, the old one stays selected, with the typed name"
    )
    func nameTakenMeanwhile() {
        var desk = desk()
        desk.holdsWrites = true
        desk.type("r2⏎")
        desk.files["a2"] = ["z": 1]
        desk.finishWrites()
        #expect(desk.selectedSuite == "a")
        #expect(desk.state.mode == .naming)
        #expect(desk.text.contains("Not written: “a2” now has “z”. Press Enter to retry."))
        #expect(desk.files["a"]?.count == 2 && desk.files["a2"] == ["z": 1])
        desk.type("⎋")
        #expect(!desk.text.contains("Renamed"))
    }

    @Test("A name that exists, or an empty one, is refused, and the same name changes nothing")
    func names() {
        var desk = desk("r")
        desk.type("⌫b⏎")
        #expect(desk.text.contains("A suite “b” already exists."))
        desk.type("⌫⏎")
        #expect(desk.state.mode == .naming)
        desk.type("a⏎")
        #expect(desk.state.mode == .suites)
        #expect(desk.writes.isEmpty)
    }

    @Test("A rename whose second half is refused is undone")
    func halfRename() {
        var desk = desk()
        desk.holdsWrites = true
        desk.type("r2⏎")
        desk.finishWrites()
        #expect(desk.files["a2"]?.count == 2)
        desk.files["a"]?["new"] = true
        desk.finishWrites()
        desk.holdsWrites = false
        desk.finishWrites()
        #expect(desk.files["a"]?.count == 3)
        #expect(desk.files["a2"] == nil)
        #expect(desk.foot.contains("The parts that were stored are undone.") == true)
    }

    @Test("With staging a deletion of a suite is staged key by key, and a new suite is stored first")
    func staged() {
        var desk = desk("Sdy")
        #expect(desk.files["a"]?.count == 2)
        #expect(desk.title.hasSuffix("± 2 staged"))
        desk.type("u")
        #expect(desk.state.pendingChanges.isEmpty)
        desk.press(.control("r"))
        desk.type("Ww")
        #expect(desk.files["a"] == nil)
        desk.type("br2⏎Ww")
        #expect(desk.files == ["b2": ["z": "w"], "e": [:]])
        #expect(
            desk.writes.suffix(2).map(\.whole) == [
                .made(like: "b", asLink: true, declaredAs: "b"), .removed(declaredAs: "b2"),
            ]
        )
    }

    @Test(
        "A suite that is staged for deletion is not deleted again, renamed or duplicated",
        arguments: ["d", "r", "D"]
    )
    func stagedTwice(_ key: String) {
        var desk = desk("Sdy\(key)")
        #expect(desk.foot == "“a” will be deleted when you save. Press u to keep it.")
        #expect(titles(desk) == ["a", "b", "e"])
        desk.type("u\(key)")
        #expect(desk.foot != "“a” will be deleted when you save. Press u to keep it.")
    }

    @Test("Discarding part of a staged deletion keeps the suite")
    func stagedInPart() {
        var desk = desk("SdyWdw")
        #expect(desk.files["a"]?.count == 1)
        desk.list()
        #expect(titles(desk) == ["a", "b", "e"])
    }

    @Test("Nothing is done in a read-only suite or in one that was not read")
    func refused() {
        var desk = Desk(["a": ["k": 1]], readOnly: "it was opened with --read-only", keys: "dy")
        // Also where keys come faster than they can be read.
        #expect(desk.foot == "Read-only: it was opened with --read-only")
        desk.type("r")
        #expect(desk.foot == "Read-only: it was opened with --read-only")
        desk.type("D")
        #expect(desk.foot == "Read-only: it was opened with --read-only")
        desk = Desk(
            ["a": [:]],
            statuses: ["a": SuiteStatus(content: .unreadable("line 1"), watching: .events)],
            keys: "d"
        )
        #expect(desk.foot.contains("unreadable: line 1") == true)
        desk.type("D")
        #expect(desk.state.mode == .suites)
    }

    @Test("A copy of a suite with secrets hides them too")
    func secrets() throws {
        let secret = SettingDeclaration(.string(), isSecret: true)
        var desk = Desk(
            ["a": ["k": "hush"]],
            columns: 100,
            schemas: ["a": SuiteSchema(["k": secret])],
            keys: "D⏎"
        )
        #expect(desk.selectedSuite == "a copy")
        desk.type("⏎")
        #expect(!desk.text.contains("hush"))
    }

    private let declared = SuiteSchema(["k": SettingDeclaration(.integer(), title: "Kay")])

    @Test("Declarations follow a rename and a copy, and come back with u")
    func declarations() {
        var desk = Desk(["a": ["k": 1], "b": [:]], columns: 110, schemas: ["a": declared], keys: "r2⏎")
        #expect(desk.foot == "Renamed “a” to “a2”. Press u to undo.")
        #expect(desk.schemas == ["a2": declared])
        #expect(titles(desk) == ["a2", "b"])
        desk.type("u")
        #expect(desk.schemas == ["a": declared])
        #expect(titles(desk) == ["a", "b"])
        desk.press(.control("r"))
        #expect(desk.schemas == ["a2": declared])
        desk.type("D⏎")
        #expect(desk.schemas == ["a2": declared, "a2 copy": declared])
        desk.type("u")
        #expect(desk.schemas == ["a2": declared])
        #expect(titles(desk) == ["a2", "b"])
    }

    @Test("For a symbolic link the message says that its target stays, before and after the deletion")
    func link() {
        var desk = Desk(["a": ["k": 1], "b": ["l": 1]], columns: 110)
        desk.links["a"] = "../dot/a.plist"
        desk.act(.link("a", to: "../dot/a.plist"))
        desk.type("d")
        #expect(
            desk.message.contains(
                "Delete the suite “a” with its 1 key? It is a link to ../dot/a.plist, which stays."
            )
        )
        desk.type("y")
        #expect(
            desk.foot == "“a”, a link to ../dot/a.plist, which stays, is deleted. Press u to undo."
        )
        desk.type("u")
        #expect(desk.foot == "Undone: “a” exists again.")
        desk.press(.control("r"))
        #expect(desk.foot == "Redone: “a” is gone again.")
    }

    @Test(
        "A symbolic link to an unreadable file is deleted, renamed and restored as the link itself",
        arguments: [SuiteStatus.Content.absent, .unreadable("line 1")],
        ["", "S"]
    )
    func brokenLink(content: SuiteStatus.Content, staging: String) {
        func desk(_ keys: String) -> Desk {
            var desk = Desk(["b": ["l": 1]], columns: 110)
            desk.links["a"] = "nowhere"
            desk.statuses["a"] = SuiteStatus(content: content, watching: .events)
            desk.list()
            desk.type("↖" + staging + keys)
            return desk
        }
        var deleted = desk("d")
        #expect(deleted.text.contains("Delete the link “a” to nowhere, which cannot be read?"))
        deleted.type("y")
        #expect(deleted.foot == "“a”, a link to nowhere, is deleted. Press u to undo.")
        #expect(deleted.links == [:] && deleted.files == ["b": ["l": 1]])
        #expect(deleted.state.suiteList.suites.map(\.id) == ["b"])
        deleted.type("u")
        #expect(deleted.foot == "Undone: “a” exists again.")
        #expect(deleted.links == ["a": "nowhere"])
        deleted.press(.control("r"))
        #expect(deleted.links == [:])

        var renamed = desk("r⌫c⏎")
        #expect(renamed.links == ["c": "nowhere"] && renamed.files == ["b": ["l": 1]])
        renamed.type("u")
        #expect(renamed.links == ["a": "nowhere"])
        renamed.press(.control("r"))
        #expect(renamed.links == ["c": "nowhere"])
    }

    @Test(
        "Restoring into a deleted suite creates a file like the old one, and undo deletes the file"
    )
    func putBackIntoDeleted() {
        var desk = Desk(["a": ["k": 1, "n": 2], "b": ["l": 1]], columns: 110, keys: "dyHj⏎")
        #expect(desk.writes.last?.whole == .made(like: nil))
        desk.type("⎋u")
        #expect(desk.files == ["b": ["l": 1]])
        desk.type("u")
        #expect(desk.files == ["a": ["k": 1, "n": 2], "b": ["l": 1]])
        #expect(desk.writes.last?.whole == .made(like: nil))
    }

    @Test("A deleted suite keeps its declarations, also when it is restored")
    func declarationsOfTheDeleted() {
        var desk = Desk(["a": ["k": 1]], columns: 110, schemas: ["a": declared], keys: "d")
        #expect(desk.message.contains("The declared settings stay, with their defaults."))
        desk.type("y")
        #expect(desk.files["a"] == nil && desk.schemas == ["a": declared])
        #expect(titles(desk) == ["a"])
        desk.type("u")
        #expect(desk.files["a"] == ["k": 1] && desk.schemas == ["a": declared])
    }

    @Test(
        "A new name may have declarations only; if they differ they stay, and a message says so",
        arguments: [false, true]
    )
    func declarationsOfTheName(isRead: Bool) {
        let own = SuiteSchema(["z": SettingDeclaration(.boolean)])
        let schemas = ["a": declared, "n": own]
        var desk = Desk(["a": ["k": 1]], columns: 140, schemas: schemas, keys: isRead ? "jk" : "")
        let file = FileInfo.Identity(
            device: 1,
            inode: 1,
            size: 100,
            modified: Timestamp(nanoseconds: 0),
            changed: Timestamp(nanoseconds: 0)
        )
        desk.versions["a"] = SuiteVersion(file: file)
        desk.list()
        desk.type("r⌫n⏎")
        #expect(desk.files == ["n": ["k": 1]])
        #expect(desk.schemas == schemas)
        #expect(
            desk.foot
                == "Renamed “a” to “n”. Press u to undo. The declared settings stay with “a”: "
                + "“n” already has its own."
        )
        desk.type("u")
        #expect(desk.files == ["a": ["k": 1]])
        #expect(desk.schemas == schemas)
        #expect(desk.foot == "Undone: “n” is “a” again.")
    }

    @Test("If the new name has equal declarations the old ones go, and u keeps those of the new name")
    func sameDeclarations() {
        let schemas = ["a": declared, "n": declared]
        var desk = Desk(["a": ["k": 1]], columns: 110, schemas: schemas, keys: "jkr⌫n⏎")
        #expect(desk.schemas == ["n": declared])
        #expect(titles(desk) == ["n"])
        desk.type("u")
        #expect(desk.files == ["a": ["k": 1]])
        #expect(desk.schemas == schemas)
    }

    @Test("A key that does nothing in a pane says so")
    func otherKeys() {
        var desk = desk("t")
        #expect(desk.foot == "t works on keys. Press Enter to go to the keys.")
        desk.type("Z")
        #expect(desk.foot == "Z does nothing here. Press ? for help.")
        desk.type("⏎x")
        #expect(desk.foot == "x does nothing here. Press ? for help.")
    }
}
