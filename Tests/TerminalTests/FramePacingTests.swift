import Testing

@testable import Terminal

@Suite("Frames on a slow line")
struct FramePacingTests {
    private func pacing(roundTrip: Int?, answers: Bool = true) -> FramePacing {
        var pacing = FramePacing()
        if answers { pacing.take(.ready, roundTrip: nil, at: 0) }
        pacing.take(.kind, roundTrip: roundTrip, at: 0)
        return pacing
    }

    @Test(
        "The terminal is asked only where it has answered that before, and late",
        arguments: [
            (100, true, true), (40, true, true), (39, true, false), (nil, true, false), (100, false, false),
        ]
    )
    func asking(roundTrip: Int?, answers: Bool, asks: Bool) {
        #expect(pacing(roundTrip: roundTrip, answers: answers).asks == asks)
    }

    @Test("A few small frames may be on the way, and one large one; the next waits for an answer")
    func waiting() {
        var pacing = pacing(roundTrip: 100)
        for _ in 0..<4 {
            #expect(pacing.timeToWait(at: 1000) == nil)
            pacing.sent(120, at: 1000)
        }
        #expect(pacing.timeToWait(at: 1000) == nil)
        pacing.sent(4000, at: 1000)
        #expect(pacing.timeToWait(at: 1000) == Int32(5000 + 2 * 4480))
        for answered in 1...4 {
            pacing.take(.ready, roundTrip: 100, at: 2000)
            #expect(pacing.timeToWait(at: 2000) == Int32(5000 + 2 * (4480 - 120 * answered)))
        }
        pacing.take(.ready, roundTrip: 100, at: 3000)
        #expect(pacing.timeToWait(at: 3000) == nil)
        #expect(pacing.timeToAnswer(at: 3000) == nil)
        // One too many.
        pacing.take(.ready, roundTrip: 100, at: 3000)
        #expect(pacing.asks)
    }

    @Test("A terminal that does not answer any more is not asked any more")
    func silence() {
        var pacing = pacing(roundTrip: 100)
        pacing.sent(1000, at: 1000)
        #expect(pacing.timeToWait(at: 7999) == 1)
        #expect(pacing.timeToWait(at: 8000) == nil)
        #expect(!pacing.asks)
    }
}
