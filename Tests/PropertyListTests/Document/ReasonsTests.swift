import Foundation
import PropertyList
import Testing

// Every reason for which a reader refuses a property list. A person reads them, so they are compared as a whole.
// `JSONDocumentTests` has those of JSON.

@Suite("The reasons of the readers")
struct ReasonsTests {
    static let texts: [(String, String)] = [
        ("<?xml version='1.0'", "line 1, column 1: the processing instruction does not end"),
        ("<!-- x", "line 1, column 1: the comment does not end"),
        ("<!DOCTYPE plist", "line 1, column 1: the document type does not end"),
        (
            "<!DOCTYPE plist [<!ENTITY a 'b'>]><dict/>",
            "line 1, column 17: the document type has declarations of its own, which property lists do not need"
        ),
        ("<!DOCTYPE plist 'x><dict/>", "line 1, column 17: the quotation mark is not closed"),
        ("<plist></plist>", "line 1, column 1: found an empty ‘plist’ element, expected a value in it"),
        (
            "<plist><dict/>",
            "line 1, column 15: found the end of the file, expected ‘</plist>’, because a property list holds one value"
        ),
        ("<plist><plist/></plist>", "line 1, column 8: found ‘plist’ at the top, expected a dictionary"),
        ("<plist>\n<array/></plist>", "line 2, column 1: found ‘array’ at the top, expected a dictionary"),
        (
            "<dict/><dict/>",
            "line 1, column 8: found ‘<’, expected the end of the file, because the property list ended before this"
        ),
        ("<dict", "line 1, column 6: found the end of the file, expected ‘>’ after the name of the element"),
        ("<dict a", "line 1, column 1: the tag does not end, so the file was probably cut off"),
        ("<dict/x>", "line 1, column 7: found ‘x’, expected ‘>’ after the ‘/’"),
        ("<dict a<>", "line 1, column 8: found ‘<’, expected the end of the tag"),
        ("<1/>", "line 1, column 1: “1” is not an element of a property list"),
        ("<-->", "line 1, column 2: found ‘-’, expected the name of an element"),
        ("<hash/>", "line 1, column 1: “hash” is not an element of a property list"),
        (
            "<averyveryverylongelementname/>",
            "line 1, column 1: “averyveryverylongele…” is not an element of a property list"
        ),
        ("<![CDATA[x]]>", "line 1, column 1: found a CDATA section where an element is expected"),
        ("<dict>x</dict>", "line 1, column 7: found ‘x’, expected a ‘key’ element or ‘</dict>’"),
        ("<dict><true/></dict>", "line 1, column 7: found ‘true’ in a dictionary, expected ‘key’"),
        (
            "<dict><key>a</key></dict>",
            "line 1, column 19: found the end of the dictionary, expected a value for the key"
        ),
        ("<dict></array>", "line 1, column 7: found “</array>”, expected ‘</dict>’"),
        (
            "<dict></dictionary-of-many-things>",
            "line 1, column 7: found “</dictionary-of-many…”, expected ‘</dict>’"
        ),
        ("<dict>", "line 1, column 7: found the end of the file, expected a ‘key’ element or ‘</dict>’"),
        ("<dict></dict x", "line 1, column 14: found ‘x’, expected ‘>’ at the end of the tag"),
        ("<dict><key>a", "line 1, column 13: found the end of the file, expected ‘</key>’"),
        (
            "<dict><key>a&b</key></dict>",
            "line 1, column 13: ‘&’ is not followed by a name and ‘;’ (‘&’ itself is written ‘&amp;’)"
        ),
        (
            "<dict><key>&nbsp;</key></dict>",
            "line 1, column 12: “&nbsp;” is not a character of XML, which names only &amp; &lt; &gt; &quot; and &apos;"
        ),
        ("<dict><key>&#xD800;</key></dict>", "line 1, column 12: “&#xD800;” is not a character"),
        ("<dict><key>&#12a;</key></dict>", "line 1, column 12: “&#12a;” is not a character"),
        ("<dict><key><![CDATA[a</key></dict>", "line 1, column 12: the CDATA section does not end"),
        (
            "<dict><key>e" + String(repeating: "\u{301}", count: 300) + "</key></dict>",
            "line 1, column 7: found a key with more than 256 combining marks in a row"
        ),
        ("<dict><key>a</key><true>x</true></dict>", "line 1, column 25: found ‘x’, expected ‘</true>’"),
        (
            "<dict>\n<key>a</key>\n\n\n<integer>12x</integer></dict>",
            "line 5, column 10: “12x” is not an integer"
        ),
        ("<dict><key>a</key><integer/></dict>", "line 1, column 29: found nothing, expected an integer"),
        (
            "<dict><key>a</key><integer>a\u{1B}[2Jb\u{202E}c</integer></dict>",
            "line 1, column 28: “a\\u{1B}[2Jb\\u{202E}c” is not an integer"
        ),
        (
            "<dict><key>a</key><integer>18446744073709551616</integer></dict>",
            "line 1, column 28: “18446744073709551616” is not between -9223372036854775808 and 18446744073709551615, the smallest and the largest integer"
        ),
        (
            "<dict><key>a</key><integer>-9999999999999999999999999</integer></dict>",
            "line 1, column 28: “-9999999999999999999…” is not between -9223372036854775808 and 18446744073709551615, the smallest and the largest integer"
        ),
        ("<dict><key>a</key><real>1,5</real></dict>", "line 1, column 25: “1,5” is not a decimal number"),
        (
            "<dict><key>a</key><real> </real></dict>",
            "line 1, column 25: found nothing, expected a decimal number"
        ),
        (
            "<dict><key>a</key><date>yesterday</date></dict>",
            "line 1, column 25: “yesterday” is not a date such as 2024-02-29T23:59:59Z"
        ),
        (
            "<dict><key>a</key><date/></dict>",
            "line 1, column 26: found nothing, expected a date such as 2024-02-29T23:59:59Z"
        ),
        (
            "<dict><key>a</key><data>A*</data></dict>",
            "line 1, column 26: found ‘*’ in data: expected a digit of Base64"
        ),
        (
            "<dict><key>a</key><data>A</data></dict>",
            "line 1, column 26: found ‘<’ in data: the Base64 digits end within a byte"
        ),
        (
            "<dict><key>a</key><data>AA==AA</data></dict>",
            "line 1, column 29: found ‘A’ in data: nothing may follow the padding"
        ),
        (
            "<dict><key>a</key><data>AAAA=</data></dict>",
            "line 1, column 29: found ‘=’ in data: the data is complete without it"
        ),
        (
            "<dict><key>a</key></true></dict>",
            "line 1, column 19: found the end of the dictionary, expected a value for the key"
        ),
        (
            String(repeating: "<dict><key>a</key>", count: 129),
            "line 1, column 2305: more than 128 arrays and dictionaries inside each other"
        ),
        ("", "line 1, column 1: found the end of the file, expected a property list"),
        ("// x", "line 1, column 5: found the end of the file, expected a property list"),
        ("/* x", "line 1, column 1: the comment does not end"),
        ("{a=b", "line 1, column 5: found the end of the file, expected ‘;’ after the value"),
        ("{a b}", "line 1, column 4: found ‘b’, expected ‘=’ or ‘;’ after the key"),
        (
            "{a=;}",
            "line 1, column 4: found ‘;’, expected a value (a string with other characters needs quotation marks)"
        ),
        ("{a=b c=d;}", "line 1, column 6: found ‘c’, expected ‘;’ after the value"),
        ("{=b;}", "line 1, column 2: found ‘=’, expected a key or ‘}’"),
        ("{a=(b c);}", "line 1, column 7: found ‘c’, expected ‘,’ or ‘)’ after the element"),
        ("{a=(b;)}", "line 1, column 6: found ‘;’, expected ‘,’ or ‘)’ after the element"),
        ("(a)", "line 1, column 1: found an array at the top, expected a dictionary like { key = value; }"),
        (
            "a b",
            "line 1, column 3: found ‘b’, expected the end of the file, because the property list ended before this"
        ),
        (
            "{a=b;} x",
            "line 1, column 8: found ‘x’, expected the end of the file, because the property list ended before this"
        ),
        (
            "é = 1;",
            "line 1, column 1: found U+00E9, expected a value (a string with other characters needs quotation marks)"
        ),
        (
            "\u{1B}[2J = 1;",
            "line 1, column 1: found U+001B, expected a value (a string with other characters needs quotation marks)"
        ),
        ("{a=\"x", "line 1, column 4: the quotation mark is not closed"),
        ("{a=b;\n", "line 2, column 1: found the end of the file, expected a key or ‘}’"),
        ("{a=<0g>;}", "line 1, column 6: found ‘g’, expected hexadecimal digits or ‘>’"),
        ("{a=<0>;}", "line 1, column 4: the data has an odd number of hexadecimal digits"),
        ("{a=<00", "line 1, column 7: found the end of the file, expected hexadecimal digits or ‘>’"),
        ("{a=<[A*]>;}", "line 1, column 7: found ‘*’ in data: expected a digit of Base64"),
        ("{a=<[AA", "line 1, column 4: the data does not end, expected ‘]>’ after it"),
        ("{a=<[AP8=]x>;}", "line 1, column 11: found ‘x’, expected ‘>’ after ‘]’"),
        (
            "{a=<*IX>;}",
            "line 1, column 4: “<*IX>” is not a value such as <*I5>, <*R1.5>, <*BY>, <*BN> or <*D2024-01-01 00:00:00 +0000>"
        ),
        (
            "{a=<*D2001-13-01 00:00:00 +0000>;}",
            "line 1, column 4: “<*D2001-13-01 00:00:…” is not a value such as <*I5>, <*R1.5>, <*BY>, <*BN> or <*D2024-01-01 00:00:00 +0000>"
        ),
        ("{a=<*I5", "line 1, column 4: the value does not end, expected ‘>’ after it"),
        ("{\"\\U\" = 1;}", "line 1, column 3: found ‘\\U’, expected up to four hexadecimal digits after it"),
        (
            "{\"\\UD83D\" = 1;}",
            "line 1, column 3: “\\UD83D” is half of a character, and the other half is not beside it"
        ),
        (
            "{\"\\UDE00x\" = 1;}",
            "line 1, column 3: “\\UDE00” is half of a character, and the other half is not beside it"
        ),
        (
            "{\"\\400\" = 1;}",
            "line 1, column 3: “\\400” has no character in NeXTSTEP\'s encoding, which has those up to \\375"
        ),
        (
            String(repeating: "{a=", count: 130),
            "line 1, column 385: more than 128 arrays and dictionaries inside each other"
        ),
        (
            "{\"e" + String(repeating: "\u{301}", count: 300) + "\"=1;}",
            "line 1, column 2: found a key with more than 256 combining marks in a row"
        ),
    ]

