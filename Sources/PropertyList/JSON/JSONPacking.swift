// Puts the values of a JSON file directly into ``PackedValues``, without creating the strings and arrays first. `XMLPacking.swift`
// does the same for XML. Creating those strings and arrays takes longer than finding the values in the text.
extension JSONNode {
    /// The value as an entry of the outermost object. A short value that would take memory of its own is packed.
    func storedValue(_ packed: inout PackedValues) -> StoredValue {
        let position = packed.end
        switch kind {
        case .string:
            guard let text = JSONString.plainText(storage.bytes, at: range.lowerBound),
                PackedValues.stringLengths ~= text.count
            else { break }
            storage.bytes.withUnsafeBytes { packed.append(utf8: UnsafeRawBufferPointer(rebasing: $0[text])) }
            return .packed(UInt32(position))
        case .array where childCount > 0, .object where childCount > 0:
            if pack(into: &packed, from: position) { return .packed(UInt32(position)) }
            packed.truncate(to: position)
        default: break
        }
        return .value(propertyListValue)
    }

    /// Packs an array or object that is not empty.
    ///
    /// - Parameter first: The index at which the outermost one begins.
    /// - Returns: False if it is too large.
    private func pack(into packed: inout PackedValues, from first: Int) -> Bool {
        guard childCount <= PackedValues.maximumEntryCount else { return false }
        let position = packed.open(kind == .array ? .array : .dictionary(.last))
        for index in 0..<childCount {
            let child = child(index)
            if let name = child.name { packed.append(name) }
            switch child.propertyListLeaf {
            case let leaf?: packed.append(leaf)
            case nil: guard child.childCount > 0, child.pack(into: &packed, from: first) else { return false }
            }
            guard packed.end - first <= PackedValues.maximumSize else { return false }
        }
        packed.close(position, count: childCount)
        return true
    }
}
