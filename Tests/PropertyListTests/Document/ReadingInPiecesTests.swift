import Foundation
import Testing

@testable import PropertyList

@Suite("Reading a file in pieces, and documents without bytes")
struct ReadingInPiecesTests {
    private static let texts: [String] = [
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><!-- a --><dict>
        <key>a</key> <true/><key>b</key><integer>-12345</integer>
        <key>c</key><string>one &amp; two <![CDATA[<three>]]> über</string><!-- between -->
        <key>d</key><array><real>1.5</real><dict><key>in</key><data>AAEC</data></dict></array>
        <key>e</key><date>2024-02-29T23:59:59Z</date><?what ever?>
        </dict><!-- b --></plist>
        """,
        """
        <dict>
        <key>a</key><true/> <!-- one --> <!-- two
        lines -->\t
        <key>b</key><integer>1</integer> <!-- three --> <key>c</key> <true/> <!-- last -->
        </dict>
        """,
        "<dict><key>b</key><true></true><key>a</key><integer>1</integer></dict>",
        "<plist><dict><key>b</key><true/><key>a</key><false/><key>b</key><string/><key/><string>x</string></dict></plist> ",
        "<dict><key>long</key><string>\(String(repeating: "0123456789", count: 40))</string><key>m</key><true/></dict>",
    ]

    private func read(
        _ bytes: [UInt8],
        length: Int = 1 << 17,
        limits: PropertyListLimits = .standard
    ) throws -> (outline: PropertyListOutline, values: PropertyListEntries)? {
        var rest = bytes[...]
        let reading = try XMLWindowReader.read(expecting: bytes.count, limits: limits, length: length) {
            count in
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        return reading.map {
            (PropertyListOutline(form: .xml($0.outline), fingerprint: $0.fingerprint), $0.values)
        }
    }

    @Test("The values do not depend on where the pieces end", arguments: texts)
    func valuesDoNotDependOnWhereThePiecesEnd(text: String) throws {
        var count = 0
        // Each index of the text is the end of a piece once.
        for shift in 0..<16 {
            let bytes = Array((String(repeating: " ", count: shift) + text).utf8)
            let (document, values) = try PropertyListDocument.read(bytes)
            for length in [16, 32, 48, 256, 4096] {
                guard let pieces = try read(bytes, length: length) else {
                    // The first piece must contain everything before the entries.
                    #expect(length < shift + text.prefix { $0 != "k" }.utf8.count + 200)
                    continue
                }
                count += 1
                #expect(pieces.values == values)
                #expect(pieces.outline.xmlEnds == document.outline?.xmlEnds)
                var restored = try #require(pieces.outline.document(of: bytes))
                #expect(restored.bytes == bytes)
                var changed = document
                for changes: [String: PropertyListValue?] in [["a": 2, "zz": nil], ["b": nil, "new": "x"]] {
                    try restored.apply(changes)
                    try changed.apply(changes)
                    #expect(restored.bytes == changed.bytes)
                }
            }
        }
        #expect(count >= 32)
    }

    @Test("An invalid file is left to the reader of whole files", arguments: texts)
    func invalidFileIsLeftToTheReaderOfWholeFiles(text: String) throws {
        let bytes = Array(text.utf8)
        for end in bytes.indices {
            let part = Array(bytes[..<end])
            let values = (try? PropertyListDocument.read(part))?.values
            for length in [16, 64, 1 << 17] {
                let found = try read(part, length: length)?.values
                #expect(found == nil || found == values, "\(end)")
            }
            #expect(try read(part)?.values == values, "\(end)")
        }
    }

    @Test("Other formats are left to the reader of whole files")
    func otherFormatsAreLeftToTheReaderOfWholeFiles() throws {
        let value = PropertyListValue.dictionary(["a": 1])
        #expect(try read(value.encoded(as: .binary)) == nil)
        #expect(try read(Array("{a = 1;}".utf8)) == nil)
        #expect(try read(Array("<dict/>".utf8)) == nil)
        #expect(try read(Array("<array><true/></array>".utf8)) == nil)
        #expect(try read(Array("<dict><key>a</key><true/></dict>".utf16.flatMap { [UInt8($0), 0] })) == nil)
        #expect(try read([]) == nil)
        var limits = PropertyListLimits.standard
        limits.size = 40
        #expect(try read(Array("<dict><key>a</key><true/></dict>".utf8), limits: limits) != nil)
        #expect(
            try read(Array("<dict><key>a</key><true/></dict><!-- and more -->".utf8), limits: limits) == nil
        )
    }

    @Test("An error of the source is passed on")
    func errorOfTheSourceIsPassedOn() {
        #expect(throws: CocoaError.self) {
            try XMLWindowReader.read(expecting: 10, limits: .standard) { _ in
                throw CocoaError(.fileReadUnknown)
            }
        }
    }

    @Test(
        "An outline becomes a document only with exactly the same bytes",
        arguments: [PropertyListFormat.xml, .binary]
    )
    func outlineBecomesADocumentOnlyWithExactlyTheSameBytes(format: PropertyListFormat) throws {
        let values = Dictionary(
            uniqueKeysWithValues: (0..<20).map { ("key\($0)", PropertyListValue.real(Double($0))) }
        )
        let bytes = try PropertyListValue.dictionary(values).encoded(as: format)
        let outline = try #require(try PropertyListDocument.read(bytes).document.outline)
        #expect(outline.format == format)
        #expect(outline.document(of: bytes)?.bytes == bytes)
        #expect(outline.document(of: bytes)?.value(forKey: "key7") == .real(7))
        for place in bytes.indices {
            var others = bytes
            others[place] ^= 1
            #expect(outline.document(of: others) == nil, "\(place)")
        }
        #expect(outline.document(of: bytes + [0]) == nil)
        #expect(outline.document(of: bytes.dropLast()) == nil)
        #expect(outline.document(of: []) == nil)
    }

    @Test("A file in a format that is never written has no outline")
    func fileInAFormatThatIsNeverWrittenHasNoOutline() throws {
        #expect(try PropertyListDocument.read(Array("{a = 1;}".utf8)).document.outline == nil)
    }
}

extension PropertyListOutline {
    fileprivate var xmlEnds: [UInt32]? { if case .xml(let outline) = form { outline.ends } else { nil } }
}
