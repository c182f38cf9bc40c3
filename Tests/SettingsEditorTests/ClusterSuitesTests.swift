import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Suites as a whole, in the list of a cluster's")
struct ClusterSuitesTests {
    private func desk(_ keys: String = "", statuses: [String: SuiteStatus] = [:]) -> Desk {
        Desk(
            ["a": ["k": 1, "l": ["x": 2]], "b": ["z": "w"], "e": [:]],
            columns: 110,
            kind: .cluster,
            statuses: statuses,
            keys: keys
        )
    }

    private func titles(_ desk: Desk) -> [String] { desk.state.suites.map(\.title) }

    private let lost = PlaceConnection(server: "etcd a:2379", .lost("Connection refused"))
    private let open = PlaceConnection(server: "etcd a:2379", .open)

    @Test("Another name is one write, in which the old suite goes; u and ^R are one each, too")
    func renaming() {
        var desk = desk("r⌫n⏎")
        #expect(desk.writes.map(\.suite) == ["n"])
        #expect(desk.writes.last?.inPlaceOf == "a")
        #expect(desk.files == ["n": ["k": 1, "l": ["x": 2]], "b": ["z": "w"], "e": [:]])
        #expect(titles(desk) == ["b", "e", "n"])
        desk.type("u")
        #expect(desk.writes.map(\.suite) == ["n", "a"])
        #expect(desk.writes.last?.inPlaceOf == "n")
        #expect(desk.files["a"] == ["k": 1, "l": ["x": 2]] && desk.files["n"] == nil)
        #expect(titles(desk) == ["a", "b", "e"])
        #expect(desk.screen.last == "Undone: “n” is “a” again.")
        desk.press(.control("r"))
        #expect(desk.writes.map(\.suite) == ["n", "a", "n"])
        #expect(titles(desk) == ["b", "e", "n"])
        desk.type("u")
        #expect(desk.files["a"] == ["k": 1, "l": ["x": 2]])
        #expect(!desk.state.suites.contains { !$0.inFlight.isEmpty })
    }

    @Test("A rename that is refused leaves both as they were, and nothing on its way")
    func refusedRename() {
        var desk = desk()
        desk.holdsWrites = true
        desk.type("r⌫n⏎")
        #expect(desk.waiting.count == 1)
        desk.finishWrites(failing: "the end")
        #expect(desk.text.contains("Not written: the end. “a” is still there. Enter tries again."))
        #expect(!desk.state.suites.contains { !$0.inFlight.isEmpty })
        #expect(desk.files["a"] == ["k": 1, "l": ["x": 2]])
        desk.type("⎋")
        #expect(titles(desk) == ["a", "b", "e"])
        desk.type("u")
        #expect(desk.screen.last == "Nothing to undo.")
    }

    @Test("What somebody is making is neither written to nor renamed; d takes it away after a question")
    func unfinished() {
        let reason = "is being made by other (process 7 on b): 5 of 9 keys are there"
        let status = SuiteStatus(content: .unfinished(reason), watching: .events)
        var desk = desk(statuses: ["a": status])
        #expect(desk.text.contains("unfinished"))
        for keys in ["r", "D", "⏎an⏎"] {
            desk.type(keys)
            #expect(desk.text.contains(reason), "\(keys)")
            desk.type("⎋⇥")
        }
        #expect(desk.writes.isEmpty)
        if desk.state.focus == .keys { desk.type("⇥") }
        desk.type("d")
        #expect(desk.text.contains("“a” \(reason). Take it away?"))
        desk.type("n")
        #expect(!desk.effects.contains(.removePart("a")))
        desk.type("dy")
        #expect(desk.effects.contains(.removePart("a")))
        #expect(desk.screen.last == "What was there of “a” is taken away.")
    }

    @Test("What an outage kept from being written says so no longer than it lasts")
    func outage() {
        var desk = desk()
        desk.holdsWrites = true
        desk.type("dy")
        desk.act(.connection(lost))
        desk.act(.wrote(desk.waiting[0].id, .failed("http://a: Connection refused", .outage)))
        #expect(desk.screen.last == "Not written: http://a: Connection refused.")
        desk.act(.connection(open))
        #expect(desk.screen.last == "Not written, since the cluster was out of reach. It answers again.")
        desk.type("j")
        desk.act(.connection(lost))
        desk.act(.connection(open))
        #expect(desk.screen.last?.contains("Not written") == false)
    }

