import Testing

@testable import Terminal

@Suite("Drawing on a slow connection")
struct FramePacingTests {
    private func pacing(roundTrip: Int?, answers: Bool = true) -> FramePacing {
        var pacing = FramePacing()
        if answers { pacing.take(.ready, roundTrip: nil, at: 0) }
        pacing.take(.kind, roundTrip: roundTrip, at: 0)
        return pacing
    }

    @Test(
        "The terminal is asked only if its first answers were slow",
        arguments: [
            (100, true, true), (40, true, true), (39, true, false), (nil, true, false), (100, false, false),
        ]
    )
    func asking(roundTrip: Int?, answers: Bool, asks: Bool) {
        #expect(pacing(roundTrip: roundTrip, answers: answers).asks == asks)
    }

    @Test("Small frames may overlap, and after a large frame the next one waits for an answer")
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
        // An answer without a query changes nothing.
        pacing.take(.ready, roundTrip: 100, at: 3000)
        #expect(pacing.asks)
    }

    @Test("If a terminal answers nothing, the speed of a slow line decides")
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
        // An answer at once means that the connection is fast, whatever the line's settings say.
        pacing.take(.ready, roundTrip: nil, at: 2000)
        pacing.take(.kind, roundTrip: 1, at: 2000)
        #expect(pacing.timeToWait(at: 2000) == nil)
        pacing.sent(96_000, at: 2000)
        #expect(pacing.timeToWait(at: 2000) == nil)
    }

    @Test("A speed that says nothing delays no frame", arguments: [0, 110, 38_400, 4_000_000])
    func unknownSpeed(baud: Int) {
        var pacing = FramePacing(baud: baud)
        pacing.sent(100_000, at: 1000)
        #expect(pacing.timeToWait(at: 1000) == nil)
    }

    @Test("A terminal that stops answering is not asked again")
    func silence() {
        var pacing = pacing(roundTrip: 100)
        pacing.sent(1000, at: 1000)
        #expect(pacing.timeToWait(at: 7999) == 1)
        #expect(pacing.timeToWait(at: 8000) == nil)
        #expect(!pacing.asks)
    }
}
