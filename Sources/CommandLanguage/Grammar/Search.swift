import FoundationEssentials
import PropertyList

/// Searches for a word without regard to case.
public struct Search: Sendable {
    private let word: String

    public init(_ word: String) { self.word = word.lowercased() }

    public func matches(_ text: String) -> Bool { word.isEmpty || text.lowercased().contains(word) }

    /// Whether the word occurs in a value, in a key or element inside it, in JSON that is stored as data, or
    /// in data that is text. Other data never matches.
    public func matches(_ value: PropertyListValue) -> Bool {
        switch value {
        case .string(let text): matches(text)
        case .boolean, .integer, .real, .date, .uid, .null, .number: matches(value.loneText)
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
