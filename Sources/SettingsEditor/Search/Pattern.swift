import FoundationEssentials
import PropertyList

/// The text that a search or a filter looks for. Case matters only if the text has a capital letter, as in
/// `less -i`.
struct Pattern: Sendable, Hashable {
    let text: String
    let isCaseSensitive: Bool
    private let bytes: [UInt8]
    private let isASCII: Bool
    /// Whether numbers and displayed bytes can contain all characters of the text.
    private let canBeFigures: Bool
    /// The date format used for matching. `==` ignores it.
    private let format: ValueFormat?

    static func == (a: Self, b: Self) -> Bool { a.bytes == b.bytes }
    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    /// Nil for an empty text, which would match everything.
    ///
    /// - Parameter format: the format of displayed dates. Without a format dates are matched in UTC.
    init?(_ text: String, _ format: ValueFormat? = nil) {
        guard !text.isEmpty else { return nil }
        self.format = format
        isCaseSensitive = text.contains { $0.isUppercase }
        self.text = text
        bytes = Array(text.utf8)
        isASCII = bytes.allSatisfy { $0 < 0x80 }
        let figures = Set("0123456789abcdefinty+-.()x…".utf8)
        canBeFigures = bytes.allSatisfy(figures.contains)
    }

    func matches(_ other: String) -> Bool {
        // Comparing bytes is twenty times as fast as comparing characters.
        if isASCII {
            return other.utf8.withContiguousStorageIfAvailable(isIn)
                ?? Array(other.utf8).withUnsafeBufferPointer(isIn)
        }
        if other.utf8.allSatisfy({ $0 < 0x80 }) { return false }
        return isCaseSensitive ? other.contains(text) : other.lowercased().contains(text)
    }

    /// Whether the bytes of a text contain the pattern. Characters outside ASCII are compared with case.
    fileprivate func isIn(_ other: UnsafeBufferPointer<UInt8>) -> Bool { place(in: other) != nil }

    private func place(in other: UnsafeBufferPointer<UInt8>) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            guard other.count >= bytes.count else { return nil }
            let first = bytes[0]
            for start in 0...(other.count - bytes.count) where folded(other[start]) == first {
                var length = 1
                while length < bytes.count, folded(other[start + length]) == bytes[length] { length += 1 }
                if length == bytes.count { return start }
            }
            return nil
        }
    }

    /// The part of a long text around the match, if the displayed beginning does not contain the match.
    ///
    /// - Parameters:
    ///   - beginning: the beginning of the text, as displayed otherwise.
    ///   - columns: how many columns fit.
    func stretch(of text: String, beginning: String, columns: Int) -> String? {
        guard isASCII, beginning.utf8.count < text.utf8.count, !matches(beginning) else { return nil }
        // This runs each time the text is drawn, so only the beginning of a huge text is searched.
        var text = text
        let offset = text.withUTF8 { self.place(in: UnsafeBufferPointer(rebasing: $0.prefix(1 << 16))) }
        guard let offset else { return nil }
        let found = text.utf8.index(text.startIndex, offsetBy: offset)
        let lead = max(2, (columns - bytes.count) / 3)
        let start = text.index(found, offsetBy: -lead, limitedBy: text.startIndex) ?? text.startIndex
        let rest = text[start...].unicodeScalars
        let end = rest.index(rest.startIndex, offsetBy: columns + bytes.count, limitedBy: rest.endIndex)
        return (start == text.startIndex ? "" : "…") + String(rest[..<(end ?? rest.endIndex)])
            + (end == nil || end == rest.endIndex ? "" : "…")
    }

    func folded(_ byte: UInt8) -> UInt8 {
        !isCaseSensitive && byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }
}

