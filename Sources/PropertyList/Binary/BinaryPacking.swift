// Reads values directly into ``PackedValues``, without creating the strings and arrays first.
extension BinaryReader {
    /// Reads an entry of the top dictionary. The value is packed if it is short, would take memory of
    /// its own, and was not referred to before.
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
            let position = UInt32(packed.end)
            try pack(reference, object, into: &packed)
            return (key, .packed(position))
        }
        return (key, .value(try readValue(reference, object, depth: 1)))
    }

    /// The longest shared string, in bytes, that is packed with each dictionary that has it.
    private static var longestShared: Int { 64 }

    private func isWorthPacking(_ object: BinaryObject) -> Bool {
        switch object.kind {
        case .asciiString: return PackedValues.stringLengths ~= object.content.count
        case .data: return PackedValues.dataLengths ~= object.content.count
        case .array, .dictionary:
            var remainingSize = PackedValues.maximumSize
            // An error in the object is reported when it is read.
            return (try? isShort(object, depth: 1, &remainingSize)) ?? false
        default: return false
        }
    }

    /// Whether an array or dictionary is short, including everything inside it.
    ///
    /// A long shared object counts as not short, so that it is stored once and not once for each
    /// reference.
    private func isShort(
        _ object: BinaryObject,
        depth: Int,
        _ remainingSize: inout Int
    ) throws(PropertyListError) -> Bool {
        let count = file.count(of: object)
        remainingSize -= object.range.count
        guard count <= PackedValues.maximumEntryCount, depth < limits.depth, remainingSize >= 0 else {
            return false
        }
        for index in 0..<(object.kind == .array ? count : 2 * count) {
            let reference = try file.reference(index, of: object)
            let child = try file.object(reference)
            if child.kind.isContainer {
                guard isNew(reference), try isShort(child, depth: depth + 1, &remainingSize) else {
                    return false
                }
            } else {
                remainingSize -= child.range.count
                guard remainingSize >= 0, child.range.count <= Self.longestShared || isNew(reference) else {
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
        try countUnread(index, object)
        switch object.kind {
        case .array, .dictionary:
            let count = file.count(of: object)
            let isArray = object.kind == .array
            let position = packed.open(isArray ? .array : .dictionary(.first))
            for position in 0..<count {
                if !isArray { packed.append(try readKey(try file.reference(position, of: object))) }
                let child = try file.reference(isArray ? position : count + position, of: object)
                try pack(child, try file.object(child), into: &packed)
            }
            packed.close(position, count: count)
        case .data:
            // The slice checks that the object is within the bytes.
            file.bytes.withUnsafeBytes {
                packed.append(data: UnsafeRawBufferPointer(rebasing: $0[object.content]))
            }
        case .asciiString:
            let isASCII = file.bytes.withUnsafeBytes { bytes in
                let text = UnsafeRawBufferPointer(rebasing: bytes[object.content])
                if text.isASCII { packed.append(utf8: text) }
                return text.isASCII
            }
            // This throws the error that names the wrong byte.
            if !isASCII { packed.append(try file.scalar(object)) }
        default: packed.append(try file.scalar(object))
        }
    }
}
