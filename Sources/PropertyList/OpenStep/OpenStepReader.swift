import FoundationEssentials

/// Reads the old ASCII format of property lists: `{ key = value; }`, `( element, element )`,
/// `<0fbd77>`, strings with and without quotation marks, and C comments.
///
/// There is no standard. The reader follows Foundation, and GNUstep for typed values. Foundation's own
/// reader is not used because it accepts nearly everything: white space alone is an empty dictionary,
/// and `hello` is a string.
///
/// - All values are strings, data, arrays or dictionaries, except for GNUstep's typed values: `<*I5>`,
///   `<*R1.5>`, `<*BY>`, `<*D2024-01-01 00:00:00 +0000>`.
/// - Data is `<0fbd77>`, or GNUstep's Base64 form `<[D713]>`.
/// - The top dictionary may lack its braces, as in files of localized strings. In any dictionary,
///   `key;` means `key = key;`.
/// - Each entry of a dictionary ends with a semicolon. The last element of an array may end with a
///   comma.
/// - If two keys are equal, the last one wins.
/// - An octal escape names a character of the NeXTSTEP encoding. `\U` with up to four hexadecimal
///   digits names a UTF-16 code unit.
struct OpenStepReader: TextReader {
    let bytes: [UInt8]
    var position = 0
    private var depth = 0
    /// The ranges of the comments that were skipped.
    private(set) var comments: [Range<Int>] = []
    /// The keys of the top dictionary, in order. A repeated one is there several times.
    private var topKeys: [String]?
    private let limits: PropertyListLimits

    private init(_ file: [UInt8], limits: PropertyListLimits) throws(PropertyListError) {
        bytes = try TextEncoding.decode(file)
        self.limits = limits
    }

    /// Reads a whole file.
    static func read(_ file: [UInt8], limits: PropertyListLimits) throws(PropertyListError)
        -> PropertyListValue
    {
        var reader = try OpenStepReader(file, limits: limits)
        return try reader.readFile()
    }

    /// Reads a whole file whose top value must be a dictionary.
    static func readEntries(
        _ file: [UInt8],
        limits: PropertyListLimits
    ) throws(PropertyListError) -> PropertyListEntries {
        let (reader, values) = try readWithComments(file, limits: limits)
        let keys = reader.topKeys ?? []
        if keys.count == values.count { return PropertyListEntries(values) }
        var list = EntryList()
        for key in keys { if let value = values[key] { list.append(key, value) } }
        return list.entries(keeping: .last)
    }

    /// Reads a whole file, and returns the reader with the comments.
    static func readWithComments(
        _ file: [UInt8],
        limits: PropertyListLimits
    ) throws(PropertyListError) -> (reader: OpenStepReader, values: [String: PropertyListValue]) {
        var reader = try OpenStepReader(file, limits: limits)
        let values = try reader.readDictionary()
        return (reader, values)
    }

    private mutating func readDictionary() throws(PropertyListError) -> [String: PropertyListValue] {
        let value = try readFile()
        if case .dictionary(let entries) = value { return entries }
        position = 0
        try skipSpace()
        throw .inText(
            bytes,
            at: position,
            "found \(value.kind == .array ? "an" : "a") \(value.kind) at the top, expected a dictionary like { key = value; }",
            // Any word is a string, so the file may as well be garbage.
            reason: value.kind == .string ? .malformed : .unsupported
        )
    }

    private mutating func readFile() throws(PropertyListError) -> PropertyListValue {
        try skipSpace()
        guard !isAtEnd else { throw expected("a property list") }
        let value: PropertyListValue
        if try beginsWithEntry() {
            try enter()
            value = .dictionary(try readEntries(until: nil))
        } else {
            value = try readValue()
        }
        try skipSpace()
        guard isAtEnd else {
            throw expected("the end of the file, because the property list ended before this")
        }
        return value
    }

    /// Whether a dictionary without braces follows: a string and then `=` or `;`.
    private func beginsWithEntry() throws(PropertyListError) -> Bool {
        guard isQuote(current) || Self.isWordByte(current) else { return false }
        var lookAhead = self
        _ = try lookAhead.readString()
        try lookAhead.skipSpace()
        return lookAhead.current == UInt8(ascii: "=") || lookAhead.current == UInt8(ascii: ";")
    }
}

