import PropertyList
import SettingsStore
import Testing

@testable import SettingsEditor

@Suite("The revisions of a key on a cluster")
struct RevisionTests {
    private func desk(_ values: [PropertyListValue], _ schema: SuiteSchema = SuiteSchema()) -> Desk {
        let files = ["a": ["k": values[0]]]
        var desk = Desk(files, columns: 70, kind: .cluster, schemas: ["a": schema], keys: "⏎")
        desk.revisions = { suite, key in
            guard suite == "a", key == "k" else { return .failure(RevisionsError("no such key")) }
            return .success(
                values.enumerated().map { SettingRevision(revision: 100 - Int64($0), value: $1) }
            )
        }
        return desk
    }

    @Test("V lists the previous values of a key, the newest first, and Enter restores one")
    func list() {
        var desk = desk([3, 2, 1])
        desk.type("V")
        #expect(
            desk.body[0...1].map { $0.split(separator: " ").joined(separator: " ") }
                == ["» 100 a › k 2 → 3", "99 a › k 1 → 2"]
        )
        #expect(desk.heads.hasPrefix(" REVISIONS OF “k”"))
        desk.type("⏎")
        #expect(desk.files["a"]?["k"] == 2)
        #expect(desk.writes.last?.changes["k"] == ValueChange(old: 3, new: 2))
    }

    @Test("Restoring an older value than the previous one asks first")
    func further() {
        var desk = desk([3, 2, 1])
        desk.type("Vj⏎")
        #expect(desk.foot == "“k” is now 3. Restore 1?  y yes  n no")
        desk.type("y")
        #expect(desk.files["a"]?["k"] == 1)
    }

    @Test("A key without revisions and a cluster that does not answer are reported")
    func nothing() {
        var desk = desk([3])
        desk.type("V")
        #expect(desk.foot == "No other value of “k” is known.")
        desk.revisions = { _, _ in .failure(RevisionsError("no server answers")) }
        desk.type("V")
        #expect(desk.foot == "The history could not be read: no server answers")
    }

    @Test("For a folder of files V does nothing")
    func files() {
        let desk = Desk(["a": ["k": 1]], keys: "⏎V")
        #expect(desk.effects.allSatisfy { if case .findRevisions = $0 { false } else { true } })
    }

    @Test("The list shows no secret")
    func secrets() {
        let schema = SuiteSchema(["k": SettingDeclaration(.string(), isSecret: true)])
        var desk = desk(["hunter3", "hunter2", "hunter1"], schema)
        desk.type("V")
        #expect(desk.text.contains("a secret → a secret"))
        #expect(!desk.text.contains("hunter"))
        desk.type("⏎")
        #expect(desk.files["a"]?["k"] == "hunter2")
        #expect(desk.foot == "“k” is a secret again.")
    }
}