    static let encodings: [([UInt8], String)] = [
        (
            [0xFF, 0xFE, 0, 0, 0x3C, 0, 0, 0],
            "line 1, column 1: the text is UTF-32, expected UTF-8 or UTF-16"
        ),
        (
            Array("<?xml version='1.0' encoding='shift_jis'?><dict/>".utf8),
            "line 1, column 31: the declaration names the encoding “shift_jis”, expected UTF-8, US-ASCII, ISO-8859-1, or UTF-16 if the text is UTF-16"
        ),
        (
            Array("<?xml version='1.0' encoding='UTF-16'?><dict/>".utf8),
            "line 1, column 31: the declaration names the encoding “UTF-16”, expected UTF-8, US-ASCII, ISO-8859-1, or UTF-16 if the text is UTF-16"
        ),
        (
            Array("<?xml version='1.0' encoding='us-ascii'?><dict>é</dict>".utf8),
            "line 1, column 48: found a byte above 127, but the text is declared as US-ASCII"
        ),
        (
            [0xFE, 0xFF] + utf16("<dict>", bigEndian: true) + [0xD8, 0, 0, 0x3C],
            "line 1, column 7: found half of a character of UTF-16, expected the other half"
        ),
        (
            [0xFE, 0xFF] + utf16("<dict/>", bigEndian: true) + [0],
            "line 1, column 8: the text is UTF-16 and ends within a character"
        ),
        (
            Array("<dict><key>a".utf8) + [0xC3, 0x28] + Array("</key>".utf8),
            "line 1, column 13: found a byte that is not UTF-8"
        ),
        (
            Array("<dict><key>é".utf8) + [0xED, 0xA0, 0x80] + Array("</key>".utf8),
            "line 1, column 14: found a byte that is not UTF-8"
        ),
        (
            Array("{a = \"".utf8) + [0xC3, 0x28] + Array("\";}".utf8),
            "line 1, column 6: the string has bytes that are not UTF-8"
        ),
    ]

