import Foundation
import PropertyList

/// Sample settings of mixed types. Of each sixteen, four are integers, four booleans and four strings, and
/// the others a real number, a date, data, and an array or a dictionary.
enum Sample {
    static func key(_ index: Int) -> String {
        let digits = String(index)
        return "key" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    /// A key with a string and a key with an integer, which every sample contains.
    static let stringKey = key(2)
    static let integerKey = key(4)

    static func value(_ index: Int) -> PropertyListValue {
        switch index % 16 {
        case 0, 4, 8, 12: .integer(PropertyListInteger(index))
        case 1, 5, 9, 13: .boolean(index % 8 == 1)
        case 10: .real(Double(index) / 7)
        case 11: .date(Date(timeIntervalSinceReferenceDate: Double(index) * 1000))
        case 14: .data(Data("data number \(index) of the store".utf8))
        case 15 where index % 32 == 15: [.integer(PropertyListInteger(index)), "two", 3.5]
        case 15: ["name": .string("number \(index)"), "width": 80, "visible": true]
        default: .string("value number \(index) of the store")
        }
    }

    static func values(keys: Int) -> [String: PropertyListValue] {
        Dictionary(uniqueKeysWithValues: (0..<keys).map { (key($0), value($0)) })
    }

    /// The same values for Foundation.
    static func foundationValues(keys: Int) -> [String: Any] { values(keys: keys).mapValues(foundation) }

    private static func foundation(_ value: PropertyListValue) -> Any {
        switch value {
        case .boolean(let value): value
        case .integer(let value): Int(exactly: value) ?? 0
        case .real(let value): value
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .array(let values): values.map(foundation)
        case .dictionary(let values): values.mapValues(foundation)
        case .uid(let value): value
        case .null, .number: value.editText ?? ""
        }
    }

    /// Returns a file as Foundation writes it.
    static func file(keys: Int, _ format: PropertyListSerialization.PropertyListFormat) throws -> Data {
        try PropertyListSerialization.data(
            fromPropertyList: foundationValues(keys: keys),
            format: format,
            options: 0
        )
    }

    /// Returns the same values as a JSON file of ours. Dates and data are texts in it.
    static func jsonFile(keys: Int) throws -> [UInt8] {
        var document = PropertyListDocument(format: .json)
        try document.apply(values(keys: keys).mapValues { Optional($0) })
        return document.bytes
    }
}
