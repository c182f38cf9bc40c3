import Foundation
import PDefaults
import Synchronization
import Testing

@Suite("What a property does not do more often than it has to")
struct CostTests {
    @Test("Declaring reads nothing; the first read asks the store once, and later ones decode nothing")
    func decoding() {
        let suite = SettingsSuite.inMemory(["n": .data(Data(#"{"number":1}"#.utf8))])
        @PDefaults("n", suite: suite, register: false) var counted = Counted(number: 0)
        let before = Counted.decodings
        #expect(counted.number == 1)
        let subscription = $counted.sink { _ in }
        for _ in 0..<100 { #expect(counted.number == 1) }
        #expect(Counted.decodings - before == 1)
        suite.set(.data(Data(#"{"number":2}"#.utf8)), forKey: "n")
        for _ in 0..<100 { #expect(counted.number == 2) }
        #expect(Counted.decodings - before == 2)
        counted = Counted(number: 3)
        #expect(counted.number == 3)
        #expect(Counted.decodings - before == 2)
        withExtendedLifetime(subscription) {}
    }

    @Test("Reading and setting wait for no write that is under way", .timeLimit(.minutes(1)))
    func blockedDisk() throws {
        let gate = Gate()
        let suite = SettingsSuite(BlockedStorage(gate))
        @PDefaults("n", suite: suite) var n = 0
        let record = Record<Int>()
        let subscription = $n.sink { record.add($0) }
        n = 1
        gate.waitUntilWriting()
        // The write goes on until the gate opens; were it waited for, this would never end.
        #expect(n == 1)
        n = 2
        #expect(n == 2)
        #expect(record.entries == [0, 1, 2])
        gate.open()
        try suite.synchronize()
        withExtendedLifetime(subscription) {}
    }
}

/// Counts how often a value of it is decoded. Used by one test alone.
private struct Counted: Codable, Sendable {
    private static let count = Atomic(0)
    static var decodings: Int { count.load(ordering: .relaxed) }

    var number: Int

    init(number: Int) { self.number = number }

    init(from decoder: any Decoder) throws {
        Self.count.add(1, ordering: .relaxed)
        number = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .number)
    }
}

/// Holds writes until it is opened.
private final class Gate: Sendable {
    private let writing = DispatchSemaphore(value: 0)
    private let opening = DispatchSemaphore(value: 0)

    func waitUntilWriting() { writing.wait() }

    func pass() {
        writing.signal()
        opening.wait()
        opening.signal()
    }

    func open() { opening.signal() }
}

private struct BlockedStorage: SuiteStorage {
    private var storage = MemoryStorage(MemoryStorage.Place())
    private let gate: Gate

    init(_ gate: Gate) { self.gate = gate }

    var location: String { storage.location }

    mutating func read() throws(SettingsError) -> StorageReading { storage.read() }

    mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError) {
        gate.pass()
        storage.update(decide)
    }

    mutating func recover() throws(SettingsError) -> String? { storage.recover() }

    func refusal(of value: PropertyListValue, forKey key: String) -> SettingsError? {
        storage.refusal(of: value, forKey: key)
    }

    func readOnlyReason() -> String? { storage.readOnlyReason() }

    func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch { storage.watch(hint) }
}