    @Test("What is not known to be stored is said to be so until the cluster has told")
    func waiting() {
        var desk = desk()
        desk.holdsWrites = true
        desk.type("dy")
        #expect(desk.screen.last == "“a” is deleted; u brings it back.")
        desk.act(.connection(lost))
        #expect(desk.screen.last?.hasPrefix("Not stored yet") == true)
        desk.act(.connection(open))
        desk.finishWrites()
        #expect(desk.screen.last == "Stored: the cluster answers again.")
        desk.holdsWrites = false
        desk.type("u")
        #expect(desk.files["a"] == ["k": 1, "l": ["x": 2]])
    }

    @Test("What somebody else was making is told of as it is, and not as an outage, when that is over")
    func madeByOthers() throws {
        let reason = "is being made by other (process 7 on b): 5 of 9 keys are there"
        let unfinished = SuiteStatus(content: .unfinished(reason), watching: .events)
        let ends: [(SuiteStatus.Content, String)] = [
            (.stored, "by now “a copy” is there, made by somebody else."),
            (.absent, "since somebody else was making “a copy”, of which nothing is there any more."),
        ]
        for (content, words) in ends {
            var desk = desk()
            desk.holdsWrites = true
            desk.type("D⏎")
            let write = try #require(desk.waiting.first)
            desk.files["a copy"] = ["theirs": 1]
            desk.list()
            desk.act(.status("a copy", unfinished))
            desk.act(.wrote(write.id, .failed("http://a/a copy: \(reason)", .making)))
            #expect(desk.text.contains(reason))
            desk.act(.connection(open))
            #expect(desk.text.contains(reason))
            desk.act(.status("a copy", SuiteStatus(content: content, watching: .events)))
            #expect(desk.text.contains(words))
            #expect(!desk.text.contains("out of reach"))
        }
    }

    @Test("A name that was taken leaves no suite in the list once nothing is there under it")
    func takenName() throws {
        var desk = desk()
        desk.holdsWrites = true
        desk.type("D⏎")
        desk.files["a copy"] = ["theirs": 1]
        desk.list()
        desk.holdsWrites = false
        desk.finishWrites()
        #expect(desk.text.contains("“a copy” holds “theirs” by now"))
        desk.type("⎋")
        #expect(titles(desk).contains("a copy"))
        desk.outside("a copy", "theirs", nil)
        desk.files["a copy"] = nil
        desk.act(.status("a copy", SuiteStatus(content: .absent, watching: .events)))
        desk.list()
        #expect(titles(desk) == ["a", "b", "e"])
    }

    @Test("u tries again what another's key was in the way of, once that is gone", arguments: [false, true])
    func undoneAfterAll(isKnown: Bool) {
        var desk = desk("dy")
        if isKnown {
            desk.outside("a", "k", 7)
            desk.list()
        } else {
            desk.holdsWrites = true
        }
        desk.type("u")
        if !isKnown {
            desk.files["a"] = ["k": 7]
            desk.holdsWrites = false
            desk.finishWrites()
            desk.list()
        }
        #expect(desk.screen.last?.contains("Not undone") == true)
        desk.type("u")
        #expect(desk.screen.last == "Nothing else to undo.")
        desk.outside("a", "k", nil)
        desk.files["a"] = nil
        desk.statuses["a"] = SuiteStatus(content: .absent, watching: .events)
        desk.act(.status("a", SuiteStatus(content: .absent, watching: .events)))
        desk.list()
        desk.type("u")
        #expect(desk.files["a"] == ["k": 1, "l": ["x": 2]])
        #expect(desk.screen.last == "Undone: “a” is there again.")
    }

    @Test("A suite without keys is none for a cluster to rename or duplicate", arguments: ["r", "D"])
    func empty(key: String) {
        var desk = desk("G")
        desk.type(key)
        #expect(desk.screen.last == "“e” has no keys, and without one a cluster keeps no suite.")
    }
}
