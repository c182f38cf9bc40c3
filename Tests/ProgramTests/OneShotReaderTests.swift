import Foundation
import ProgramHarness
import PropertyList
import SettingsEditor
import SettingsStore
import Synchronization
import Testing

@testable import Commands

@Suite("Reading suites once, for a search in all of them")
struct OneShotReaderTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var backend: SettingsFolder { SettingsFolder(path: folder.path) }

    private func reader() -> OneShotReader { OneShotReader(backend) }

    @Test("The values come with the declarations")
    func values() throws {
        let schema = #"{"properties": {"size": {"type": "integer"}}}"#
        try folder.write(["size": 1], to: "app.plist")
        try folder.write(schema, to: "app.schema.json")
        let declared = try SuiteSchema(parsing: Data(schema.utf8))
        var reader = reader()
        #expect(reader.read("app") == .read("app", values: PropertyListEntries(["size": 1]), declared))
    }

    @Test(
        "A suite that does not exist, or whose name is not one, has no values",
        arguments: ["gone", "", "a/b"]
    )
    func nothing(_ id: String) {
        var reader = reader()
        #expect(reader.read(id) == .read(id, values: PropertyListEntries(), SuiteSchema()))
    }

    @Test("An unreadable suite is reported with its declarations, and the next one is read")
    func unreadable() throws {
        try folder.write(brokenFile, to: "broken.plist")
        try folder.write(#"{"properties": {"size": {"type": "integer"}}}"#, to: "broken.schema.json")
        try folder.write(["size": 1], to: "app.plist")
        var reader = reader()
        guard case .read(_, let values, let schema, nil, let reason?) = reader.read("broken") else {
            Issue.record("no reason")
            return
        }
        #expect(values.isEmpty && schema.declarations.keys.sorted() == ["size"])
        #expect(reason.contains("line 5"), "\(reason)")
        #expect(
            reader.read("app") == .read("app", values: PropertyListEntries(["size": 1]), SuiteSchema())
        )
    }

    @Test("The values of a suite with unreadable declarations are read, and the problem is reported")
    func unreadableSchema() throws {
        try folder.write(["size": 1], to: "app.plist")
        try folder.write("{", to: "app.schema.json")
        var reader = reader()
        guard case .read(_, let values, _, let problem?, nil) = reader.read("app") else {
            Issue.record("no problem")
            return
        }
        #expect(values["size"] == 1)
        #expect(problem.contains("app.schema.json"))
    }

    @Test("After one suite is out of reach, the copies of all others are read")
    func outOfReach() throws {
        let backend = UnreachableBackend()
        var reader = OneShotReader(backend)
        for id in ["one", "two", "three"] {
            let values = PropertyListEntries(["copy": 1])
            #expect(reader.read(id) == .read(id, values: values, SuiteSchema()))
        }
        #expect(backend.attempts.withLock { $0 } == 1)
    }
}

/// No server answers, and each suite has a copy.
private final class UnreachableBackend: SuiteBackend {
    let attempts = Mutex(0)
    private let copy = SettingsSuite.inMemory(["copy": 1])

    let location = "nowhere"
    let kind = BackendKind.cluster

    func isThere() -> Bool { true }

    func suiteNames() -> [SuiteName] { [] }

    func suite(_ name: SuiteName) -> SettingsSuite { copy }

    func storage(of name: SuiteName) -> sending any SuiteStorage {
        attempts.withLock { $0 += 1 }
        return UnreachableStorage()
    }

    func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        StorageWatch(heldBy: self) { _ in .off }
    }
}

private struct UnreachableStorage: SuiteStorage {
    let location = "nowhere"

    private var error: SettingsError { .unreachable(path: location, reason: "no server answers") }

    mutating func read() throws(SettingsError) -> StorageReading { throw error }

    mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError) { throw error }

    func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        StorageWatch(heldBy: UnreachableBackend()) { _ in .off }
    }
}
