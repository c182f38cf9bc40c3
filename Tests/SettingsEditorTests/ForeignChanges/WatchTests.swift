import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Watching suites")
struct WatchTests {
    /// Deletes a suite's file as another process does: the keys are removed, then the suite is absent, then it is no
    /// longer listed.
    private func delete(_ id: String, _ desk: inout Desk) {
        for key in desk.files[id]?.keys.sorted() ?? [] { desk.outside(id, key, nil) }
        desk.act(.status(id, SuiteStatus(content: .absent, watching: .events)))
        desk.files[id] = nil
        desk.list()
    }

    @Test("A deleted suite leaves the list, one message says so, and the history restores its values")
    func deleted() {
        var desk = Desk(["a": ["k": 1, "l": ["x": 2]], "b": [:]], columns: 100, keys: "⏎jl")
        delete("a", &desk)
        #expect(desk.state.suiteList.suites.map(\.id) == ["b"])
        #expect(desk.message == "Another program deleted “a”. Press H to list its values.")
        var back = desk
        back.files["a"] = ["new": 5]
        back.list()
        back.type("⇥k⏎")
        #expect(back.outline == ["[new]"])
        desk.type("HG⏎")
        #expect(desk.files["a"] == ["k": 1])
    }

    @Test("A single suite that is deleted stays without keys")
    func deletedAlone() {
        var desk = Desk(["a": ["k": 1]], single: true)
        desk.outside("a", "k", nil)
        desk.act(.status("a", SuiteStatus(content: .absent)))
        #expect(desk.outline.isEmpty)
        #expect(desk.selectedSuite == "a")
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
    }

    @Test("An unreadable file is quarantined on request, and its known values are kept")
    func recovering() {
        let broken = SuiteStatus(content: .unreadable("line 3"))
        var desk = Desk(["a": ["k": 1]], statuses: ["a": broken], keys: "⏎R")
        #expect(desk.foot.contains("aside"))
        desk.type("n")
        #expect(!desk.effects.contains(.recover("a")))
        desk.type("Ry")
        #expect(desk.effects.last == .recover("a"))
        #expect(desk.text.contains("/home/u/.config/a.plist.broken"))
        desk.type("R")
        #expect(desk.foot == "Nothing to recover: the file is readable.")
        var readOnly = Desk(["a": ["k": 1]], readOnly: "so", statuses: ["a": broken], keys: "⏎R")
        #expect(readOnly.foot == "Read-only: so")
        readOnly.type("y")
        #expect(readOnly.foot.contains("recover") == false)
        #expect(!readOnly.effects.contains(.recover("a")))
    }

    @Test("o o shows the keys changed by other programs since the editor was opened, and later ones")
    func changedByOthers() {
        var desk = Desk(["a": ["k": 1, "l": 1, "m": 1]], keys: "⏎")
        desk.outside("a", "l", 2)
        desk.type("oo")
        #expect(desk.outline == ["[l]"])
        desk.outside("a", "b", 2)
        #expect(desk.outline == ["b", "[l]"])
        desk.wait(60)
        #expect(desk.outline == ["b", "[l]"])
        desk.type("⎋")
        #expect(desk.outline == ["b", "k", "[l]", "m"])
    }

