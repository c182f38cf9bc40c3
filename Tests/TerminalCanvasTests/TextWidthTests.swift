import TerminalCanvas
import Testing

@Suite("Text width")
struct TextWidthTests {
    @Test(
        "A text has the width that it takes when it is written",
        arguments: [
            ("", 0), ("name", 4), ("日本", 4), ("a\u{1B}[31m", 6), ("\u{202E}", 8), ("🇩🇪", 4),
            ("e\u{301}\u{301}\u{301}\u{301}\u{301}", 2),
            ("é", 1), ("e\u{301}", 1), ("ß", 1), ("Ж", 1), ("─", 1), ("…", 1), ("›", 1), ("“", 1),
            ("\u{2011}", 1), ("ﷺ", 1), ("漢", 2), ("あ", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
            ("Ａ", 2), ("𠀀", 2), ("ｱ", 1), ("⌚", 2), ("😀", 2), ("♥", 1), ("♥\u{FE0F}", 1),
            ("का", 2), ("กำ", 2), ("क्षि", 3),
        ]
    )
    func text(text: String, width: Int) {
        #expect(displayWidth(of: text) == width)
        #expect(displayWidth(of: escapedForDisplay(text)) == width)
        #expect(displayWidth(of: text.dropFirst(0)) == width)
    }
}

@Suite("Escaping text for a screen")
struct EscapingTests {
    @Test(
        "Control characters and invisible characters are spelled out",
        arguments: [
            ("plain text", "plain text", "plain text"),
            ("\u{1B}[2J", "␛[2J", "^[[2J"),
            ("a\u{0}\t\n\r\n", "a␀␉␊␍␊", "a^@^I^J^M^J"),
            ("\u{7F}", "␡", "^?"),
            ("\u{9B}31m", "<U+009B>31m", "<U+009B>31m"),
            ("\u{85}\u{2028}\u{2029}", "<U+0085><U+2028><U+2029>", "<U+0085><U+2028><U+2029>"),
            ("\u{200E}\u{200F}\u{61C}", "<U+200E><U+200F><U+061C>", "<U+200E><U+200F><U+061C>"),
            ("\u{202A}\u{202E}\u{2066}\u{2069}", "<U+202A><U+202E><U+2066><U+2069>", nil),
            ("\u{200B}\u{200C}\u{200D}\u{2060}", "<U+200B><U+200C><U+200D><U+2060>", nil),
            ("a\u{A0}b\u{2003}\u{202F}\u{3000}", "a<U+00A0>b<U+2003><U+202F><U+3000>", nil),
            ("\u{FEFF}\u{AD}", "<U+FEFF><U+00AD>", nil),
            ("\u{E0041}\u{E007F}", "<U+E0041><U+E007F>", nil),
            ("\u{FFFE}\u{10FFFF}\u{E000}\u{378}", "<U+FFFE><U+10FFFF><U+E000><U+0378>", nil),
            ("\u{1FAE8}", "<U+1FAE8>", nil),
            ("\u{301}x", "◌\u{301}x", "<U+0301>x"),
            ("\u{1B}\u{301}", "␛◌\u{301}", "^[<U+0301>"),
            ("e\u{301}\u{302}\u{303}\u{304}\u{305}", "e\u{301}\u{302}\u{303}\u{304}◌\u{305}", nil),
            ("שלום مرحبا", "שלום مرحبا", "שלום مرحبا"),
            ("👨‍👩‍👧!", "👨‿👩‿👧!", "👨<U+200D>👩<U+200D>👧!"), ("👩🏽‍💻x", "👩₄‿💻x", nil), ("👨\u{200D}x", "👨<U+200D>x", nil),
            ("👍🏻👍🏿👍", "👍₂👍₆👍", "👍<U+1F3FB>👍<U+1F3FF>👍"), ("🤷🏽‍♂️", "🤷₄‿♂", nil),
            ("a🏽", "a<U+1F3FD>", nil),
            ("🏳️‍🌈", "🏳‿🌈", nil), ("1\u{FE0F}\u{20E3}2", "1\u{20E3}2", nil),
            ("🏴\u{E0067}x", "🏴<U+E0067>x", nil),
            ("♥\u{FE0F}", "♥", nil),
            ("葛\u{E0100}", "葛", nil),
            ("a\u{FE00}\u{FE01}", "a<U+FE01>", nil),
            ("\u{FE0F}", "<U+FE0F>", nil),
            ("🇩🇪🇫", "<DE><F>", "<DE><F>"), ("🇩🇪🇫🇷", "<DE><FR>", nil),
            ("a\u{200D}b", "a<U+200D>b", nil),
        ] as [(String, String, String?)]
    )
    func table(text: String, unicode: String, ascii: String?) {
        #expect(escapedForDisplay(text) == unicode)
        if let ascii { #expect(escapedForDisplay(text, glyphs: .ascii) == ascii) }
    }

    @Test("Different emoji look different, except for their variation selector")
    func differing() {
        let texts = [
            "👍", "👍🏻", "👍🏼", "👍🏽", "👍🏾", "👍🏿", "👨👩👧", "👨‍👩‍👧", "👨‍👩👧", "🇩🇪", "DE", "🏴",
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
        ]
        #expect(Set(texts.map { escapedForDisplay($0) }).count == texts.count)
    }

    @Test("Escaping an escaped text changes nothing", arguments: [Glyphs.unicode, .ascii])
    func idempotent(glyphs: Glyphs) {
        var hostile = HostileTexts(seed: 7)
        for _ in 0..<2_000 {
            let escaped = escapedForDisplay(hostile.next(), glyphs: glyphs)
            #expect(escapedForDisplay(escaped, glyphs: glyphs) == escaped)
        }
    }

    @Test("No scalar that a terminal acts on stays unescaped")
    func everyScalar() {
        // Planes 3 to 13 are unassigned, and planes 15 and 16 are private.
        for value in [0...0x31FFF, 0xE0000...0xE0FFF, 0xFFF00...0x100100, 0x10FF00...0x10FFFF].joined() {
            guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
            let escaped = escapedForDisplay(String(scalar))
            if escaped.isEmpty || escaped.unicodeScalars.contains(where: actsOnTerminals) {
                Issue.record("U+\(String(value, radix: 16)) is shown as \(escaped.debugDescription)")
            }
        }
    }

    @Test(
        "A text that is too long ends with an ellipsis",
        arguments: [
            ("name", 4, "name"), ("name", 3, "na…"), ("name", 1, "…"), ("name", 0, ""), ("name", -3, ""),
            ("", 5, ""), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
            ("日本語", 1, "…"), ("日", 1, "…"), ("a\nb", 3, "a␊b"), ("a\nb", 2, "a…"),
            ("e\u{301}e\u{301}", 1, "…"), ("e\u{301}e\u{301}", 2, "e\u{301}e\u{301}"), ("name", .max, "name"),
        ]
    )
    func clipping(text: String, columns: Int, result: String) {
        #expect(clipped(text, columns: columns) == result)
        #expect(displayWidth(of: result) <= max(0, columns))
    }
}
