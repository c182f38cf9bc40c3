extension UnsafeRawBufferPointer {
    /// Whether a text in UTF-8 can be written as it is: without control characters, the three that have
    /// a meaning in XML, and 0xEF, which begins the two characters of the last plane's kind that XML
    /// forbids, and others.
    var isPlainXML: Bool {
        var found: UInt64 = 0
        var place = 0
        while let word = word(at: place) {
            found |= word.placesOfMarkup
            place += 8
        }
        if place < count {
            // Spaces in place of what is behind the end.
            let spaces = UInt64(each: ASCII.space) >> UInt64(8 * (count - place))
            found |= (paddedWord(at: place) | spaces).placesOfMarkup
        }
        return found == 0
    }
}

extension UInt64 {
    @inline(__always)
    fileprivate var placesOfMarkup: UInt64 {
        places(below: 0x20) | places(of: ASCII.ampersand) | places(of: ASCII.less) | places(of: ASCII.greater)
            | places(of: 0xEF)
    }
}
