import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Synchronization
import Testing

/// A service with revisions, and a storage that takes no lock: it writes if nothing has changed, and asks for a new
/// decision otherwise. It can have one fault.
private struct OptimisticStorage: SuiteStorage {
    enum Fault: CaseIterable {
        /// It asks for a new decision without reading the foreign changes.
        case asksWithoutReading
        /// It reads the foreign changes and does not report them.
        case asksWithoutReporting
        /// It writes the first decision instead of the last one.
        case writesTheFirstDecision
        /// It writes without a check for foreign changes.
        case writesWithoutChecking
        case neverNotifies
    }

    final class Service: Sendable {
        struct State {
            var revision = 0
            var values: [String: PropertyListValue]?
            var watchers: [ObjectIdentifier: @Sendable () -> Void] = [:]
        }

        let state = Mutex(State())
    }

    private final class Watcher: Sendable {
        let service: Service

        init(_ service: Service) { self.service = service }

        deinit {
            let key = ObjectIdentifier(self)
            service.state.withLock { $0.watchers[key] = nil }
        }
    }

    let service: Service
    let fault: Fault?
    private var revision: Int?

    init(_ service: Service, _ fault: Fault?) {
        self.service = service
        self.fault = fault
    }

    var location: String { "service" }

    mutating func read() -> StorageReading {
        let (values, current) = service.state.withLock { ($0.values, $0.revision) }
        defer { revision = current }
        let isNew = current != revision
        return StorageReading(
            isNew ? .all(PropertyListEntries(values ?? [:])) : .none,
            exists: values != nil
        )
    }

    mutating func update(_ decide: (StorageReading) -> StorageWrite) {
        var first: StorageWrite?
        while true {
            let isStale = first != nil && fault == .asksWithoutReading
            var reading = isStale ? StorageReading(.none, exists: true) : read()
            if first != nil, fault == .asksWithoutReporting { reading.difference = .none }
            var write = decide(reading)
            if fault == .writesTheFirstDecision { write = first ?? write }
            first = first ?? write
            if write.changes.isEmpty || commit(write.changes) { return }
        }
    }

    /// Returns false if another storage has written since the last reading.
    private mutating func commit(_ changes: [String: PropertyListValue?]) -> Bool {
        let base = fault == .writesWithoutChecking ? nil : revision
        let result: (revision: Int, watchers: [@Sendable () -> Void])? = service.state.withLock { state in
            if let base, base != state.revision { return nil }
            var values = state.values ?? [:]
            for (key, value) in changes { values[key] = value }
            if values == state.values ?? [:] { return (state.revision, []) }
            state.values = values
            state.revision += 1
            return (state.revision, Array(state.watchers.values))
        }
        guard let result else { return false }
        revision = result.revision
        if fault != .neverNotifies { LiveWorkScheduler().run { for notify in result.watchers { notify() } } }
        return true
    }

    func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        let watcher = Watcher(service)
        service.state.withLock { $0.watchers[ObjectIdentifier(watcher)] = notify }
        return StorageWatch(heldBy: watcher) { _ in .events }
    }
}

@Suite("The conformance rules find the faults of a storage")
struct BrokenStorageTests {
    @Test("A storage without a lock keeps every rule", arguments: StorageConformance.allCases)
    func right(_ rule: StorageConformance) throws {
        let service = OptimisticStorage.Service()
        try rule.check(within: waitLimit) { OptimisticStorage(service, nil) }
    }

    private func problem(
        of rule: StorageConformance,
        _ fault: OptimisticStorage.Fault,
        within limit: Duration
    ) throws -> String {
        let service = OptimisticStorage.Service()
        let error = #expect(throws: ConformanceFailure.self) {
            try rule.check(within: limit) { OptimisticStorage(service, fault) }
        }
        #expect(error?.rule == rule)
        return error?.problem ?? ""
    }

    /// Another thread has a four hundredth of the limit to write in between.
    @Test(
        "A wrong decision after a foreign change is found",
        arguments: [
            (.asksWithoutReading, "with the value 1"),
            (.asksWithoutReporting, "did not get the foreign change"),
            (.writesTheFirstDecision, "2 is kept"), (.writesWithoutChecking, "2 is kept"),
        ] as [(OptimisticStorage.Fault, String)]
    )
    private func decidingAnew(_ fault: OptimisticStorage.Fault, _ expected: String) throws {
        let problem = try problem(
            of: .changeBeforeTheWriteIsDecidedAgain,
            fault,
            within: .seconds(48_000)
        )
        #expect(problem.contains(expected))
    }

    @Test(
        "A missing notification is found within the given time",
        arguments: [
            .writeNotifiesWatches, .releasedWatchEnds, .suitesNotifyEachOther,
        ] as [StorageConformance]
    )
    func silence(_ rule: StorageConformance) throws {
        let problem = try problem(of: rule, .neverNotifies, within: .milliseconds(50))
        #expect(problem.contains("within 0.05 seconds"))
    }
}
