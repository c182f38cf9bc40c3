import PropertyList
import Testing

@Suite("Text from elsewhere in a message")
struct MessageTextTests {
    @Test(
        "A character that a terminal obeys, hides or reorders by appears by its number",
        arguments: [
            ("plain text", "plain text"), ("é 漢 👩‍🚀 ↵", "é 漢 👩‍🚀 ↵"), ("a\u{1B}[31mb", "a\\u{1B}[31mb"),
            ("a\u{9B}31m", "a\\u{9B}31m"), ("\u{7F}\0", "\\u{7F}\\u{0}"), ("a\r\nb", "a\\u{D}\\u{A}b"),
            ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"), ("\u{FEFF}x", "\\u{FEFF}x"),
        ]
    )
    func escaped(_ text: String, _ shown: String) {
        #expect(MessageText.escaped(text) == shown)
        #expect(MessageText.escaped(shown) == shown)
        #expect(MessageText.name(text) == shown)
        #expect(MessageText.path(text) == shown)
    }

    @Test("Every bidirectional mark, embedding, override and isolate")
    func bidirectional() {
        let values = Array(0x202A...0x202E) + Array(0x2066...0x2069) + [0x200E, 0x200F, 0x061C]
        for scalar in values.compactMap({ Unicode.Scalar(UInt32($0)) }) {
            let number = String(scalar.value, radix: 16, uppercase: true)
            #expect(MessageText.name("a\(scalar)b") == "a\\u{\(number)}b")
        }
    }

    @Test("Lines stay where they are asked to")
    func lines() {
        #expect(MessageText.escaped("a\n\tb\r\u{1B}", keepsLines: true) == "a\n\tb\\u{D}\\u{1B}")
    }

    @Test("A long name loses its middle, a path as well, and a list its end")
    func shortened() {
        let name = String(repeating: "a", count: 2_500) + String(repeating: "z", count: 2_500)
        let shown = MessageText.name(name)
        #expect(shown.count == MessageText.nameLimit)
        #expect(shown.hasPrefix("aaaa") && shown.hasSuffix("zzzz") && shown.contains("…"))
        #expect(MessageText.name(String(name.prefix(80))) == String(name.prefix(80)))
        #expect(MessageText.path("/" + name).count == MessageText.pathLimit)
        // One character with thousands of marks.
        #expect(MessageText.name("e" + String(repeating: "\u{301}", count: 5_000)).unicodeScalars.count == 80)
        #expect(MessageText.names(["c", "b", "a"], quoted: true) == "“a”, “b”, “c”")
        #expect(MessageText.names((1...7).map(String.init)) == "1, 2, 3, 4, 5 and 2 more")
    }

    @Test("A path inside a value, and an error that has one")
    func paths() {
        let path: ValuePath = [.key("\u{202E}/b"), .index(2), .key(String(repeating: "x", count: 5_000))]
        #expect(path.messageText.hasPrefix("/\\u{202E}~1b/2/xxx"))
        #expect(path.messageText.count < 120)
        let error = PropertyListError(.path(path), .unrepresentable, "a\u{85}b")
        #expect(error.description.hasSuffix(": a\\u{85}b") && error.description.count < 130)
    }
}
