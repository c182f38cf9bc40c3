// Reads the text between tags. Most text is ASCII without references, so a fast path with SWAR scanning
// comes first.
extension XMLScanner {
    /// Reads ASCII text without references, and its end tag. Nearly all text is such.
    ///
    /// - Returns: The range of the text, or nil for any other text. The position is then unchanged.
    mutating func readPlainText(of element: Element) -> Range<Int>? {
        let start = position
        var end = start
        while let word = bytes.word(at: end) {
            let found =
                word.matches(of: ASCII.less) | word.matches(of: ASCII.ampersand) | word & UInt64(each: 0x80)
            end += found.bytesBeforeFirstMatch
            guard found != 0 else { continue }
            guard bytes[end] == ASCII.less, end + 1 < bytes.count, bytes[end + 1] == ASCII.slash,
                let tag = readShortTag(at: end + 2)
            else { return nil }
            if tag.element == element, !tag.isEmpty { return start..<end }
            position = start
            return nil
        }
        return nil
    }

    /// Reads text and its end tag. References and CDATA sections are replaced by their characters, and
    /// comments are removed.
    ///
    /// - Returns: The text, which is not yet checked to be UTF-8.
    mutating func readText(of element: Element) throws(PropertyListError) -> ArraySlice<UInt8> {
        if let text = readPlainText(of: element) { return bytes[text] }
        let start = position
        skipPlainText()
        if isAtEndTag {
            let text = bytes[start..<position]
            try readEndTag(of: element)
            return text
        }
        var text = Array(bytes[start..<position])
        while !isAtEndTag {
            if current == ASCII.ampersand {
                text.append(contentsOf: try readReference().utf8)
            } else if has("<![CDATA[") {
                let section = position
                position += "<![CDATA[".utf8.count
                let content = position
                while !has("]]>") {
                    guard !isAtEnd else { throw error(at: section, "the CDATA section does not end") }
                    position += 1
                }
                text += bytes[content..<position]
                position += 3
            } else if has("<!--") {
                try skip(to: "-->", "comment")
            } else if has("<?") {
                try skip(to: "?>", "processing instruction")
            } else {
                throw expected("‘</\(element)>’")
            }
            let plain = position
            skipPlainText()
            text += bytes[plain..<position]
        }
        try readEndTag(of: element)
        return text[...]
    }

    private mutating func skipPlainText() {
        var index = position
        while let word = bytes.word(at: index) {
            let found = word.matches(of: ASCII.less) | word.matches(of: ASCII.ampersand)
            index += found.bytesBeforeFirstMatch
            guard found == 0 else { break }
        }
        while index < bytes.count, bytes[index] != ASCII.less, bytes[index] != ASCII.ampersand { index += 1 }
        position = index
    }

    /// Reads a character reference (`&#10;`, `&#xA;`) or one of the five predefined entities, such as
    /// `&amp;`.
    private mutating func readReference() throws(PropertyListError) -> Unicode.Scalar {
        let start = position
        guard let end = bytes[start...].prefix(40).firstIndex(of: UInt8(ascii: ";")) else {
            throw error(at: start, "‘&’ is not followed by a name and ‘;’ (‘&’ itself is written ‘&amp;’)")
        }
        position = end + 1
        let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard name.hasPrefix("#") else {
            throw error(at: start, quoting: .text(bytes[start...end])) {
                "\($0) is not a character of XML, which names only &amp; &lt; &gt; &quot; and &apos;"
            }
        }
        let isHex = name.hasPrefix("#x")
        let digits = name.dropFirst(isHex ? 2 : 1)
        guard digits.utf8.allSatisfy({ isHex ? ASCII.hexDigit($0) != nil : ASCII.isDigit($0) }),
            let code = UInt32(digits, radix: isHex ? 16 : 10), let scalar = Unicode.Scalar(code)
        else { throw error(at: start, quoting: .text(bytes[start...end])) { "\($0) is not a character" } }
        return scalar
    }
}
