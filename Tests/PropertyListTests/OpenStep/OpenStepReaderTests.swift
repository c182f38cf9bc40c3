import Foundation
import PropertyList
import Testing

@Suite("Reading OpenStep property lists")
struct OpenStepReaderTests {
    static let values: [(String, PropertyListValue)] = [
        ("{}", [:]), ("{ }", [:]), ("()", []), ("(a)", ["a"]), ("( a , b, )", ["a", "b"]),
        ("{a=b;}", ["a": "b"]),
        (
            "{ \"a b\" = 'c d' ; e = (1, {f = <0fbd 77>;}); }",
            ["a b": "c d", "e": ["1", ["f": .data(Data([0x0F, 0xBD, 0x77]))]]]
        ),
        ("a = b; c = d;", ["a": "b", "c": "d"]), ("\"a\" = {b = c;};\n// end", ["a": ["b": "c"]]),
        ("a;", ["a": "a"]),
        ("{a; b = 1;}", ["a": "a", "b": "1"]), ("{a=b;a=c;}", ["a": "c"]),
        ("hello", "hello"), ("a.b_c-d$e:f/g", "a.b_c-d$e:f/g"), ("-1", "-1"), ("a//b", "a//b"), ("\"\"", ""),
        ("''", ""),
        ("/*x*/ {a /* y * / */ = // z\n b;}", ["a": "b"]), ("\"é😀\"", "é😀"), ("\"a\nb\"", "a\nb"),
        (#""a\"b\\c\'""#, "a\"b\\c'"), (#"'a\'b"'"#, "a'b\""),
        (#""\n\t\r\a\b\f\v\q\/""#, "\n\t\r\u{7}\u{8}\u{C}\u{B}q/"),
        (#""\U0041\U41\U1e9e""#, "AA\u{1E9E}"), (#""\U00e9a""#, "éa"), (#""\UD83D\UDE00""#, "😀"),
        (#""\101\18\0\1012""#, "A\u{1}8\u{0}A2"), (#""\200\256\341\375""#, "\u{A0}\u{FB01}Æÿ"),
        ("\"a\\\nb\"", "a\nb"), ("<>", .data(Data())), ("<0f a9\n>", .data(Data([0x0F, 0xA9]))),
        ("<d a 7 a>", .data(Data([0xDA, 0x7A]))),
        ("<[]>", .data(Data())), ("<[AP8=]>", .data(Data([0x00, 0xFF]))),
        (
            "{a = <[AP8=]>; b = (<[eA==]>, <[AP\n 8]>);}",
            ["a": .data(Data([0, 0xFF])), "b": [.data(Data([0x78])), .data(Data([0, 0xFF]))]]
        ),
        ("<*I5>", 5), ("<*I-9223372036854775808>", .integer(PropertyListInteger(Int64.min))),
        ("<*I\"7\">", 7),
        ("<*R1.5>", 1.5), ("<*R1e-300>", 1e-300), ("<*R-inf>", .real(-.infinity)),
        ("<*R1e400>", .real(.infinity)), ("<*R-1e-400>", .real(-0.0)), ("<*R-0>", .real(-0.0)),
        ("<*BY>", true), ("<*BN>", false),
        ("(<*I5>, <*BY>)", [5, true]),
        ("<*D2001-01-01 00:00:00 +0000>", .date(Date(timeIntervalSinceReferenceDate: 0))),
        ("{d = <*D2001-01-01 01:30:00 +0130>;}", ["d": .date(Date(timeIntervalSinceReferenceDate: 0))]),
        ("<*D2001-01-01 00:00:00 -0100>", .date(Date(timeIntervalSinceReferenceDate: 3600))),
        ("{CF$UID = 5;}", ["CF$UID": "5"]),
    ]

    @Test("Every form is read as its value", arguments: values)
    func everyFormIsReadAsItsValue(_ text: String, _ expected: PropertyListValue) throws {
        for file in [text, "\u{FEFF}" + text, " \t\r\n/* c */ " + text + "\n"]
        where !file.hasPrefix(" ") || !text.hasPrefix("<") {
            let (value, format) = try PropertyListValue.read(Array(file.utf8))
            #expect(value == expected)
            #expect(format == .openStep)
        }
        #expect(try PropertyListValue.read([0xFE, 0xFF] + utf16(text, bigEndian: true)).value == expected)
    }

    /// Only what the whole messages in `ReasonsTests` leave out.
    static let refused: [(String, Int, Int, String)] = [
        ("(a", 1, 3, "‘)’"), ("(,)", 1, 2, "a value"), ("\n \"x", 2, 2, "not closed"),
        ("'x\"", 1, 1, "not closed"), ("\"x\\", 1, 1, "not closed"), ("(<[A]>)", 1, 5, "within a byte"),
        ("<[AP8=]", 1, 8, "the end of the file"), ("< [AP8=]>", 1, 3, "‘[’"),
        (#""\UD83Dx\UDE00""#, 1, 2, "half of a character"),
        (#""\UD83D\UD83D\UDE00""#, 1, 2, "half of a character"),
        (#""\UD83D\n""#, 1, 2, "half of a character"),
        ("<*I>", 1, 1, "is not a value"), ("<*B1>", 1, 1, "is not a value"), ("<*R>", 1, 1, "is not a value"),
        ("<*I99999999999999999999>", 1, 1, "is not a value"),
        ("<*D2001-01-01 00:00:00 +0060>", 1, 1, "is not a value"),
        ("<*D2001-01-01 00:00:00>", 1, 1, "is not a value"),
    ]

    @Test("Malformed files are refused with the position of the error", arguments: refused)
    func malformedFilesAreRefusedWithThePositionOfTheError(
        _ text: String,
        line: Int,
        column: Int,
        problem: String
    ) throws {
        let error = try #require(throws: PropertyListError.self) {
            try PropertyListValue.read(Array(text.utf8))
        }
        #expect(error.problem.contains(problem), "\(error)")
        #expect(error.place == .line(line, column: column), "\(error)")
    }

    @Test("Octal escapes mean the same as in Foundation")
    func octalEscapesMeanTheSameAsInFoundation() throws {
        for code in 1..<254 {
            let file = Array("\"\\\(String(code, radix: 8))\"".utf8)
            let foundation = try PropertyListSerialization.propertyList(from: Data(file), format: nil)
            #expect(try PropertyListValue.read(file).value == .string(try #require(foundation as? String)))
        }
    }

    @Test("The first change converts the file to XML")
    func firstChangeConvertsTheFileToXML() throws {
        let file = Array("{ a = b; /* kept until then */ n = <*I5>; }".utf8)
        var (document, values) = try PropertyListDocument.read(file)
        #expect(document.format == .openStep)
        #expect(values == ["a": "b", "n": 5])
        try document.apply(["a": "b", "c": nil])
        #expect(document.bytes == file)
        #expect(try document.update(to: Array("{ a = c; n = <*I5>; }".utf8)) == ["a": "c"])
        try document.apply(["a": nil, "c": true])
        #expect(document.format == .xml)
        #expect(document.value(forKey: "n") == 5)
        #expect(try PropertyListDocument.read(document.bytes).values == ["n": 5, "c": true])
    }
}
