import PropertyList
import Testing

/// A family of files that try to cost more than their size justifies. A family has files of any size.
struct HostileFile: Sendable, CustomTestStringConvertible {
    let name: String
    /// Whether the file is JSON. Otherwise it is a property list.
    let isJSON: Bool
    /// Why the file is refused, or nil if it is read.
    var outcome: PropertyListError.Reason?
    /// Creates the file with the given number of parts. Its size is proportional to that number.
    let bytes: @Sendable (_ parts: Int) -> [UInt8]

    var testDescription: String { name }

    static let all: [HostileFile] = xml + binary + openStep + json

    private static func text(
        _ name: String,
        isJSON: Bool = false,
        _ start: String,
        _ part: String,
        _ end: String,
        _ outcome: PropertyListError.Reason? = nil
    ) -> HostileFile {
        HostileFile(name: name, isJSON: isJSON, outcome: outcome) { parts in
            var bytes = Array(start.utf8)
            for _ in 0..<parts { bytes.append(contentsOf: part.utf8) }
            bytes.append(contentsOf: end.utf8)
            return bytes
        }
    }

    /// Chains of 100 brackets each, with `parts` brackets in total.
    private static func deep(
        _ name: String,
        isJSON: Bool = false,
        _ start: String,
        _ open: String,
        _ close: String,
        _ end: String,
        separator: String = ""
    ) -> HostileFile {
        HostileFile(name: name, isJSON: isJSON) { parts in
            let chain = String(repeating: open, count: 100) + String(repeating: close, count: 100)
            let chains = String(repeating: chain + separator, count: 1 + parts / 100)
            return Array((start + chains + end).utf8)
        }
    }

    private static func numbered(
        _ name: String,
        isJSON: Bool = false,
        _ start: String,
        _ end: String,
        _ part: @escaping @Sendable (Int) -> String
    ) -> HostileFile {
        HostileFile(name: name, isJSON: isJSON) { parts in
            var bytes = Array(start.utf8)
            for number in 0..<parts { bytes.append(contentsOf: part(number).utf8) }
            bytes.append(contentsOf: end.utf8)
            return bytes
        }
    }
}

extension HostileFile {
    private static let start = "<plist><dict>"
    private static let end = "</dict></plist>"
    private static let key = "<plist><dict><key>k</key>"

