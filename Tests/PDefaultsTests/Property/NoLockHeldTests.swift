import Foundation
import PDefaults
import ProgramHarness
import Synchronization
import Testing

/// Fails if the body does not return in much more time than it needs.
private func mustReturn(
    _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable () throws -> Void
) {
    let isOver = returns(body)
    #expect(isOver, comment, sourceLocation: sourceLocation)
}

/// A use of the library by code that the library calls.
enum Deed: CaseIterable {
    case synchronize, replace, set, resetAnother, firstUse, cancel

    func run(_ suite: SettingsSuite) {
        switch self {
        case .synchronize: try? suite.synchronize()
        case .replace: try? suite.replace(["other": 1], expecting: [:])
        case .set: suite.set(1, forKey: "other")
        case .resetAnother:
            @PDefaults("another", suite: suite) var another = 1
            _another.reset()
        case .firstUse:
            @PDefaults("new", .formerly("old"), suite: suite) var moved = 1
            _ = moved
        case .cancel:
            @PDefaults("other", suite: suite) var other = 1
            $other.sink { _ in }.cancel()
        }
    }
}

/// A value whose own code uses the library.
private struct Meddler: Codable, Equatable {
    /// Static, since `init(from:)` has no parameter for it.
    static let deed = Mutex<(deed: Deed, suite: SettingsSuite)?>(nil)
    static let meddlings = Atomic(0)

    var number: Int

    static func meddle() {
        guard let (deed, suite) = deed.withLock({ $0 }) else { return }
        meddlings.add(1, ordering: .relaxed)
        deed.run(suite)
    }

    init(_ number: Int) { self.number = number }

    init(from decoder: any Decoder) throws {
        Self.meddle()
        number = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .number)
    }

    func encode(to encoder: any Encoder) throws {
        Self.meddle()
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(number, forKey: .number)
    }

    private enum CodingKeys: CodingKey { case number }
}