// Matching values of a suite.
extension Pattern {
    /// Whether the name or the value of an entry matches; nil if the value may have children, which an
    /// ``EntrySearch`` has to search.
    func isFound(in entry: SortedEntries.Entry, _ budget: inout WorkBudget) -> Bool? {
        budget.spend(1)
        switch entry.value {
        case .boolean(let value): return matches(entry.key) || isASCII && matches(value ? "true" : "false")
        case .integer(let value):
            return matches(entry.key) || canBeFigures && matches(value.description)
        case .real, .uid, .date, .null, .number:
            if matches(entry.key) { return true }
            guard canBeFound(in: entry.value, &budget) else { return false }
            budget.spend(4)
            return matches(shown(ValueNode(entry.value)))
        case .string(let text):
            if entry.value.mayHoldDocument || "{[ ".utf8.contains(text.utf8.first ?? 0) { return nil }
            return matches(entry.key) || matches(text, &budget)
        case .data:
            if canBeFound(in: entry.value, &budget) { return nil }
            return matches(entry.key)
        case .array, .dictionary: return nil
        }
    }

    /// Whether parsing a value can reveal a match. Parsing data takes the longest, and most data cannot
    /// match.
    func canBeFound(in value: PropertyListValue, _ budget: inout WorkBudget) -> Bool {
        switch value {
        case .boolean, .date, .null: return isASCII
        case .integer, .real, .uid, .number: return canBeFigures
        case .string, .array, .dictionary: return true
        case .data(let data):
            budget.spend(bytes: data.count)
            return canBeFigures
                || data.withUnsafeBytes { bytes in
                    bytes.withMemoryRebound(to: UInt8.self) { bytes in
                        // JSON and XML can escape any character, property lists have other encodings, and XML
                        // encodes data as Base64.
                        bytes.contains { $0 == UInt8(ascii: "\\") || $0 == 0 || $0 >= 0x80 && !isASCII }
                            || isIn(bytes) || Self.mayHoldData(bytes)
                    }
                }
        }
    }

    private static let dataInXML = Pattern("<data")

    /// Whether bytes may be XML that contains data or an escaped character.
    private static func mayHoldData(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.first == UInt8(ascii: "<")
            && (bytes.contains(UInt8(ascii: "&")) || dataInXML?.isIn(bytes) ?? true)
    }

    /// Whether a name matches. The index of an element is not a name.
    func matches(_ step: PathStep) -> Bool {
        step.name.map(matches) ?? false
    }

    /// Whether a value without children matches. For a container the editor displays a count, which the file
    /// does not contain, so it cannot match.
    func matches(value node: ValueNode, _ budget: inout WorkBudget) -> Bool {
        if node.isContainer { return false }
        if let json = node.json, json.kind == .string { return matches(json.string ?? "", &budget) }
        switch node.content {
        case .propertyList(.string(let text)): return matches(text, &budget)
        case .propertyList(.data(let data)) where node.embedded == nil:
            // The displayed byte count is not in the file either.
            let text = Array(node.displayText(limit: 1000).utf8)
            let start = text.indices.dropLast().last { text[$0] == 0x20 && text[$0 + 1] == 0x20 } ?? -2
            return text[(start + 2)...].withUnsafeBufferPointer(isIn) || isInText(of: data, &budget)
        default: return matches(shown(node), &budget)
        }
    }

    private func shown(_ node: ValueNode) -> String {
        format?.display(node, limit: 1000) ?? node.displayText(limit: 1000)
    }

    /// Whether the pattern occurs in a readable part of data: at least four ASCII characters in a row, or all
    /// of the data.
    private func isInText(of data: Data, _ budget: inout WorkBudget) -> Bool {
        budget.spend(bytes: 2 * data.count)
        return data.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                // Most data does not contain the bytes at all.
                guard isIn(bytes) else { return false }
                let isAllText = !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
                if isAllText || !isASCII { return isAllText }
                var start = 0
                for end in 0...bytes.count {
                    if end < bytes.count, isPrintable(bytes[end]) { continue }
                    let stretch = UnsafeBufferPointer(rebasing: bytes[start..<end])
                    if stretch.count >= 4, isIn(stretch) { return true }
                    start = end + 1
                }
                return false
            }
        }
    }

    private func isPrintable(_ byte: UInt8) -> Bool { 0x20..<0x7F ~= byte || 0x09...0x0D ~= byte }

    private func matches(_ text: String, _ budget: inout WorkBudget) -> Bool {
        budget.spend(bytes: text.utf8.count)
        return matches(text)
    }
}
