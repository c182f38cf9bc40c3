import FoundationEssentials

extension XMLReader {
    /// Reads the value of an entry at the top. What is short and would take memory of its own is packed.
    mutating func readStoredValue(_ packed: inout PackedValues) throws(PropertyListError) -> StoredValue {
        let start = try readValueStart()
        let place = packed.end
        switch start.element {
        case .string where !start.isEmpty:
            let content = scanner.position
            guard let text = scanner.readPlainText(of: .string) else { break }
            guard PackedValues.texts ~= text.count else {
                scanner.position = content
                break
            }
            // The text is a part of these bytes, which its slice checks.
            scanner.bytes.withUnsafeBytes { packed.append(utf8: UnsafeRawBufferPointer(rebasing: $0[text])) }
            return .packed(UInt32(place))
        case .data where !start.isEmpty:
            let data = try readData()
            guard PackedValues.data ~= data.count else { return .value(.data(Data(data))) }
            data.withUnsafeBytes { packed.append(data: $0) }
            return .packed(UInt32(place))
        case .array where !start.isEmpty, .dict where !start.isEmpty:
            let outer = depth
            if try pack(start, into: &packed, from: place) { return .packed(UInt32(place)) }
            packed.cut(to: place)
            depth = outer
            scanner.position = start.position
            return .value(try readValue())
        default: break
        }
        return .value(try readContent(of: start))
    }

    /// Packs an array or a dictionary that is not empty.
    ///
    /// - Parameter first: Where the outermost one begins.
    /// - Returns: False where it is to be read in the other way, from its start.
    private mutating func pack(
        _ start: ValueStart,
        into packed: inout PackedValues,
        from first: Int
    ) throws(PropertyListError) -> Bool {
        depth += 1
        guard depth <= limits.depth else { return false }
        let isArray = start.element == .array
        let place = packed.open(isArray ? .array : .dictionary(.last))
        var count = 0
        var isReference = false
        while try isArray ? skipToElement() : packKey(&packed, &isReference) {
            let start = try readValueStart()
            if !start.isEmpty, start.element == .array || start.element == .dict {
                guard try pack(start, into: &packed, from: first) else { return false }
            } else {
                switch try readContent(of: start) {
                // An empty one.
                case .array, .dictionary: return false
                case let value: packed.append(value)
                }
            }
            count += 1
            guard count <= PackedValues.mostEntries, packed.end - first <= PackedValues.longest else {
                return false
            }
        }
        if isReference, count == 1 { return false }
        depth -= 1
        packed.close(place, count: count)
        return true
    }

    /// False behind the last entry, when the end tag has been read.
    ///
    /// - Parameter isReference: Becomes true by a key that a reference of a keyed archive has.
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
