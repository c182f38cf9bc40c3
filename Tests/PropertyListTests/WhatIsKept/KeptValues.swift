import Foundation
import PropertyList

/// The rows of the table of values that programs set. Each value is stored under a key of a suite.
enum KeptValues {
    static let table = "Values that programs set"

    static let rows: [(name: String, value: PropertyListValue)] =
        numbers + dates + strings + data + containers + references

    private static let numbers: [(name: String, value: PropertyListValue)] = [
        ("true", true), ("false", false),
        ("integer 0", 0), ("integer 1, which is not true", 1), ("integer -1", -1),
        ("integer 255", 255), ("integer 256", 256), ("integer 4294967296", 4_294_967_296),
        ("smallest `Int64`", .integer(PropertyListInteger(Int64.min))),
        ("largest `Int64`", .integer(PropertyListInteger(Int64.max))),
        ("largest `Int64` plus one", .integer(PropertyListInteger(UInt64(Int64.max) + 1))),
        ("largest `UInt64`", .integer(PropertyListInteger(UInt64.max))),
        ("real 0.0", 0.0), ("real -0.0", .real(-0.0)), ("real 1.0, which is no integer", 1.0),
        ("real 0.1", 0.1), ("real 1/3, of 16 digits", .real(1.0 / 3)),
        ("`Float` 0.1 as a `Double`", .real(Double(Float(0.1)))),
        ("real 2^53 + 2", 9_007_199_254_740_994.0),
        ("largest real", .real(.greatestFiniteMagnitude)),
        ("smallest real above 0", .real(.leastNonzeroMagnitude)),
        ("infinity", .real(.infinity)), ("negative infinity", .real(-.infinity)),
        ("NaN", .real(.nan)), ("NaN with sign and payload", .real(-Double(nan: 5, signaling: false))),
    ]

    private static func seconds(_ count: Double) -> PropertyListValue {
        .date(Date(timeIntervalSinceReferenceDate: count))
    }

    private static let dates: [(name: String, value: PropertyListValue)] = [
        ("date of whole seconds", seconds(730_857_600)), ("date with a fraction", seconds(730_857_600.75)),
        ("date with a fraction before 2001", seconds(-0.25)), ("date before 1970", seconds(-1_000_000_000)),
        ("`Date.distantPast`", .date(.distantPast)), ("`Date.distantFuture`", .date(.distantFuture)),
        ("last second of the year 9999", seconds(252_423_993_599)),
        ("first second of the year 10000", seconds(252_423_993_600)),
        ("last second before the year 0", seconds(-63_145_526_401)),
        ("date of 1e300 seconds", seconds(1e300)),
        ("infinite date", seconds(.infinity)), ("date that is not a number", seconds(.nan)),
    ]

    private static let strings: [(name: String, value: PropertyListValue)] = [
        ("empty string", ""), ("white space at both ends", " a\t"), ("markup", "<a b=\"c\">&amp;]]>'"),
        ("line feed", "a\nb"), ("carriage return", "a\rb"), ("carriage return and line feed", "a\r\nb"),
        ("NUL", "a\u{0}b"), ("escape", "a\u{1B}b"), ("U+007F", "a\u{7F}b"), ("next line, U+0085", "a\u{85}b"),
        ("line separator, U+2028", "a\u{2028}b"), ("byte-order mark, U+FEFF", "\u{FEFF}a"),
        ("U+FFFE", "a\u{FFFE}b"), ("U+FFFF", "a\u{FFFF}b"),
        ("non-character U+FDD0", .string("a\(Unicode.Scalar(0xFDD0 as UInt32) ?? " ")b")),
        ("non-character U+1FFFE", "a\u{1FFFE}b"), ("private use, U+E000", "a\u{E000}b"),
        ("replacement character", "a\u{FFFD}b"),
        ("character beyond 16 bits", "😀"), ("é, composed", "\u{E9}"), ("é, decomposed", "e\u{301}"),
        ("300 combining marks", .string("a" + String(repeating: "\u{301}", count: 300))),
        ("70000 letters", .string(String(repeating: "x", count: 70_000))),
    ]

    private static let data: [(name: String, value: PropertyListValue)] = [
        ("empty data", .data(Data())), ("one byte of data", .data(Data([0]))),
        ("256 bytes of data", .data(Data(0...255))),
        ("70000 bytes of data", .data(Data(repeating: 7, count: 70_000))),
    ]

    private static func deep(_ levels: Int) -> PropertyListValue {
        (1..<levels).reduce(.array([])) { inner, _ in [inner] }
    }

    private static let containers: [(name: String, value: PropertyListValue)] = [
        ("empty array", []), ("empty dictionary", [:]),
        ("array of all kinds", [true, 1, 1.0, "1", .data(Data([1])), [], [:]]),
        ("128 levels, including the suite", deep(127)), ("129 levels", deep(128)),
        ("empty key", ["": 1]), ("key with markup", ["<&>": 1]), ("key with a line feed", ["a\nb": 1]),
        ("key with an escape", ["\u{1B}": 1]), ("key in another script", ["ключ 名前": 1]),
        ("key of 256 combining marks", .dictionary(["a" + String(repeating: "\u{301}", count: 256): 1])),
        ("key of 257 combining marks", .dictionary(["a" + String(repeating: "\u{301}", count: 257): 1])),
    ]

    private static let references: [(name: String, value: PropertyListValue)] = [
        ("reference of a keyed archive", .uid(1)), ("reference above 32 bits", .uid(1 << 40)),
        ("dictionary with only `CF$UID`, a non-negative integer", ["CF$UID": 5]),
        ("dictionary with only `CF$UID`, a string", ["CF$UID": "5"]),
        ("dictionary with `CF$UID` and another key", ["CF$UID": 5, "a": 1]),
    ]
}
