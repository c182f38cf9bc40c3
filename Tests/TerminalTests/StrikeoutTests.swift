import Testing

@testable import Terminal

@Suite("Struck-out text")
struct StrikeoutTests {
    private let italics = (start: Array("\u{1B}[3m".utf8), end: Array("\u{1B}[23m".utf8))
    private let strikeout = (start: Array("\u{1B}[9m".utf8), end: Array("\u{1B}[29m".utf8))

    @Test("The sequences for italics are replaced, and nothing else")
    func replacing() throws {
        let sut = try #require(Strikeout(italics: italics, strikeout: strikeout))
        let frame = "\u{1B}[33ma\u{1B}[3m\u{1B}[2mgone [3m\u{1B}[23mb\u{1B}[m"
        #expect(
            String(decoding: sut.applied(to: Array(frame.utf8)), as: UTF8.self)
                == "\u{1B}[33ma\u{1B}[9m\u{1B}[2mgone [3m\u{1B}[29mb\u{1B}[m"
        )
        #expect(sut.applied(to: Array("plain".utf8)) == Array("plain".utf8))
    }

    @Test("A terminal without one of the sequences has no strikeout")
    func missing() {
        #expect(Strikeout(italics: italics, strikeout: (strikeout.start, [])) == nil)
        #expect(Strikeout(italics: ([], italics.end), strikeout: strikeout) == nil)
    }
}
