/// Scans the part of XML 1.0 that property lists use: tags, text, comments and processing instructions.
/// ``XMLReader`` says why no XML library is used.
///
/// Only the five predefined entities (XML 1.0, section 4.6) are expanded. None can be declared, so no
/// file can multiply its own size. Attributes are skipped. As in Foundation, and unlike XML 1.0, a
/// carriage return in text stays (section 2.11 makes it a line feed), and so do forbidden control
/// characters (section 2.2).
struct XMLScanner: TextReader {
    /// The text in UTF-8.
    let bytes: [UInt8]
    var position: Int

    /// The element names, each stored as its bytes in one big-endian number.
    enum Element: UInt64 {
        case plist = 0x70_6C69_7374
        case dict = 0x6469_6374
        case array = 0x61_7272_6179
        case key = 0x6B_6579
        case string = 0x7374_7269_6E67
        case integer = 0x69_6E74_6567_6572
        case real = 0x7265_616C
        case date = 0x6461_7465
        case data = 0x6461_7461
        case `true` = 0x7472_7565
        case `false` = 0x66_616C_7365
    }

    /// The byte at the position, or 0 at the end. No construct begins with 0.
    var current: UInt8 { position < bytes.count ? bytes[position] : 0 }
    var following: UInt8 { position + 1 < bytes.count ? bytes[position + 1] : 0 }
    var isAtEnd: Bool { position >= bytes.count }
}

extension XMLScanner {
    mutating func skipWhiteSpace() {
        var index = position
        while index < bytes.count, ASCII.isWhiteSpace(bytes[index]) { index += 1 }
        position = index
    }

    /// Skips spaces and tabs.
    mutating func skipBlanks() {
        while current == ASCII.space || current == ASCII.tab { position += 1 }
    }

    /// Skips white space, comments and processing instructions.
    mutating func skipMiscellany() throws(PropertyListError) {
        while true {
            skipWhiteSpace()
            guard current == ASCII.less else { return }
            switch following {
            case UInt8(ascii: "?"): try skip(to: "?>", "processing instruction")
            case UInt8(ascii: "!") where has("<!--"): try skip(to: "-->", "comment")
            default: return
            }
        }
    }

    /// Skips the XML declaration, the document type and what surrounds them.
    mutating func skipProlog() throws(PropertyListError) {
        try skipMiscellany()
        guard has("<!DOCTYPE") else { return }
        let start = position
        while current != ASCII.greater {
            switch current {
            case ASCII.quote, UInt8(ascii: "'"): try skipQuoted()
            case UInt8(ascii: "["):
                throw error(
                    at: position,
                    "the document type has declarations of its own, which property lists do not need",
                    reason: .unsupported
                )
            case _ where isAtEnd: throw error(at: start, "the document type does not end")
            default: position += 1
            }
        }
        position += 1
        try skipMiscellany()
    }

    func has(_ text: StaticString) -> Bool {
        guard bytes.count - position >= text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount where bytes[position + index] != text.utf8Start[index] {
            return false
        }
        return true
    }

    /// Skips a construct that begins with `<!` or `<?`, including its end.
    mutating func skip(to end: StaticString, _ name: String) throws(PropertyListError) {
        let start = position
        // The end may not overlap the start: `<!-->` is not a comment.
        position += has("<!--") ? 4 : 2
        while !has(end) {
            guard !isAtEnd else { throw error(at: start, "the \(name) does not end") }
            position += 1
        }
        position += end.utf8CodeUnitCount
    }

    private mutating func skipQuoted() throws(PropertyListError) {
        let start = position
        let quote = current
        repeat { position += 1 } while !isAtEnd && current != quote
        guard !isAtEnd else { throw error(at: start, "the quotation mark is not closed") }
        position += 1
    }
}

