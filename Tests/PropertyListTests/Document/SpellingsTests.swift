import Foundation
import PropertyList
import Testing

@Suite("Restoring the form of earlier entries")
struct SpellingsTests {
    private static let unsorted = """
        <plist version="1.0"><dict>
          <!-- about the window -->
          <key>width</key>  <real>1.50</real> <!-- px -->
          <key>colours</key><array><integer>0x10</integer><!-- grey --> <string>&#65;</string></array>
        \t<key>a</key>
            <dict><key>z</key><true></true><!-- z --><key>y</key><real>2.0e1</real></dict><!-- end of a -->
          <key>last</key><date>2024-01-01T00:00:00Z</date>
        </dict></plist>

        """

    private static let sorted = """
        <plist version="1.0"><dict>
        <key>a</key> <real>1.50</real><!-- px -->
        <!-- of b --><key>b</key><string><![CDATA[x]]></string>
          <key>&#99;</key>   <integer>007</integer><!-- last -->
        </dict></plist>
        """

    private typealias Changes = [String: PropertyListValue?]

    private static func document(_ text: String) throws -> PropertyListDocument {
        try PropertyListDocument.read(Array(text.utf8)).document
    }

    @Test(
        "Undoing a change restores the exact bytes",
        arguments: [
            (unsorted, ["width": 2.0]), (unsorted, ["width": nil]), (unsorted, ["colours": [16, "B"]]),
            (unsorted, ["a": ["z": true, "y": 3.0]]), (unsorted, ["a": nil, "width": nil]),
            (unsorted, ["last": nil]), (unsorted, ["a": nil, "b": ["z": true, "y": 20.0]]),
            (unsorted, ["width": "text", "colours": nil, "new": 1]),
            (unsorted, ["width": nil, "colours": nil, "a": nil, "last": nil]),
            (sorted, ["a": 2.0, "b": "y", "c": 8]), (sorted, ["a": nil]), (sorted, ["b": nil]),
            (sorted, ["c": nil, "d": 7]),
        ] as [(String, [String: PropertyListValue?])]
    )
    func undoingAChangeRestoresTheExactBytes(text: String, changes: [String: PropertyListValue?]) throws {
        // Few changes become splices; many are written in one walk.
        for others in [0, 20] {
            var changes = changes
            for number in 0..<others { changes["x\(number)"] = .some(.boolean(true)) }
            var document = try Self.document(text)
            let before = document
            var spellings = Spellings()
            for _ in 0..<2 {
                var back: Changes = [:]
                for key in changes.keys { back[key] = .some(before.value(forKey: key)) }
                spellings.note(changes.keys, of: document)
                document.make(try document.edit(changes, spelledAs: spellings))
                let changed = document
                #expect(String(decoding: changed.bytes, as: UTF8.self) != text)
                spellings.note(back.keys, of: document)
                document.make(try document.edit(back, spelledAs: spellings))
                #expect(String(decoding: document.bytes, as: UTF8.self) == text)
                // A second undo of the same change works too.
                spellings.note(changes.keys, of: document)
                document.make(try document.edit(changes, spelledAs: spellings))
                #expect(document.bytes == changed.bytes)
                document.make(try document.edit(back, spelledAs: spellings))
                #expect(String(decoding: document.bytes, as: UTF8.self) == text)
            }
        }
    }

    @Test("A new value or another key is written in the plain form")
    func newValueOrAnotherKeyIsWrittenInThePlainForm() throws {
        var document = try Self.document(Self.sorted)
        var spellings = Spellings()
        spellings.note(["a", "b", "none"], of: document)
        document.make(try document.edit(["a": 1.25, "d": 1.5], spelledAs: spellings))
        let text = String(decoding: document.bytes, as: UTF8.self)
        #expect(text.contains("<key>a</key> <real>1.25</real><!-- px -->"))
        #expect(text.contains("\n<key>d</key>\n<real>1.5</real>"))
        // The present white space around the entry stays.
        document = try Self.document(Self.sorted.replacing("px", with: "points").replacing("1.50", with: "3"))
        document.make(try document.edit(["a": 1.5], spelledAs: spellings))
        #expect(
            String(decoding: document.bytes, as: UTF8.self).contains(
                "<key>a</key> <real>1.50</real><!-- points -->"
            )
        )
    }

    @Test("Only recent and small spellings are kept")
    func onlyRecentAndSmallSpellingsAreKept() throws {
        var document = PropertyListDocument(format: .xml)
        var spellings = Spellings()
        let long = String(repeating: "x", count: 100_000)
        let text = "<plist version=\"1.0\"><dict><key>first</key> <real>1.50</real></dict></plist>"
        document = try Self.document(text)
        spellings.note(["first"], of: document)
        try document.apply(["first": 2.0])
        for number in 0..<20 {
            let key = "k\(number)"
            try document.apply([key: .string(long)])
            spellings.note([key], of: document)
        }
        document.make(try document.edit(["first": 1.5], spelledAs: spellings))
        #expect(String(decoding: document.bytes, as: UTF8.self).contains("<real>1.5</real>"))
        // Sixteen values of one key are kept.
        document = try Self.document(text)
        for number in 0..<17 {
            spellings.note(["first"], of: document)
            try document.apply(["first": .integer(PropertyListInteger(number))])
        }
        document.make(try document.edit(["first": 1.5], spelledAs: spellings))
        #expect(String(decoding: document.bytes, as: UTF8.self).contains("<real>1.5</real>"))
    }
}
