import Foundation
import PropertyList
import ValueDiff

/// Data with a JSON text, as `Codable` values are stored.
func json(_ text: String) -> PropertyListValue { .data(Data(text.utf8)) }

/// Whether two values are equal, but for white space and the order of members in JSON texts.
func hasSameContent(_ value: PropertyListValue?, _ expected: PropertyListValue?) -> Bool {
    guard let value, let expected else { return value == nil && expected == nil }
    if value == expected { return true }
    if case .dictionary(let mine) = value, case .dictionary(let theirs) = expected {
        return mine.keys == theirs.keys && mine.allSatisfy { hasSameContent($1, theirs[$0]) }
    }
    return ValueNode(value).isWrittenOtherwise(in: ValueNode(expected))
}
