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

    @Test("Of a terminal that answers nothing the line's speed is gone by, where that is slow")
    func silentTerminal() {
        var pacing = FramePacing(baud: 9600)
        pacing.sent(1440, at: 1000)
        #expect(!pacing.asks)
        #expect(pacing.timeToWait(at: 1000) == 1000)
        #expect(pacing.timeToWait(at: 1999) == 1)
        #expect(pacing.timeToWait(at: 2000) == nil)
        pacing.sent(960, at: 2000)
        #expect(pacing.timeToWait(at: 2000) == 1000)
        #expect(pacing.timeToAnswer(at: 2000) == nil)
        // Whatever is said of the line, it is quick.
        pacing.take(.ready, roundTrip: nil, at: 2000)
        pacing.take(.kind, roundTrip: 1, at: 2000)
        #expect(pacing.timeToWait(at: 2000) == nil)
        pacing.sent(96_000, at: 2000)
        #expect(pacing.timeToWait(at: 2000) == nil)
    }

    @Test("Where the speed tells nothing, nothing waits for it", arguments: [0, 110, 38_400, 4_000_000])
    func unknownSpeed(baud: Int) {
        var pacing = FramePacing(baud: baud)
        pacing.sent(100_000, at: 1000)
        #expect(pacing.timeToWait(at: 1000) == nil)
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
