import Foundation
import ProgramHarness
import Testing

@testable import PropertyList

@Suite("Values that are packed during reading")
struct PackedValuesTests {
    private static let formats: [PropertyListFormat] = [.xml, .binary]

    @Test("Packed values of every kind read back the same", arguments: formats)
    func packedValuesOfEveryKindReadBackTheSame(_ format: PropertyListFormat) throws {
        var expected: [String: PropertyListValue] = [:]
        // More than one chunk, with each kind alone, in an array and in a dictionary.
        for round in 0..<5 {
            for (name, value) in Sample.everywhere {
                expected["\(name) \(round)"] = value
                expected["\(name) \(round) in an array"] = [value, value]
                expected["\(name) \(round) in a dictionary"] = [name: value, "é \(round)": [value]]
            }
        }
        let bytes = try PropertyListValue.dictionary(expected).encoded(as: format)
        var (document, values) = try PropertyListDocument.read(bytes)
        #expect(values == expected)
        #expect([String: PropertyListValue](values) == expected)
        for (key, value) in expected {
            #expect(values[key] == value)
            #expect(values.valueAskedFor(key) == value)
            #expect(values.valueAskedFor(key) == value, "a second time")
            #expect(document.value(forKey: key) == value)
        }
        #expect(values == expected)
        #expect(try document.update(to: bytes).isEmpty)
    }

    @Test("Changing some entries leaves the others unchanged")
    func changingSomeEntriesLeavesTheOthersUnchanged() throws {
        var generator = SeededGenerator(seed: 23)
        var expected: [String: PropertyListValue] = [:]
        for number in 0..<1500 {
            expected["key \(number)"] =
                [
                    .string("a text that is packed, number \(number)"),
                    .data(Data("data number \(number)".utf8)),
                    ["number": .integer(PropertyListInteger(-number)), "a": [true, 0.5]], 7,
                ][number % 4]
        }
        let bytes = try PropertyListValue.dictionary(expected).encoded(as: .binary)
        var values = try PropertyListDocument.read(bytes).values
        let copy = values
        let all = expected
        for round in 0..<4000 {
            let key = "key \(Int.random(in: 0..<1500, using: &generator))"
            switch round % 4 {
            case 0:
                values[key] = nil
                expected[key] = nil
            case 1:
                values[key] = .string("a text that has been put in here, \(round)")
                expected[key] = .string("a text that has been put in here, \(round)")
            default: #expect(values.valueAskedFor(key) == expected[key])
            }
        }
        #expect(values == expected)
        #expect(copy == all)
    }

    @Test("The last of two equal keys counts in XML and the first in binary")
    func lastOfTwoEqualKeysCountsInXMLAndTheFirstInBinary() throws {
        let xml =
            "<dict><key>d</key><dict><key>a</key><integer>1</integer><key>a</key><integer>2</integer></dict></dict>"
        #expect(try PropertyListDocument.read(Array(xml.utf8)).values == ["d": ["a": 2]])
        let binary = BinaryBuilder(
            [0xD1, 1, 2],
            [0x51, 0x64],
            [0xD2, 3, 3, 4, 5],
            [0x51, 0x61],
            [0x10, 1],
            [0x10, 2]
        )
        #expect(try PropertyListDocument.read(binary.bytes).values == ["d": ["a": 1]])
    }

    private static let archives: [(String, PropertyListValue)] = [
        ("<dict><key>CF$UID</key><integer>5</integer></dict>", .uid(5)),
        ("<dict><key>CF$UID</key><integer>-5</integer></dict>", ["CF$UID": -5]),
        ("<dict><key>CF$UID</key><integer>5</integer><key>a</key><true/></dict>", ["CF$UID": 5, "a": true]),
        (
            "<array><dict><key>CF$UID</key><integer>5</integer></dict><dict/><array/></array>",
            .array([.uid(5), .dictionary([:]), .array([])])
        ),
    ]

    @Test(
        "A reference of a keyed archive stays one, and a larger dictionary is none",
        arguments: archives
    )
    func referenceOfAKeyedArchiveStaysOneAndALargerDictionaryIsNone(
        _ text: String,
        _ value: PropertyListValue
    ) throws {
        let file = "<plist><dict><key>k</key>\(text)</dict></plist>"
        #expect(try PropertyListDocument.read(Array(file.utf8)).values == ["k": value])
    }

    @Test(
        "Dictionaries with one key can be nested deeply",
        .timeLimit(.minutes(60))
    )
    func dictionariesWithOneKeyCanBeNestedDeeply() throws {
        let depth = 100
        let text =
            String(repeating: "<dict><key>k</key>", count: depth) + "<true/>"
            + String(repeating: "</dict>", count: depth)
        let value = (1..<depth).reduce(PropertyListValue.boolean(true)) { inner, _ in ["k": inner] }
        #expect(try PropertyListDocument.read(Array(text.utf8)).values == ["k": value])
    }

    @Test(
        "An error inside a packed value has the right position",
        arguments: [
            ("<dict><key>k</key><array><string>abcdefghijklmnopqrst</string><integer>x</integer></array></dict>"),
            ("<dict><key>k</key><dict><key>a</key><date>never</date></dict></dict>"),
            ("<dict><key>k</key><data>AAAAAAAAAAAAAAAAAAAAAAAAAAA*</data></dict>"),
        ]
    )
    func errorInsideAPackedValueHasTheRightPosition(_ text: String) throws {
        let error = #expect(throws: PropertyListError.self) {
            try PropertyListDocument.read(Array(text.utf8))
        }
        let whole = #expect(throws: PropertyListError.self) { try PropertyListValue.read(Array(text.utf8)) }
        #expect(error?.place == whole?.place)
    }
}
