import Testing

@testable import SettingsStore

@Suite("A failure that continues")
struct RepeatedFailureTests {
    @Test("is reported once, even if its description of the progress changes")
    func progress() {
        func unfinished(_ count: Int) -> SettingsError {
            .unfinished(path: "p", reason: "is being made: \(count) of 30 keys are there")
        }
        var state = SuiteState()
        state.readingFailed(unfinished(5))
        #expect(state.takeUnreported() == [unfinished(5)])
        state.readingFailed(unfinished(15))
        #expect(state.takeUnreported().isEmpty)
        #expect(state.status.content == .unfinished("is being made: 15 of 30 keys are there"))
        state.set(1, forKey: "k", origin: .set(by: nil))
        state.storingFailed(unfinished(20), state.commit.pending)
        #expect(state.takeUnreported().isEmpty)
        let outage = SettingsError.unreachable(path: "p", reason: "Connection refused")
        state.storingFailed(outage, state.commit.pending)
        #expect(state.takeUnreported() == [outage])
    }
}
