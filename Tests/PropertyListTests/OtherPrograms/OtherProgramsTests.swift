import Foundation
import PropertyList
import Testing

/// Foundation reads the files of this package, and this package reads those of Foundation. `KeptTablesTests` has the same
/// for each kind of value, with plistlib and plistutil.
@Suite("Property lists of Foundation")
struct OtherProgramsTests {
    /// A value that Foundation can hold.
    private static let shared: PropertyListValue = [
        "boolean": true, "integer": -5, "large": .integer(PropertyListInteger(UInt64.max)),
        "least": .integer(PropertyListInteger(Int64.min)), "sizes": [255, 256, 65535, 65536, 4_294_967_296],
        "real": 0.1, "zero": .real(-0.0), "infinite": [.real(.infinity), .real(-.infinity)], "huge": 1e300,
        "string": "<&> \"é\" 😀 \t\n", "empty": "", "data": .data(Data(0...255)), "none": .data(Data()),
        "date": .date(Date(timeIntervalSince1970: 1_709_251_199)), "": "empty key", "é": 1, "😀": 2,
        "\u{FFFD}": 3,
        "array": [[], [:], ["a": ["b": [1, 2.0, false]]]],
        "many": .array((0..<300).map { .string("element \($0)") }),
    ]

    @Test("Foundation reads the written files", arguments: [PropertyListFormat.xml, .binary])
    func foundationReadsTheWrittenFiles(_ format: PropertyListFormat) throws {
        let file = Data(try Self.shared.encoded(as: format))
        let object = try PropertyListSerialization.propertyList(from: file, format: nil)
        #expect(try Self.value(object) == Self.shared)
    }

    @Test("Files written by Foundation are read", arguments: [PropertyListFormat.xml, .binary])
    func filesWrittenByFoundationAreRead(_ format: PropertyListFormat) throws {
        let file = try PropertyListSerialization.data(
            fromPropertyList: Self.object(Self.shared),
            format: format == .xml ? .xml : .binary,
            options: 0
        )
        guard case .dictionary(var values) = try PropertyListValue.read(Array(file)).value,
            case .dictionary(var expected) = Self.shared
        else {
            Issue.record("not a dictionary")
            return
        }
        // Foundation on Linux drops the sign of a negative zero in XML.
        if format == .xml { (values["zero"], expected["zero"]) = (nil, nil) }
        #expect(values == expected)
        var document = try PropertyListDocument.read(Array(file)).document
        try document.apply(["boolean": false])
        expected["boolean"] = false
        if format == .binary { #expect(try PropertyListDocument.read(document.bytes).values == expected) }
    }

    @Test("A suite's file looks like Foundation's, except for the digits of reals")
    func suitesFileLooksLikeFoundationsExceptForTheDigitsOfReals() throws {
        guard case .dictionary(var values) = Self.shared else { return }
        for key in ["real", "zero", "huge", "array", "😀", "\u{FFFD}"] { values[key] = nil }
        let value = PropertyListValue.dictionary(values)
        let file = try PropertyListSerialization.data(
            fromPropertyList: Self.object(value),
            format: .xml,
            options: 0
        )
        #expect(
            String(decoding: try value.encoded(as: .xml), as: UTF8.self)
                == String(decoding: file, as: UTF8.self)
        )
    }

    private static func object(_ value: PropertyListValue) -> Any {
        switch value {
        case .boolean(let value): value
        case .integer(let value): Int64(exactly: value).map { $0 as Any } ?? value.magnitude
        case .real(let value): value
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .array(let elements): elements.map(object)
        case .dictionary(let entries): entries.mapValues(object)
        case .uid, .null, .number: fatalError("Foundation has no public type for it")
        }
    }

    private static func value(_ object: Any) throws -> PropertyListValue {
        switch object {
        case let value as String: return .string(value)
        case let value as Date: return .date(value)
        case let value as Data: return .data(value)
        case let elements as [Any]: return .array(try elements.map(value))
        case let entries as [String: Any]: return .dictionary(try entries.mapValues(value))
        case let number as NSNumber:
            switch UInt8(bitPattern: number.objCType.pointee) {
            case UInt8(ascii: "c")
            where type(of: object) == Bool.self || number === NSNumber(value: number.boolValue):
                return .boolean(number.boolValue)
            case UInt8(ascii: "d"), UInt8(ascii: "f"): return .real(number.doubleValue)
            case UInt8(ascii: "Q"): return .integer(PropertyListInteger(number.uint64Value))
            default: return .integer(PropertyListInteger(number.int64Value))
            }
        default: throw CocoaError(.coderInvalidValue)
        }
    }
}
