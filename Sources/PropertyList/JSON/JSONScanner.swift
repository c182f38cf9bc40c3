/// The extensions of RFC 8259 that a JSON text may use.
enum JSONDialect: Sendable {
    /// None. Values that hold JSON are read by other programs, whose parsers accept nothing else.
    case strict
    /// Comments (`//` and `/* */`) and a comma behind the last member or element, as in settings files that people edit
    /// (JSONC).
    case withComments
}

/// Scans white space, comments and JSON values without children.
struct JSONScanner {
    let bytes: [UInt8]
    let dialect: JSONDialect
    var position = 0

    init(_ bytes: [UInt8], _ dialect: JSONDialect) {
        self.bytes = bytes
        self.dialect = dialect
    }

    var byte: UInt8? { position < bytes.count ? bytes[position] : nil }
}

extension JSONScanner {
    /// Skips white space, and comments if the dialect has them.
    mutating func skipSpace() throws(PropertyListError) {
        while position < bytes.count {
            if ASCII.isWhiteSpace(bytes[position]) {
                position += 1
            } else if bytes[position] == ASCII.slash, dialect == .withComments {
                try skipComment()
            } else {
                return
            }
        }
    }

    private mutating func skipComment() throws(PropertyListError) {
        guard let comment = JSONComment(at: position, of: bytes) else {
            throw error(position, .malformed, "found “/”, but a comment begins with “//” or “/*”")
        }
        guard comment.isClosed else {
            throw error(position, .malformed, "a comment starts here and has no closing “*/”")
        }
        while position < comment.range.upperBound {
            let unit = bytes[position]
            guard let length = unit < 0x80 ? 1 : JSONString.sequenceLength(bytes, at: position) else {
                throw error(position, .malformed, "the byte \(hex(unit)) is not UTF-8")
            }
            position += length
        }
    }

    mutating func skipWord(_ word: StaticString) throws(PropertyListError) {
        let start = position
        for offset in 0..<word.utf8CodeUnitCount {
            guard byte == word.utf8Start[offset] else {
                position = start
                throw unexpected("a value")
            }
            position += 1
        }
    }

    mutating func skipNumber() throws(PropertyListError) {
        if byte == UInt8(ascii: "-") { position += 1 }
        if byte == UInt8(ascii: "0") {
            position += 1
            if isAtDigit {
                throw error(position - 1, .malformed, "a number has a leading 0")
            }
        } else {
            try skipDigits()
        }
        if byte == UInt8(ascii: ".") {
            position += 1
            try skipDigits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            position += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
    }

    private var isAtDigit: Bool { byte.map(ASCII.isDigit) ?? false }

    private mutating func skipDigits() throws(PropertyListError) {
        guard isAtDigit else { throw unexpected("a digit") }
        while isAtDigit { position += 1 }
    }

    mutating func skipString() throws(PropertyListError) {
        let start = position
        position += 1
        while position < bytes.count {
            // Most bytes of strings are plain, and SWAR skips eight of them at once.
            while let word = bytes.word(at: position) {
                let length = word.plainJSONLength
                position += length
                if length < 8 { break }
            }
            guard let unit = byte else { break }
            switch unit {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"): try skipEscape()
            case 0..<0x20:
                let found = "a string contains the control character \(hex(unit)), which must be escaped"
                let isLineBreak = ASCII.isLineBreak(unit)
                throw error(position, .malformed, isLineBreak ? "a string is not closed on its line" : found)
            case 0x20..<0x80: position += 1
            default:
                guard let length = JSONString.sequenceLength(bytes, at: position) else {
                    throw error(position, .malformed, "the byte \(hex(unit)) is not UTF-8")
                }
                position += length
            }
        }
        throw error(start, .malformed, "a string starts here and has no closing “\"”")
    }

    private mutating func skipEscape() throws(PropertyListError) {
        let start = position
        position += 1
        switch byte {
        case UInt8(ascii: "u"):
            position += 1
            for _ in 0..<4 {
                guard let unit = byte, ASCII.hexDigit(unit) != nil else {
                    throw error(start, .malformed, "“\\u” is not followed by four hexadecimal digits")
                }
                position += 1
            }
        case let unit? where JSONString.escape(unit) != nil: position += 1
        default: throw error(start, .malformed, "“\\” is not followed by one of \" \\ / b f n r t u")
        }
    }
}

extension JSONScanner {
    func unexpected(_ expected: String) -> PropertyListError {
        let found: Quotation =
            switch byte {
            case nil: .unconcealed("the end of the text")
            case let unit? where 0x21..<0x7F ~= unit: .character("“\(Character(UnicodeScalar(unit)))”")
            case let unit? where unit < 0x80: .character("the byte \(hex(unit))")
            case let unit?:
                JSONString.sequenceLength(bytes, at: position).map { length in
                    .character(bytes[position..<position + length])
                } ?? .character("the byte \(hex(unit)), which is not UTF-8,")
            }
        return .inText(bytes, at: position, quoting: found) { "found \($0) where \(expected) is expected" }
    }

    private func hex(_ unit: UInt8) -> String {
        "0x" + (unit < 0x10 ? "0" : "") + String(unit, radix: 16, uppercase: true)
    }

    func error(
        _ offset: Int,
        _ reason: PropertyListError.Reason,
        _ problem: String
    ) -> PropertyListError {
        .inText(bytes, at: offset, problem, reason: reason)
    }
}

extension UInt64 {
    /// How many of the eight bytes come before the first quote, backslash, control character or
    /// non-ASCII byte.
    fileprivate var plainJSONLength: Int {
        let places =
            matches(of: UInt8(ascii: "\"")) | matches(of: UInt8(ascii: "\\")) | matches(below: 0x20)
            | self & UInt64(each: 0x80)
        return places.bytesBeforeFirstMatch
    }
}
