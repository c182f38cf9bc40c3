import PropertyList
import Testing

@testable import SettingsEditor
@testable import SettingsStore

@Suite("Suites that were never selected")
struct UnreadSuiteTests {
    @Test("An unreadable suite has its sign before it is selected, and loses it when the file is repaired")
    func signBeforeSelection() {
        var desk = Desk(["a": ["k": 1], "b": [:]])
        #expect(desk.body[1].hasPrefix("  b ") && !desk.body[1].contains("!"))
        let a = SuiteListing(id: "a", title: "a")
        desk.act(.listed([a, SuiteListing(id: "b", title: "b", unreadable: "line 2: a value is missing")]))
        #expect(desk.body[1].contains("! │"))
        desk.act(.listed([a, SuiteListing(id: "b", title: "b")]))
        #expect(desk.body[1].hasPrefix("  b ") && !desk.body[1].contains("!"))
    }

    @Test("An unreadable suite shows its problem once, and says nothing about the number of its keys")
    func problemOnce() {
        let broken = SuiteStatus(content: .unreadable("line 2: a value is missing"))
        let desk = Desk(["b": [:]], statuses: ["b": broken], keys: "⏎")
        #expect(desk.text.ranges(of: "a value is missing").count == 1)
        #expect(!desk.text.contains("No keys"))
        #expect(!desk.text.contains("0 keys"))
    }

    private func version(_ number: Int64, size: Int64 = 100) -> SuiteVersion {
        let time = Timestamp(nanoseconds: number)
        return SuiteVersion(
            file: FileInfo.Identity(device: 1, inode: 1, size: size, modified: time, changed: time)
        )
    }

    /// An editor on four suites. The first one is selected, and the live changes are shown.
    private var desk: Desk {
        var desk = Desk(["a": ["own": 1], "b": ["k": 1], "c": ["k": 1], "d": [:]], columns: 100, keys: "w")
        for id in ["a", "b", "c", "d"] { desk.versions[id] = version(1) }
        desk.list()
        return desk
    }

    private func loads(_ desk: Desk) -> [String] {
        desk.effects.compactMap { if case .load(let id) = $0 { id } else { nil } }
    }

    @Test("While their files stay the same, nothing is reported and nothing is read")
    func unchanged() {
        var desk = desk
        desk.list()
        #expect(desk.text.contains("Nothing has changed since the editor was opened."))
        #expect(loads(desk) == ["a"])
    }

    @Test("A foreign change of one is highlighted and reported without values; the next change has values")
    func changed() {
        var desk = desk
        desk.files["b"]?["k"] = 2
        desk.versions["b"] = version(2)
        desk.list()
        #expect(desk.body.contains { $0.hasPrefix("  b ") && $0.contains("● │") })
        #expect(
            desk.text.contains("b  ")
                && desk.text.contains("it had not been read")
        )
        #expect(desk.text.contains("Changed by other programs: b."))
        #expect(loads(desk) == ["a", "b"])
        desk.outside("b", "k", 3)
        desk.versions["b"] = version(3)
        desk.list()
        #expect(desk.text.contains("b › k") && desk.text.contains("2 → 3"))
        #expect(desk.screen.count { $0.contains("it had not been read") } == 1)
        desk.wait(60)
        #expect(!desk.body.contains { $0.hasPrefix("  b ") && $0.contains("● │") })
        // In the list of changes it has no way back.
        desk.type("HG⏎")
        #expect(desk.foot.contains("cannot be restored") == true)
        #expect(desk.writes.isEmpty)
    }

    @Test(
        "A file that another program breaks is reported as unreadable, and as readable after it is repaired"
    )
    func broken() {
        var desk = desk
        let reason = "line 2: the file ends"
        func lines(_ text: String) -> Int { desk.screen.count { $0.contains(text) } }
        // One suite is not open, and the other one is.
        let broken = SuiteStatus(content: .unreadable(reason), watching: .events)
        for id in ["b", "a"] {
            desk.versions[id] = version(2, size: 0)
            desk.list()
            desk.act(.status(id, broken))
        }
        #expect(
            desk.screen.contains { $0.contains(#/ b +cannot be read: line 2: the file ends$/#) },
            "\(desk.text)"
        )
        #expect(lines("cannot be read: \(reason)") == 2, "\(desk.text)")
        #expect(!desk.text.contains("it had not been read"))
        for id in ["b", "a"] {
            desk.versions[id] = version(3)
            desk.list()
            desk.act(.status(id, SuiteStatus(content: .stored, watching: .events)))
        }
        #expect(lines("can be read again") == 2, "\(desk.text)")
        #expect(!desk.text.contains("it had not been read"))
    }

    @Test("The list of suites tells it too, and a suite that was unreadable from the start has not changed")
    func brokenInList() {
        var desk = desk
        func list(_ version: Int64, unreadable: String?) {
            desk.act(
                .listed(
                    ["a", "b", "c", "d"].map {
                        SuiteListing(
                            id: $0,
                            title: $0,
                            version: $0 == "b" && version > 1
                                ? self.version(version, size: 1 << 20) : self.version(1),
                            unreadable: $0 == "b" ? unreadable : nil
                        )
                    }
                )
            )
        }
        list(1, unreadable: nil)
        var old = desk
        // The list comes first, and what a look at the file has found comes after it.
        list(2, unreadable: nil)
        #expect(desk.text.contains("it had not been read"))
        list(2, unreadable: "line 2: the file ends")
        list(2, unreadable: "line 2: the file ends")
        #expect(!desk.text.contains("it had not been read"))
        #expect(desk.screen.count { $0.contains("cannot be read: line 2: the file ends") } == 1)
        swap(&desk, &old)
        list(1, unreadable: "line 2: the file ends")
        #expect(!desk.text.contains("cannot be read"))
        #expect(desk.text.contains("Nothing has changed"))
    }

    @Test("New and removed ones are shown in the list")
    func comingAndGoing() {
        var desk = desk
        desk.files["d"] = nil
        desk.files["e"] = [:]
        desk.list()
        #expect(desk.text.contains("a new suite"))
        #expect(desk.text.contains("the suite is gone"))
    }

    @Test("Many changes at once, and large suites, are reported each time, and not read")
    func many() {
        var files: [String: [String: PropertyListValue]] = [:]
        for number in 10..<60 { files["s\(number)"] = ["k": 1] }
        var desk = Desk(files, columns: 100, rows: 60, keys: "w")
        for id in files.keys { desk.versions[id] = version(1) }
        desk.list()
        for id in files.keys { desk.versions[id] = version(2) }
        desk.list()
        #expect(loads(desk).count <= 9)
        #expect(desk.screen.count { $0.contains("it had not been read") } > 5)
        var large = self.desk
        for number: Int64 in 2...3 {
            large.versions["c"] = version(number, size: 1 << 30)
            large.list()
        }
        #expect(loads(large) == ["a"])
        #expect(large.screen.count { $0.contains("it had not been read") } == 2)
    }

    @Test("The editor's own write is not reported as a foreign change", arguments: [false, true])
    func own(isListedBefore: Bool) {
        var desk = desk
        desk.holdsWrites = isListedBefore
        // Moves a key to a suite that was not looked at.
        desk.type("⏎M⏎")
        desk.versions["b"] = version(2)
        if isListedBefore { desk.list() }
        desk.finishWrites()
        desk.finishWrites()
        desk.list()
        #expect(!desk.text.contains("it had not been read"))
        #expect(desk.files["b"]?.count == 2)
    }
}
