import Foundation
import PropertyList
import Testing

@Suite("Reading XML property lists")
struct XMLReaderTests {
    static let values: [(String, PropertyListValue)] = [
        ("<true/>", true), ("<false/>", false), ("<true></true>", true), ("<false > </false >", false),
        ("<integer>0</integer>", 0), ("<integer> -1\n</integer>", -1), ("<integer>- 1</integer>", -1),
        ("<integer>007</integer>", 7), ("<integer>+0x1F</integer>", 31), ("<integer>-0X10</integer>", -16),
        ("<integer>-9223372036854775808</integer>", .integer(PropertyListInteger(Int64.min))),
        ("<integer>18446744073709551615</integer>", .integer(PropertyListInteger(UInt64.max))),
        ("<integer>0xFFFFFFFFFFFFFFFF</integer>", .integer(PropertyListInteger(UInt64.max))),
        ("<integer>&#49;<!-- one -->2</integer>", 12),
        ("<real>1</real>", 1.0), ("<real> 1.5 </real>", 1.5), ("<real>1.</real>", 1.0),
        ("<real>.5</real>", 0.5), ("<real>-0.0</real>", .real(-0.0)), ("<real>-0</real>", .real(-0.0)),
        ("<real>1e-400</real>", 0.0), ("<real>-1e-400</real>", .real(-0.0)),
        ("<real>1e400</real>", .real(.infinity)), ("<real>-1E+400</real>", .real(-.infinity)),
        ("<real>1.7976931348623157e308</real>", .real(.greatestFiniteMagnitude)),
        ("<real>0.1000000000000000055511151231257827</real>", 0.1), ("<real>+1.25E+2</real>", 125.0),
        ("<real>123456789012345678901234567890</real>", 123456789012345678901234567890.0),
        ("<real>nan</real>", .real(.nan)), ("<real>NaN</real>", .real(.nan)),
        ("<real>inf</real>", .real(.infinity)), ("<real>+Infinity</real>", .real(.infinity)),
        ("<real>-inf</real>", .real(-.infinity)), ("<real>-infinity</real>", .real(-.infinity)),
        ("<string/>", ""), ("<string></string>", ""), ("<string  />", ""),
        ("<string> a \n</string>", " a \n"), ("<string a='>' b=\"</string>\">x</string >", "x"),
        ("<string>&amp;&lt;&gt;&quot;&apos;</string>", "&<>\"'"),
        ("<string>&#65;&#x42;&#x1F600;&#13;&#27;</string>", "AB😀\r\u{1B}"),
        ("<string>a<![CDATA[<b>&amp;]]]]><![CDATA[>]]>c</string>", "a<b>&amp;]]>c"),
        ("<string>a<!-- - -->b<?c d?>e</string>", "abe"),
        ("<string>a\r\nb\rc</string>", "a\r\nb\rc"), ("<string>\u{1B}[2J\u{0}</string>", "\u{1B}[2J\u{0}"),
        ("<string>é👩‍👩‍👧‍👦\u{10FFFF}</string>", "é👩‍👩‍👧‍👦\u{10FFFF}"), ("<key>k</key>", "k"),
        ("<date>2001-01-01T00:00:00Z</date>", .date(Date(timeIntervalSinceReferenceDate: 0))),
        ("<date> 1970-01-01T00:00:01Z </date>", .date(Date(timeIntervalSince1970: 1))),
        ("<date>2024-02-29T23:59:59Z</date>", .date(Date(timeIntervalSince1970: 1_709_251_199))),
        ("<date>0000-12-30T00:00:00Z</date>", .date(.distantPast)),
        ("<date>0001-01-01T00:00:00Z</date>", .date(Date(timeIntervalSince1970: -62_135_596_800))),
        ("<date>1-01-01T00:00:00Z</date>", .date(Date(timeIntervalSince1970: -62_135_596_800))),
        ("<date>970-01-01T00:00:00Z</date>", .date(Date(timeIntervalSince1970: -31_556_908_800))),
        ("<date>0000-02-29T00:00:00Z</date>", .date(Date(timeIntervalSince1970: -62_162_121_600))),
        ("<date>9999-12-31T23:59:59Z</date>", .date(Date(timeIntervalSince1970: 253_402_300_799))),
        ("<data/>", .data(Data())), ("<data>\n\tAQ\tID\n</data>", .data(Data([1, 2, 3]))),
        ("<data>AQ==</data>", .data(Data([1]))), ("<data>AQI</data>", .data(Data([1, 2]))),
        ("<data>AQI=\n</data>", .data(Data([1, 2]))), ("<data>+/+/</data>", .data(Data([0xFB, 0xFF, 0xBF]))),
        ("<array/>", []), ("<array> <!-- a --> </array>", []),
        ("<array><true/><integer>1</integer></array>", [true, 1]),
        ("<dict/>", [:]), ("<dict><key/><string/></dict>", ["": ""]),
        ("<dict><key>a</key><true/><?pi?><key>a</key><false/></dict>", ["a": false]),
        ("<dict><key>a&amp;b</key> <!-- --> <array/></dict>", ["a&b": []]),
        ("<dict><key>CF$UID</key><integer>7</integer></dict>", .uid(7)),
        ("<dict><key>CF$UID</key><integer>-7</integer></dict>", ["CF$UID": -7]),
        ("<dict><key>CF$UID</key><string>7</string></dict>", ["CF$UID": "7"]),
        ("<dict><key>CF$UID</key><integer>7</integer><key>a</key><true/></dict>", ["CF$UID": 7, "a": true]),
    ]

