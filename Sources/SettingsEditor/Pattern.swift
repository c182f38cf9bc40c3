import PropertyList

/// What is searched for or filtered by: a plain text. Case matters only where it has a capital
/// letter, as `less -i` has it.
struct Pattern: Sendable, Hashable {
    let text: String
    private let heedsCase: Bool
    private let bytes: [UInt8]
    private let isASCII: Bool

    /// Nil for an empty text, which would match everything.
    init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        heedsCase = text.contains { $0.isUppercase }
        self.text = text
        bytes = Array(text.utf8)
        isASCII = bytes.allSatisfy { $0 < 0x80 }
    }

    func matches(_ other: String) -> Bool {
        if isASCII {
            // Byte by byte is twenty times as fast as character by character.
            return other.utf8.withContiguousStorageIfAvailable(isIn)
                ?? Array(other.utf8).withUnsafeBufferPointer(isIn)
        }
        return heedsCase ? other.contains(text) : other.lowercased().contains(text)
    }

    private func isIn(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard other.count >= bytes.count else { return false }
        return (0...(other.count - bytes.count)).contains { start in
            bytes.indices.allSatisfy { folded(other[start + $0]) == bytes[$0] }
        }
    }

    private func folded(_ byte: UInt8) -> UInt8 {
        !heedsCase && UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    /// Whether the name or the value of a place matches, or `anywhere` in it that of another place.
    func matches(_ path: ValuePath, _ node: ValueNode, anywhere: Bool = false) -> Bool {
        // What stands beside a container counts what is in it; it is nothing that the file holds.
        if matches(path.lastName) || !node.canBeOpened && matches(node.displayText(limit: 1000)) {
            return true
        }
        return anywhere && firstMatch(inside: path, node) != nil
    }

    /// The first place below this one, in the order of rows, whose name or value matches.
    func firstMatch(inside path: ValuePath, _ node: ValueNode) -> ValuePath? {
        guard node.canBeOpened else { return nil }
        for child in node.children {
            let place = path.appending(child.step)
            if matches(place, child.node) { return place }
            if let match = firstMatch(inside: place, child.node) { return match }
        }
        return nil
    }

    /// The last one, likewise.
    func lastMatch(inside path: ValuePath, _ node: ValueNode) -> ValuePath? {
        guard node.canBeOpened else { return nil }
        for child in node.children.reversed() {
            let place = path.appending(child.step)
            if let match = lastMatch(inside: place, child.node) { return match }
            if matches(place, child.node) { return place }
        }
        return nil
    }
}

extension Tree {
    /// The next place that matches from a row on, or behind it, going on at the first row behind the
    /// last one. What is closed is searched as well.
    func nextMatch(_ pattern: Pattern, from start: Int, inclusive: Bool) -> (path: ValuePath, wrapped: Bool)?
    {
        for offset in 0...rows.count where !rows.isEmpty {
            let index = (start + offset) % rows.count
            let row = rows[index]
            let wrapped = start + offset >= rows.count
            if offset > 0 || inclusive, pattern.matches(row.path, row.node) { return (row.path, wrapped) }
            if !row.isOpen, let match = pattern.firstMatch(inside: row.path, row.node) {
                return (match, wrapped)
            }
        }
        return nil
    }

    /// The same upwards, starting above the row.
    func previousMatch(_ pattern: Pattern, from start: Int) -> (path: ValuePath, wrapped: Bool)? {
        for offset in 1...max(1, rows.count) where !rows.isEmpty {
            let index = (start - offset + rows.count) % rows.count
            let row = rows[index]
            let wrapped = offset > start
            if !row.isOpen, let match = pattern.lastMatch(inside: row.path, row.node) {
                return (match, wrapped)
            }
            if pattern.matches(row.path, row.node) { return (row.path, wrapped) }
        }
        return nil
    }
}
