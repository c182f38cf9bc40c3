import PropertyList
import SettingsStore
import Testing

@testable import SettingsEditor

@Suite("Messages on a cluster")
struct StoreKindTextTests {
    private func desk(_ keys: String) -> Desk {
        Desk(["a": ["k": 5, "z": 1]], kind: .cluster, keys: keys)
    }

    @Test("A value that changes during its edit is named as the cluster's")
    func conflict() {
        var desk = desk("⏎⏎→5")
        desk.outside("a", "k", 100)
        #expect(desk.status == "Another program stored 100.")
        desk.type("⏎")
        #expect(
            desk.foot == "Another program stored 100. Overwrite it with 55?  y mine  t theirs  n back"
        )
        #expect(desk.body[0] == " k: yours, and the value on the cluster")
        #expect(desk.body[1].contains("─ On the cluster now ─"))
        #expect(!desk.text.contains("file"))
        desk.type("t")
        #expect(desk.foot == "Discarded your change.")
    }

    @Test(
        "The message about an unreachable cluster disappears when the cluster is reachable",
        arguments: ["⏎⏎5⏎", "⏎d"]
    )
    func returned(keys: String) {
        var desk = Desk(
            ["a": ["k": 5]],
            kind: .cluster,
            statuses: ["a": SuiteStatus(content: .stale("Connection refused"))],
            keys: keys
        )
        #expect(desk.text.contains("Not written, because the cluster is unreachable: Connection refused"))
        desk.act(.status("a", SuiteStatus(content: .stale("no sign of life"))))
        #expect(desk.text.contains("Not written, because the cluster is unreachable: no sign of life"))
        #expect(!desk.text.contains("Connection refused"))
        desk.statuses["a"] = SuiteStatus(content: .stored)
        desk.act(.status("a", SuiteStatus(content: .stored)))
        #expect(!desk.text.contains("Not written"))
    }
}
