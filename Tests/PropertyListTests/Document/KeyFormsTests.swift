import PropertyList
import Testing

@Suite("Keys in several Unicode forms")
struct KeyFormsTests {
    /// “é” as one character and as two.
    private static let composed = "\u{E9}"
    private static let decomposed = "e\u{301}"

    /// A file with “é” in both forms: at the top, in a dictionary in the array under `list`, and in the
    /// value of one of the keys there. It also has a key that repeats in the same form, and two
    /// dictionaries with one form of “é” each.
    enum File: CaseIterable {
        case xml, xmlInUTF16, binary, openStep, openStepWithoutBraces

        var bytes: [UInt8] {
            let (a, b) = (KeyFormsTests.composed, KeyFormsTests.decomposed)
            switch self {
            case .xml: return Array(xml.utf8)
            case .xmlInUTF16: return [0xFE, 0xFF] + xml.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            case .binary:
                // The object numbers are: the top, z, list, both forms of é, 1, then the content of the
                // list.
                return BinaryBuilder(
                    [0xD5, 1, 2, 3, 1, 4, 5, 6, 5, 5, 5],
                    [0x51, 0x7A],
                    [0x54, 0x6C, 0x69, 0x73, 0x74],
                    [0x61, 0, 0xE9],
                    [0x62, 0, 0x65, 3, 1],
                    [0x10, 1],
                    [0xA3, 7, 7, 9],
                    [0xD2, 3, 4, 5, 8],
                    [0xD2, 4, 3, 5, 5],
                    [0xD1, 4, 5]
                ).bytes
            case .openStep: return Array("{\(body(a, b))}".utf8)
            case .openStepWithoutBraces: return Array(body(a, b).utf8)
            }
        }

        private var xml: String {
            let (a, b) = (KeyFormsTests.composed, KeyFormsTests.decomposed)
            func dictionary(_ entries: (String, String)...) -> String {
                "<dict>" + entries.map { "<key>\($0)</key>\($1)" }.joined() + "</dict>"
            }
            let one = "<integer>1</integer>"
            let inner = dictionary((b, one), (a, one))
            let outer = dictionary((a, one), (b, inner))
            let list = "<array>\(outer)<string>text</string>\(dictionary((b, one)))</array>"
            return "<plist>\(dictionary(("z", one), ("list", list), (a, one), ("z", one), (b, one)))</plist>"
        }

        private func body(_ a: String, _ b: String) -> String {
            "z = 1; list = ({'\(a)' = 1; '\(b)' = {'\(b)' = 1; '\(a)' = 1;};}, text, {'\(b)';}); '\(a)' = 1; z; '\(b)' = 1;"
        }
    }

    @Test("The forms are found at the top and in nested values, with their paths", arguments: File.allCases)
    func formsAreFoundAtTheTopAndInNestedValuesWithTheirPaths(_ file: File) throws {
        let (document, values) = try PropertyListDocument.read(file.bytes)
        #expect(
            Set(document.placesInSeveralForms)
                == [
                    [.key("\u{E9}")], [.key("list"), .index(0), .key("\u{E9}")],
                    [.key("list"), .index(0), .key("\u{E9}"), .key("\u{E9}")],
                ]
        )
        #expect(document.placesInSeveralForms.count == 3)
        #expect(values.keysInSeveralForms == ["\u{E9}"])
    }

    @Test("A file without such keys reports none, sorted or not", arguments: ["az", "za"])
    func fileWithoutSuchKeysReportsNoneSortedOrNot(_ keys: String) throws {
        let entries = keys.map { "\($0) = {\($0) = (1, {\(Self.decomposed) = 1;});};" }.joined()
            .replacing(Self.decomposed, with: "'\(Self.decomposed)'")
        let values = try PropertyListDocument.read(Array(entries.utf8)).values
        var document = PropertyListDocument(format: .binary)
        for format in PropertyListFormat.allCases {
            if format != .openStep {
                document = PropertyListDocument(format: format)
                try document.apply(Dictionary(uniqueKeysWithValues: values.map { ($0.key, $0.value) }))
            } else {
                document = try PropertyListDocument.read(Array(entries.utf8)).document
            }
            #expect(document.placesInSeveralForms.isEmpty)
        }
    }
}
