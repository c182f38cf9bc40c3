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

    @Test("The list grows while it is open, and the selection stays on its revision")
    func growing() {
        let past = Past([1, 2, 3])
        var desk = desk([3, 2, 1])
        desk.revisions = { _, _ in .success(past.revisions) }
        desk.type("V")
        past.add(7)
        desk.outside("a", "k", 7)
        #expect(rows(desk) == ["104 a › k 3 → 7", "» 103 a › k 2 → 3", "102 a › k 1 → 2"])
        past.add(2)
        // The value has changed since, so the user is asked.
        desk.type("⏎y")
        #expect(desk.files["a"]?["k"] == 2)
        #expect(rows(desk).first == "105 a › k 7 → 2")
        desk.type("⎋")
        past.add(9)
        desk.outside("a", "k", 9)
        #expect(desk.state.modal == nil)
    }

    private func rows(_ desk: Desk) -> [String] {
        desk.screen.dropFirst().map { $0.split(separator: " ").joined(separator: " ") }.filter {
            $0.contains("→")
        }
        .filter { $0.contains(" › ") }
    }
}

/// The earlier values of a key. More are added during a test.
private final class Past: @unchecked Sendable {
    // Unchecked: a test uses it on one thread.
    private var values: [PropertyListValue]

    init(_ values: [PropertyListValue]) { self.values = values }

    func add(_ value: PropertyListValue) { values.append(value) }

    var revisions: [SettingRevision] {
        values.enumerated().reversed().map { SettingRevision(revision: 101 + Int64($0), value: $1) }
    }
}
