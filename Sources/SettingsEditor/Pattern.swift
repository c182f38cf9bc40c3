import FoundationEssentials
import PropertyList

/// What is searched for or filtered by: a plain text. Case matters only where it has a capital
/// letter, as `less -i` has it.
struct Pattern: Sendable, Hashable {
    let text: String
    let heedsCase: Bool
    private let bytes: [UInt8]
    private let isASCII: Bool
    /// Whether all of its characters occur in what numbers and bytes look like.
    private let canBeFigures: Bool
    private let dates: ShownDates

    /// As what a date is found; that makes no other pattern.
    private struct ShownDates: Sendable, Hashable {
        let spelling: ValueSpelling?
        static func == (a: Self, b: Self) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    /// Nil for an empty text, which would match everything.
    ///
    /// - Parameter spelling: in which dates are shown; with none they are searched in UTC.
    init?(_ text: String, _ spelling: ValueSpelling? = nil) {
        guard !text.isEmpty else { return nil }
        dates = ShownDates(spelling: spelling)
        heedsCase = text.contains { $0.isUppercase }
        self.text = text
        bytes = Array(text.utf8)
        isASCII = bytes.allSatisfy { $0 < 0x80 }
        let figures = Set("0123456789abcdefinty+-.()x…".utf8)
        canBeFigures = bytes.allSatisfy(figures.contains)
    }

    func matches(_ other: String) -> Bool {
        // Byte by byte is twenty times as fast as character by character.
        if isASCII {
            return other.utf8.withContiguousStorageIfAvailable(isIn)
                ?? Array(other.utf8).withUnsafeBufferPointer(isIn)
        }
        if other.utf8.allSatisfy({ $0 < 0x80 }) { return false }
        return heedsCase ? other.contains(text) : other.lowercased().contains(text)
    }

    /// Whether the bytes of a text have it; what is not ASCII heeds case here.
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

    /// A stretch of a long text with what was found in it, where its beginning doesn't show that.
    ///
    /// - Parameters:
    ///   - beginning: what is shown of it else.
    ///   - columns: for so many there is room.
    func stretch(of text: String, beginning: String, columns: Int) -> String? {
        guard isASCII, beginning.utf8.count < text.utf8.count, !matches(beginning) else { return nil }
        // Much of a text may be looked through each time that it is drawn.
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
        !heedsCase && byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }
}

// In the values of a suite.
extension Pattern {
    /// Whether the pattern is found in an entry, be it in its name or in its value; nil where there may be
    /// something inside, which takes an ``EntrySearch``.
    func isFound(in entry: SortedEntries.Entry, _ effort: inout Effort) -> Bool? {
        effort.spend(1)
        switch entry.value {
        case .boolean(let value): return matches(entry.key) || isASCII && matches(value ? "true" : "false")
        case .integer(let value):
            return matches(entry.key) || canBeFigures && matches(value.description)
        case .real, .uid, .date:
            if matches(entry.key) { return true }
            guard canBeFound(in: entry.value, &effort) else { return false }
            effort.spend(4)
            return matches(shown(ValueNode(entry.value)))
        case .string(let text):
            if entry.value.mayHoldDocument || "{[ ".utf8.contains(text.utf8.first ?? 0) { return nil }
            return matches(entry.key) || matches(text, &effort)
        case .data:
            if canBeFound(in: entry.value, &effort) { return nil }
            return matches(entry.key)
        case .array, .dictionary: return nil
        }
    }

    /// Whether a value is worth taking apart. Most data is not, and that takes the longest.
    func canBeFound(in value: PropertyListValue, _ effort: inout Effort) -> Bool {
        switch value {
        case .boolean, .date: return isASCII
        case .integer, .real, .uid: return canBeFigures
        case .string, .array, .dictionary: return true
        case .data(let data):
            effort.spend(bytes: data.count)
            return canBeFigures
                || data.withUnsafeBytes { bytes in
                    bytes.withMemoryRebound(to: UInt8.self) { bytes in
                        // Any character can be escaped in JSON and XML, property lists have other encodings, and
                        // in XML their data is spelled otherwise.
                        bytes.contains { $0 == UInt8(ascii: "\\") || $0 == 0 || $0 >= 0x80 && !isASCII }
                            || isIn(bytes) || Self.mayHoldData(bytes)
                    }
                }
        }
    }

    private static let dataInXML = Pattern("<data")

    /// Whether bytes may be XML that holds data, or something escaped.
    private static func mayHoldData(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.first == UInt8(ascii: "<")
            && (bytes.contains(UInt8(ascii: "&")) || dataInXML?.isIn(bytes) ?? true)
    }

    /// Whether a name matches; the number of an element is none.
    func matches(_ step: PathStep) -> Bool {
        step.name.map(matches) ?? false
    }

    /// Whether a value matches that has nothing inside it. What stands beside a container counts what is
    /// in it, and is nothing that the file holds.
    func matches(value node: ValueNode, _ effort: inout Effort) -> Bool {
        if node.isContainer { return false }
        if let json = node.json, json.kind == .string { return matches(json.string ?? "", &effort) }
        switch node.content {
        case .propertyList(.string(let text)): return matches(text, &effort)
        case .propertyList(.data(let data)) where node.embedded == nil:
            // The count before the bytes is not in the file either.
            let text = Array(node.displayText(limit: 1000).utf8)
            let start = text.indices.dropLast().last { text[$0] == 0x20 && text[$0 + 1] == 0x20 } ?? -2
            return text[(start + 2)...].withUnsafeBufferPointer(isIn) || isInText(of: data, &effort)
        default: return matches(shown(node), &effort)
        }
    }

    private func shown(_ node: ValueNode) -> String {
        dates.spelling?.display(node, limit: 1000) ?? node.displayText(limit: 1000)
    }

    /// Whether it stands in a stretch of data that is text: four characters or more of ASCII, or all of it.
    private func isInText(of data: Data, _ effort: inout Effort) -> Bool {
        effort.spend(bytes: 2 * data.count)
        return data.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                // Most data has no such bytes.
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

    private func matches(_ text: String, _ effort: inout Effort) -> Bool {
        effort.spend(bytes: text.utf8.count)
        return matches(text)
    }
}
