#if Configuration
import Foundation
import PropertyList

/// The values that `ProviderCompatTest` expects.
enum CompatibilityValues {
    enum Form: CaseIterable {
        /// Every key is a key of the suite.
        case flat
        /// Each component but the last is a dictionary.
        case nested
    }

    static func values(_ form: Form) -> [String: PropertyListValue] {
        form == .flat
            ? flat
            : flat.reduce(into: [:]) { values, entry in
                insert(entry.value, at: entry.key.split(separator: ".").map(String.init)[...], into: &values)
            }
    }

    private static func insert(
        _ value: PropertyListValue,
        at path: ArraySlice<String>,
        into values: inout [String: PropertyListValue]
    ) {
        guard let first = path.first else { return }
        if path.count == 1 {
            values[first] = value
            return
        }
        var members: [String: PropertyListValue] = [:]
        if case .dictionary(let existing)? = values[first] { members = existing }
        insert(value, at: path.dropFirst(), into: &members)
        values[first] = .dictionary(members)
    }

    private static let magic = PropertyListValue.data(Data("magic".utf8))
    private static let magic2 = PropertyListValue.data(Data("magic2".utf8))

    private static let flat: [String: PropertyListValue] = [
        "string": "Hello", "other.string": "Other Hello",
        "int": 42, "other.int": 24,
        "double": 3.14, "other.double": 2.72,
        "bool": true, "other.bool": false,
        "bytes": magic, "other.bytes": magic2,
        "stringy.array": ["Hello", "World"], "other.stringy.array": ["Hello", "Swift"],
        "inty.array": [42, 24], "other.inty.array": [16, 32],
        "doubly.array": [3.14, 2.72], "other.doubly.array": [0.9, 1.8],
        "booly.array": [true, false], "other.booly.array": [false, true, true],
        "byteChunky.array": .array([magic, magic2]),
        "other.byteChunky.array": .array([magic, magic2, magic]),
    ]
}
#endif
