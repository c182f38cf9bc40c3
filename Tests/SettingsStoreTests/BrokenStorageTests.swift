import PropertyList
import SettingsStore
import SettingsStoreTesting
import Synchronization
import Testing

/// A service with revisions, and a storage on it that takes no lock: it writes if nothing has changed, and
/// decides anew otherwise. One of its faults may be switched on.
private struct OptimisticStorage: SuiteStorage {
    enum Fault: CaseIterable {
        /// It asks for another decision, and has not looked what has changed.
        case asksWithoutReading
        /// It looks, and doesn't tell.
        case asksWithoutTelling
        /// The decision that counts is the first one.
        case writesTheFirstDecision
        /// What changed before the write is not looked at.
        case writesWithoutLooking
        case neverHints
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
            if first != nil, fault == .asksWithoutTelling { reading.difference = .none }
            var write = decide(reading)
            if fault == .writesTheFirstDecision { write = first ?? write }
            first = first ?? write
            if write.changes.isEmpty || commit(write.changes) { return }
        }
    }

    /// Whether nobody came before.
    private mutating func commit(_ changes: [String: PropertyListValue?]) -> Bool {
        let base = fault == .writesWithoutLooking ? nil : revision
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
        if fault != .neverHints { for hint in result.watchers { hint() } }
        return true
    }

    mutating func recover(with write: StorageWrite) -> String? { nil }

    func refusal(of value: PropertyListValue, forKey key: String) -> SettingsError? { nil }

    func readOnlyReason() -> String? { nil }

    func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        let watcher = Watcher(service)
        service.state.withLock { $0.watchers[ObjectIdentifier(watcher)] = hint }
        return StorageWatch(heldBy: watcher) { _ in .events }
    }
}

@Suite("The promises find a storage's faults")
struct BrokenStorageTests {
    @Test("A storage without a lock keeps all of them", arguments: StoragePromise.allCases)
    func right(_ promise: StoragePromise) throws {
        let service = OptimisticStorage.Service()
        try promise.check(within: .seconds(20)) { OptimisticStorage(service, nil) }
    }

    private func problem(
        of promise: StoragePromise,
        _ fault: OptimisticStorage.Fault,
        within limit: Duration
    ) throws -> String {
        let service = OptimisticStorage.Service()
        let error = #expect(throws: BrokenPromise.self) {
            try promise.check(within: limit) { OptimisticStorage(service, fault) }
        }
        #expect(error?.promise == promise)
        return error?.problem ?? ""
    }

    /// The limit leaves another thread a fortieth of it to come in between.
    @Test(
        "What is decided anew",
        arguments: [
            (.asksWithoutReading, "told that the value is 1"), (.asksWithoutTelling, "without being told"),
            (.writesTheFirstDecision, "2 is kept"), (.writesWithoutLooking, "2 is kept"),
        ] as [(OptimisticStorage.Fault, String)]
    )
    private func decidingAnew(_ fault: OptimisticStorage.Fault, _ expected: String) throws {
        let problem = try problem(
            of: .whatChangesBeforeTheWriteIsDecidedUponAnew,
            fault,
            within: .seconds(400)
        )
        #expect(problem.contains(expected))
    }

    @Test(
        "That no hint comes, within the time that is given for it",
        arguments: [
            .aWriteIsHintedToOthers, .aWatchEndsWhenNobodyHoldsIt, .suitesOnOnePlaceTellEachOther,
        ] as [StoragePromise]
    )
    func silence(_ promise: StoragePromise) throws {
        let problem = try problem(of: promise, .neverHints, within: .milliseconds(50))
        #expect(problem.contains("within 0.05 seconds"))
    }
}
