import PropertyList

/// What is searched for or filtered by: a plain text. Case matters only where it has a capital
/// letter, as `less -i` has it.
struct Pattern: Sendable, Hashable {
    let text: String
    private let heedsCase: Bool
    private let bytes: [UInt8]
    private let isASCII: Bool
    /// Whether all of its characters occur in what numbers and bytes look like.
    private let canBeFigures: Bool

    /// Nil for an empty text, which would match everything.
    init?(_ text: String) {
        guard !text.isEmpty else { return nil }
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
    fileprivate func isIn(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            guard other.count >= bytes.count else { return false }
            let first = bytes[0]
            for start in 0...(other.count - bytes.count) where folded(other[start]) == first {
                var length = 1
                while length < bytes.count, folded(other[start + length]) == bytes[length] { length += 1 }
                if length == bytes.count { return true }
            }
            return false
        }
    }

    private func folded(_ byte: UInt8) -> UInt8 {
        !heedsCase && byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }
}

// In the values of a suite.
extension Pattern {
    func isFound(in entry: Rows.Entry, _ effort: inout Effort) -> Bool {
        effort.spend(1)
        if matches(entry.key) { return true }
        return canBeFound(in: entry.value, &effort)
            && (matches(value: entry.node, &effort)
                || firstMatch(inside: entry.path, entry.node, &effort) != nil)
    }

    /// The first place of an entry, in the order of rows, at which the pattern is found; behind a place
    /// of the entry, where one is given.
    func firstMatch(in entry: Rows.Entry, after place: ValuePath? = nil, _ effort: inout Effort) -> ValuePath?
    {
        effort.spend(1)
        if place == nil, matches(entry.key) { return entry.path }
        guard canBeFound(in: entry.value, &effort) else { return nil }
        if place == nil, matches(value: entry.node, &effort) { return entry.path }
        return firstMatch(inside: entry.path, entry.node, after: place?.inside.steps[...], &effort)
    }

    /// A place of an entry, if the pattern is found at it, whatever is inside it.
    func match(at place: ValuePath, in entry: Rows.Entry, _ effort: inout Effort) -> ValuePath? {
        guard let node = entry.node.node(at: place.inside), let step = place.steps.last else { return nil }
        return matches(step) || matches(value: node, &effort) ? place : nil
    }

    /// The last one, before a place of the entry where one is given.
    func lastMatch(in entry: Rows.Entry, before place: ValuePath? = nil, _ effort: inout Effort) -> ValuePath?
    {
        effort.spend(1)
        if place?.steps.count == 1 { return nil }
        if canBeFound(in: entry.value, &effort) {
            let steps = place?.inside.steps[...]
            if let match = lastMatch(inside: entry.path, entry.node, before: steps, &effort) { return match }
            if matches(value: entry.node, &effort) { return entry.path }
        }
        return matches(entry.key) ? entry.path : nil
    }

    /// All places of an entry at which the pattern is found, in the order of rows, up to a number.
    func allMatches(in entry: Rows.Entry, limit: Int, _ effort: inout Effort) -> [ValuePath] {
        effort.spend(1)
        var matches: [ValuePath] = []
        let isNamed = self.matches(entry.key)
        guard canBeFound(in: entry.value, &effort) else { return isNamed ? [entry.path] : [] }
        let node = entry.node
        if isNamed || self.matches(value: node, &effort) { matches.append(entry.path) }
        addMatches(inside: entry.path, node, limit, &matches, &effort)
        return matches
    }

    private func addMatches(
        inside path: ValuePath,
        _ node: ValueNode,
        _ limit: Int,
        _ matches: inout [ValuePath],
        _ effort: inout Effort
    ) {
        guard node.canBeOpened else { return }
        for child in node.children where matches.count < limit {
            effort.spend(1)
            let place = path.appending(child.step)
            if self.matches(child.step) || self.matches(value: child.node, &effort) { matches.append(place) }
            addMatches(inside: place, child.node, limit, &matches, &effort)
        }
    }

