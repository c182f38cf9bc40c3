// Reads one value of a file.
//
// Problem: a command that prints one of 50,000 values needs none of the others, and making them takes most of its time.
// Approach: the file is read as usual, but only the wanted key and value become a string and a value. Without it, such a
// command would take twice as long.

extension PropertyListDocument {
    /// Reads the value of one key. For many keys this is faster than ``read(_:limits:)``.
    ///
    /// In a binary file, only the keys and the wanted value are examined.
    ///
    /// - Returns: Nil if the file has no such key, if it is invalid, or if it is neither binary nor XML in UTF-8.
    ///   ``read(_:limits:)`` tells the reason.
    public static func value(
        forKey key: String,
        in bytes: [UInt8],
        limits: PropertyListLimits = .standard
    ) -> PropertyListValue? {
        do throws(PropertyListError) {
            switch try FileEncoding(of: bytes, limits: limits) {
            case .xml(.utf8):
                var reader = XMLReader(bytes, limits: limits)
                return try reader.readValue(forKey: key)
            case .binary:
                var reader = BinaryReader(try BinaryFile(bytes), limits: limits)
                return try reader.readValue(forKey: key)
            case .xml, .openStep: return nil
            }
        } catch {
            return nil
        }
    }
}

/// The bytes of a key, if another ASCII key is equal only if it has the same ones. A character outside of ASCII can be
/// equal to one inside, such as the Kelvin sign to K.
private func bytesIfASCII(_ key: String) -> [UInt8]? {
    key.utf8.allSatisfy { $0 < 0x80 } ? Array(key.utf8) : nil
}

extension XMLReader {
    /// Reads a whole file with a dictionary at the top, and returns the value of a key.
    fileprivate mutating func readValue(forKey key: String) throws(PropertyListError) -> PropertyListValue? {
        let wanted = bytesIfASCII(key)
        var found: PropertyListValue?
        try readStart()
        guard case .open = try readDictionaryStart() else { return nil }
        while let isWanted = try readKey(comparedTo: key, wanted) {
            try skipToValue()
            // The last one of several equal keys counts.
            if isWanted { found = try readValue() } else { try skipValue() }
        }
        try readEnd()
        return found
    }

    /// Reads the next key of a dictionary, and returns whether it is the wanted one. Returns nil after the last entry.
    private mutating func readKey(
        comparedTo key: String,
        _ wanted: [UInt8]?
    ) throws(PropertyListError) -> Bool? {
        try skipToKey()
        let start = scanner.position
        if let wanted, scanner.has("<key>") {
            scanner.position += 5
            if let text = scanner.readPlainText(of: .key) {
                return haveSameBytes(scanner.bytes, text, wanted, 0..<wanted.count)
            }
            scanner.position = start
        }
        return try readKey().map { $0 == key }
    }

    private mutating func skipValue() throws(PropertyListError) {
        let start = try readValueStart()
        if start.element == .string, !start.isEmpty, scanner.readPlainText(of: .string) != nil { return }
        _ = try readContent(of: start)
    }
}

extension BinaryReader {
    /// Returns the value of a key of the top dictionary.
    fileprivate mutating func readValue(forKey key: String) throws(PropertyListError) -> PropertyListValue? {
        let top = try openTop()
        let (count, wanted) = (file.count(of: top), bytesIfASCII(key))
        for index in 0..<count {
            let number = try file.reference(index, of: top)
            let object = try file.object(number)
            // The first one of several equal keys counts.
            let isWanted =
                if let wanted, object.kind == .asciiString {
                    haveSameBytes(file.bytes, object.content, wanted, 0..<wanted.count)
                } else {
                    try readKey(number) == key
                }
            if isWanted { return try readValue(try file.reference(count + index, of: top), depth: 1) }
        }
        return nil
    }
}
