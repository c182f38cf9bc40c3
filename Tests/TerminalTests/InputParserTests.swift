import TerminalCanvas
import Testing

@testable import Terminal

@Suite("Turning bytes into events")
struct InputParserTests {
    static let table: [(String, [Key])] = [
        ("a", [.character("a")]), (" ", [.character(" ")]), ("hi", [.character("h"), .character("i")]),
        ("é漢😀", [.character("é"), .character("漢"), .character("😀")]),
        ("e\u{301}x", [.character("e\u{301}"), .character("x")]), ("👨‍👩‍👧", [.character("👨‍👩‍👧")]),
        ("\t", [.tab]), ("\r", [.enter]), ("\n", [.enter]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]),
        ("\u{1}\u{1A}", [.control("a"), .control("z")]), ("\u{3}", [.control("c")]), ("\u{0}\u{1D}", []),
        ("\u{85}", []),
        ("\u{1B}[A\u{1B}OA", [.up, .up]), ("\u{1B}[B\u{1B}OB", [.down, .down]),
        ("\u{1B}[C\u{1B}OC", [.right, .right]), ("\u{1B}[D\u{1B}OD", [.left, .left]),
        ("\u{1B}[H\u{1B}OH\u{1B}[1~\u{1B}[7~", [.home, .home, .home, .home]),
        ("\u{1B}[F\u{1B}OF\u{1B}[4~\u{1B}[8~", [.end, .end, .end, .end]),
        ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("\u{1B}[2~\u{1B}[3~", [.insert, .delete]),
        ("\u{1B}[Z", [.backTab]), ("\u{1B}OM", [.enter]),
        ("\u{1B}Op\u{1B}Ok", [.character("0"), .character("+")]),
        ("\u{1B}OP\u{1B}OS", [.function(1), .function(4)]),
        ("\u{1B}[11~\u{1B}[[A", [.function(1), .function(1)]),
        ("\u{1B}[15~\u{1B}[24~", [.function(5), .function(12)]), ("\u{1B}[[E", [.function(5)]),
        ("\u{1B}[1;5A\u{1B}[1;2D\u{1B}[3;5~\u{1B}[1;2P", [.up, .left, .delete, .function(1)]),
        ("\u{1B}[1;5D\u{1B}[1;3C\u{1B}[1;6C", [.wordLeft, .wordRight, .wordRight]),
        ("\u{1B}Od\u{1B}Oc\u{1F}", [.wordLeft, .wordRight, .control("_")]),
        ("\u{1B}x\u{1B}é\u{1B}\u{7F}", [.alt("x"), .alt("é"), .alt("\u{7F}")]),
        ("\u{1B}\u{1B}[A", [.escape, .up]), ("\u{1B}\u{1B}x", [.escape, .alt("x")]),
        // Unknown sequences must not be reported as typed text.
        ("\u{1B}[1;5Xa", [.character("a")]), ("\u{1B}[?62;4ca", [.character("a")]),
        ("\u{1B}[Ia", [.character("a")]),
        ("\u{1B}[99~\u{1B}Oxa", [.character("8"), .character("a")]),
        ("\u{1B}[1\rx", [.enter, .character("x")]),
    ]

    @Test("Each key is recognised by its bytes, in whatever pieces they arrive", arguments: table)
    func keys(bytes: String, keys: [Key]) {
        var parser = InputParser()
        #expect(parser.feed(Array(bytes.utf8)) == keys.map { .key($0) })
        #expect(parser.flush() == [])
        // A grapheme of several scalars arrives scalar by scalar, because the parser cannot know which one is
        // the last.
        let isJoined = keys.contains {
            if case .character(let character) = $0 { character.unicodeScalars.count > 1 } else { false }
        }
        if isJoined { return }
        var pieces = InputParser()
        #expect(bytes.utf8.flatMap { pieces.feed([$0]) } == keys.map { .key($0) })
    }

    @Test("Button presses and the wheel are reported with their cell, other mouse reports are skipped")
    func mouse() {
        var parser = InputParser()
        let bytes =
            "\u{1B}[<0;3;5M\u{1B}[<0;3;5m\u{1B}[<64;1;1M\u{1B}[<65;400;100M\u{1B}[<2;1;1M\u{1B}[<0;0;1M\u{1B}[M qya"
        let events: [InputEvent] = [
            .mouse(.press, Point(column: 2, row: 4)), .mouse(.wheelUp, Point(column: 0, row: 0)),
            .mouse(.wheelDown, Point(column: 399, row: 99)), .key(.character("a")),
        ]
        #expect(parser.feed(Array(bytes.utf8)) == events)
        #expect(bytes.utf8.flatMap { parser.feed([$0]) } == events)
    }

    @Test("A lone Escape waits until it cannot start a sequence")
    func escape() {
        var parser = InputParser()
        #expect(!parser.isWaitingForMore)
        #expect(parser.feed([0x1B]) == [])
        #expect(parser.isWaitingForMore)
        #expect(parser.flush() == [.key(.escape)])
        #expect(!parser.isWaitingForMore)
        #expect(parser.feed(Array("\u{1B}[".utf8)) == [])
        #expect(parser.flush() == [.key(.alt("["))])
        #expect(parser.feed(Array("\u{1B}O".utf8)) == [])
        #expect(parser.flush() == [.key(.alt("O"))])
        #expect(parser.flush() == [])
    }

    @Test(
        "The Escape delay grows with the round trip unless the user has set it",
        arguments: [
            (nil, nil, 25), (nil, 3, 25), (nil, 100, 50), (nil, 5000, 200), (10, 400, 10), (0, nil, 0),
        ] as [(Int32?, Int?, Int32)]
    )
    func escapeDelay(chosen: Int32?, roundTrip: Int?, delay: Int32) {
        #expect(TerminalInput.escapeDelay(chosen: chosen, roundTrip: roundTrip) == delay)
    }

    @Test("While an answer is expected, a late key after an Escape is a key of its own")
    func lateKeys() {
        var parser = InputParser()
        #expect(parser.feed([0x1B]) == [])
        #expect(parser.feed(Array("d".utf8), isLate: true) == [.key(.escape), .key(.character("d"))])
        #expect(parser.feed([0x1B]) == [])
        #expect(parser.feed([0x1B], isLate: true) == [.key(.escape)])
        #expect(parser.feed(Array("d".utf8)) == [.key(.alt("d"))])
        // The rest of an answer.
        #expect(parser.feed([0x1B]) == [])
        #expect(parser.feed(Array("]11;rgb:0000/0000/0000\u{07}".utf8), isLate: true) == [])
        #expect(parser.replies == [.background(lightness: 0)])
        #expect(parser.feed(Array("\u{1B}[".utf8)) == [])
        #expect(parser.feed(Array("A".utf8), isLate: true) == [.key(.up)])
    }

    @Test("Sequences from terminfo take precedence over the common ones")
    func terminfo() {
        let keys = KeySequences { ["kcuu1": Array("\u{1B}k".utf8), "kf1": Array("\u{1B}[11^".utf8)][$0] }
        var parser = InputParser(keys: keys)
        #expect(
            parser.feed(Array("\u{1B}k\u{1B}[11^\u{1B}[A".utf8)) == [
                .key(.up), .key(.function(1)), .key(.up),
            ]
        )
    }

    @Test(
        "A paste is one event without control characters",
        arguments: [
            ("text", "text"), ("", ""), ("a\rb\r\nc\nd", "a\nb\nc\nd"), ("a\tb", "a\tb"), ("\r\r\n", "\n\n"),
            ("\u{1B}[31mred\u{1B}[A", "[31mred[A"), ("\u{3}\u{1A}\u{0}q", "q"), ("\u{1B}[20", "[20"),
            ("漢é😀", "漢é😀"), ("\u{9B}31m\u{7F}", "31m"), ("\u{1B}[200~", "[200~"), ("\u{1B}\u{1B}", ""),
        ]
    )
    func pastes(pasted: String, text: String) {
        let lineFeeds = pasted.replacing("\r\n", with: "\n").unicodeScalars.count
        let leftOut = lineFeeds - text.unicodeScalars.count
        let bytes = Array("a\u{1B}[200~\(pasted)\u{1B}[201~b".utf8)
        let expected: [InputEvent] =
            [.key(.character("a")), .paste(text)]
            + (leftOut > 0 ? [.pasteLacks(leftOut)] : [])
            + [.key(.character("b"))]
        var whole = InputParser()
        #expect(whole.feed(bytes) == expected)
        var slow = InputParser()
        #expect(bytes.flatMap { slow.feed([$0]) } == expected)
    }

    @Test(
        "Invalid UTF-8 in a paste is replaced by U+FFFD",
        arguments: [
            ([0x61, 0xFF, 0x62], "a\u{FFFD}b"), ([0xE6, 0xBC, 0x61], "\u{FFFD}a"),
            ([0xFF, 0xFE], "\u{FFFD}\u{FFFD}"), (Array("a\u{FFFD}b".utf8), "a\u{FFFD}b"),
        ]
    )
    func nonUTF8(pasted: [UInt8], text: String) {
        let bytes = Array("\u{1B}[200~".utf8) + pasted + Array("\u{1B}[201~".utf8)
        var whole = InputParser()
        #expect(whole.feed(bytes) == [.paste(text)])
        var slow = InputParser()
        #expect(bytes.flatMap { slow.feed([$0]) } == [.paste(text)])
    }

    @Test("A pause in a paste changes nothing")
    func pausedPaste() {
        var parser = InputParser()
        #expect(parser.feed(Array("\u{1B}[200~one\u{1B}".utf8)) == [])
        #expect(!parser.isWaitingForMore)
        #expect(parser.flush() == [])
        #expect(parser.feed(Array("[20".utf8)) == [])
        #expect(parser.feed(Array("1~".utf8)) == [.paste("one")])
    }

    @Test("Invalid bytes neither stop the parser nor pile up")
    func garbage() {
        var parser = InputParser()
        #expect(parser.feed([0xFF, 0x61]) == [.key(.character("a")), .undecodable(1)])
        #expect(parser.feed([0xE6]) == [])
        #expect(parser.feed([0x61]) == [.key(.character("a")), .undecodable(1)])
        for _ in 0..<100 { _ = parser.feed(Array("\u{1B}[1;1;1;1;1;1;1;1;1;1;1;1;1;1".utf8)) }
        _ = parser.feed(Array("m".utf8))
        #expect(parser.feed([0x71]) == [.key(.character("q"))])

        var state: UInt64 = 1
        for _ in 0..<2_000 {
            let bytes = (0..<8).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let byte = UInt8(truncatingIfNeeded: state >> 33)
                return byte < 60 ? 0x1B : byte < 120 ? 0x5B : byte
            }
            for case .key(.character(let character)) in parser.feed(bytes) + parser.flush() {
                #expect(character.unicodeScalars.first?.properties.generalCategory != .control)
            }
        }
    }
}
