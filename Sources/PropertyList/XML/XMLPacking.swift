import FoundationEssentials

// Reads values directly into ``PackedValues``, without creating the strings and arrays first.
extension XMLReader {
    /// Reads the value of an entry of the top dictionary. A short value that would take memory of its
    /// own is packed.
    mutating func readStoredValue(_ packed: inout PackedValues) throws(PropertyListError) -> StoredValue {
        let start = try readValueStart()
        let position = packed.end
        switch start.element {
        case .string where !start.isEmpty:
            let content = scanner.position
            guard let text = scanner.readPlainText(of: .string) else { break }
            guard PackedValues.stringLengths ~= text.count else {
                scanner.position = content
                break
            }
            // The slice checks that the text is within the bytes.
            scanner.bytes.withUnsafeBytes { packed.append(utf8: UnsafeRawBufferPointer(rebasing: $0[text])) }
            return .packed(UInt32(position))
        case .data where !start.isEmpty:
            let data = try readData()
            guard PackedValues.dataLengths ~= data.count else { return .value(.data(Data(data))) }
            data.withUnsafeBytes { packed.append(data: $0) }
            return .packed(UInt32(position))
        case .array where !start.isEmpty, .dict where !start.isEmpty:
            let outer = depth
            if try pack(start, into: &packed, from: position) { return .packed(UInt32(position)) }
            packed.truncate(to: position)
            depth = outer
            scanner.position = start.position
            return .value(try readValue())
        default: break
        }
        return .value(try readContent(of: start))
    }

    /// Packs an array or dictionary that is not empty.
    ///
    /// - Parameter first: The index at which the outermost container begins.
    /// - Returns: False if the container must be read in the normal way, from its start.
    private mutating func pack(
        _ start: ValueStart,
        into packed: inout PackedValues,
        from first: Int
    ) throws(PropertyListError) -> Bool {
        depth += 1
        guard depth <= limits.depth else { return false }
        let isArray = start.element == .array
        let position = packed.open(isArray ? .array : .dictionary(.last))
        var count = 0
        var isReference = false
        while try isArray ? skipToElement() : packKey(&packed, &isReference) {
            let start = try readValueStart()
            if !start.isEmpty, start.element == .array || start.element == .dict {
                guard try pack(start, into: &packed, from: first) else { return false }
            } else {
                switch try readContent(of: start) {
                // An empty container.
                case .array, .dictionary: return false
                case let value: packed.append(value)
                }
            }
            count += 1
            guard count <= PackedValues.maximumEntryCount, packed.end - first <= PackedValues.maximumSize
            else {
                return false
            }
        }
        if isReference, count == 1 { return false }
        depth -= 1
        packed.close(position, count: count)
        return true
    }

    /// Packs the next key of a dictionary. Returns false after the last entry, when the end tag has
    /// been read.
    ///
    /// - Parameter isReference: Set to true by the key of a reference in a keyed archive.
    private mutating func packKey(
        _ packed: inout PackedValues,
        _ isReference: inout Bool
    ) throws(PropertyListError) -> Bool {
        guard let key = try readKey() else { return false }
        if key == "CF$UID" { isReference = true }
        packed.append(key)
        try skipToValue()
        return true
    }
}