    @Test("Every element is read as its value", arguments: values)
    func everyElementIsReadAsItsValue(_ text: String, _ expected: PropertyListValue) throws {
        #expect(try readXML("<plist version=\"1.0\">\(text)</plist>") == expected)
        #expect(try readXML(text) == expected, "without the plist element")
        #expect(
            try readXML(
                "<?xml version='1.0'?>\n<!DOCTYPE plist PUBLIC \">\" '['>\n<!-- c -->\(text) <!-- --> <?p?>\n"
            ) == expected
        )
    }

    /// Only what the whole messages in `ReasonsTests` leave out.
    static let refused: [(String, Int, Int, String)] = [
        (" \n ", 2, 2, "the end of the file"), ("<plist/>", 1, 1, "empty"),
        ("<plist> <!----> </plist>", 1, 1, "empty"),
        ("<true/>\n<true/>", 2, 1, "the end of the file"),
        ("<plist><true/></plist>junk", 1, 23, "the end of the file"), ("<plist>x</plist>", 1, 8, "‘x’"),
        ("<aaaaaaaastring/>", 1, 1, "not an element"), ("<plist><plist/></plist>", 1, 8, "inside another"),
        ("<string>\u{1B}\u{1B}", 1, 11, "‘</string>’"), ("<string>a</key>", 1, 10, "expected ‘</"),
        // A short tag is recognized by its first eight bytes, if there are that many.
        ("<string>a</key>        ", 1, 10, "expected ‘</"),
        ("<dict></array>        ", 1, 7, "expected ‘</"), ("<dict></dict/>        ", 1, 13, "‘>’"),
        ("<string>&#;</string>", 1, 9, "character"), ("<string>&#x110000;</string>", 1, 9, "character"),
        ("<string>&#+5;</string>", 1, 9, "character"), ("<string><b/></string>", 1, 9, "‘</string>’"),
        ("<array>x</array>", 1, 8, "‘x’"), ("<array><true/>", 1, 15, "the end of the file"),
        ("<array>\u{1B}</array>", 1, 8, "U+001B"),
        ("<dict><key>a</key><key>b</key><true/></dict>", 1, 31, "‘key’"),
        ("<!-->", 1, 1, "comment does not end"), ("<true a='", 1, 9, "not closed"),
        ("<dict/ict//>", 1, 7, "‘>’ after the ‘/’"), ("<dict //>", 1, 8, "‘>’ after the ‘/’"),
        ("<", 1, 2, "name"), ("</true>", 1, 1, "end tag"), ("<true/", 1, 1, "does not end"),
        ("<integer>7</integ", 1, 11, "cut off"), ("<data>AA==</", 1, 11, "cut off"),
        ("<intege", 1, 1, "cut off"), ("<integer> </integer>", 1, 10, "integer"),
        ("<integer>0x</integer>", 1, 10, "integer"), ("<integer>--1</integer>", 1, 10, "integer"),
        ("<integer>-9223372036854775809</integer>", 1, 10, "is not between"),
        ("<real>1e</real>", 1, 7, "decimal"), ("<real>.</real>", 1, 7, "decimal"),
        ("<real>0x10</real>", 1, 7, "decimal"), ("<real>-nan</real>", 1, 7, "decimal"),
        ("<real>1e5 6</real>", 1, 7, "decimal"), ("<real>infinit</real>", 1, 7, "decimal"),
        ("<date>2024-01-01T00:00:00</date>", 1, 7, "date"),
        ("<date>12024-01-01T00:00:00Z</date>", 1, 7, "date"),
        ("<date>-01-01T00:00:00Z</date>", 1, 7, "date"), ("<date>-1-01-01T00:00:00Z</date>", 1, 7, "date"),
        ("<date>24-1-01T00:00:00Z</date>", 1, 7, "date"),
        ("<date>+024-01-01T00:00:00Z</date>", 1, 7, "date"),
        ("<date>2024-01-01T00:00:00.5Z</date>", 1, 7, "date"),
        ("<date>2024-13-01T00:00:00Z</date>", 1, 7, "date"),
        ("<date>2024-01-01T24:00:00Z</date>", 1, 7, "date"),
        ("<date>2024-01-01T00:00:60Z</date>", 1, 7, "date"),
        ("<data>\nA*AA</data>", 2, 2, "‘*’"), ("<data>AA===</data>", 1, 11, "complete without it"),
        ("<data>AA=A</data>", 1, 10, "follow the padding"),
        ("<data>A===</data>", 1, 8, "complete without it"),
    ]

    @Test("Malformed files are refused with the position of the error", arguments: refused)
    func malformedFilesAreRefusedWithThePositionOfTheError(
        _ text: String,
        line: Int,
        column: Int,
        problem: String
    ) throws {
        let error = try #require(throws: PropertyListError.self) { try readXML(text) }
        #expect(error.problem.contains(problem), "\(error)")
        #expect(error.place == .line(line, column: column), "\(error)")
    }

    static let encodings: [(String, [UInt8])] = [
        ("UTF-8", Array("<string>é€😀</string>".utf8)),
        ("UTF-8 with a mark", [0xEF, 0xBB, 0xBF] + Array("<?xml version='1.0'?><string>é€😀</string>".utf8)),
        (
            "a mark against the declaration",
            [0xEF, 0xBB, 0xBF] + Array("<?xml encoding='latin1'?><string>é€😀</string>".utf8)
        ),
        ("declared UTF-8", Array("<?xml version='1.0' encoding = 'utf-8' ?><string>é€😀</string>".utf8)),
        ("UTF-16, little-endian", [0xFF, 0xFE] + utf16("<string>é€😀</string>", bigEndian: false)),
        ("UTF-16, big-endian", [0xFE, 0xFF] + utf16("<string>é€😀</string>", bigEndian: true)),
        (
            "UTF-16 without a mark",
            utf16("<?xml version='1.0' encoding='UTF-16'?><string>é€😀</string>", bigEndian: true)
        ),
        ("UTF-16 without a mark, little-endian", utf16("<string>é€😀</string>", bigEndian: false)),
    ]

    @Test("The encoding is found from mark, first bytes or declaration", arguments: encodings)
    func encodingIsFoundFromMarkFirstBytesOrDeclaration(_ name: String, _ bytes: [UInt8]) throws {
        #expect(try PropertyListValue.read(bytes).value == "é€😀")
    }

    @Test("Declared ISO-8859-1 and US-ASCII are read")
    func declaredISO88591AndUSASCIIAreRead() throws {
        let latin =
            Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><string>caf".utf8) + [0xE9]
            + Array("</string>".utf8)
        #expect(try PropertyListValue.read(latin).value == "café")
        #expect(try readXML("<?xml version=\"1.0\" encoding=\"US-ASCII\"?><string>cafe</string>") == "cafe")
    }
}

func readXML(_ text: String) throws -> PropertyListValue {
    try PropertyListValue.read(Array(text.utf8)).value
}

func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { unit in
        let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        return bigEndian ? bytes : bytes.reversed()
    }
}
