import PDefaults
import Testing

@Suite("Each update has its origin", .timeLimit(.minutes(60)))
struct OriginTests {
    @Test("An update names this property, this process, another process, a reset, a migration or mocking")
    func origins() async throws {
        let processes = TwoProcesses()
        @PDefaults("n", suite: processes.here) var n = 0
        @PDefaults("n", suite: processes.here) var same = 0
        @PDefaults("old", suite: processes.here) var old = 7
        let record = Record<PDefaultsUpdate<Int>>()
        let subscription = _n.onUpdate { record.add($0) }
        n = 1
        same = 2
        processes.here.set(3, forKey: "n")
        try processes.here.synchronize()
        try processes.there.write(4, forKey: "n")
        await record.wait { $0.last?.value == 4 }
        _n.reset()
        old = 5
        _old.migrate(to: _n)
        _same.reset()
        _n.mock = true
        let expected: [(Int, PDefaultsState, PDefaultsOrigin)] = [
            (0, .default, .initial), (1, .stored, .thisProperty), (2, .stored, .thisProcess),
            (3, .stored, .thisProcess), (4, .stored, .otherProcess), (0, .default, .reset),
            (5, .stored, .migration), (0, .default, .reset), (0, .default, .initial),
        ]
        #expect(record.entries.map(\.value) == expected.map(\.0))
        #expect(record.entries.map(\.state) == expected.map(\.1))
        #expect(record.entries.map(\.origin) == expected.map(\.2))
        #expect(_n.current.origin == .initial)
        withExtendedLifetime(subscription) {}
    }
}