    @Test("Deleted keys are shown too, with their old values, and R restores one")
    func deletedByOthers() {
        var desk = Desk(["a": ["k": 1, "l": ["x": 2], "m": 1, "z": 1]], columns: 100, keys: "⏎")
        desk.outside("a", "l", nil)
        #expect(desk.outline == ["[k]", "m", "z"])
        desk.wait(60)
        desk.type("oo")
        #expect(desk.outline == ["[l]"])
        #expect(desk.text.contains("»−▸ l"))
        #expect(desk.text.contains("deleted, was {x: 2}"))
        // One more goes while they are shown, and keeps its row; one that is set shows what it is set to.
        desk.outside("a", "m", 5)
        desk.outside("a", "m", nil)
        #expect(desk.outline == ["[l]", "m"])
        #expect(desk.text.contains("deleted, was 5"))
        desk.outside("a", "m", 6)
        #expect(!desk.text.contains("deleted, was 5"))
        desk.outside("a", "m", nil)
        // Nothing is written by a key that acts on what is there.
        for keys in ["jd", "j⏎", "j ", "jt", "jr", "jD", "j=", "jE", "jm", "jc", "jM", "ke", "k⏎j⏎", "gla"] {
            var other = desk
            other.type(keys)
            other.type("x⏎y⏎⎋⎋")
            #expect(other.files["a"] == ["k": 1, "z": 1], "\(keys)")
        }
        desk.type("jR")
        #expect(desk.files["a"]?["m"] == 6)
        #expect(desk.foot.contains("Restored: “m” is 6.") == true)
        #expect(!desk.text.contains("deleted, was 6"))
        desk.type("u")
        #expect(desk.files["a"]?["m"] == nil)
        #expect(desk.text.contains("deleted, was 6"))
        desk.type("⎋")
        #expect(desk.outline.map { $0.filter { !"[]".contains($0) } } == ["k", "z"])
        desk.type("oo")
        desk.act(
            .loaded(
                "a",
                values: PropertyListEntries(["k": 1, "l": 3, "z": 1]),
                SuiteStatus(content: .stored)
            )
        )
        #expect(desk.outline.map { $0.filter { !"[]".contains($0) } } == ["l", "m"])
        #expect(desk.text.contains("deleted, was 6"))
    }

    @Test("A draft whose value is deleted while its row stays asks on Enter")
    func deletedUnderEdit() {
        var desk = Desk(["a": ["k": "old"]], columns: 100, keys: "⏎")
        desk.outside("a", "k", "new")
        desk.type("oo⏎x")
        desk.outside("a", "k", nil)
        desk.type("⏎")
        #expect(desk.state.mode == .conflict)
        #expect(desk.writes.isEmpty)
        desk.type("⎋⎋ff")
        #expect(desk.files["a"] == [:])
    }

    @Test("A secret that another program deleted stays secret")
    func deletedSecret() {
        let schema = SuiteSchema(["token": SettingDeclaration(.string(), isSecret: true)])
        var desk = Desk(["a": ["token": "hush", "k": 1]], columns: 100, schemas: ["a": schema], keys: "⏎")
        desk.act(.declared("a", SuiteSchema()))
        desk.outside("a", "token", nil)
        desk.type("oo")
        #expect(desk.outline == ["[token]"])
        #expect(desk.text.contains("deleted, was ••••••"))
        #expect(!desk.text.contains("hush"))
    }

    @Test("New and removed suites are reported")
    func comingAndGoing() {
        var desk = Desk(["a": ["k": 1], "b": ["k": 1], "c": [:]])
        desk.files["d"] = [:]
        desk.files["c"] = nil
        desk.list()
        #expect(desk.foot == "New suites: d. Suites deleted: c.")
        desk.wait(60)
        desk.type("an⏎k⏎i⏎")
        desk.type("1⏎")
        desk.list()
        #expect(desk.foot.contains("New") == false)
    }

    @Test("w shows changes below the panes as they arrive: time, path, old and new value")
    func pane() {
        var desk = Desk(["a": ["k": "old"], "b": [:]], columns: 100, keys: "⏎w")
        #expect(desk.text.contains("Nothing has changed in the suites that you have opened."))
        desk.outside("a", "k", "new")
        desk.outside("b", "j", 1)
        let rows = desk.screen.filter { $0.contains("→") && !$0.contains("another program") }
        #expect(rows.count == 2)
        #expect(rows.first?.contains("a › k") == true && rows.first?.contains("“old” → “new”") == true)
        #expect(rows.last?.contains("b › j") == true)
        desk.type("w")
        #expect(!desk.text.contains("b › j"))
    }

