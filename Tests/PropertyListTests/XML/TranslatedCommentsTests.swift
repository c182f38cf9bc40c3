import Foundation
import PropertyList
import Testing

@Suite("A file that is converted to UTF-8 XML keeps its comments")
struct TranslatedCommentsTests {
    private func changed(_ file: [UInt8], _ changes: [String: PropertyListValue?] = ["zz": 1]) throws
        -> String
    {
        var document = try PropertyListDocument.read(file).document
        try document.apply(changes)
        let text = String(decoding: document.bytes, as: UTF8.self)
        #expect(try PropertyListDocument.read(document.bytes).document.format == .xml)
        return text
    }

    private func body(_ text: String) throws -> String {
        let start = try #require(text.range(of: "<plist version=\"1.0\">\n")).upperBound
        let end = try #require(text.range(of: "\n</plist>")).lowerBound
        return String(text[start..<end])
    }

    static let openStepFiles: [(String, String)] = [
        (
            "/* keep me */ {\n // the name\n name = a; }\n",
            "<!-- keep me -->\n<!-- the name-->\n<dict>\n\t<key>name</key>\n\t<string>a</string>\n\t<key>zz</key>\n\t<integer>1</integer>\n</dict>"
        ),
        (
            "b = 1; // of b\n/* of a */ a = 2;\n// end",
            "<!-- of b-->\n<!-- of a -->\n<!-- end-->\n<dict>\n\t<key>a</key>\n\t<string>2</string>\n\t<key>b</key>\n\t<string>1</string>\n\t<key>zz</key>\n\t<integer>1</integer>\n</dict>"
        ),
        (
            "{ a = ( 1, /* in it */ 2 ); /* of b */ b = 3; }",
            "<!-- in it -->\n<!-- of b -->\n<dict>\n\t<key>a</key>\n\t<array>\n\t\t<string>1</string>\n\t\t<string>2</string>\n\t</array>\n\t<key>b</key>\n\t<string>3</string>\n\t<key>zz</key>\n\t<integer>1</integer>\n</dict>"
        ),
        (
            "{ a = 1; /* one */ // two\n /* three */ }",
            "<!-- one -->\n<!-- two-->\n<!-- three -->\n<dict>\n\t<key>a</key>\n\t<string>1</string>\n\t<key>zz</key>\n\t<integer>1</integer>\n</dict>"
        ),
        (
            "{ a = 1; /* one\n<b */\n a = 1; /* two */\n }",
            "<!-- one\n<b -->\n<!-- two -->\n<dict>\n\t<key>a</key>\n\t<string>1</string>\n\t<key>zz</key>\n\t<integer>1</integer>\n</dict>"
        ),
        (
            "/* nothing */ { /* in it */ }",
            "<!-- nothing -->\n<!-- in it -->\n<dict>\n\t<key>zz</key>\n\t<integer>1</integer>\n</dict>"
        ),
        (
            "{} // --x-\u{1}-",
            "<!-- - -x-\u{FFFD}- -->\n<dict>\n\t<key>zz</key>\n\t<integer>1</integer>\n</dict>"
        ),
    ]

    @Test("Comments of an OpenStep file move to the top of the XML file", arguments: openStepFiles)
    func commentsOfAnOpenStepFileMoveToTheTopOfTheXMLFile(_ file: String, _ expected: String) throws {
        #expect(try body(changed(Array(file.utf8))) == expected)
    }

    @Test("XML in another encoding keeps its text in UTF-8")
    func xmlInAnotherEncodingKeepsItsTextInUTF8() throws {
        func file(_ encoding: String) -> String {
            "<?xml version='1.0' encoding='\(encoding)'?>\n<!-- é -->\n<?note x?><plist>\n<dict>\n  <!-- of a -->\n  "
                + "<key>a</key>  <integer>0x10</integer> <!-- here -->\n</dict></plist>\n<!-- end -->"
        }
        func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
            text.utf16.flatMap {
                bigEndian ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
            }
        }
        let files: [[UInt8]] = [
            file("ISO-8859-1").unicodeScalars.map { UInt8($0.value) },
            utf16(file("UTF-16"), bigEndian: false), [0xFE, 0xFF] + utf16(file("utf-16"), bigEndian: true),
        ]
        for bytes in files {
            let entry = "\n  <key>zz</key>\n  <integer>1</integer>"
            let expected = file("UTF-8").replacingOccurrences(
                of: " <!-- here -->",
                with: " <!-- here -->" + entry
            )
            #expect(try changed(bytes) == expected)
        }
    }
}
