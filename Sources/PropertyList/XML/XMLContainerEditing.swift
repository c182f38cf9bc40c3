/// Rewrites an array or dictionary in which something changed. Unchanged elements keep their bytes and
/// the comments around them.
extension XMLWriter {
    /// Writes a value in place of an old one.
    ///
    /// - Parameters:
    ///   - depth: The number of arrays and dictionaries around the value.
    ///   - bytes: The document that contains the old value.
    mutating func append(
        _ new: PropertyListValue,
        depth: Int,
        over old: XMLValue,
        of bytes: [UInt8]
    ) throws(PropertyListError) {
        switch (old.value, new) {
        case (.array(let oldElements), .array(let elements)) where !elements.isEmpty:
            guard let children = XMLChildren(of: old, in: bytes), children.children.count == oldElements.count
            else {
                break
            }
            return try append(elements, depth: depth, over: oldElements, children, of: bytes)
        // A dictionary with this key alone would be read as a reference of a keyed archive, which is
        // refused below.
        case (.dictionary(let oldEntries), .dictionary(let entries))
        where !entries.isEmpty && (entries.count > 1 || entries["CF$UID"] == nil):
            // If a key repeats, the values of its first entries are not known here.
            guard let children = XMLChildren(of: old, in: bytes), children.children.count == oldEntries.count
            else {
                break
            }
            return try append(entries, depth: depth, over: oldEntries, children, of: bytes)
        default: break
        }
        try append(new, depth: depth)
    }

    private mutating func append(
        _ entries: [String: PropertyListValue],
        depth: Int,
        over old: [String: PropertyListValue],
        _ container: XMLChildren,
        of bytes: [UInt8]
    ) throws(PropertyListError) {
        let keys = container.children.map(\.key)
        let isSorted = zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
        var new = sortedByKey(entries.filter { old[$0.key] == nil })
        var renamed: [String: String] = [:]
        let removed = container.children.filter { entries[$0.key] == nil }
        for child in removed where removed.count <= XMLDocument.maximumRenameCount && !new.isEmpty {
            guard let index = new.firstIndex(where: { $0.value == old[child.key] }),
                !isSorted || bytes[child.range].contains("<!--".utf8)
            else { continue }
            renamed[child.key] = new.remove(at: index).key
        }
        var added = new[...]
        append(copy: bytes[container.opening])
        for child in container.children {
            while isSorted, let first = added.first, first.key < child.key {
                try appendEntry(first.key, first.value, depth: depth + 1)
                added.removeFirst()
            }
            if let name = renamed[child.key] {
                append(copy: bytes[child.range.lowerBound..<child.keyRange.lowerBound])
                try appendKey(name)
                append(copy: bytes[child.keyRange.upperBound..<child.range.upperBound])
                continue
            }
            guard let index = entries.index(forKey: child.key), let before = old[child.key] else { continue }
            let (key, new) = entries[index]
            let name = key.hasSameBytes(as: child.key) ? nil : key
            do throws(PropertyListError) {
                try append(new, named: name, depth: depth + 1, over: before, child, of: bytes)
            } catch {
                throw error.inside(.key(child.key))
            }
        }
        for (key, value) in added { try appendEntry(key, value, depth: depth + 1) }
        append(copy: bytes[container.closing])
        try checkSize()
    }

    private mutating func append(
        _ elements: [PropertyListValue],
        depth: Int,
        over old: [PropertyListValue],
        _ container: XMLChildren,
        of bytes: [UInt8]
    ) throws(PropertyListError) {
        append(copy: bytes[container.opening])
        for (index, origin) in origins(of: elements, in: old).enumerated() {
            do throws(PropertyListError) {
                if let origin {
                    let child = container.children[origin]
                    try append(elements[index], depth: depth + 1, over: old[origin], child, of: bytes)
                } else {
                    appendLine(depth + 1)
                    try append(elements[index], depth: depth + 1)
                }
            } catch {
                throw error.inside(.index(index))
            }
        }
        append(copy: bytes[container.closing])
        try checkSize()
    }

