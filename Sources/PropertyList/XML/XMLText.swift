extension XMLScanner {
    /// Reads text of ASCII without references, and an end tag without white space in it: what nearly
    /// all text is, by the shortest way. For any other text nil, and the position stays.
    ///
    /// - Returns: Where the text is.
    mutating func readPlainText(of element: Element) -> Range<Int>? {
        let start = position
        var end = start
        while let word = bytes.word(at: end) {
            let found =
                word.places(of: ASCII.less) | word.places(of: ASCII.ampersand) | word & UInt64(each: 0x80)
            end += found.bytesBeforeFirst
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

    /// Reads text and the end tag behind it. References and CDATA sections are replaced by what they
    /// stand for, comments by nothing.
    ///
    /// - Returns: The text, not yet checked to be UTF-8.
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
        var place = position
        while let word = bytes.word(at: place) {
            let found = word.places(of: ASCII.less) | word.places(of: ASCII.ampersand)
            place += found.bytesBeforeFirst
            guard found == 0 else { break }
        }
        while place < bytes.count, bytes[place] != ASCII.less, bytes[place] != ASCII.ampersand { place += 1 }
        position = place
    }

    /// Reads `&amp;` and its four kin, `&#10;` and `&#xA;`.
    private mutating func readReference() throws(PropertyListError) -> Unicode.Scalar {
        let start = position
        guard let end = bytes[start...].prefix(40).firstIndex(of: UInt8(ascii: ";")) else {
            throw error(at: start, "found ‘&’ with no ‘;’ behind it (‘&’ itself is written ‘&amp;’)")
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
            throw error(at: start, "found a reference to an entity that is not one of XML's five")
        }
        let isHex = name.hasPrefix("#x")
        let digits = name.dropFirst(isHex ? 2 : 1)
        guard digits.utf8.allSatisfy({ isHex ? ASCII.hexDigit($0) != nil : ASCII.isDigit($0) }),
            let code = UInt32(digits, radix: isHex ? 16 : 10), let scalar = Unicode.Scalar(code)
        else { throw error(at: start, "found a reference to a character that does not exist") }
        return scalar
    }
}
