import Observation
import PDefaults
import Testing

@Suite("Properties and the Observation framework")
struct ObservationTests {
    @Test(
        "A read is tracked, and every kind of change notifies",
        arguments: [PDefaultsBehavior.didSet, .willSet]
    )
    func tracking(_ behavior: PDefaultsBehavior) {
        let suite = SettingsSuite.inMemory()
        let property = PDefaults(wrappedValue: 0, "n", suite: suite, behavior: behavior)
        let record = Record<String>()
        func track(_ label: String, _ change: () -> Void) {
            withObservationTracking {
                _ = property.wrappedValue
            } onChange: {
                record.add(label)
            }
            change()
        }
        track("set") { property.wrappedValue = 1 }
        track("suite") { suite.set(2, forKey: "n") }
        track("reset") { property.reset() }
        track("mock") { property.mock = true }
        track("nothing") {}
        #expect(record.entries == ["set", "suite", "reset", "mock"])
    }

    @Test("A property may be a member of an @Observable class")
    func member() {
        let model = Model(.inMemory())
        let record = Record<Int>()
        withObservationTracking {
            _ = model.volume
        } onChange: {
            record.add(1)
        }
        model.volume = 6
        #expect(record.entries == [1])
        #expect(model.volume == 6)
    }
}

@Observable
private final class Model {
    @ObservationIgnored
    @PDefaults var volume: Int

    init(_ suite: SettingsSuite) {
        _volume = PDefaults(wrappedValue: 5, "volume", suite: suite)
    }
}