    private static let xml: [HostileFile] = [
        text("XML: open arrays", key, "<array>", "", .limitExceeded),
        deep("XML: arrays as deep as allowed", key + "<array>", "<array>", "</array>", "</array>" + end),
        text("XML: references in a text", key + "<string>", "&amp;", "</string>" + end),
        text(
            "XML: numeric references in a key",
            start + "<key>",
            "&#x301;&#x323;",
            "</key><true/>" + end,
            .limitExceeded
        ),
        text("XML: comments between entries", start, "<!-- c -->", "<key>k</key><true/>" + end),
        text("XML: comments in a text", key + "<string>", "a<!---->", "</string>" + end),
        text("XML: sections in a text", key + "<string>", "<![CDATA[a]]>", "</string>" + end),
        text("XML: processing instructions", "", "<?a?>", start + end),
        text("XML: attributes", "<plist><dict", " a=\"b\"", ">" + end),
        text("XML: white space at the start", "", " \n", start + end),
        text("XML: white space around a number", key + "<integer>", " \n", "1 </integer>" + end),
        text("XML: white space in data", key + "<data>", "A \n\t", "</data>" + end),
        text("XML: long data", key + "<data>", "AAAA", "</data>" + end),
        text("XML: digits of an integer", key + "<integer>", "0", "</integer>" + end),
        text("XML: digits of a real", key + "<real>1.", "7", "e-5</real>" + end),
        text("XML: digits of an exponent", key + "<real>1e-", "0", "1</real>" + end),
        text("XML: the same key", start, "<key>k</key><true/>", end),
        text("XML: empty keys", start, "<key/><true/>", end),
        text(
            "XML: combining marks in a key",
            start + "<key>a",
            "\u{301}\u{323}",
            "</key><true/>" + end,
            .limitExceeded
        ),
        text("XML: vowels in a key", start + "<key>\u{1100}", "\u{1161}", "</key><true/>" + end),
        text("XML: an unknown element", start, "<x", end, .malformed),
        text("XML: a text without an end", key + "<string>", "a", "", .malformed),
        text("XML: small empty arrays", key + "<array>", "<array/>", "</array>" + end),
        numbered("XML: keys with a long beginning in common", start, end) { number in
            "<key>\(String(repeating: "a", count: 200))\(number)</key><true/>"
        },
        numbered("XML: keys in falling order", start, end) { "<key>\(99_999_999 - $0)</key><true/>" },
        numbered("XML: keys in rising order", start, end) { "<key>\(10_000_000 + $0)</key><true/>" },
        numbered("XML: keys before a long one", start, "<key>z</key><string>\(long)</string>" + end) {
            "<key>\(10_000_000 + $0)</key><true/>"
        },
        HostileFile(name: "XML: keys before one as long as they all", isJSON: false) { parts in
            let keys = (0..<parts).map { "<key>\(10_000_000 + $0)</key><true/>" }.joined()
            let last = String(repeating: "z", count: keys.utf8.count)
            return Array((start + keys + "<key>\(last)</key><true/>" + end).utf8)
        },
        HostileFile(name: "XML: UTF-16", isJSON: false) { parts in
            let text = key + "<string>" + String(repeating: "é😀", count: parts) + "</string>" + end
            return [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        },
    ]

    private static let long = String(repeating: "z", count: 1000)

    private static let openStep: [HostileFile] = [
        text("OpenStep: open arrays", "{k=", "(", "", .limitExceeded),
        deep("OpenStep: arrays as deep as allowed", "{k=((),", "(", ")", ");}", separator: ","),
        text("OpenStep: comments", "{", "/**/", "k=v;}"),
        text("OpenStep: lines of comments", "{", "//\n", "k=v;}"),
        text("OpenStep: a comment without an end", "{", "/* ", "", .malformed),
        text("OpenStep: escapes", "{k=\"", "\\U00e9\\351\\n", "\";}"),
        text("OpenStep: a word", "{k=", "a", ";}"),
        text("OpenStep: a key without a value", "", "a;", ""),
        text("OpenStep: white space in data", "{k=<", "0 a\n", ">;}"),
        text("OpenStep: digits like data", "<", "0 ", "x>", .malformed),
        text("OpenStep: words in an array", "(", "a,", ")"),
        numbered("OpenStep: keys", "{", "}") { "k\($0)=v;" },
    ]

    private static let json: [HostileFile] = [
        text("JSON: open arrays", isJSON: true, "", "[", "", .limitExceeded),
        deep("JSON: arrays as deep as allowed", isJSON: true, "[", "[", "]", "0]", separator: ","),
        text("JSON: small numbers", isJSON: true, "[0", ",0", "]"),
        text("JSON: white space", isJSON: true, "", " \n", "{}"),
        text("JSON: digits", isJSON: true, "[1", "0", "]"),
        text("JSON: escapes", isJSON: true, "{\"", "\\u00e9\\n", "\":1}"),
        text("JSON: the same name", isJSON: true, "{\"a\":0", ",\"a\":0", "}"),
        text(
            "JSON: combining marks in names",
            isJSON: true,
            "{\"b\":1,\"a",
            "\u{301}\u{323}",
            "\":1,\"a\":2}",
            .limitExceeded
        ),
        numbered("JSON: names", isJSON: true, "{\"a\":0", "}") { ",\"n\($0)\":0" },
        numbered("JSON: objects with names of their own", isJSON: true, "[0", "]") {
            ",{\"\($0)\":{},\"b\":[],\"c\":{\"\":0},\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1}"
        },
        text("JSON: a string without an end", isJSON: true, "[\"", "a", "", .malformed),
    ]
}

extension HostileFile {
    private static func binary(
        _ name: String,
        _ outcome: PropertyListError.Reason? = nil,
        _ file: @escaping @Sendable (_ parts: Int) -> BinaryBuilder
    ) -> HostileFile {
        HostileFile(name: name, isJSON: false, outcome: outcome) { parts in file(parts).bytes }
    }

    private static func number(_ number: Int) -> [UInt8] { BinaryBuilder.number(UInt64(number), 4) }

    /// A marker with a count of four bytes.
    private static func marker(_ kind: UInt8, _ count: Int) -> [UInt8] { [kind | 15, 0x12] + number(count) }

    private static func wide(_ objects: [[UInt8]]) -> BinaryBuilder {
        BinaryBuilder(objects).with {
            $0.referenceSize = 4
            $0.offsetSize = 4
        }
    }