    static let binaries: [(BinaryBuilder, String)] = [
        (
            BinaryBuilder([0x09]).with { $0.header = "bplist02" },
            "byte 6: the version of the binary format is not 00 or 01"
        ),
        (
            BinaryBuilder([0x09]).with { $0.offsetSize = 0 },
            "byte 15: the last 32 bytes are not the end of a property list, so the file was probably cut off"
        ),
        (
            BinaryBuilder([0x09]).with { $0.count = 2 },
            "byte 19: the trailer\'s number of objects does not fit the length of the table of offsets"
        ),
        (
            BinaryBuilder([0x09]).with { $0.top = 1 },
            "byte 27: the trailer names a top object that is not in the table"
        ),
        (
            BinaryBuilder([0x09]).with { $0.tableStart = 8 },
            "byte 35: the trailer puts the table of offsets outside the file"
        ),
        (
            BinaryBuilder([0x09]).with { $0.offsets = [7] },
            "byte 9: the table puts object 0 outside the part of the file for objects"
        ),
        (BinaryBuilder([0x09]), "byte 8: found another value at the top, expected a dictionary"),
        (BinaryBuilder([0xA0]), "byte 8: found another value at the top, expected a dictionary"),
        (
            BinaryBuilder([0xD1, 1, 2], [0x51, 0x61], [0x70]),
            "byte 13: found the marker 0x70, which is not the marker of any kind of value"
        ),
        (
            BinaryBuilder([0xD1, 1, 2], [0x51, 0x61], [0x00]),
            "byte 13: found null, which settings can\'t store"
        ),
        (
            BinaryBuilder([0xD1, 1, 2], [0x51, 0x61], [0x0C]),
            "byte 13: found a URL, which settings can\'t store"
        ),
        (
            BinaryBuilder([0xD1, 1, 2], [0x51, 0x61], [0x0E]),
            "byte 13: found a UUID, which settings can\'t store"
        ),
        (
            BinaryBuilder([0xD1, 1, 2], [0x51, 0x61], [0xC0]),
            "byte 13: found a set, which settings can\'t store"
        ),
        (
            BinaryBuilder([0xD1, 1, 2], [0x51, 0x61], [0x13, 0]),
            "byte 13: the value reaches beyond the part of the file for objects"
        ),
        (
            BinaryBuilder([0xD1, 1, 2], [0x51, 0x61], [0x4F]),
            "byte 14: expected an integer of at most 8 bytes as the length of the value"
        ),
        (
            BinaryBuilder([0xD1, 1, 2], [0x51, 0x61], [0x4F, 0x22, 0, 0, 0, 0]),
            "byte 14: expected an integer of at most 8 bytes as the length of the value"
        ),
        (
            BinaryBuilder([0xD1, 1, 2], [0x51, 0x61], [0x4F, 0x12, 0]),
            "byte 14: the length reaches beyond the part of the file for objects"
        ),
        (
            BinaryBuilder([0xD1, 1, 2], [0x51, 0x61], [0x52, 0x61, 0x80]),
            "byte 15: found a byte above 127, but the string is marked as ASCII"
        ),
        (
            BinaryBuilder([0xD1, 1, 2], [0x51, 0x61], [0x61, 0xD8, 0x3D]),
            "byte 14: found half of a character of UTF-16, expected the other half"
        ),
        (
            BinaryBuilder([0xD1, 1, 2], [0x51, 0x61], [0x33, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0]),
            "byte 13: found a date that is not a finite number of seconds"
        ),
        (
            BinaryBuilder(
                [0xD1, 1, 2],
                [0x51, 0x61],
                [0x14] + BinaryBuilder.number(1, 8) + BinaryBuilder.number(0, 8)
            ),
            "byte 13: found an integer that is not between -9223372036854775808 and 18446744073709551615"
        ),
        (
            BinaryBuilder([0xD1, 1, 2], [0x51, 0x61], [0x8F, 1] + BinaryBuilder.number(0, 15)),
            "byte 13: found a UID of more than 64 bits"
        ),
        (
            BinaryBuilder([0xD1, 1, 2], [0x51, 0x61], [0xA1, 3]),
            "byte 14: found a reference to object 3, expected 0 to 2"
        ),
        (
            BinaryBuilder([0xD1, 1, 2], [0x51, 0x61], [0xA1, 2]),
            "byte 13: found an array or dictionary that contains itself"
        ),
        (BinaryBuilder([0xD1, 1, 1], [0x10, 5]), "byte 11: found a key that is not a string"),
        (BinaryBuilder([0xD1, 0, 0]), "byte 8: found a key that is not a string"),
    ]

