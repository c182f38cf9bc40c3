import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Suites of a cluster")
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

    private func titles(_ desk: Desk) -> [String] { desk.state.suiteList.suites.map(\.title) }

    private let lost = BackendConnection(server: "etcd a:2379", .lost("Connection refused"))
    private let open = BackendConnection(server: "etcd a:2379", .open)

    @Test("The message about an outage disappears when the outage ends")
    func outage() {
        var desk = desk()
        desk.holdsWrites = true
        desk.type("dy")
        desk.act(.connection(lost))
        desk.act(.wrote(desk.waiting[0].id, .failed("http://a: Connection refused", .outage)))
        #expect(desk.foot == "Not written: http://a: Connection refused.")
        desk.act(.connection(open))
        #expect(
            desk.foot
                == "Not written: the cluster was unreachable. It answers again, so repeat your change."
        )
        desk.type("j")
        desk.act(.connection(lost))
        desk.act(.connection(open))
        #expect(desk.foot.contains("Not written") == false)
    }

    @Test("A value is reported as not stored until the cluster confirms it")
    func waiting() {
        var desk = desk()
        desk.holdsWrites = true
        desk.type("dy")
        #expect(desk.foot == "“a” is deleted. Press u to undo.")
        desk.act(.connection(lost))
        #expect(desk.foot.hasPrefix("Not stored yet") == true)
        desk.act(.connection(open))
        desk.finishWrites()
        #expect(desk.foot == "Stored: the cluster answers again.")
        desk.holdsWrites = false
        desk.type("u")
        #expect(desk.files["a"] == ["k": 1, "l": ["x": 2]])
    }

    @Test("A name that another program took leaves no suite in the list after that suite is gone")
    func takenName() throws {
        var desk = desk()
        desk.holdsWrites = true
        desk.type("D⏎")
        desk.files["a copy"] = ["theirs": 1]
        desk.list()
        desk.holdsWrites = false
        desk.finishWrites()
        #expect(desk.text.contains("“a copy” now has “theirs”."))
        desk.type("⎋")
        #expect(titles(desk).contains("a copy"))
        desk.outside("a copy", "theirs", nil)
        desk.files["a copy"] = nil
        desk.act(.status("a copy", SuiteStatus(content: .absent, watching: .events)))
        desk.list()
        #expect(titles(desk) == ["a", "b", "e"])
    }

    @Test(
        "u retries an undo that another program's key prevented, after that key is gone",
        arguments: [false, true]
    )
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
        #expect(desk.foot.contains("Not undone") == true)
        desk.type("u")
        #expect(desk.foot.contains("Not undone") == true)
        desk.outside("a", "k", nil)
        desk.files["a"] = nil
        desk.statuses["a"] = SuiteStatus(content: .absent, watching: .events)
        desk.act(.status("a", SuiteStatus(content: .absent, watching: .events)))
        desk.list()
        desk.type("u")
        #expect(desk.files["a"] == ["k": 1, "l": ["x": 2]])
        #expect(desk.foot == "Undone: “a” exists again.")
    }

    @Test("A cluster's suite without keys cannot be renamed or duplicated", arguments: ["r", "D"])
    func empty(key: String) {
        var desk = desk("G")
        desk.type(key)
        #expect(desk.foot == "“e” has no keys. A cluster cannot store an empty suite.")
    }
}
