extension JSONDocument {
    /// The text of the member `$schema` of the outermost object, which names the file's schema. Nil if the start of the text
    /// has none.
    ///
    /// The text is only scanned up to `$schema`, because every command that looks for declarations asks for it.
    ///
    /// - Parameter start: The first bytes of a file. They may end anywhere.
    public static func schemaReference(inStart start: [UInt8]) -> String? {
        var scanner = JSONScanner(start, .withComments)
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.position = 3 }
        var depth = 0
        do {
            try scanner.skipSpace()
            guard scanner.byte == UInt8(ascii: "{") else { return nil }
            while let byte = scanner.byte {
                let position = scanner.position
                switch byte {
                case ASCII.quote:
                    try scanner.skipString()
                    guard depth == 1, JSONString.decoded(start, at: position) == "$schema" else { break }
                    try scanner.skipSpace()
                    guard scanner.byte == UInt8(ascii: ":") else { break }
                    scanner.position += 1
                    try scanner.skipSpace()
                    guard scanner.byte == ASCII.quote else { return nil }
                    let value = scanner.position
                    try scanner.skipString()
                    return JSONString.decoded(start, at: value)
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    depth += 1
                    scanner.position += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    scanner.position += 1
                default: scanner.position += 1
                }
                try scanner.skipSpace()
            }
        } catch {
            // The text ends inside a value, or is no JSON.
        }
        return nil
    }
}
