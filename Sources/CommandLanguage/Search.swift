import FoundationEssentials
import PropertyList

/// A word that is looked for, whatever the case of its letters.
public struct Search: Sendable {
    private let word: String

    public init(_ word: String) { self.word = word.lowercased() }

    public func matches(_ text: String) -> Bool { word.isEmpty || text.lowercased().contains(word) }

    /// Whether a value, or anything inside it, keys included, has the word in its text: that of the
    /// JSON in Data too, and of Data that is a text; other Data not.
    public func matches(_ value: PropertyListValue) -> Bool {
        switch value {
        case .string(let text): matches(text)
        case .boolean, .integer, .real, .date, .uid: matches(value.loneText)
        case .data(let data):
            matches(ValueNode(value).json?.source ?? text(of: data) ?? "")
        case .array(let elements): elements.contains(where: matches)
        case .dictionary(let entries): entries.contains { matches($0.key) || matches($0.value) }
        }
    }

    private func text(of data: Data) -> String? {
        data.contains(0) ? nil : String(validating: data, as: UTF8.self)
    }
}
