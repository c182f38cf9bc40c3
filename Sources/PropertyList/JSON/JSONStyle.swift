/// Chooses the white space for a new member or element.
///
/// It copies the style of the container, otherwise that of a neighbor, otherwise that of any part of
/// the document.
struct JSONStyle {
    let document: JSONDocument

    /// The colon of a new member, with the white space around it.
    func colon(in object: JSONNode) -> [UInt8] {
        let example = object.childCount > 0 ? object.child(object.childCount - 1) : firstMember
        if let example { return colon(of: example) }
        let hasSpaces =
            nodes.first { $0.childCount > 1 }.map { separator(in: $0, before: 1).last == space } ?? false
        let isNewFile = document.dialect == .withComments && document.root.childCount == 0
        return Array((hasSpaces || isNewFile || bytes.contains(newline) ? ": " : ":").utf8)
    }

    /// The comma between a new child and its neighbor, with the white space around it.
    ///
    /// - Parameter index: The index of the new child. The container must not be empty.
    func separator(in container: JSONNode, at index: Int) -> [UInt8] {
        if container.childCount > 1 {
            return separator(in: container, before: min(max(index, 1), container.childCount - 1))
        }
        return separator(after: lead(of: container))
    }

    /// The comma with the white space around it, for a container with the given white space before its
    /// first child.
    func separator(after before: [UInt8]) -> [UInt8] {
        if !before.isEmpty { return [comma] + before }
        let example = nodes.first { node in
            node.childCount > 1 && !separator(in: node, before: 1).contains(newline)
        }
        if let example { return separator(in: example, before: 1) }
        let hasSpaces = firstMember.map { colon(of: $0).last == space } ?? false
        return hasSpaces ? [comma, space] : [comma]
    }

    /// The white space before and after the first child of an empty container.
    ///
    /// - Parameter parent: The container around it, or nil for the root.
    func padding(
        in container: JSONNode,
        inside parent: JSONNode?
    ) -> (before: [UInt8], after: [UInt8]) {
        let interior = container.gap(before: 0).withoutComments(lineEnd: lineEnd)
        let example = example(for: container, inside: parent)
        let isOpenedUp =
            interior.contains(newline) || example.map { lead(of: $0).contains(newline) } ?? false
        // A file of settings has one for each line.
        let isFile = document.dialect == .withComments && parent == nil && interior.isEmpty
        guard isOpenedUp || isFile else {
            guard let example, interior.isEmpty else { return (interior, interior) }
            let trail = trail(of: example)
            return (lead(of: example), trail.contains(newline) ? lead(of: example) : trail)
        }
        let indent = lineEnd + indentation(at: container.range.lowerBound)
        return (indent + indentUnit(example), indent)
    }
}

extension JSONStyle {
    private var newline: UInt8 { 0x0A }
    private var space: UInt8 { 0x20 }
    private var comma: UInt8 { UInt8(ascii: ",") }

    private var bytes: [UInt8] { document.storage.bytes }

    var nodes: some Sequence<JSONNode> {
        document.storage.index.entries.indices.lazy.map { number in
            JSONNode(storage: document.storage, number: number)
        }
    }

    private var firstMember: JSONNode? { nodes.first { $0.entry.nameStart != 0 } }

    /// A container that is not empty: of the same kind and nearby, if there is one.
    private func example(for container: JSONNode, inside parent: JSONNode?) -> JSONNode? {
        let isLike: (JSONNode) -> Bool = { $0.kind == container.kind && $0.childCount > 0 }
        let neighbours = parent.map { parent in (0..<parent.childCount).lazy.map(parent.child) }
        return neighbours?.first(where: isLike) ?? nodes.first(where: isLike)
            ?? nodes.first { $0.childCount > 0 }
    }

    private func colon(of member: JSONNode) -> [UInt8] {
        let nameEnd = member.nameRange?.upperBound ?? member.range.lowerBound
        let colon = bytes[nameEnd..<member.range.lowerBound]
        return colon.contains(ASCII.slash) ? [UInt8(ascii: ":"), space] : Array(colon)
    }

    private func separator(in container: JSONNode, before index: Int) -> [UInt8] {
        let gap = container.gap(before: index)
        if !gap.hasComments { return gap.text }
        return [comma] + gap.withoutComments(lineEnd: lineEnd)
    }

    /// The white space before the first child.
    func lead(of container: JSONNode) -> [UInt8] {
        container.gap(before: 0).withoutComments(lineEnd: lineEnd)
    }

    /// The white space after the last child.
    func trail(of container: JSONNode) -> [UInt8] {
        container.gap(before: container.childCount).withoutComments(lineEnd: lineEnd)
    }

    /// The white space before a new child of a container that has comments. A comment can end a line, so that the child needs
    /// a line of its own.
    func blankBeforeChild(of container: JSONNode) -> [UInt8] {
        for index in (0..<container.childCount).reversed() {
            let start = container.child(index).memberRange.lowerBound
            guard let line = bytes[container.gap(before: index).range].lastIndex(of: newline),
                bytes[(line + 1)..<start].allSatisfy(ASCII.isWhiteSpace)
            else { continue }
            return lineEnd + bytes[(line + 1)..<start]
        }
        let hasLines = (0...container.childCount).contains { index in
            container.gap(before: index).comments.contains { comment in
                let next = bytes[comment.range.upperBound...].first { $0 != space && $0 != 0x09 }
                return next == newline || next == 0x0D
            }
        }
        if hasLines { return lineEnd + indentation(at: container.range.lowerBound) + indentUnit(container) }
        return [space]
    }

    var lineEnd: [UInt8] {
        guard let first = bytes.firstIndex(of: newline), first > 0, bytes[first - 1] == 0x0D else {
            return [newline]
        }
        return [0x0D, newline]
    }

    /// The white space at the start of the line that contains a position.
    func indentation(at position: Int) -> [UInt8] {
        let start = bytes[..<position].lastIndex(of: newline).map { $0 + 1 } ?? 0
        return Array(bytes[start..<position].prefix { $0 == space || $0 == 0x09 })
    }

    /// The indentation of one level. Two spaces if the document does not show one.
    func indentUnit(_ example: JSONNode?) -> [UInt8] {
        let isOpenedUp: (JSONNode) -> Bool = { $0.childCount > 0 && lead(of: $0).contains(newline) }
        guard let example = example.flatMap({ isOpenedUp($0) ? $0 : nil }) ?? nodes.first(where: isOpenedUp)
        else { return [space, space] }
        let outer = indentation(at: example.range.lowerBound)
        let inner = indentation(at: example.child(0).memberRange.lowerBound)
        return inner.starts(with: outer) ? Array(inner.dropFirst(outer.count)) : []
    }
}
