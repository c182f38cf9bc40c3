// Reads strings with and without quotation marks, and their escapes.
extension OpenStepReader {
    /// Reads a string with or without quotation marks.
    mutating func readString() throws(PropertyListError) -> String {
        if isQuote(current) { return try readQuoted() }
        let start = position
        while Self.isWordByte(current) { position += 1 }
        guard position > start else {
            throw expected("a value (a string with other characters needs quotation marks)")
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func readQuoted() throws(PropertyListError) -> String {
        let start = position
        let quote = current
        position += 1
        var text: [UInt8] = []
        /// The first half of a surrogate pair, with the index of its escape.
        var half: (unit: UInt16, start: Int)?
        while current != quote || isAtEnd {
            guard !isAtEnd else { throw error(at: start, "the quotation mark is not closed") }
            let escapeStart = position
            guard current == UInt8(ascii: "\\") else {
                if let half { throw loneSurrogate(at: half.start) }
                text.append(current)
                position += 1
                continue
            }
            position += 1
            let unit = try readEscape(from: escapeStart, into: &text)
            switch (half, unit) {
            case (nil, nil): break
            case (nil, let unit?) where UTF16.isLeadSurrogate(unit): half = (unit, escapeStart)
            case (let high?, let low?) where UTF16.isTrailSurrogate(low):
                text += String(decoding: [high.unit, low], as: UTF16.self).utf8
                half = nil
            case (let half, nil), (let half, _?): throw loneSurrogate(at: half?.start ?? escapeStart)
            }
        }
        if let half { throw loneSurrogate(at: half.start) }
        position += 1
        guard let string = String(validating: text, as: UTF8.self) else {
            throw error(at: start, "the string has bytes that are not UTF-8")
        }
        return string
    }

    private func loneSurrogate(at offset: Int) -> PropertyListError {
        error(at: offset, quoting: .text(bytes[offset...].prefix(6))) {
            "\($0) is half of a character, and the other half is not beside it"
        }
    }

    /// Reads the characters after a backslash.
    ///
    /// - Returns: A surrogate. Any other character is appended to the text.
    private mutating func readEscape(
        from start: Int,
        into text: inout [UInt8]
    ) throws(PropertyListError) -> UInt16? {
        guard !isAtEnd else { return nil }
        let byte = current
        position += 1
        switch byte {
        case UInt8(ascii: "a"): text.append(0x07)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(ASCII.lineFeed)
        case UInt8(ascii: "r"): text.append(ASCII.carriageReturn)
        case UInt8(ascii: "t"): text.append(ASCII.tab)
        case UInt8(ascii: "v"): text.append(0x0B)
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            var code = UInt16(byte - ASCII.zero)
            for _ in 0..<2 where current >= ASCII.zero && current <= UInt8(ascii: "7") {
                code = code << 3 | UInt16(current - ASCII.zero)
                position += 1
            }
            guard let code = UInt8(exactly: code), let scalar = NextStepEncoding.scalar(code) else {
                throw error(at: start, quoting: .text(bytes[start..<position])) {
                    "\($0) has no character in NeXTSTEP's encoding, which has those up to \\375"
                }
            }
            text += scalar.utf8
        case UInt8(ascii: "U"):
            var unit: UInt16 = 0
            let digits = position
            while position < digits + 4, let digit = ASCII.hexDigit(current), !isAtEnd {
                unit = unit << 4 | UInt16(digit)
                position += 1
            }
            guard position > digits else {
                throw error(at: start, "found ‘\\U’, expected up to four hexadecimal digits after it")
            }
            guard let scalar = Unicode.Scalar(unit) else { return unit }
            text += scalar.utf8
        // Any other character means itself.
        default: text.append(byte)
        }
        return nil
    }
}
