/// Works out how a JSON text has to change so that a member gets a new value.
///
/// Only what differs is edited, so that everything else keeps its bytes: comments, order, white space and the spelling of
/// numbers. Replacing the whole member would be simpler and would lose the comments inside.
struct JSONDifference {
    private let style: JSONStyle
    private var layout: JSONLayout
    private(set) var tree = EditTree()

    init(_ document: JSONDocument) {
        style = JSONStyle(document: document)
        layout = JSONLayout(style)
    }

    /// Sets a member of the outermost object, or removes it.
    ///
    /// If the name occurs twice, the last member gets the value, because readers take that one. All are removed.
    mutating func set(_ value: PropertyListValue?, _ name: String) throws(ValueEditError) {
        let root = style.document.root
        guard let first = root.index(of: .key(name)) else {
            if let value { try insert(value, .key(name), into: root, at: []) }
            return
        }
        let members = root.members(named: name, from: first)
        guard let value else {
            for index in members { try tree.add(.remove, at: [root.step(at: index)]) }
            return
        }
        let last = members.last ?? first
        try change(root.child(last), of: root, to: value, at: [root.step(at: last)])
    }

    /// Renames a member if the changes remove one and add one with an equal value. It keeps its position and its comments.
    ///
    /// - Returns: The changes that are left.
    mutating func rename(
        in changes: [String: PropertyListValue?]
    ) throws(ValueEditError) -> [String: PropertyListValue?] {
        let root = style.document.root
        let removed = changes.filter { $0.value == nil && root.index(of: .key($0.key)) != nil }
        let added = changes.compactMapValues(\.self).filter { root.index(of: .key($0.key)) == nil }
        guard removed.count == 1, added.count == 1, let old = removed.keys.first,
            let (new, value) = added.first, try rename(old, in: root, to: new, value, at: [])
        else { return changes }
        return changes.filter { $0.key != old && $0.key != new }
    }

    /// Renames a member if it has the new value, and the new name is free. Earlier members with the old name are removed.
    ///
    /// - Returns: Whether it was renamed.
    private mutating func rename(
        _ old: String,
        in node: JSONNode,
        to new: String,
        _ value: PropertyListValue,
        at path: ValuePath
    ) throws(ValueEditError) -> Bool {
        guard let first = node.index(of: .key(old)), node.index(of: .key(new)) == nil,
            let last = node.members(named: old, from: first).last, node.child(last).isEqual(to: value)
        else { return false }
        for index in node.members(named: old, from: first).dropLast() {
            try tree.add(.remove, at: path.appending(node.step(at: index)))
        }
        try tree.add(.rename(new), at: path.appending(node.step(at: last)))
        return true
    }

    private mutating func change(
        _ node: JSONNode,
        of parent: JSONNode,
        to value: PropertyListValue,
        at path: ValuePath
    ) throws(ValueEditError) {
        if node.isEqual(to: value) { return }
        switch (node.kind, value) {
        case (.object, .dictionary(let entries)): try changeMembers(of: node, to: entries, at: path)
        case (.array, .array(let elements)): try changeElements(of: node, to: elements, at: path)
        default:
            let indentation = style.indentation(at: node.memberRange.lowerBound)
            let text = layout.text(of: value, in: parent, indentation: indentation)
            try tree.add(.replace(.json(text)), at: path)
        }
    }

    private mutating func changeMembers(
        of node: JSONNode,
        to entries: [String: PropertyListValue],
        at path: ValuePath
    ) throws(ValueEditError) {
        var last: [String: Int] = [:]
        for index in 0..<node.childCount { last[node.child(index).name ?? ""] = index }
        let (removed, added) = (
            last.keys.filter { entries[$0] == nil }, entries.filter { last[$0.key] == nil }
        )
        if removed.count == 1, added.count == 1, let old = removed.first, let (new, value) = added.first,
            try rename(old, in: node, to: new, value, at: path)
        {
            (last[new], last[old]) = (last[old], nil)
        }
        for index in 0..<node.childCount {
            let (child, childPath) = (node.child(index), path.appending(node.step(at: index)))
            if last[child.name ?? ""] == nil { continue }
            guard let name = child.name, let value = entries[name] else {
                try tree.add(.remove, at: childPath)
                continue
            }
            if last[name] == index { try change(child, of: node, to: value, at: childPath) }
        }
        for (name, value) in added.sorted(by: { $0.key < $1.key }) where last[name] == nil {
            try insert(value, .key(name), into: node, at: path)
        }
    }

    private mutating func changeElements(
        of node: JSONNode,
        to elements: [PropertyListValue],
        at path: ValuePath
    ) throws(ValueEditError) {
        let count = node.childCount
        let common = min(count, elements.count)
        var start = 0
        while start < common, node.child(start).isEqual(to: elements[start]) { start += 1 }
        var end = 0
        while end < common - start,
            node.child(count - 1 - end).isEqual(to: elements[elements.count - 1 - end])
        {
            end += 1
        }
        for index in start..<(common - end) {
            try change(node.child(index), of: node, to: elements[index], at: path.appending(.index(index)))
        }
        for index in (common - end)..<max(common - end, count - end) {
            try tree.add(.remove, at: path.appending(.index(index)))
        }
        for index in (common - end)..<max(common - end, elements.count - end) {
            try insert(elements[index], .index(count - end), into: node, at: path)
        }
    }

    private mutating func insert(
        _ value: PropertyListValue,
        _ step: PathStep,
        into node: JSONNode,
        at path: ValuePath
    ) throws(ValueEditError) {
        let sibling = node.childCount > 0 ? node.child(node.childCount - 1).memberRange.lowerBound : nil
        let outer = style.indentation(at: node.range.lowerBound)
        var indentation = outer
        if let sibling {
            indentation = style.indentation(at: sibling)
        } else {
            indentation += style.indentUnit(nil)
        }
        let text = layout.text(of: value, in: node, indentation: indentation)
        try tree.add(.insert(.json(text)), at: path.appending(step))
    }
}

extension JSONNode {
    /// The indexes of all members with a name.
    ///
    /// - Parameter first: The index of the first one.
    fileprivate func members(named name: String, from first: Int) -> [Int] {
        child(first).hasTwin ? (first..<childCount).filter { child($0).name == name } : [first]
    }

    /// Whether the text has this value. Numbers are compared as numbers: `14` and `14.0` are equal.
    func isEqual(to value: PropertyListValue) -> Bool {
        switch (kind, value) {
        case (.null, .null): true
        case (.boolean, .boolean(let value)): source == (value ? "true" : "false")
        case (.string, .string(let text)): (string ?? "").hasSameBytes(as: text)
        case (.number, .integer), (.number, .real), (.number, .number):
            PropertyListValue.isSameNumber(source, value.editText ?? "")
        case (.array, .array(let elements)):
            elements.count == childCount
                && elements.indices.allSatisfy { child($0).isEqual(to: elements[$0]) }
        case (.object, .dictionary(let entries)):
            // Of members with the same name, the last one counts. The others do not matter.
            (0..<childCount).allSatisfy { index in
                let child = child(index)
                guard let name = child.name, let value = entries[name] else { return false }
                return child.hasTwin && !isLast(index, of: name) || child.isEqual(to: value)
            } && Set((0..<childCount).compactMap { child($0).name }).count == entries.count
        default: false
        }
    }

    func isLast(_ index: Int, of name: String) -> Bool {
        !((index + 1)..<childCount).contains { child($0).name == name }
    }
}
