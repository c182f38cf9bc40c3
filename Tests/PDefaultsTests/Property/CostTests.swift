import Foundation
import PDefaults
import Synchronization
import Testing

@Suite("Cost of reading and setting")
struct CostTests {
    @Test("Declaring reads nothing, the first read decodes once, and later reads decode nothing")
    func decoding() throws {
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
        // A value that was read or set is not decoded again before it is overwritten.
        for _ in 0..<2 {
            counted.number += 1
            try suite.synchronize()
        }
        suite.set(.data(Data(#"{"number":6}"#.utf8)), forKey: "n")
        #expect(counted.number == 6)
        try suite.synchronize()
        counted.number = 7
        try suite.synchronize()
        #expect(Counted.decodings - before == 3)
        withExtendedLifetime(subscription) {}
    }

    @Test("Reads and sets don't wait for a write that is under way", .timeLimit(.minutes(60)))
    func blockedDisk() throws {
        let gate = Gate()
        let suite = SettingsSuite(BlockedStorage(MemoryStorage(MemoryStorage.Place()), gate))
        @PDefaults("n", suite: suite) var n = 0
        let record = Record<Int>()
        let subscription = $n.sink { record.add($0) }
        n = 1
        gate.waitUntilWriting()
        // The write ends when the gate opens. A read or set that waited for the write would never return.
        #expect(n == 1)
        n = 2
        #expect(n == 2)
        #expect(record.entries == [0, 1, 2])
        gate.open()
        try suite.synchronize()
        withExtendedLifetime(subscription) {}
    }
}

/// A type that counts its decodings, for one test.
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
