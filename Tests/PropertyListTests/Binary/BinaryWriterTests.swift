import Foundation
import PropertyList
import Testing

@Suite("Writing binary property lists")
struct BinaryWriterTests {
    @Test("A written value reads back the same", arguments: Sample.everywhere)
    func writtenValueReadsBackTheSame(_ name: String, _ value: PropertyListValue) throws {
        #expect(try PropertyListValue.read(value.encoded(as: .binary)).value == value)
        let nested = PropertyListValue.dictionary(["a": [value, value], "b": value])
        #expect(try PropertyListValue.read(nested.encoded(as: .binary)).value == nested)
    }

    static let binaryOnly: [(String, PropertyListValue)] =
        Sample.notInXML.map { ($0.0, $0.1) } + [
            ("fraction", .date(Date(timeIntervalSinceReferenceDate: 0.1))),
            ("far away", .date(Date(timeIntervalSinceReferenceDate: -1e300))),
            ("NaN with sign and payload", .real(-Double(nan: 5, signaling: false))),
            ("a large uid", .uid(.max)),
        ]

    @Test("Values that XML cannot hold are preserved", arguments: binaryOnly)
    func valuesThatXMLCannotHoldArePreserved(_ name: String, _ value: PropertyListValue) throws {
        #expect(try PropertyListValue.read(value.encoded(as: .binary)).value == value)
    }

    @Test(
        "A date that is not a finite number is refused with its path",
        arguments: [Double.nan, .infinity, -.infinity]
    )
    func dateThatIsNotAFiniteNumberIsRefusedWithItsPath(_ seconds: Double) throws {
        let value: PropertyListValue = ["a": [.date(Date(timeIntervalSinceReferenceDate: seconds))]]
        let error = try #require(throws: PropertyListError.self) { try value.encoded(as: .binary) }
        #expect(error == PropertyListError(.path([.key("a"), .index(0)]), .unrepresentable, error.problem))
    }

    @Test("Integers take the fewest bytes that CoreFoundation reads as unsigned")
    func integersTakeTheFewestBytesThatCoreFoundationReadsAsUnsigned() throws {
        let widths: [(PropertyListValue, UInt8)] = [
            (0, 0x10), (255, 0x10), (256, 0x11), (65535, 0x11), (65536, 0x12), (4_294_967_295, 0x12),
            (4_294_967_296, 0x13), (-1, 0x13), (.integer(PropertyListInteger(Int64.max)), 0x13),
            (.integer(PropertyListInteger(UInt64.max)), 0x14),
        ]
        for (value, marker) in widths { #expect(try value.encoded(as: .binary)[8] == marker, "\(value)") }
    }

    @Test("Dictionaries in an array share their keys, except different Unicode forms")
    func dictionariesInAnArrayShareTheirKeysExceptDifferentUnicodeForms() throws {
        let key = String(repeating: "long key ", count: 20)
        let value = PropertyListValue.array((0..<100).map { [key: .integer(PropertyListInteger($0))] })
        #expect(try value.encoded(as: .binary).count < 2000)
        let spellings: PropertyListValue = [["K": 1], ["\u{212A}": 2], ["\u{E9}": 3], ["e\u{301}": 4]]
        guard case .array(let elements) = try PropertyListValue.read(spellings.encoded(as: .binary)).value
        else {
            Issue.record("not an array")
            return
        }
        let keys = elements.map { element -> [[UInt8]] in
            if case .dictionary(let entries) = element { entries.keys.map { Array($0.utf8) } } else { [] }
        }
        #expect(keys == ["K", "\u{212A}", "\u{E9}", "e\u{301}"].map { [Array($0.utf8)] })
    }
}