    /// Writes an element with its new value. An unchanged one is copied.
    ///
    /// - Parameter name: The new key, if its Unicode form changed.
    private mutating func append(
        _ new: PropertyListValue,
        named name: String? = nil,
        depth: Int,
        over old: PropertyListValue,
        _ child: XMLChildren.Child,
        of bytes: [UInt8]
    ) throws(PropertyListError) {
        var start = child.range.lowerBound
        if let name {
            append(copy: bytes[start..<child.keyRange.lowerBound])
            try appendKey(name)
            start = child.keyRange.upperBound
        }
        if new == old { return append(copy: bytes[start..<child.range.upperBound]) }
        append(copy: bytes[start..<child.value.lowerBound])
        try append(new, depth: depth, over: XMLValue(value: old, range: child.value), of: bytes)
        append(copy: bytes[child.value.upperBound..<child.range.upperBound])
    }

    /// Returns for each new element the old one that it equals or replaces, or nil if it is added.
    private func origins(of new: [PropertyListValue], in old: [PropertyListValue]) -> [Int?] {
        var start = 0
        while start < min(new.count, old.count), new[start] == old[start] { start += 1 }
        var end = 0
        while end < min(new.count, old.count) - start, new[new.count - 1 - end] == old[old.count - 1 - end] {
            end += 1
        }
        var origins = [Int?](repeating: nil, count: new.count)
        for index in 0..<start { origins[index] = index }
        for index in 0..<end { origins[new.count - 1 - index] = old.count - 1 - index }
        // Of the remaining elements, match equal ones first. Then pair the changed ones in order.
        var remaining: [PropertyListValue: [Int]] = [:]
        for index in (start..<old.count - end).reversed() { remaining[old[index], default: []].append(index) }
        for index in start..<new.count - end { origins[index] = remaining[new[index]]?.popLast() }
        var changed = remaining.values.joined().sorted()[...]
        for index in start..<new.count - end where origins[index] == nil {
            origins[index] = changed.popFirst()
        }
        return origins
    }
}

/// The positions of the elements of an array or dictionary in a document.
struct XMLChildren {
    struct Child {
        /// Empty in an array.
        let key: String
        let keyRange: Range<Int>
        /// The range of the element, with what is before it and the comments at the end of its line.
        let range: Range<Int>
        let value: Range<Int>
    }

    /// The start tag, and the end tag with what is before it.
    let opening, closing: Range<Int>
    let children: [Child]

    /// Returns nil if the container is empty.
    init?(of container: XMLValue, in bytes: [UInt8]) {
        var reader = XMLReader(bytes, limits: .standard)
        reader.move(to: container.range.lowerBound)
        guard let found = try? Self.read(&reader) else { return nil }
        let start = container.range.lowerBound
        opening = start..<(found.children.first?.range.lowerBound ?? found.start)
        closing = (found.children.last?.range.upperBound ?? found.start)..<container.range.upperBound
        children = found.children
    }

    private static func read(
        _ reader: inout XMLReader
    ) throws(PropertyListError) -> (start: Int, children: [Child])? {
        guard let element = try reader.readContainerStart() else { return nil }
        let start = reader.position
        var children: [Child] = []
        var childStart = start
        while true {
            var key = ""
            var keyRange = childStart..<childStart
            if element == .dict {
                try reader.skipToKey()
                let keyStart = reader.position
                guard let next = try reader.readKey() else { break }
                (key, keyRange) = (next, keyStart..<reader.position)
                try reader.skipToValue()
            } else if try !reader.skipToElement() {
                break
            }
            let valueStart = reader.position
            _ = try reader.readValue()
            let value = valueStart..<reader.position
            try reader.skipCommentsOfLine()
            children.append(
                Child(key: key, keyRange: keyRange, range: childStart..<reader.position, value: value)
            )
            childStart = reader.position
        }
        return (start, children)
    }
}
