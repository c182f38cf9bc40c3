// Finds out with SWAR whether a text can be written into XML without a look at each byte.
extension UnsafeRawBufferPointer {
    /// Whether a UTF-8 text can be written without escapes.
    ///
    /// It has no control characters, no `&`, `<` or `>`, and no byte 0xEF. That byte begins U+FFFE and
    /// U+FFFF, which XML 1.0 forbids (section 2.2), and some permitted characters, which a slower check
    /// then tells apart.
    var isPlainXML: Bool {
        var found: UInt64 = 0
        var position = 0
        while let word = word(at: position) {
            found |= word.markupMatches
            position += 8
        }
        if position < count {
            // Fill up with spaces after the end.
            let spaces = UInt64(each: ASCII.space) >> UInt64(8 * (count - position))
            found |= (paddedWord(at: position) | spaces).markupMatches
        }
        return found == 0
    }
}

extension UInt64 {
    @inline(__always)
    fileprivate var markupMatches: UInt64 {
        matches(below: 0x20) | matches(of: ASCII.ampersand) | matches(of: ASCII.less)
            | matches(of: ASCII.greater)
            | matches(of: 0xEF)
    }
}