@Suite("Values, sinks and handlers may use the library, which holds no lock", .serialized)
struct NoLockHeldTests {
    private let folder: TemporaryFolder
    private let path: String
    private let suite: SettingsSuite

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("app.plist")
        suite = SettingsSuite(FileStorage(path: path))
    }

    private static func stored(_ number: Int) -> PropertyListValue {
        .data(Data(#"{"number":\#(number)}"#.utf8))
    }

    private func write(_ values: [String: PropertyListValue]) throws {
        try Data(PropertyListValue.dictionary(values).encoded(as: .xml)).write(to: URL(fileURLWithPath: path))
    }

    /// Fails if the body does not return in time, or if no `Meddler` has used the library meanwhile.
    private func meddle(
        with deed: Deed,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: @escaping @Sendable () throws -> Void
    ) {
        Meddler.deed.withLock { $0 = (deed, suite) }
        defer { Meddler.deed.withLock { $0 = nil } }
        let before = Meddler.meddlings.load(ordering: .relaxed)
        // Another thread may still be decoding when the body has returned.
        let isOver = returns {
            try body()
            while Meddler.meddlings.load(ordering: .relaxed) == before { sched_yield() }
        }
        #expect(isOver, sourceLocation: sourceLocation)
    }

    @Test(
        "A value may use the library while it is decoded and encoded",
        arguments: Deed.allCases
    )
    func values(_ deed: Deed) throws {
        try write(["a": Self.stored(1), "old": 2])
        let property = PDefaults(wrappedValue: Meddler(0), "a", suite: suite)
        meddle(with: deed) { _ = property.wrappedValue }
        #expect(property.wrappedValue.number == 1)
        meddle(with: deed) { property.wrappedValue = Meddler(2) }
        meddle(with: deed) { [suite] in
            property.wrappedValue = Meddler(3)
            try suite.synchronize()
        }
        meddle(with: deed) { [suite] in
            try write(["a": Self.stored(4)])
            try suite.synchronize()
        }
        // Another thread may be delivering the value.
        mustReturn { while property.wrappedValue.number != 4 { sched_yield() } }
    }

    @Test("A sink may use the library while it receives own and foreign changes", arguments: Deed.allCases)
    func sinks(_ deed: Deed) async throws {
        let property = PDefaults(wrappedValue: 0, "a", suite: suite)
        let received = Record<Int>()
        let subscription = Held(
            subscription: property.publisher(delivery: .automatic).sink { [suite] value in
                deed.run(suite)
                received.add(value)
            }
        )
        mustReturn { property.wrappedValue = 1 }
        mustReturn { [suite] in try suite.synchronize() }
        try write(["a": 2])
        mustReturn { [suite] in try suite.synchronize() }
        await received.wait { $0.last == 2 }
        mustReturn { subscription.subscription.cancel() }
    }

    @Test("A sink may cancel its own subscription, and a deinit too", arguments: [true, false])
    func cancelling(_ isInside: Bool) throws {
        let property = PDefaults(wrappedValue: 0, "a", suite: suite)
        let holder = Mutex<Held?>(nil)
        final class Token: Sendable {
            let work: @Sendable () -> Void
            init(_ work: @escaping @Sendable () -> Void) { self.work = work }
            deinit { work() }
        }
        @Sendable func take() -> Held? { holder.withLock { $0.take() } }
        mustReturn {
            do {
                let token = Token {
                    property.wrappedValue = 7
                    take()?.subscription.cancel()
                }
                let held = Held(
                    subscription: property.projectedValue.sink { value in
                        withExtendedLifetime(token) {}
                        if isInside, value == 1 { take()?.subscription.cancel() }
                    }
                )
                holder.withLock { $0 = held }
            }
            property.wrappedValue = 1
            take()?.subscription.cancel()
        }
        #expect(property.wrappedValue == 7)
        try suite.synchronize()
    }
}

/// A folder that another process has locked.
@Suite("Another process has the folder locked")
struct LockedFolderTests {
    private let folder: TemporaryFolder
    private let suite: SettingsSuite
    private let other: Int32
    /// A commit waits here, so a use that waits for one never returns.
    private let gate = Gate()

    init() throws {
        folder = try TemporaryFolder()
        let values = PropertyListValue.dictionary(["a": 1, "old": 2, "from": 3])
        try Data(values.encoded(as: .xml)).write(to: URL(fileURLWithPath: folder.file("app.plist")))
        other = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #expect(flock(other, LOCK_EX) == 0)
        suite = SettingsSuite(BlockedStorage(FileStorage(path: folder.file("app.plist")), gate))
    }

    @Test("No use of a property waits for the lock, not even the first")
    func properties() throws {
        let a = PDefaults(wrappedValue: 0, "a", suite: suite)
        let text = PDefaults(wrappedValue: "", "text", suite: suite)
        let moved = PDefaults(wrappedValue: 0, "new", .formerly("old"), suite: suite)
        let (from, to) = (
            PDefaults(wrappedValue: 0, "from", suite: suite),
            PDefaults(wrappedValue: 0, "to", suite: .inMemory())
        )
        let uses: [(String, @Sendable () throws -> Void)] = [
            ("set", { a.wrappedValue = 5 }),
            ("sink", { a.projectedValue.sink { _ in }.cancel() }),
            ("onUpdate", { a.onUpdate { _ in }.cancel() }),
            ("values", { _ = a.values.makeAsyncIterator() }),
            ("current", { #expect(a.current.value == 5) }),
            ("get", { _ = try a.get() }),
            ("set that throws", { try text.set("\u{1B}") }),
            ("first use with an old key", { #expect(moved.wrappedValue == 2) }),
            ("sink of that", { moved.projectedValue.sink { _ in }.cancel() }),
            ("reset", { text.reset() }),
            ("migrate", { from.migrate(to: to) }),
            ("object", { [suite] in #expect(suite.object(forKey: "a") as? Int == 5) }),
            ("dictionary", { [suite] in _ = suite.dictionaryRepresentation() }),
            ("register", { [suite] in suite.register(["b": 1]) }),
        ]
        for (name, use) in uses { mustReturn("\(name)", use) }
        close(other)
        gate.open()
        try suite.synchronize()
        #expect(moved.wrappedValue == 2)
        #expect(SettingsSuite(FileStorage(path: suite.location)).storedValues == ["a": 5, "new": 2])
    }
}