extension XMLScanner {
    /// Reads a start tag or an empty-element tag. The position is at its `<`.
    mutating func readStartTag() throws(PropertyListError) -> (element: Element, isEmpty: Bool) {
        if let tag = readShortTag(at: position + 1) { return tag }
        let start = position
        position += 1
        var name: UInt64 = 0
        while ASCII.isLetter(current) {
            // A longer name leaves its last eight letters here, which are more than any element name
            // has.
            name = name << 8 | UInt64(current)
            position += 1
        }
        guard let element = Element(rawValue: name) else {
            position = start
            throw unknownTag()
        }
        if current == ASCII.greater {
            position += 1
            return (element, false)
        }
        return (element, try skipAttributes(from: start))
    }

    /// Reads a tag that contains only a name and is short. Nearly all tags are such.
    ///
    /// - Parameter nameStart: The index of the name. The tag must end within eight bytes.
    /// - Returns: Nil for any other tag. The position is then unchanged.
    @inline(__always)
    mutating func readShortTag(at nameStart: Int) -> (element: Element, isEmpty: Bool)? {
        guard let word = bytes.word(at: nameStart) else { return nil }
        let length = word.matches(of: ASCII.greater).bytesBeforeFirstMatch
        guard 1..<8 ~= length else { return nil }
        var name = word >> UInt64(64 - 8 * length)
        let isEmpty = UInt8(truncatingIfNeeded: name) == ASCII.slash
        if isEmpty { name >>= 8 }
        guard let element = Element(rawValue: name) else { return nil }
        position = nameStart + length + 1
        return (element, isEmpty)
    }

    private func unknownTag() -> PropertyListError {
        if has("<![CDATA[") {
            return error(at: position, "found a CDATA section where an element is expected")
        }
        let name = bytes[(position + 1)...].prefix(40).prefix { ASCII.isLetter($0) || ASCII.isDigit($0) }
        guard !name.isEmpty else {
            return error(at: position + 1, quoting: .character(at: position + 1, in: bytes)) {
                "found \($0), expected the name of an element"
            }
        }
        guard name.endIndex < bytes.count else { return endsInsideTag(at: position) }
        return error(at: position, quoting: .text(name)) { "\($0) is not an element of a property list" }
    }

    private func endsInsideTag(at start: Int) -> PropertyListError {
        error(at: start, "the tag does not end, so the file was probably cut off")
    }

    private mutating func skipAttributes(from start: Int) throws(PropertyListError) -> Bool {
        guard ASCII.isWhiteSpace(current) || current == ASCII.slash else {
            throw expected("‘>’ after the name of the element")
        }
        while current != ASCII.greater {
            switch current {
            case ASCII.quote, UInt8(ascii: "'"): try skipQuoted()
            case ASCII.slash where following == ASCII.greater:
                position += 2
                return true
            case ASCII.slash:
                position += 1
                if isAtEnd { throw endsInsideTag(at: start) }
                throw expected("‘>’ after the ‘/’")
            case ASCII.less: throw expected("the end of the tag")
            case _ where isAtEnd: throw endsInsideTag(at: start)
            default: position += 1
            }
        }
        position += 1
        return false
    }

    var isAtEndTag: Bool { current == ASCII.less && following == ASCII.slash }

    /// Reads the end tag that is expected at the position.
    mutating func readEndTag(of element: Element) throws(PropertyListError) {
        let start = position
        guard isAtEndTag else { throw expected("‘</\(element)>’") }
        if let tag = readShortTag(at: start + 2) {
            if tag.element == element, !tag.isEmpty { return }
            position = start
        }
        position += 2
        var name: UInt64 = 0
        while ASCII.isLetter(current) {
            name = name << 8 | UInt64(current)
            position += 1
        }
        guard !isAtEnd else { throw endsInsideTag(at: start) }
        guard name == element.rawValue else {
            let tag = bytes[start...].prefix { $0 != ASCII.greater } + [ASCII.greater]
            throw error(at: start, quoting: .text(tag)) { "found \($0), expected ‘</\(element)>’" }
        }
        skipWhiteSpace()
        guard current == ASCII.greater else { throw expected("‘>’ at the end of the tag") }
        position += 1
    }
}
