/// The comments of a JSON file, and which of them a change takes along: those inside of what is replaced or removed, and
/// those behind what is removed.
///
/// This says again, and more simply, what `JSONDifference` and `JSONSplices` do with texts.
struct KeptComments {
    private let document: JSONDocument
    private let all: [JSONComment]
    private var comments: [JSONComment]
    /// The values that keep their paths and their comments: those that are not removed, below names that occur once.
    private(set) var owners: Set<ValuePath> = []

    init(_ document: JSONDocument) {
        let bytes = document.storage.bytes
        var comments: [JSONComment] = []
        var position = 0
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "\"") {
                position = JSONString.end(bytes, at: position)
            } else if let comment = JSONComment(at: position, of: bytes) {
                comments.append(comment)
                position = comment.range.upperBound
            } else {
                position += 1
            }
        }
        self.document = document
        (all, self.comments) = (comments, comments)
    }

    private var bytes: [UInt8] { document.storage.bytes }

    var texts: [String] { comments.map { String(decoding: bytes[$0.range], as: UTF8.self) } }

    mutating func change(_ changes: [String: PropertyListValue?]) {
        guard case .dictionary(var values) = document.root.propertyListValue else { return }
        for (key, value) in changes { values[key] = value }
        change(document.root, to: values, at: [])
    }

    /// The member that keeps its comments under another name: the only one that is removed, if the only new one is equal.
    private func renamedMember(of object: JSONNode, to values: [String: PropertyListValue]) -> Int? {
        let names = (0..<object.childCount).map { object.child($0).name ?? "" }
        let removed = Set(names).filter { values[$0] == nil }
        let added = values.filter { !names.contains($0.key) }
        guard removed.count == 1, added.count == 1, let old = removed.first, let new = added.first?.value,
            let index = names.firstIndex(of: old)
        else { return nil }
        return !object.child(index).hasTwin && object.child(index).isEqual(to: new) ? index : nil
    }

    /// Follows a change into the members of an object.
    private mutating func change(
        _ object: JSONNode,
        to values: [String: PropertyListValue],
        at path: ValuePath
    ) {
        let renamed = renamedMember(of: object, to: values)
        for index in 0..<object.childCount {
            let (child, name) = (object.child(index), object.child(index).name ?? "")
            if index == renamed { continue }
            guard let value = values[name] else {
                remove(index, of: object)
                continue
            }
            let isLast = !((index + 1)..<object.childCount).contains { object.child($0).name == name }
            if isLast { change(child, to: value, at: path.appending(.key(name))) }
            // A comment behind a comma that begins a line is alone on that line when the comma goes.
            let hasComma =
                comma(after: index, of: object).map { !hasLineEnd(child.range.upperBound..<$0) } ?? true
            if !child.hasTwin, hasComma { owners.insert(path.appending(.key(name))) }
        }
    }

    private mutating func change(_ node: JSONNode, to value: PropertyListValue, at path: ValuePath) {
        switch (node.kind, value) {
        case _ where node.isEqual(to: value): break
        case (.object, .dictionary(let entries)): change(node, to: entries, at: path)
        case (.array, .array(let elements)): change(node, to: elements, at: path)
        default: remove(node.range)
        }
    }

    private mutating func change(_ node: JSONNode, to elements: [PropertyListValue], at path: ValuePath) {
        let old = (0..<node.childCount).map { node.child($0) }
        let common = min(old.count, elements.count)
        let start = zip(old, elements).prefix { $0.isEqual(to: $1) }.count
        let end = zip(old[start...].reversed(), elements[start...].reversed()).prefix { $0.isEqual(to: $1) }
            .count
        for index in start..<max(start, common - end) {
            change(old[index], to: elements[index], at: path.appending(.index(index)))
        }
        for index in (common - end)..<max(common - end, old.count - end) { remove(index, of: node) }
    }

    private mutating func remove(_ range: Range<Int>) {
        comments.removeAll { range.contains($0.range.lowerBound) }
    }

    /// Removes a child's comments: inside, before its comma, and behind on the line that it ends.
    private mutating func remove(_ index: Int, of node: JSONNode) {
        let child = node.child(index)
        remove(child.memberRange)
        let (start, end) = (child.range.upperBound, self.end(after: index, of: node))
        let comma = comma(after: index, of: node)
        // If another value, or the bracket, is on the line, comments behind the comma belong to that.
        let lineEnd = firstPosition(in: (comma ?? start)..<end) {
            $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn
        }
        remove(start..<(lineEnd ?? comma ?? end))
    }

    /// Where the next child begins, or the closing bracket.
    private func end(after index: Int, of node: JSONNode) -> Int {
        index + 1 < node.childCount ? node.child(index + 1).memberRange.lowerBound : node.range.upperBound - 1
    }

    private func comma(after index: Int, of node: JSONNode) -> Int? {
        firstPosition(in: node.child(index).range.upperBound..<end(after: index, of: node)) {
            $0 == UInt8(ascii: ",")
        }
    }

    private func hasLineEnd(_ range: Range<Int>) -> Bool { bytes[range].contains(ASCII.lineFeed) }

    /// The position of the first byte that fits and is in no comment.
    private func firstPosition(in range: Range<Int>, where fits: (UInt8) -> Bool) -> Int? {
        range.first { position in fits(bytes[position]) && !all.contains { $0.range.contains(position) } }
    }
}
