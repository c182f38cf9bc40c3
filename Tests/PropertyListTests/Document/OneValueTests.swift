import FoundationEssentials
import Testing

@testable import PropertyList

@Suite("Reading one value of a file")
struct OneValueTests {
    private static let values: [String: PropertyListValue] = [
        "": "empty", "a": 1, "ab": "x & y", "é": true, "e": .data(Data([1, 2])), "K": "kelvin",
        "list": ["a", ["b": [1.5]]], "date": .date(Date(timeIntervalSinceReferenceDate: 5)),
        "long": .string(
            String(repeating: "é", count: 100)
        ),
    ]

    @Test(
        "The value is the one that reading the whole file gives",
        arguments: [PropertyListFormat.xml, .binary]
    )
    func same(_ format: PropertyListFormat) throws {
        let bytes = try PropertyListValue.dictionary(Self.values).encoded(as: format)
        for (key, value) in Self.values {
            #expect(PropertyListDocument.value(forKey: key, in: bytes) == value, "\(key)")
        }
        // Two spellings of one key, and a key that only Unicode calls equal.
        #expect(PropertyListDocument.value(forKey: "e\u{301}", in: bytes) == true)
        #expect(PropertyListDocument.value(forKey: "\u{212A}", in: bytes) == "kelvin")
        for key in ["A", "abc", "lis", "list ", "b"] {
            #expect(PropertyListDocument.value(forKey: key, in: bytes) == nil, "\(key)")
        }
    }

    @Test(
        "XML is read to its end, and the last one of several equal keys counts",
        arguments: [
            ("<dict><key>a</key><integer>1</integer><key>a</key><integer>2</integer></dict>", 2),
            (
                "<dict><key>b</key><dict><key>a</key><true/></dict><!-- x --><key>&#97;</key><integer>3</integer></dict>",
                3
            ),
            ("<dict><key>a</key><integer>1</integer><key>b</key><integer>x</integer></dict>", nil),
            ("<dict><key>a</key><integer>1</integer>", nil), ("<dict><key>b</key></dict>", nil),
            ("<dict/>", nil),
            ("<array><string>a</string></array>", nil), ("{a = 1;}", nil), ("", nil),
        ] as [(String, PropertyListValue?)]
    )
    func xml(_ text: String, _ value: PropertyListValue?) {
        #expect(PropertyListDocument.value(forKey: "a", in: Array(text.utf8)) == value)
    }

    @Test("A broken binary file has no value, and is never read beyond its end")
    func broken() throws {
        let bytes = try PropertyListValue.dictionary(Self.values).encoded(as: .binary)
        for count in bytes.indices {
            _ = PropertyListDocument.value(forKey: "list", in: Array(bytes[..<count]))
            var other = bytes
            other[count] ^= 0xFF
            _ = PropertyListDocument.value(forKey: "list", in: other)
        }
        #expect(PropertyListDocument.value(forKey: "a", in: Array(bytes.dropLast())) == nil)
    }
}
