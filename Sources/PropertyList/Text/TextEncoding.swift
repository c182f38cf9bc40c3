/// The encodings of XML and OpenStep property lists.
///
/// The byte order mark decides. Without one, the first bytes reveal UTF-16 (XML 1.0, appendix F.1),
/// then the XML declaration names the encoding, and UTF-8 is the default. Foundation's
/// `String(data:encoding:)` cannot say where invalid bytes are.
enum TextEncoding: Equatable {
    case utf8, ascii, latin1
    case utf16(bigEndian: Bool)

    /// Detects the encoding of a file and the length of its byte order mark.
    static func detect(_ bytes: [UInt8]) throws(PropertyListError) -> (encoding: Self, markLength: Int) {
        switch (byte(0, of: bytes), byte(1, of: bytes), byte(2, of: bytes), byte(3, of: bytes)) {
        case (0xFF, 0xFE, 0, 0), (0, 0, 0xFE, 0xFF), (0, 0, 0, 0x3C), (0x3C, 0, 0, 0):
            throw PropertyListError(
                .line(1, column: 1),
                .unsupported,
                "the text is UTF-32, expected UTF-8 or UTF-16"
            )
        case (0xEF, 0xBB, 0xBF, _): return (.utf8, 3)
        case (0xFE, 0xFF, _, _): return (.utf16(bigEndian: true), 2)
        case (0xFF, 0xFE, _, _): return (.utf16(bigEndian: false), 2)
        case (0, 0x3C, _, _): return (.utf16(bigEndian: true), 0)
        case (0x3C, 0, _, _): return (.utf16(bigEndian: false), 0)
        default: break
        }
        guard let name = declaredName(in: bytes) else { return (.utf8, 0) }
        switch String(decoding: bytes[name], as: UTF8.self).lowercased() {
        case "utf-8", "utf8": return (.utf8, 0)
        case "us-ascii", "ascii": return (.ascii, 0)
        case "iso-8859-1", "iso_8859-1", "latin1", "latin-1": return (.latin1, 0)
        default:
            let quotation = Quotation.text(bytes[name])
            throw .inText(bytes, at: name.lowerBound, quoting: quotation, reason: .unsupported) {
                "the declaration names the encoding \($0), expected UTF-8, US-ASCII, ISO-8859-1, "
                    + "or UTF-16 if the text is UTF-16"
            }
        }
    }

    /// Finds the name of the encoding in the XML declaration of a text that is ASCII or an extension of
    /// it.
    static func declaredName(in bytes: [UInt8]) -> Range<Int>? {
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < bytes.count, ASCII.isWhiteSpace(bytes[start]) { start += 1 }
        guard bytes[start...].starts(with: Array("<?xml".utf8)),
            let end = bytes[start...].firstIndex(of: ASCII.greater),
            // `firstRange(of:)` takes longer than the reading of a small file.
            let name = (start..<end).first(where: { bytes[$0..<end].starts(with: "encoding".utf8) })
        else { return nil }
        var position = name + "encoding".utf8.count
        func skipWhiteSpace() { while position < end, ASCII.isWhiteSpace(bytes[position]) { position += 1 } }
        skipWhiteSpace()
        guard bytes[position] == UInt8(ascii: "=") else { return nil }
        position += 1
        skipWhiteSpace()
        let quote = bytes[position]
        guard quote == ASCII.quote || quote == UInt8(ascii: "'"),
            let close = bytes[(position + 1)..<end].firstIndex(of: quote)
        else { return nil }
        return position + 1..<close
    }

    /// Converts a file's text to UTF-8, without the byte order mark.
    static func decode(_ bytes: [UInt8]) throws(PropertyListError) -> [UInt8] {
        let (encoding, markLength) = try detect(bytes)
        let text = bytes[markLength...]
        switch encoding {
        case .utf8: return Array(text)
        case .ascii:
            if let offset = text.firstIndex(where: { $0 >= 0x80 }) {
                let problem = "found a byte above 127, but the text is declared as US-ASCII"
                throw .inText(bytes, at: offset, problem)
            }
            return Array(text)
        case .latin1:
            var result: [UInt8] = []
            result.reserveCapacity(text.count)
            for byte in text {
                if byte < 0x80 {
                    result.append(byte)
                } else {
                    result.append(0xC0 | byte >> 6)
                    result.append(0x80 | byte & 0x3F)
                }
            }
            return result
        case .utf16(let bigEndian): return try decodeUTF16(text, bigEndian: bigEndian)
        }
    }

    private static func decodeUTF16(
        _ bytes: ArraySlice<UInt8>,
        bigEndian: Bool
    ) throws(PropertyListError) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for index in stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(bigEndian ? first << 8 | second : second << 8 | first)
        }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var decoder = UTF16()
        var iterator = units.makeIterator()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): result.append(contentsOf: scalar.utf8)
            case .error:
                let problem = "found half of a character of UTF-16, expected the other half"
                throw .inText(result, at: result.count, problem)
            case .emptyInput:
                guard bytes.count.isMultiple(of: 2) else {
                    throw .inText(result, at: result.count, "the text is UTF-16 and ends within a character")
                }
                return result
            }
        }
    }

    private static func byte(_ index: Int, of bytes: [UInt8]) -> UInt8? {
        index < bytes.count ? bytes[index] : nil
    }
}
