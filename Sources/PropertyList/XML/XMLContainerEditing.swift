/// Writes arrays and dictionaries anew in which something has changed: what has not keeps its bytes, the
/// comments around it too.
extension XMLWriter {
    /// Writes a value in the place of an old one.
    ///
    /// - Parameters:
    ///   - depth: The arrays and dictionaries around it.
    ///   - bytes: Those of the document that holds the old value.
    mutating func append(
        _ new: PropertyListValue,
        depth: Int,
        over old: XMLValue,
        of bytes: [UInt8]
    ) throws(PropertyListError) {
        switch (old.value, new) {
        case (.array(let oldElements), .array(let elements)) where !elements.isEmpty:
            guard let parts = XMLParts(of: old, in: bytes), parts.parts.count == oldElements.count else {
                break
            }
            return try append(elements, depth: depth, over: oldElements, parts, of: bytes)
        // With that key alone it would pass for a reference, which is refused below.
        case (.dictionary(let oldEntries), .dictionary(let entries))
        where !entries.isEmpty && (entries.count > 1 || entries["CF$UID"] == nil):
            // Of a key that is there twice one is hidden.
            guard let parts = XMLParts(of: old, in: bytes), parts.parts.count == oldEntries.count else {
                break
            }
            return try append(entries, depth: depth, over: oldEntries, parts, of: bytes)
        default: break
        }
        try append(new, depth: depth)
    }

    private mutating func append(
        _ entries: [String: PropertyListValue],
        depth: Int,
        over old: [String: PropertyListValue],
        _ container: XMLParts,
        of bytes: [UInt8]
    ) throws(PropertyListError) {
        let keys = container.parts.map(\.key)
        let isSorted = zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
        var new = sortedByKey(entries.filter { old[$0.key] == nil })
        var renamed: [String: String] = [:]
        let gone = container.parts.filter { entries[$0.key] == nil }
        for part in gone where gone.count <= XMLDocument.mostRenamed && !new.isEmpty {
            guard let index = new.firstIndex(where: { $0.value == old[part.key] }),
                !isSorted || bytes[part.range].contains("<!--".utf8)
            else { continue }
            renamed[part.key] = new.remove(at: index).key
        }
        var added = new[...]
        append(copy: bytes[container.opening])
        for part in container.parts {
            while isSorted, let first = added.first, first.key < part.key {
                try appendEntry(first.key, first.value, depth: depth + 1)
                added.removeFirst()
            }
            if let name = renamed[part.key] {
                append(copy: bytes[part.range.lowerBound..<part.keyRange.lowerBound])
                try appendKey(name)
                append(copy: bytes[part.keyRange.upperBound..<part.range.upperBound])
                continue
            }
            guard let index = entries.index(forKey: part.key), let before = old[part.key] else { continue }
            let (key, new) = entries[index]
            let name = key.hasSameBytes(as: part.key) ? nil : key
            do throws(PropertyListError) {
                try append(new, named: name, depth: depth + 1, over: before, part, of: bytes)
            } catch {
                throw error.below(.key(part.key))
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
        _ container: XMLParts,
        of bytes: [UInt8]
    ) throws(PropertyListError) {
        append(copy: bytes[container.opening])
        for (index, origin) in origins(of: elements, in: old).enumerated() {
            do throws(PropertyListError) {
                if let origin {
                    let part = container.parts[origin]
                    try append(elements[index], depth: depth + 1, over: old[origin], part, of: bytes)
                } else {
                    appendLine(depth + 1)
                    try append(elements[index], depth: depth + 1)
                }
            } catch {
                throw error.below(.index(index))
            }
        }
        append(copy: bytes[container.closing])
        try checkSize()
    }

    /// Writes a part with its value exchanged, unless it is the same.
    ///
    /// - Parameter name: Its key, where that has another Unicode form now.
    private mutating func append(
        _ new: PropertyListValue,
        named name: String? = nil,
        depth: Int,
        over old: PropertyListValue,
        _ part: XMLParts.Part,
        of bytes: [UInt8]
    ) throws(PropertyListError) {
        var start = part.range.lowerBound
        if let name {
            append(copy: bytes[start..<part.keyRange.lowerBound])
            try appendKey(name)
            start = part.keyRange.upperBound
        }
        if new == old { return append(copy: bytes[start..<part.range.upperBound]) }
        append(copy: bytes[start..<part.value.lowerBound])
        try append(new, depth: depth, over: XMLValue(value: old, range: part.value), of: bytes)
        append(copy: bytes[part.value.upperBound..<part.range.upperBound])
    }

    /// For each element the one of the old array that it is, or that it stands for; nil for a new one.
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
        // Of the rest, first those that were moved, then those that were changed, one for one.
        var left: [PropertyListValue: [Int]] = [:]
        for index in (start..<old.count - end).reversed() { left[old[index], default: []].append(index) }
        for index in start..<new.count - end { origins[index] = left[new[index]]?.popLast() }
        var changed = left.values.joined().sorted()[...]
        for index in start..<new.count - end where origins[index] == nil {
            origins[index] = changed.popFirst()
        }
        return origins
    }
}

/// Where in a document the parts of an array or a dictionary are.
struct XMLParts {
    struct Part {
        /// Empty in an array.
        let key: String
        let keyRange: Range<Int>
        /// With what is in front of it, and the comments that end its line.
        let range: Range<Int>
        let value: Range<Int>
    }

    /// The start tag, and the end tag with what is in front of it.
    let opening, closing: Range<Int>
    let parts: [Part]

    /// Nil where there are none.
    init?(of container: XMLValue, in bytes: [UInt8]) {
        var reader = XMLReader(bytes, limits: .standard)
        reader.move(to: container.range.lowerBound)
        guard let found = try? Self.read(&reader) else { return nil }
        let start = container.range.lowerBound
        opening = start..<(found.parts.first?.range.lowerBound ?? found.start)
        closing = (found.parts.last?.range.upperBound ?? found.start)..<container.range.upperBound
        parts = found.parts
    }

    private static func read(
        _ reader: inout XMLReader
    ) throws(PropertyListError) -> (start: Int, parts: [Part])? {
        guard let element = try reader.readContainerStart() else { return nil }
        let start = reader.position
        var parts: [Part] = []
        var partStart = start
        while true {
            var key = ""
            var keyRange = partStart..<partStart
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
            parts.append(Part(key: key, keyRange: keyRange, range: partStart..<reader.position, value: value))
            partStart = reader.position
        }
        return (start, parts)
    }
}