    private static let binary: [HostileFile] = [
        binary("binary: one string under many references") { parts in
            let top = marker(0xA0, parts) + Array(repeatElement(number(1), count: parts).joined())
            return wide([top, marker(0x50, 8 * parts) + [UInt8](repeating: 0x61, count: 8 * parts)])
        },
        binary("binary: one key in many dictionaries") { parts in
            let top = marker(0xA0, parts) + (0..<parts).flatMap { number($0 + 2) }
            let key = marker(0x50, 8 * parts) + [UInt8](repeating: 0x61, count: 8 * parts)
            return wide([top, key] + Array(repeating: [0xD1] + number(1) + number(1), count: parts))
        },
        binary("binary: one key many times in a dictionary") { parts in
            let references = Array(repeatElement(number(1), count: 2 * parts).joined())
            let key = marker(0x50, 8 * parts) + [UInt8](repeating: 0x61, count: 8 * parts)
            return wide([marker(0xD0, parts) + references, key])
        },
        binary("binary: one key many times in a dictionary below the top") { parts in
            let references = Array(repeatElement(number(2), count: 2 * parts).joined())
            let key = marker(0x50, 8 * parts) + [UInt8](repeating: 0x61, count: 8 * parts)
            return wide([[0xD1] + number(2) + number(1), marker(0xD0, parts) + references, key])
        },
        binary("binary: two keys in turn, many times in a dictionary") { parts in
            let keys = (0..<parts).flatMap { number(1 + $0 % 2) }
            let values = Array(repeatElement(number(3), count: parts).joined())
            let key = marker(0x60, 4 * parts) + [UInt8](repeating: 0x61, count: 8 * parts - 1)
            return wide([marker(0xD0, parts) + keys + values, key + [0x62], key + [0x61], [0x09]])
        },
        binary("binary: many strings in the same place", .malformed) { parts in
            let top = marker(0xA0, parts) + (0..<parts).flatMap { number($0 + 1) }
            let text = marker(0x50, 8 * parts) + [UInt8](repeating: 0x61, count: 8 * parts)
            return wide([top, text]).with {
                $0.offsets = [8] + Array(repeating: UInt64(8 + top.count), count: parts)
                $0.count = UInt64(parts) + 1
            }
        },
        binary("binary: many data in the same place, as keys' values", .malformed) { parts in
            let top = marker(0xD0, parts) + (0..<2 * parts).flatMap { number($0 + 1) }
            let keys = (0..<parts).map { [0x54] + Array("\($0 % 9000 + 1000)".utf8) }
            let data = marker(0x40, 8 * parts) + [UInt8](repeating: 0, count: 8 * parts)
            let places = (0..<parts).map { UInt64(8 + top.count + 5 * $0) }
            return wide([top] + keys + [data]).with {
                $0.offsets =
                    [8] + places
                    + Array(repeating: UInt64(8 + top.count + 5 * parts), count: parts)
                $0.count = UInt64(2 * parts) + 1
            }
        },
        binary("binary: arrays that claim what is left of the file", .malformed) { parts in
            // Each array has the next one as its first element, and all later ones as further elements.
            let length = 14 * parts + 4096
            var objects: [UInt8] = []
            var offsets: [UInt64] = []
            for index in 0..<parts {
                offsets.append(UInt64(8 + objects.count))
                objects += marker(0xA0, (length - objects.count - 6) / 4) + number(index + 1)
            }
            objects += [UInt8](repeating: 0, count: length - objects.count)
            offsets.append(UInt64(8 + objects.count - 1))
            return wide([objects]).with {
                $0.offsets = offsets
                $0.count = UInt64(offsets.count)
            }
        },
        binary("binary: dictionaries that claim what is left of the file", .malformed) { parts in
            let length = 14 * parts + 4096
            var objects: [UInt8] = [0x51, 0x61]
            var offsets: [UInt64] = []
            for index in 0..<parts {
                offsets.append(UInt64(8 + objects.count))
                objects += marker(0xD0, (length - objects.count - 6) / 8) + number(parts)
                _ = index
            }
            objects += [UInt8](repeating: 0, count: length - objects.count)
            offsets.append(8)
            return wide([objects]).with {
                $0.offsets = offsets
                $0.count = UInt64(offsets.count)
            }
        },
        binary("binary: shared references that multiply", .limitExceeded) { parts in
            wide((0..<parts).map { [0xA2] + number($0 + 1) + number($0 + 1) } + [[0x09]])
        },
        binary("binary: objects that nothing refers to") { parts in
            wide([[0xD0]] + Array(repeating: [0x09], count: parts))
        },
        binary("binary: a chain of arrays", .limitExceeded) { parts in
            wide((0..<parts).map { [0xA1] + number($0 + 1) } + [[0x09]])
        },
        binary("binary: combining marks in a key", .limitExceeded) { parts in
            let marks = (0..<parts).flatMap { _ in [0x03, 0x01, 0x03, 0x23] as [UInt8] }
            return wide([[0xD1] + number(1) + number(2), marker(0x60, 2 * parts) + marks, [0x09]])
        },
    ]
}