extension OpenStepReader {
    var isAtEnd: Bool { position >= bytes.count }

    /// The byte at the position, or 0 at the end. No construct begins with 0.
    var current: UInt8 { isAtEnd ? 0 : bytes[position] }
    var following: UInt8 { position + 1 < bytes.count ? bytes[position + 1] : 0 }

    func isQuote(_ byte: UInt8) -> Bool { byte == ASCII.quote || byte == UInt8(ascii: "'") }

    /// Whether a string without quotation marks can contain the byte.
    static func isWordByte(_ byte: UInt8) -> Bool {
        if ASCII.isLetter(byte) || ASCII.isDigit(byte) { return true }
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."),
            UInt8(ascii: "-"):
            return true
        default: return false
        }
    }

    /// Skips white space and comments.
    private mutating func skipSpace() throws(PropertyListError) {
        while !isAtEnd {
            switch current {
            case ASCII.space, ASCII.tab...ASCII.carriageReturn: position += 1
            case ASCII.slash where following == ASCII.slash:
                let start = position
                while !isAtEnd, current != ASCII.lineFeed, current != ASCII.carriageReturn { position += 1 }
                comments.append(start..<position)
            case ASCII.slash where following == UInt8(ascii: "*"):
                let start = position
                position += 2
                while current != UInt8(ascii: "*") || following != ASCII.slash {
                    guard !isAtEnd else { throw error(at: start, "the comment does not end") }
                    position += 1
                }
                position += 2
                comments.append(start..<position)
            default: return
            }
        }
    }

    mutating func skip(_ mark: Unicode.Scalar, _ context: String) throws(PropertyListError) {
        guard current == UInt8(ascii: mark) else { throw expected("‘\(mark)’ \(context)") }
        position += 1
    }
}

extension OpenStepReader {
    private mutating func readValue() throws(PropertyListError) -> PropertyListValue {
        switch current {
        case UInt8(ascii: "{"):
            try enter()
            defer { depth -= 1 }
            position += 1
            return .dictionary(try readEntries(until: UInt8(ascii: "}")))
        case UInt8(ascii: "("):
            try enter()
            defer { depth -= 1 }
            position += 1
            return .array(try readElements())
        case ASCII.less where following == UInt8(ascii: "*"): return try readTyped()
        case ASCII.less where following == UInt8(ascii: "["): return .data(try readBase64())
        case ASCII.less: return .data(try readData())
        default: return .string(try readString())
        }
    }

    /// Counts an array or dictionary that begins at the position.
    private mutating func enter() throws(PropertyListError) {
        guard depth < limits.depth else {
            throw error(at: position, limits.depthProblem, reason: .limitExceeded)
        }
        depth += 1
    }

    /// Reads the entries of a dictionary.
    ///
    /// - Parameter end: The closing bracket, or nil if the end of the file ends the dictionary.
    private mutating func readEntries(until end: UInt8?) throws(PropertyListError) -> [String:
        PropertyListValue]
    {
        var entries: [String: PropertyListValue] = [:]
        let isTop = depth == 1 && topKeys == nil
        if isTop { topKeys = [] }
        while true {
            try skipSpace()
            if let end, current == end {
                position += 1
                return entries
            }
            if isAtEnd, end == nil { return entries }
            guard isQuote(current) || Self.isWordByte(current) else {
                throw expected(end == nil ? "a key or the end of the file" : "a key or ‘}’")
            }
            let start = position
            let key = try readString()
            if let problem = limits.problem(withKey: key) {
                throw .inText(bytes, at: start, problem, reason: .limitExceeded)
            }
            try skipSpace()
            if current == UInt8(ascii: ";") {
                entries[key] = .string(key)
            } else {
                try skip("=", "or ‘;’ after the key")
                try skipSpace()
                entries[key] = try readValue()
                try skipSpace()
            }
            try skip(";", "after the value")
            if isTop { topKeys?.append(key) }
        }
    }

    private mutating func readElements() throws(PropertyListError) -> [PropertyListValue] {
        var elements: [PropertyListValue] = []
        while true {
            try skipSpace()
            if current == UInt8(ascii: ")") {
                position += 1
                return elements
            }
            elements.append(try readValue())
            try skipSpace()
            guard current != UInt8(ascii: ")") else { continue }
            try skip(",", "or ‘)’ after the element")
        }
    }
}