    private func reason(_ file: [UInt8]) -> String {
        do throws(PropertyListError) {
            return "read: \(try PropertyListDocument.read(file).0.format)"
        } catch {
            return "\(error)"
        }
    }

    @Test("of a text say what is there and what it should be", arguments: texts)
    func ofTexts(_ text: String, _ expected: String) { #expect(reason(Array(text.utf8)) == expected) }

    @Test("of an encoding say which one is there", arguments: encodings)
    func ofEncodings(_ file: [UInt8], _ expected: String) { #expect(reason(file) == expected) }

    @Test("of a binary file say what is at which byte", arguments: binaries)
    func ofBinaries(_ file: BinaryBuilder, _ expected: String) { #expect(reason(file.bytes) == expected) }

    @Test(
        "quote nothing if the file has secrets",
        arguments: [
            (
                "<dict><key>a</key><integer>12x</integer></dict>",
                "line 1, column 28: the text here is not an integer"
            ),
            (
                "<dict><hunter2></dict>",
                "line 1, column 7: the text here is not an element of a property list"
            ),
            ("{a = b c;}", "line 1, column 8: found another character, expected ‘;’ after the value"),
            (
                #"{a = "\UD83D";}"#,
                "line 1, column 7: the text here is half of a character, and the other half is not beside it"
            ),
        ]
    )
    func withoutQuotations(_ text: String, _ expected: String) throws {
        let error = try #require(throws: PropertyListError.self) {
            try PropertyListDocument.read(Array(text.utf8))
        }
        #expect(error.withoutQuotations.description == expected)
    }
}
