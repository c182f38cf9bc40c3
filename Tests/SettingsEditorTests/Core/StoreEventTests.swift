import Foundation
import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Events from the store")
struct StoreEventTests {
    @Test("In a read-only folder no suite can be created")
    func folderOfOthers() {
        for keys in ["a", "D"] {
            var desk = Desk(["s": ["k": 1]])
            desk.act(.rights("this user may not write to the folder"))
            desk.type(keys)
            #expect(desk.foot == "Read-only: this user may not write to the folder")
            #expect(desk.state.modal == nil)
            desk.act(.rights(nil))
            desk.type(keys)
            #expect(desk.state.modal != nil)
        }
    }

    @Test("An empty folder gets a screen that says where the editor looked and what to do")
    func emptyFolder() {
        var desk = Desk([:], columns: 60, rows: 11)
        #expect(
            desk.screen == [
                " pdefaults  /home/u/.config",
                " No settings yet in /home/u/.config.",
                " Programs create theirs when they first save something.",
                "",
                " a               Create a suite.",
                " O               Open a file or a folder.",
                " pdefaults demo  See the demonstration, from the shell.",
                " ?               Read the help.",
                " q               Quit.",
                "",
                "a new suite │ q quit  ? help",
            ]
        )
        desk.size.rows = 6
        #expect(desk.screen[3] == " a               Create a suite.")
        desk.size.rows = 11
        desk.type("jk⏎⇥→d /x⎋G?⎋")
        desk.type("anew⏎k⏎i⏎1⏎")
        #expect(desk.files == ["new": ["k": 1]])
    }

    @Test("An empty folder that cannot be changed names no key to create a suite")
    func emptyReadOnlyFolder() {
        let desk = Desk([:], readOnly: "why")
        #expect(!desk.text.contains("Create a suite."))
        #expect(desk.text.contains("?               Read the help."))
        let other = Desk([:], preferences: ["key.add": "Z"])
        #expect(other.text.contains(" Z               Create a suite."))
    }

    @Test("A missing folder gets a screen that says so")
    func missingFolder() {
        var desk = Desk([:], columns: 60, rows: 8)
        desk.act(.listingFailed("There is no such folder"))
        #expect(
            desk.body[0...1] == [
                " The settings in /home/u/.config cannot be read.", " There is no such folder.",
            ]
        )
        #expect(desk.text.contains("Press q to quit."))
        desk.type("a.x⏎")
        #expect(desk.text.contains("starts with “.”"))
        #expect(desk.text.contains("cannot be read"))
    }

    @Test("The message about a missing folder stays while the folder is missing")
    func folderComingBack() {
        var desk = Desk(["a": ["k": 1]], keys: "⏎")
        let screen = desk.screen
        desk.act(.listingFailed("There is no such folder."))
        #expect(desk.foot == "There is no such folder.")
        desk.list()
        #expect(desk.screen == screen)
    }

    @Test("Before the list of suites is known, the screen says so")
    func waiting() {
        let state = EditorState(options: EditorOptions(places: [Place("/x", title: "/x")]))
        #expect(view(state, size: Size(columns: 30, rows: 5)).lines[1] == " Reading /x…")
    }

    @Test(
        "The line above the keys says how a service is reached, shorter on a narrow screen"
    )
    func connection() {
        var desk = Desk(["a": ["key": "value"]], columns: 70, rows: 8, keys: "⏎")
        desk.act(.connection(BackendConnection(server: "etcd a:2379", .opening)))
        #expect(desk.about.hasSuffix("  etcd a:2379 · connecting"))
        #expect(desk.status.hasPrefix("/key  string  value"))
        desk.act(.connection(BackendConnection(server: "etcd a:2379", .open)))
        #expect(desk.about.hasSuffix("  etcd a:2379 · connected"))
        desk.act(.connection(BackendConnection(server: "etcd b:2379", .lost("Connection refused"))))
        desk.act(.listingFailed("Connection refused"))
        #expect(desk.lineEnd.hasSuffix("  etcd b:2379 · unreachable"))
        // The reason is in the last line already, so it is not shown twice.
        #expect(!desk.text.contains("refused"))
        desk.size = Size(columns: 46, rows: 8)
        #expect(desk.lineEnd == "unreachable")
        desk.size = Size(columns: 30, rows: 8)
        #expect(!desk.text.contains("unreachable"))
    }

    @Test("New suites are inserted in order, removed suites disappear, and the selection stays on its suite")
    func listing() {
        var desk = Desk(["b": [:], "d": [:], "f": [:]], keys: "j")
        desk.files["a"] = [:]
        desk.files["e"] = [:]
        desk.list()
        #expect(desk.state.suiteList.suites.map(\.id) == ["a", "b", "d", "e", "f"])
        #expect(desk.selectedSuite == "d")
        desk.files["d"] = nil
        desk.list()
        #expect(desk.selectedSuite == "e")
        #expect(desk.effects.last == .load("e"))
        desk.files = ["a": [:]]
        desk.list()
        #expect(desk.selectedSuite == "a")
        desk.files = [:]
        desk.list()
        #expect(desk.text.contains("No settings yet in"))
        #expect(desk.state.display.focus == .suites)
    }

    @Test("A suite that is removed during an edit stays until the draft is closed")
    func goneWhileEditing() {
        var desk = Desk(["a": ["k": "v"], "b": [:]], keys: "⏎⏎x")
        desk.outside("a", "k", nil)
        desk.files["a"] = nil
        desk.list()
        #expect(desk.text.contains("vx"))
        var left = desk
        left.type("⎋")
        #expect(left.state.suiteList.suites.map(\.id) == ["b"])
        desk.type("⏎y")
        #expect(desk.files["a"] == ["k": "vx"])
        #expect(desk.state.suiteList.suites.map(\.id) == ["a", "b"])
    }

    @Test(
        "A staged change of a suite that another program deleted keeps the suite in the list, and can be stored"
    )
    func goneWithStagedChange() {
        var desk = Desk(["a": ["k": "v"], "b": [:]], keys: "⏎S⏎x⏎")
        desk.outside("a", "k", nil)
        desk.files["a"] = nil
        desk.list()
        #expect(desk.state.suiteList.suites.map(\.id) == ["a", "b"])
        #expect(desk.state.pendingChanges.map(\.change.new) == ["vx"])
        var left = desk
        left.type("Wd")
        #expect(left.state.pendingChanges.isEmpty)
        left.type("⎋")
        left.list()
        #expect(left.state.suiteList.suites.map(\.id) == ["b"])
        // The deletion is a conflict, which the user decides.
        desk.type("W⏎y")
        if desk.files["a"] == nil { desk.type("w") }
        #expect(desk.files["a"] == ["k": "vx"])
    }

    @Test("An unreadable suite has a symbol, its reason, and the previous good values")
    func unreadable() {
        let status = SuiteStatus(content: .unreadable("line 7, column 3: a key is missing"))
        var desk = Desk(["a": [:], "b": ["k": 1]], rows: 10, statuses: ["b": status])
        #expect(desk.body[1].hasPrefix("  b ") && desk.body[1].contains("! │"))
        desk.type("j⏎")
        #expect(desk.title.hasSuffix("unreadable"))
        #expect(desk.text.contains("unreadable: line 7, column 3: a key is missing; the"))
        #expect(desk.text.contains("values shown are the last readable ones"))
        #expect(desk.body[0].hasSuffix("»   k              1"))
        desk.type("⏎")
        #expect(desk.state.mode == .keys)
        #expect(desk.text.contains("Not written, because the stored values are unreadable: line 7"))
        desk.act(.status("b", SuiteStatus(content: .stored)))
        #expect(!desk.text.contains("unreadable"))
    }

    @Test("A sound file of another kind is not to be moved aside, and no key is offered for it")
    func sound() {
        let status = SuiteStatus(content: .unreadable("line 1, column 1: found an array", isSound: true))
        var desk = Desk(["a": ["k": 1]], columns: 160, rows: 12, statuses: ["a": status], keys: "⏎⏎")
        #expect(desk.foot.contains("unreadable: line 1, column 1: found an array."), "\(desk.text)")
        #expect(!desk.text.contains("recover"), "\(desk.text)")
        desk.type("R")
        #expect(
            desk.foot.contains(
                "The file is not damaged, so it stays in its place: line 1, column 1: found an array."
            ),
            "\(desk.text)"
        )
        #expect(desk.state.mode == .keys)
    }

    @Test("On the smallest screen the reason is visible too, beside a value if there is one")
    func unreadableNarrow() {
        let status = SuiteStatus(content: .unreadable("line 7: no key"))
        var desk = Desk(["a": [:], "b": ["k": 1]], columns: 20, rows: 5, keys: "⏎")
        desk.act(.status("a", status))
        #expect(
            desk.screen == [
                " …e/u/.config › a !", " unreadable: line", " 7: no key", "a",
                "R recover │ ? help",
            ]
        )
        desk.type("⇥j⏎")
        desk.act(.status("b", status))
        #expect(desk.body[0...1] == ["»   k      1", " unreadable: line"])
    }

    @Test("The wheel scrolls what is under the pointer, whatever has the focus")
    func wheel() {
        let values = Dictionary(
            uniqueKeysWithValues: (10..<60).map { ("k\($0)", PropertyListValue.integer(1)) }
        )
        var desk = Desk(["a": values, "b": values], rows: 20)
        desk.send(.mouse(.wheelDown, Point(column: 60, row: 5)))
        #expect(desk.selectedSuite == "a" && desk.selectedKey == "k13" && desk.state.mode == .suites)
        desk.type("⏎")
        desk.send(.mouse(.wheelDown, Point(column: 3, row: 2)))
        #expect(desk.selectedSuite == "b" && desk.state.mode == .keys)
        desk.type("w")
        desk.send(.mouse(.wheelDown, Point(column: 60, row: 17)))
        #expect(desk.selectedSuite == "b" && desk.selectedKey == "k10")
    }

    @Test("On the smallest screen a question is complete")
    func narrowQuestion() {
        var desk = Desk(["s1": ["n": 5, "name": "Pitt"]], columns: 20, rows: 5)
        desk.act(.link("s1", to: "../elsewhere/and/further/s1.plist"))
        desk.type("d")
        #expect(
            desk.screen == [
                "Delete the suite", "“s1” with its 2", "keys? It is a link", "to ../elsewhere/and…",
                "y yes  n no",
            ]
        )
    }

    @Test("A problem appears and disappears without moving a row, so that a click selects the visible row")
    func unmovedRows() {
        let broken = SuiteStatus(content: .unreadable("line 7, column 3: a key is missing"))
        let values = Dictionary(
            uniqueKeysWithValues: (10..<60).map { ("k\($0)", PropertyListValue.integer(1)) }
        )
        var desk = Desk(["a": values], rows: 20, keys: "⏎30Gkkkkkk")
        let line = desk.body.firstIndex { $0.contains("»") }
        #expect(line != nil)
        let top = desk.body[0].suffix(20)
        desk.act(.status("a", broken))
        #expect(desk.text.contains("line 7"))
        #expect(desk.body[0].suffix(20) == top)
        #expect(desk.body.firstIndex { $0.contains("»") } == line)
        desk.send(.mouse(.press, Point(column: 40, row: 7)))
        #expect(desk.body.firstIndex { $0.contains("»") } == 5)
        desk.act(.status("a", SuiteStatus(content: .stored)))
        #expect(!desk.text.contains("line 7"))
        #expect(desk.body[0].suffix(20) == top)
        #expect(desk.body.firstIndex { $0.contains("»") } == 5)
    }

    @Test(
        "A read-only location is named in the title, and every write is refused with the reason",
        arguments: ["⏎⏎", "⏎ ", "⏎a", "⏎d", "⏎u", "a"]
    )
    func readOnly(keys: String) {
        let desk = Desk(["a": ["k": true]], readOnly: "started with --read-only", keys: keys)
        #expect(desk.writes.isEmpty)
        #expect(desk.state.modal == nil)
        #expect(desk.title.hasSuffix("read-only"))
        if keys != "⏎u" { #expect(desk.foot == "Read-only: started with --read-only") }
    }

    @Test("One suite can be read-only for a reason of its own, even if the reason appears during typing")
    func readOnlySuite() {
        var desk = Desk(["a": ["k": "v"]], keys: "⏎⏎x")
        desk.act(.status("a", SuiteStatus(content: .stored, readOnlyReason: "the file belongs to root")))
        desk.type("⏎")
        #expect(desk.writes.isEmpty)
        #expect(desk.foot == "Read-only: the file belongs to root.")
        #expect(desk.text.contains("vx"))
        desk.type("⎋⇥")
        #expect(desk.body[0].contains("= │"))
        #expect(desk.text.contains("Read-only: the file belongs to root."))
    }

    @Test("The status line says what is pending, not stored or polled")
    func symbols() {
        var desk = Desk(["a": ["k": 1]], columns: 100)
        desk.act(
            .status(
                "a",
                SuiteStatus(
                    content: .stored,
                    watching: .polling("no watches are left"),
                    pendingKeys: 2,
                    storingError: "no space left"
                )
            )
        )
        #expect(desk.title.hasSuffix("not stored   2 pending   polling"))
        #expect(desk.body[0].contains(" !… │"))
        #expect(desk.text.contains("not stored: no space left"))
        desk.act(.status("a", SuiteStatus(content: .stored, pendingKeys: 1)))
        #expect(desk.body[0].contains(" … │"))
        desk.act(.status("a", SuiteStatus(content: .stored, watching: .polling("no watches are left"))))
        #expect(desk.about.contains("Changes appear after a moment: no watches are left."))
    }

    @Test("Complete contents that arrive again keep values expanded and highlight the differences")
    func loadedAgain() {
        var desk = Desk(["a": ["k": [1, 2], "l": 1]], keys: "⏎lj")
        desk.act(
            .loaded(
                "a",
                values: PropertyListEntries(["j": 0, "k": [1, 2], "l": 2]),
                SuiteStatus(content: .stored)
            )
        )
        #expect(desk.outline == ["j", "k", "  [0]", "  1", "l"])
        #expect(desk.body.filter { $0.contains("●") }.count == 2)
        #expect(desk.foot == "2 keys changed by another program: j, l")
    }

    @Test("Events about unknown suites and unknown writes change nothing")
    func unknown() {
        var desk = Desk(["a": ["k": 1]], keys: "⏎⏎2⏎")
        let screen = desk.screen
        let change = Change(key: "k", old: nil, new: 1, origin: .otherProcess, sequence: 1)
        desk.act(.changed("x", [change]))
        desk.act(.loaded("x", values: PropertyListEntries([:]), SuiteStatus()))
        desk.act(.status("x", SuiteStatus()))
        desk.act(.wrote(desk.writes[0].id, .failed("too late")))
        desk.act(.tick(now: -5))
        #expect(desk.screen == screen)
    }

    @Test("If the storage rejects a value, the old value is shown again")
    func refused() {
        var desk = Desk(["a": ["k": "v"]], keys: "⏎⏎x⏎")
        #expect(desk.body[0].hasSuffix("vx"))
        desk.act(.changed("a", [Change(key: "k", old: "vx", new: "v", origin: .refused, sequence: 9)]))
        #expect(desk.body[0].hasSuffix("  v"))
        #expect(!desk.body.joined().contains("●"))
    }
}
