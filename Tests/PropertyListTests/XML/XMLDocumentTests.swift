import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("A suite's file in XML")
struct XMLDocumentTests {
    private func document(_ text: String) throws -> PropertyListDocument {
        try PropertyListDocument.read(Array(text.utf8)).document
    }

    private func text(_ document: PropertyListDocument) -> String {
        String(decoding: document.bytes, as: UTF8.self)
    }

    @Test("A change keeps all other bytes")
    func changeKeepsAllOtherBytes() throws {
        let before = """
            <plist><!-- one --><dict a='b'>
              <!-- about a -->
              <key>a</key> <!-- between --> <integer>0x10</integer> <!-- about b -->
              <key>&#98;</key><string>\u{1B}<![CDATA[<>]]></string>
            <key>d</key><real>1.500</real><!-- of d -->
            <!-- last -->
            </dict></plist> <!-- after -->
            """
        var document = try document(before)
        try document.apply(["a": 17, "c": "new", "d": nil, "none": nil])
        #expect(
            text(document) == """
                <plist><!-- one --><dict a='b'>
                  <!-- about a -->
                  <key>a</key> <!-- between --> <integer>17</integer> <!-- about b -->
                  <key>&#98;</key><string>\u{1B}<![CDATA[<>]]></string>
                  <key>c</key>
                  <string>new</string>
                <!-- last -->
                </dict></plist> <!-- after -->
                """
        )
        #expect(document.value(forKey: "a") == 17)
        #expect(document.value(forKey: "b") == "\u{1B}<>")
        #expect(document.value(forKey: "d") == nil)
    }

    @Test("Setting the present value changes no byte")
    func settingThePresentValueChangesNoByte() throws {
        let before = "<dict><key>b</key><integer>0x10</integer><key>a</key><true></true></dict>"
        var document = try document(before)
        try document.apply(["a": true, "b": 16, "c": nil])
        #expect(text(document) == before)
    }

    @Test("Entries keep their order, and a new entry is inserted by its key")
    func entriesKeepTheirOrderAndANewEntryIsInsertedByItsKey() throws {
        let before = """
            <dict>
            <!-- window -->
            <key>window.width</key><integer>1</integer> <!-- px -->
            <key>window.height</key><integer>2</integer> <!-- px -->
            <!-- account -->
            <key>name</key><string>a</string>
            <key>alias</key><string>b</string>
            </dict>
            """
        var document = try document(before)
        #expect(document.value(forKey: "name") == "a")
        let changes: [String: PropertyListValue] = [
            "name": "c", "window.title": "t", "zoom": 3, "aaa": 0, "window.height": 5,
        ]
        try document.apply(changes)
        let after = """
            <dict>
            <key>aaa</key>
            <integer>0</integer>
            <!-- window -->
            <key>window.width</key><integer>1</integer> <!-- px -->
            <key>window.height</key><integer>5</integer> <!-- px -->
            <!-- account -->
            <key>name</key><string>c</string>
            <key>alias</key><string>b</string>
            <key>window.title</key>
            <string>t</string>
            <key>zoom</key>
            <integer>3</integer>
            </dict>
            """
        #expect(text(document) == after)
        var again = try self.document(before)
        let others = Dictionary(uniqueKeysWithValues: (0..<9).map { ("x\($0)", PropertyListValue?.none) })
        try again.apply(others.merging(changes) { $1 })
        #expect(text(again) == after)
    }

    @Test("A comment after a value on its line belongs to the value")
    func commentAfterAValueOnItsLineBelongsToTheValue() throws {
        var document = try document(
            """
            <dict>
            <key>a</key><true/> <!-- of a --> <!-- too -->
            <!-- of b -->
            <key>b</key><true/> <!-- of b -->
            <key>c</key><true/> <!-- of d --> <key>d</key><true/>
            </dict>
            """
        )
        try document.apply(["b": nil, "c": nil])
        #expect(
            text(document) == """
                <dict>
                <key>a</key><true/> <!-- of a --> <!-- too --> <!-- of d --> <key>d</key><true/>
                </dict>
                """
        )
    }

    @Test(
        "A renamed key keeps its position and comments, and can be renamed back",
        arguments: [0, 20]
    )
    func renamedKeyKeepsItsPositionAndCommentsAndCanBeRenamedBack(_ count: Int) throws {
        // Many changes at once use another algorithm.
        let others = (0..<count).map { "<key>k\($0)</key><integer>\($0)</integer>" }.joined()
        let start = "<dict>\(others)<key>z</key><true/>\n<!-- Section -->\n<key >n&#97;me</key>"
        let end = " <string>a</string> <!-- of name --><key>b</key><true/></dict>"
        var document = try document(start + end)
        var changes: [String: PropertyListValue?] = ["name": nil, "alias": "a"]
        for index in 0..<count { changes["k\(index)"] = .integer(PropertyListInteger(index)) }
        try document.apply(changes)
        let renamed = start.replacingOccurrences(of: "<key >n&#97;me</key>", with: "<key>alias</key>") + end
        #expect(text(document) == renamed)
        #expect(document.value(forKey: "alias") == "a" && document.value(forKey: "name") == nil)
        try document.apply(["name": "a", "alias": nil])
        #expect(
            text(document) == start.replacingOccurrences(of: "<key >n&#97;me</key>", with: "<key>name</key>")
                + end
        )
    }

    @Test("In a sorted file, only a renamed key with a comment keeps its position")
    func inASortedFileOnlyARenamedKeyWithACommentKeepsItsPosition() throws {
        let source =
            "<dict><!-- A --><key>a</key><true/><key>b</key><false/><key>c</key><integer>1</integer></dict>"
        var document = try document(source)
        try document.apply(["a": nil, "z": true])
        #expect(
            text(document)
                == "<dict><!-- A --><key>z</key><true/><key>b</key><false/><key>c</key><integer>1</integer></dict>"
        )
        #expect(document.value(forKey: "z") == true)
        try document.apply(["y": 1])
        #expect(document.value(forKey: "y") == 1 && document.value(forKey: "c") == 1)
        var sorted = try self.document(source)
        try sorted.apply(["b": nil, "d": false])
        #expect(
            text(sorted)
                == "<dict><!-- A --><key>a</key><true/><key>c</key><integer>1</integer>\n\t<key>d</key>\n\t<false/></dict>"
        )
    }

    @Test("The last of equal keys counts and stays alone after a change")
    func lastOfEqualKeysCountsAndStaysAloneAfterAChange() throws {
        var document = try document(
            "<dict><!--b--><key>b</key><true/><key>a</key><integer>1</integer><key>b</key> <false/><!--e--></dict>"
        )
        #expect(document.value(forKey: "b") == false)
        try document.apply(["c": 1])
        #expect(
            text(document)
                == "<dict><!--b--><key>b</key><true/><key>a</key><integer>1</integer><key>b</key> <false/>\n\t<key>c</key>\n\t<integer>1</integer><!--e--></dict>"
        )
        try document.apply(["b": 7])
        #expect(
            text(document)
                == "<dict><key>a</key><integer>1</integer><key>b</key> <integer>7</integer>\n\t<key>c</key>\n\t<integer>1</integer><!--e--></dict>"
        )
    }

    @Test(
        "A change inside a container keeps the bytes of its other children",
        arguments: [
            (
                "<array><integer>1</integer><!-- in --> <integer>0x2</integer> </array>", [1, 5],
                "<array><integer>1</integer><!-- in --> <integer>5</integer> </array>"
            ),
            (
                "<array>\n<integer>0x1</integer> <!-- one -->\n<integer>0x2</integer>\n</array>", [2, 1],
                "<array>\n<integer>0x2</integer>\n<integer>0x1</integer> <!-- one -->\n</array>"
            ),
            (
                "<array><real>1.50</real><true></true><real>2.50</real></array>", [1.5, "new", true, 2.5],
                "<array><real>1.50</real>\n\t\t<string>new</string><true></true><real>2.50</real></array>"
            ),
            (
                "<array><real>1.50</real><!-- x --><true/><real>2.50</real></array>", [1.5, 2.5],
                "<array><real>1.50</real><real>2.50</real></array>"
            ),
            (
                "<dict><key>z</key><true/><!-- z --><key>y</key><false></false></dict>",
                ["z": false, "y": false],
                "<dict><key>z</key><false/><!-- z --><key>y</key><false></false></dict>"
            ),
            (
                "<dict a='1'><key>b</key><string>&#233;</string><key>d</key><true/><!-- end --></dict>",
                ["b": "é", "c": 1, "d": true, "e": 2],
                "<dict a='1'><key>b</key><string>&#233;</string>\n\t\t<key>c</key>\n\t\t<integer>1</integer>"
                    + "<key>d</key><true/>\n\t\t<key>e</key>\n\t\t<integer>2</integer><!-- end --></dict>"
            ),
            (
                "<dict><key>in</key> <array><dict><key>n</key><integer>0x1</integer><key>m</key><true></true>"
                    + "</dict></array><key>o</key><string><![CDATA[<]]></string></dict>",
                ["in": [["n": 2, "m": true]], "o": "<"],
                "<dict><key>in</key> <array><dict><key>n</key><integer>2</integer><key>m</key><true></true>"
                    + "</dict></array><key>o</key><string><![CDATA[<]]></string></dict>"
            ),
            (
                "<dict><!-- note --><key>a</key> <integer>1</integer> </dict>", ["a": 2],
                "<dict><!-- note --><key>a</key> <integer>2</integer> </dict>"
            ),
            ("<array/>", [1], "<array>\n\t\t<integer>1</integer>\n\t</array>"),
            (
                "<dict><key>z</key><true/><!-- n --> <key>n</key> <real>1.50</real></dict>",
                ["z": true, "m": 1.5],
                "<dict><key>z</key><true/><!-- n --> <key>m</key> <real>1.50</real></dict>"
            ),
            ("<array><true/><!-- x --></array>", [], "<array/>"),
            (
                "<dict><key>a</key><true/><!-- x --></dict>", [1],
                "<array>\n\t\t<integer>1</integer>\n\t</array>"
            ),
        ] as [(String, PropertyListValue, String)]
    )
    func changeInsideAContainerKeepsTheBytesOfItsOtherChildren(
        before: String,
        new: PropertyListValue,
        after: String
    ) throws {
        func file(_ value: String) -> String {
            "<dict><key>a</key><true></true><key>k</key>\(value)<key>l</key><true></true></dict>"
        }
        var few = try document(file(before))
        try few.apply(["k": new])
        #expect(text(few) == file(after))
        #expect(few.value(forKey: "k") == new)
        // Many changes at once use another algorithm.
        var many = try document(file(before))
        let others = Dictionary(uniqueKeysWithValues: (0..<9).map { ("x\($0)", PropertyListValue?.none) })
        try many.apply(others.merging(["k": new]) { $1 })
        #expect(text(many) == file(after))
    }

    @Test("A value that XML cannot hold is refused with its path")
    func valueThatXMLCannotHoldIsRefusedWithItsPath() throws {
        let before =
            "<dict><key>k</key><array><dict><key>n</key><true/><key>m</key><true/></dict></array></dict>"
        var document = try document(before)
        let error = #expect(throws: PropertyListError.self) {
            try document.apply(["k": [["n": true, "m": "\u{1}"]]])
        }
        #expect(error?.place == .path([.key("k"), .index(0), .key("m")]))
        #expect(text(document) == before)
    }

    @Test("Removing a key removes all of its entries")
    func removingAKeyRemovesAllOfItsEntries() throws {
        var document = try document("<dict><key>a</key><true/><key>b</key><true/><key>a</key><false/></dict>")
        try document.apply(["a": nil])
        #expect(text(document) == "<dict><key>b</key><true/></dict>")
    }

    @Test(
        "Setting a key keeps its other Unicode form, and removing it removes both"
    )
    func settingAKeyKeepsItsOtherUnicodeFormAndRemovingItRemovesBoth() throws {
        let file =
            "<dict><key>\u{E9}</key><true/><key>e\u{301}</key><false/><key>e\u{301}</key><true/></dict>"
        var (document, values) = try PropertyListDocument.read(Array(file.utf8))
        #expect(values == ["\u{E9}": true])
        #expect(values.keysInSeveralForms.map { Array($0.utf8) }.allSatisfy { $0 == [0x65, 0xCC, 0x81] })
        #expect(!values.keysInSeveralForms.isEmpty)
        try document.apply(["\u{E9}": 1])
        #expect(
            text(document).utf8.elementsEqual(
                "<dict><key>\u{E9}</key><true/><key>e\u{301}</key><integer>1</integer></dict>".utf8
            )
        )
        #expect(try PropertyListDocument.read(document.bytes).values == ["\u{E9}": 1])
        try document.apply(["\u{E9}": nil])
        #expect(text(document) == "<dict></dict>")
    }

    @Test("A string or key that differs only in its Unicode form is written")
    func stringOrKeyThatDiffersOnlyInItsUnicodeFormIsWritten() throws {
        var document = try document(
            "<dict><key>d</key><dict>\n<key>e\u{301}</key> <!-- c --><true/></dict><key>v</key><string>e\u{301}</string></dict>"
        )
        try document.apply(["v": "\u{E9}", "d": ["\u{E9}": true]])
        #expect(
            text(document).utf8.elementsEqual(
                "<dict><key>d</key><dict>\n<key>\u{E9}</key> <!-- c --><true/></dict><key>v</key><string>\u{E9}</string></dict>"
                    .utf8
            )
        )
    }

    @Test("Canonically equivalent keys are one key")
    func canonicallyEquivalentKeysAreOneKey() throws {
        var document = try document("<dict><key>e\u{301}</key><true/></dict>")
        #expect(document.value(forKey: "\u{E9}") == true)
        try document.apply(["\u{E9}": 1])
        #expect(try PropertyListDocument.read(document.bytes).values == ["\u{E9}": 1])
        var kelvin = try self.document("<dict><key>K</key><true/></dict>")
        let differences = try kelvin.update(to: Array("<dict><key>\u{212A}</key><true/></dict>".utf8))
        #expect(differences.isEmpty)
    }

    static let empty = [
        "<dict/>", "<dict />", "<plist><dict></dict></plist>", "<dict>\n</dict>", "<dict a='/>'/>",
        "<?xml version='1.0'?><plist version=\"1.0\"><!-- --><dict><!-- --></dict></plist>",
    ]

    @Test("An empty dictionary can be filled and emptied", arguments: empty)
    func emptyDictionaryCanBeFilledAndEmptied(_ before: String) throws {
        var (document, values) = try PropertyListDocument.read(Array(before.utf8))
        #expect(values.isEmpty)
        try document.apply(["a": nil])
        #expect(text(document) == before)
        try document.apply(["a": 1, "b": nil])
        #expect(try PropertyListDocument.read(document.bytes).values == ["a": 1])
        try document.apply(["a": nil])
        #expect(try PropertyListDocument.read(document.bytes).values.isEmpty)
    }

    @Test("A new document has the bytes that Foundation writes")
    func newDocumentHasTheBytesThatFoundationWrites() throws {
        var document = PropertyListDocument(format: .xml)
        let foundation = try PropertyListSerialization.data(
            fromPropertyList: [String: Any](),
            format: .xml,
            options: 0
        )
        #expect(document.bytes == Array(foundation))
        try document.apply(["b": ["x": [1]], "a": .data(Data(0...255))])
        #expect(
            try document.bytes
                == PropertyListValue.dictionary(["b": ["x": [1]], "a": .data(Data(0...255))]).encoded(
                    as: .xml
                )
        )
    }

    @Test("At the top, CF$UID is a normal key")
    func atTheTopCFUIDIsANormalKey() throws {
        var document = PropertyListDocument(format: .xml)
        try document.apply(["CF$UID": 5])
        #expect(try PropertyListDocument.read(document.bytes).values == ["CF$UID": 5])
    }

    @Test("A refused change leaves the document unchanged and names the path")
    func refusedChangeLeavesTheDocumentUnchangedAndNamesThePath() throws {
        var document = try document("<dict><key>a</key><true/></dict>")
        let before = document.bytes
        let error = try #require(throws: PropertyListError.self) {
            try document.apply(["b": 1, "c": ["d": "\u{1B}"]])
        }
        #expect("\(error)".hasPrefix("/c/d: "))
        #expect(document.bytes == before)
        #expect(throws: PropertyListError.self) { try document.update(to: Array("<dict><key>".utf8)) }
        #expect(throws: PropertyListError.self) { try document.update(to: []) }
        #expect(document.bytes == before)
    }

    @Test("Update finds the same changes as a full reading", arguments: 0..<40)
    func updateFindsTheSameChangesAsAFullReading(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "<key>a</key><true/>", "<key>b</key><integer>1</integer>", "<key>c</key><string>x</string>",
            "<!-- -->",
            "<key>a</key><false/>", "<key>b</key><integer>0x1</integer>",
            "<key>d</key><dict><key>a</key><true/></dict>",
            "<key>e</key><array><true/></array>", "\n", "<key>&#97;</key><true/>", "<key>f</key>", "</dict>",
            "x",
            "<key>g</key><data>AAAA</data>", "<key>h</key><real>1</real>",
        ]
        func version() -> [UInt8] {
            var body: [String] = []
            for _ in 0..<Int.random(in: 0..<8, using: &generator) {
                let last = Int.random(in: 0..<10, using: &generator) == 0 ? pieces.count : 10
                body.append(pieces[Int.random(in: 0..<last, using: &generator)])
            }
            if Bool.random(using: &generator) { body.sort() }
            return Array("<dict>\(body.joined())</dict>".utf8)
        }
        var current = Array("<dict/>".utf8)
        var (document, values) = try PropertyListDocument.read(current)
        for _ in 0..<200 {
            let next = version()
            guard let full = try? PropertyListDocument.read(next) else {
                #expect(throws: PropertyListError.self) { try document.update(to: next) }
                #expect(document.bytes == current)
                continue
            }
            let differences = try document.update(to: next)
            for (key, value) in differences {
                #expect(values[key] != value, "only what differs is told")
                values[key] = value
            }
            #expect(values == full.values)
            current = next
        }
    }

    @Test(
        "A new entry has the style of the first one",
        arguments: [("\r\n", "  "), ("\n", "    "), ("\n", ""), ("\r\n", "\t"), ("\n", "\t")]
    )
    func newEntryHasTheStyleOfTheFirstOne(_ lineEnd: String, _ indentation: String) throws {
        let lines = { (entries: [String]) in
            (["<plist>", "<dict>"] + entries.map { indentation + $0 } + ["</dict>", "</plist>", ""])
                .joined(separator: lineEnd)
        }
        var document = try PropertyListDocument.read(Array(lines(["<key>b</key>", "<true/>"]).utf8)).document
        try document.apply(["a": 1, "c": ["x"]])
        let expected = lines([
            "<key>a</key>", "<integer>1</integer>", "<key>b</key>", "<true/>", "<key>c</key>", "<array>",
            indentation + "<string>x</string>", "</array>",
        ])
        #expect(String(decoding: document.bytes, as: UTF8.self) == expected)
    }
}