    @Test("Suites that appear one by one are reported one by one, and no other message is lost")
    func suites() {
        var desk = Desk(["m": ["k": 1]], columns: 80)
        for name in ["a", "b", "c"] {
            desk.files[name] = [:]
            desk.list()
            #expect(desk.foot == "New suites: \(name).")
        }
        desk.files["b"] = nil
        desk.list()
        #expect(desk.foot == "Suites deleted: b.")
        desk.outside("m", "k", 2)
        desk.files["d"] = [:]
        desk.list()
        #expect(desk.foot == "k changed by another program: 1 → 2")
    }

    @Test("If the pane does not fit, w says so and shows no pane later", arguments: [5, 8])
    func noRoom(rows: Int) {
        var desk = Desk(["a": ["k": 1]], columns: 80, rows: rows, keys: "⏎w")
        #expect(desk.foot == "The window is too small for the live changes. Press H to list them.")
        desk.size = Size(columns: 80, rows: 24)
        desk.act(.resized(desk.size))
        #expect(!desk.text.contains("─ Changes ─"))
        desk.type("w")
        #expect(desk.text.contains("─ Changes ─"))
    }
}

@Suite("Highlights of foreign changes in arrays")
struct ArrayMarkTests {
    /// The rows that are marked, with what is said of them.
    private func marked(_ desk: Desk) -> [String] {
        desk.body.filter { $0.contains("●") }.map { line in
            line.split(separator: "│").last.map { line in
                line.split(separator: " ").filter { !$0.allSatisfy { "»●▸▾".contains($0) } }.joined(
                    separator: " "
                )
            } ?? ""
        }
    }

    @Test(
        "Only inserted and changed elements are highlighted",
        arguments: [
            ([1, 2, 3], [0, 1, 2, 3], ["0 0 was nothing"]),
            ([1, 2, 3], [1, 9, 2, 3], ["1 9 was nothing"]),
            ([1, 2, 3], [1, 2, 3, 4], ["3 4 was nothing"]),
            ([1, 2, 3], [2, 3], []),
            ([1, 2, 3], [0, 1, 7, 3], ["0 0 was nothing", "2 7 was 2"]),
        ] as [([PropertyListValue], [PropertyListValue], [String])]
    )
    func plain(old: [PropertyListValue], new: [PropertyListValue], lines: [String]) {
        for isJSON in [false, true] {
            func value(_ elements: [PropertyListValue]) -> PropertyListValue {
                isJSON
                    ? json(
                        "[\(elements.map { ValueNode($0).displayText(limit: 9) }.joined(separator: ", "))]"
                    )
                    : .array(elements)
            }
            var desk = Desk(["s": ["k": value(old)]], columns: 100, keys: "⏎⏎")
            desk.outside("s", "k", value(new))
            #expect(
                marked(desk).filter { !$0.hasPrefix("k ") && !$0.hasPrefix("s") }
                    == lines
            )
            desk.wait(10)
            #expect(marked(desk) == [])
        }
    }

    @Test("An element that moved and changed inside is highlighted at its new index")
    func inside() {
        var desk = Desk(
            ["s": ["k": json(#"[{"id": "a", "on": 1, "x": 0}, {"id": "b", "on": 1, "x": 0}]"#)]],
            columns: 100,
            keys: "⏎z9"
        )
        desk.outside(
            "s",
            "k",
            json(
                #"[{"id": "n", "on": 1, "x": 0}, {"id": "a", "on": 1, "x": 0}, {"id": "b", "on": 2, "x": 0}]"#
            )
        )
        let lines = marked(desk).filter { !$0.hasPrefix("s") && !$0.hasPrefix("k") }
        #expect(lines == ["0 {id: n, on: 1, x: 0} was nothing", "2 {3 members}", "on 2 was 1"])
    }
}
