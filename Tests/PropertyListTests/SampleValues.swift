import Foundation
import PropertyList

/// Values of every kind, including the extremes.
enum Sample {
    /// Values that every format preserves.
    static let everywhere: [(String, PropertyListValue)] = [
        ("true", true), ("false", false), ("zero", 0), ("minus one", -1), ("one byte", 255),
        ("two bytes", 256),
        ("65535", 65535), ("65536", 65536), ("2^32-1", 4_294_967_295), ("2^32", 4_294_967_296),
        ("Int64.max", .integer(PropertyListInteger(Int64.max))),
        ("Int64.max + 1", .integer(PropertyListInteger(UInt64(Int64.max) + 1))),
        ("Int64.min", .integer(PropertyListInteger(Int64.min))),
        ("UInt64.max", .integer(PropertyListInteger(UInt64.max))),
        ("real one", 1.0), ("-0.0", .real(-0.0)), ("0.1", 0.1), ("least", .real(.leastNonzeroMagnitude)),
        ("greatest", .real(.greatestFiniteMagnitude)), ("1e16", 1e16), ("1/3", .real(1.0 / 3.0)),
        ("2^53 + 2", 9_007_199_254_740_994.0), ("NaN", .real(.nan)), ("infinity", .real(.infinity)),
        ("-infinity", .real(-.infinity)),
        ("empty string", ""), ("14 letters", "abcdefghijklmn"), ("15 letters", "abcdefghijklmno"),
        ("16 letters", "abcdefghijklmnop"), ("long", .string(String(repeating: "x", count: 70_000))),
        ("markup", "<a href=\"b\">&amp;'</a>]]>"), ("white space", " \t\n\r\r\n a "),
        ("non-BMP", "😀𝄞\u{10FFFF}"),
        ("decomposed", "e\u{301}"), ("composed", "\u{E9}"), ("delete", "\u{7F}\u{80}\u{9F}\u{2028}"),
        ("near forbidden", "\u{FFFD}\u{FFFC}\u{EFFF}\u{1FFFF}"),
        ("long non-ASCII", .string(String(repeating: "é", count: 300))),
        ("reference date", .date(Date(timeIntervalSinceReferenceDate: 0))),
        ("distant past", .date(.distantPast)),
        ("distant future", .date(.distantFuture)), ("1970", .date(Date(timeIntervalSince1970: -1))),
        ("leap day", .date(Date(timeIntervalSince1970: 951_782_400))),
        ("no data", .data(Data())), ("one byte of data", .data(Data([0]))),
        ("two bytes of data", .data(Data([255, 0]))),
        ("a line of data", .data(Data(repeating: 7, count: 57))), ("all bytes", .data(Data(0...255))),
        ("much data", .data(Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }))),
        ("empty array", []), ("empty dictionary", [:]),
        ("mixed", [1, 1.0, true, "1", [[]], [:], ["a": ["b": []]]]),
        ("many elements", .array((0..<300).map { .integer(PropertyListInteger($0)) })),
        (
            "key edges",
            ["": 1, " ": 2, "a/b~c": 3, "<&>": 4, "é": 5, "😀": 6, "\u{FFFD}": 7, "CF$UID": 8, "\r\n": 9]
        ),
        (
            "64 deep",
            (0..<63).reduce(["bottom": true]) { inner, level in level % 2 == 0 ? [inner] : ["k": inner] }
        ),
        ("uid", .uid(0)), ("large uid", .uid(UInt64(UInt32.max))),
        ("uids", [.uid(1), .uid(255), .uid(256), .uid(65536)]),
    ]

    /// Values that XML refuses, with the reason.
    static let notInXML: [(String, PropertyListValue, String)] = [
        ("escape", "\u{1B}", "U+001B"), ("NUL", "a\u{0}b", "U+0000"), ("U+FFFE", "\u{FFFE}", "U+FFFE"),
        ("U+FFFF", "é\u{FFFF}", "U+FFFF"), ("control character in a key", ["\u{1}": 1], "U+0001"),
        ("year 10000", .date(Date(timeIntervalSince1970: 253_402_300_800)), "9999"),
        ("year -1", .date(Date(timeIntervalSince1970: -62_167_219_201)), "9999"),
        ("a dictionary like a uid", [["CF$UID": 5]], "CF$UID"),
    ]

    /// A random value that both XML and binary preserve exactly.
    static func random(depth: Int = 0, using generator: inout some RandomNumberGenerator) -> PropertyListValue
    {
        switch Int.random(in: 0..<(depth < 3 ? 11 : 8), using: &generator) {
        case 0: .boolean(.random(using: &generator))
        case 1: .integer(PropertyListInteger(Int64.random(in: .min ... .max, using: &generator)))
        case 2: .integer(PropertyListInteger(Int.random(in: -3...300, using: &generator)))
        case 3: .real(Double(bitPattern: .random(in: 0..<0x7FF0_0000_0000_0000, using: &generator)))
        case 4, 5: .string(randomString(using: &generator))
        case 6:
            .date(
                Date(
                    timeIntervalSinceReferenceDate: Double(
                        Int.random(in: -1_000_000_000...3_000_000_000, using: &generator)
                    )
                )
            )
        case 7:
            .data(
                Data(
                    (0..<Int.random(in: 0..<90, using: &generator)).map { _ in
                        UInt8.random(in: 0...255, using: &generator)
                    }
                )
            )
        case 8: .uid(UInt64(UInt16.random(in: 0 ... .max, using: &generator)))
        case 9:
            .array(
                (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
                    random(depth: depth + 1, using: &generator)
                }
            )
        default:
            .dictionary(
                Dictionary(
                    (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
                        (randomString(using: &generator), random(depth: depth + 1, using: &generator))
                    },
                    uniquingKeysWith: { $1 }
                )
            )
        }
    }

    static func randomString(using generator: inout some RandomNumberGenerator) -> String {
        let alphabet: [Character] = ["a", "b", "c", "z", "&", "<", ">", "\r", "\n", " ", "é", "😀", "]"]
        return String(
            (0..<Int.random(in: 0..<20, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? "a"
            }
        )
    }
}
