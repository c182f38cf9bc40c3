extension BinaryReader {
    /// Reads an entry of the dictionary at the top. A value that is short, would take memory of its own, and was
    /// not referred to before, is packed.
    mutating func readStoredEntry(
        _ index: Int,
        of top: BinaryObject,
        count entries: Int,
        _ packed: inout PackedValues
    ) throws(PropertyListError) -> (key: String, value: StoredValue) {
        let key = try readKey(try file.reference(index, of: top))
        let reference = try file.reference(entries + index, of: top)
        let object = try file.object(reference)
        if !object.kind.isSmall, isNew(reference), isWorthPacking(object) {
            let place = UInt32(packed.end)
            try pack(reference, object, into: &packed)
            return (key, .packed(place))
        }
        return (key, .value(try readValue(reference, object, depth: 1)))
    }

    /// Names of that length, in bytes, may be packed with each dictionary that has them.
    private static var longestShared: Int { 64 }

    private func isWorthPacking(_ object: BinaryObject) -> Bool {
        switch object.kind {
        case .asciiString: return PackedValues.texts ~= object.content.count
        case .data: return PackedValues.data ~= object.content.count
        case .array, .dictionary:
            var room = PackedValues.longest
            // What is malformed is found where it is read.
            return (try? isShort(object, depth: 1, &room)) ?? false
        default: return false
        }
    }

    /// Whether an array or a dictionary is short with all that is in it, none of it long and shared: what many
    /// have is in memory once.
    private func isShort(
        _ object: BinaryObject,
        depth: Int,
        _ room: inout Int
    ) throws(PropertyListError) -> Bool {
        let count = file.count(of: object)
        room -= object.range.count
        guard count <= PackedValues.mostEntries, depth < limits.depth, room >= 0 else { return false }
        for index in 0..<(object.kind == .array ? count : 2 * count) {
            let reference = try file.reference(index, of: object)
            let part = try file.object(reference)
            if part.kind.isContainer {
                guard isNew(reference), try isShort(part, depth: depth + 1, &room) else { return false }
            } else {
                room -= part.range.count
                guard room >= 0, part.range.count <= Self.longestShared || isNew(reference) else {
                    return false
                }
            }
        }
        return true
    }

    private mutating func pack(
        _ index: Int,
        _ object: BinaryObject,
        into packed: inout PackedValues
    ) throws(PropertyListError) {
        try pass(index, object)
        switch object.kind {
        case .array, .dictionary:
            let count = file.count(of: object)
            let isArray = object.kind == .array
            let place = packed.open(isArray ? .array : .dictionary(.first))
            for position in 0..<count {
                if !isArray { packed.append(try readKey(try file.reference(position, of: object))) }
                let part = try file.reference(isArray ? position : count + position, of: object)
                try pack(part, try file.object(part), into: &packed)
            }
            packed.close(place, count: count)
        case .data:
            // The object lies within the file, which the slice checks.
            file.bytes.withUnsafeBytes {
                packed.append(data: UnsafeRawBufferPointer(rebasing: $0[object.content]))
            }
        case .asciiString:
            let isASCII = file.bytes.withUnsafeBytes { bytes in
                let text = UnsafeRawBufferPointer(rebasing: bytes[object.content])
                if text.isASCII { packed.append(utf8: text) }
                return text.isASCII
            }
            // Which says where it is not.
            if !isASCII { packed.append(try file.scalar(object)) }
        default: packed.append(try file.scalar(object))
        }
    }
}