    /// Whether a value is worth taking apart. Most data is not, and that takes the longest.
    private func canBeFound(in value: PropertyListValue, _ effort: inout Effort) -> Bool {
        switch value {
        case .boolean, .date: return isASCII
        case .integer, .real, .uid: return canBeFigures
        case .string, .array, .dictionary: return true
        case .data(let data):
            effort.spend(bytes: data.count)
            return canBeFigures
                || data.withUnsafeBytes { bytes in
                    bytes.withMemoryRebound(to: UInt8.self) { bytes in
                        // Any character can be escaped in JSON, and property lists have other encodings.
                        bytes.contains { $0 == UInt8(ascii: "\\") || $0 == 0 || $0 >= 0x80 && !isASCII }
                            || isIn(bytes)
                    }
                }
        }
    }

    /// Whether a name matches; the number of an element is none.
    private func matches(_ step: PathStep) -> Bool {
        if case .key(let name) = step { matches(name) } else { false }
    }

    /// Whether a value matches that has nothing inside it. What stands beside a container counts what is
    /// in it, and is nothing that the file holds.
    private func matches(value node: ValueNode, _ effort: inout Effort) -> Bool {
        if node.canBeOpened { return false }
        if let json = node.json, json.kind == .string { return matches(json.string ?? "", &effort) }
        switch node.content {
        case .propertyList(.string(let text)): return matches(text, &effort)
        case .propertyList(.data) where node.embedded == nil:
            // The count before the bytes is not in the file either.
            return matches(node.displayText(limit: 1000).split(separator: "  ").last.map(String.init) ?? "")
        default: return matches(node.displayText(limit: 1000), &effort)
        }
    }

    private func matches(_ text: String, _ effort: inout Effort) -> Bool {
        effort.spend(bytes: text.utf8.count)
        return matches(text)
    }

    /// Below a place, and behind one that lies below it, where one is given.
    private func firstMatch(
        inside path: ValuePath,
        _ node: ValueNode,
        after steps: ArraySlice<PathStep>? = nil,
        _ effort: inout Effort
    ) -> ValuePath? {
        guard node.canBeOpened else { return nil }
        var next = steps?.first
        for child in node.children {
            effort.spend(1)
            if let step = next {
                guard child.step == step else { continue }
                next = nil
                let place = path.appending(step)
                if let match = firstMatch(inside: place, child.node, after: steps?.dropFirst(), &effort) {
                    return match
                }
                continue
            }
            // A twin of the place has its path, and can't be gone to.
            if child.step == steps?.first { continue }
            let place = path.appending(child.step)
            if matches(child.step) || matches(value: child.node, &effort) { return place }
            if let match = firstMatch(inside: place, child.node, &effort) { return match }
        }
        return nil
    }

    /// Below a place, and before one that lies below it, where one is given.
    private func lastMatch(
        inside path: ValuePath,
        _ node: ValueNode,
        before steps: ArraySlice<PathStep>? = nil,
        _ effort: inout Effort
    ) -> ValuePath? {
        guard node.canBeOpened else { return nil }
        var children = node.children[...]
        if let step = steps?.first, let index = children.firstIndex(where: { $0.step == step }) {
            children = children[...index]
            let rest = steps?.dropFirst() ?? []
            let child = children.removeLast()
            if !rest.isEmpty {
                let place = path.appending(step)
                if let match = lastMatch(inside: place, child.node, before: rest, &effort) { return match }
                if matches(step) || matches(value: child.node, &effort) { return place }
            }
        }
        for child in children.reversed() {
            effort.spend(1)
            let place = path.appending(child.step)
            if let match = lastMatch(inside: place, child.node, &effort) { return match }
            if matches(child.step) || matches(value: child.node, &effort) { return place }
        }
        return nil
    }
}
