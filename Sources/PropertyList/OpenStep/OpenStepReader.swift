import FoundationEssentials

/// Reads the old ASCII form of property lists: `{ key = value; }`, `( element, element )`,
/// `<0fbd77>`, strings with and without quotation marks, comments as in C.
///
/// - Everything in it is a string, data, an array or a dictionary, but for GNUstep's typed values:
///   `<*I5>`, `<*R1.5>`, `<*BY>`, `<*D2024-01-01 00:00:00 +0000>`.
/// - Data is `<0fbd77>`, or what GNUstep writes, `<[D713]>`, in Base64.
/// - The braces of a dictionary at the top may be missing, as in files of localized strings; `key;`
///   stands for `key = key;` there and elsewhere.
/// - Each entry of a dictionary ends with a semicolon; the last comma of an array may have nothing
///   behind it.
/// - Of two equal keys the last one wins.
/// - An octal escape names a character of the NeXTSTEP encoding, `\U` and four hexadecimal digits (or
///   fewer) one of UTF-16.
struct OpenStepReader {
    let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    /// Where the comments are that have been passed over.
    private(set) var comments: [Range<Int>] = []
    /// Where the dictionary at the top has its entries, with their semicolons.
    private(set) var entries: [(key: String, range: Range<Int>)] = []
    /// Where what is in that dictionary begins.
    private(set) var bodyStart: Int?
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

    /// Reads a whole file that has to have a dictionary at the top.
    static func readDictionary(
        _ file: [UInt8],
        limits: PropertyListLimits
    ) throws(PropertyListError) -> [String: PropertyListValue] {
        var reader = try OpenStepReader(file, limits: limits)
        return try reader.readDictionary()
    }

    /// The same, and the reader, which knows of what has no value then.
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
            "found \(value.kind) at the top, expected a dictionary like { key = value; }",
            reason: .unsupported
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

    /// Whether a dictionary without braces follows: a string and `=` or `;`.
    private func beginsWithEntry() throws(PropertyListError) -> Bool {
        guard isQuote(current) || Self.isWordByte(current) else { return false }
        var lookAhead = self
        _ = try lookAhead.readString()
        try lookAhead.skipSpace()
        return lookAhead.current == UInt8(ascii: "=") || lookAhead.current == UInt8(ascii: ";")
    }
}

extension OpenStepReader {
    private var isAtEnd: Bool { position >= bytes.count }

    /// The byte at the position; 0, which begins nothing, at the end.
    private var current: UInt8 { isAtEnd ? 0 : bytes[position] }
    private var following: UInt8 { position + 1 < bytes.count ? bytes[position + 1] : 0 }

    private func isQuote(_ byte: UInt8) -> Bool { byte == ASCII.quote || byte == UInt8(ascii: "'") }

    /// What a string without quotation marks is made of.
    private static func isWordByte(_ byte: UInt8) -> Bool {
        if ASCII.isLetter(byte) || ASCII.isDigit(byte) { return true }
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."),
            UInt8(ascii: "-"):
            return true
        default: return false
        }
    }

    private func error(at offset: Int, _ problem: String) -> PropertyListError {
        .inText(bytes, at: offset, problem)
    }

    private func expected(_ what: String) -> PropertyListError {
        error(at: position, "found \(found(at: position, in: bytes)), expected \(what)")
    }

    /// Passes over white space and comments.
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

    private mutating func skip(_ mark: Unicode.Scalar, _ place: String) throws(PropertyListError) {
        guard current == UInt8(ascii: mark) else { throw expected("‘\(mark)’ \(place)") }
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

    /// Counts an array or a dictionary that begins at the position.
    private mutating func enter() throws(PropertyListError) {
        guard depth < limits.depth else {
            throw .inText(
                bytes,
                at: position,
                "more than \(limits.depth) arrays and dictionaries inside each other",
                reason: .limitExceeded
            )
        }
        depth += 1
    }

    /// - Parameter end: The bracket at the end; nil for the end of the file.
    private mutating func readEntries(until end: UInt8?) throws(PropertyListError) -> [String:
        PropertyListValue]
    {
        var entries: [String: PropertyListValue] = [:]
        let isTop = depth == 1 && bodyStart == nil
        if isTop { bodyStart = position }
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
            if isTop { self.entries.append((key, start..<position)) }
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

    private mutating func readData() throws(PropertyListError) -> Data {
        let start = position
        position += 1
        var data = Data()
        var half: UInt8?
        while current != ASCII.greater {
            if let digit = ASCII.hexDigit(current), !isAtEnd {
                if let high = half {
                    data.append(high << 4 | digit)
                    half = nil
                } else {
                    half = digit
                }
                position += 1
            } else if ASCII.isWhiteSpace(current) {
                position += 1
            } else {
                throw expected("hexadecimal digits or ‘>’")
            }
        }
        guard half == nil else { throw error(at: start, "the data has an odd number of hexadecimal digits") }
        position += 1
        return data
    }

    /// Reads data as GNUstep writes it.
    private mutating func readBase64() throws(PropertyListError) -> Data {
        let start = position
        guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "]")) else {
            throw error(at: start, "the data does not end: found no ‘]>’ behind it")
        }
        let data: Data
        do {
            data = Data(try Base64.decode(bytes[start + 2..<end]))
        } catch {
            let found = found(at: error.offset, in: bytes)
            throw self.error(at: error.offset, "found \(found) in data: \(error.problem)")
        }
        position = end + 1
        try skip(">", "after ‘]’")
        return data
    }

    /// Reads a typed value of GNUstep's; it may have quotation marks.
    private mutating func readTyped() throws(PropertyListError) -> PropertyListValue {
        let start = position
        guard let end = bytes[start...].prefix(400).firstIndex(of: ASCII.greater) else {
            throw error(at: start, "the typed value does not end")
        }
        position = end + 1
        var text = bytes[start + 2..<end]
        let type = text.popFirst()
        if text.count >= 2, text.first == ASCII.quote, text.last == ASCII.quote {
            text = text.dropFirst().dropLast()
        }
        switch type {
        case UInt8(ascii: "B") where text == [UInt8(ascii: "Y")]: return true
        case UInt8(ascii: "B") where text == [UInt8(ascii: "N")]: return false
        case UInt8(ascii: "I"):
            if case .number(let number) = XMLNumber.integer(text) { return .integer(number) }
        case UInt8(ascii: "R"): if let number = XMLNumber.real(text) { return .real(number) }
        case UInt8(ascii: "D"): if let date = Self.date(text) { return .date(date) }
        default: break
        }
        throw error(
            at: start,
            "found a typed value that is none like <*I5>, <*R1.5>, <*BY>, <*BN> or <*D2024-01-01 00:00:00 +0000>"
        )
    }

    /// `2024-01-01 00:00:00 +0000`
    private static func date(_ text: ArraySlice<UInt8>) -> Date? {
        guard text.count == 25 else { return nil }
        let bytes = Array(text)
        var xml = bytes[..<19]
        guard bytes[10] == ASCII.space, bytes[19] == ASCII.space else { return nil }
        xml[10] = UInt8(ascii: "T")
        xml.append(UInt8(ascii: "Z"))
        let digits = bytes[21...]
        guard let moment = CivilDate(xml: xml), digits.allSatisfy(ASCII.isDigit),
            bytes[20] == UInt8(ascii: "+") || bytes[20] == UInt8(ascii: "-"),
            let offset = Int(String(decoding: digits, as: UTF8.self)), offset % 100 < 60, offset <= 2359
        else { return nil }
        let seconds = Double((offset / 100 * 60 + offset % 100) * 60)
        return moment.date.addingTimeInterval(bytes[20] == UInt8(ascii: "+") ? -seconds : seconds)
    }
}

extension OpenStepReader {
    private mutating func readString() throws(PropertyListError) -> String {
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
        /// The first half of a surrogate pair, and where its escape is.
        var half: (unit: UInt16, place: Int)?
        while current != quote || isAtEnd {
            guard !isAtEnd else { throw error(at: start, "the quotation mark has no partner") }
            let place = position
            guard current == UInt8(ascii: "\\") else {
                if let half { throw loneSurrogate(at: half.place) }
                text.append(current)
                position += 1
                continue
            }
            position += 1
            let unit = try readEscape(from: place, into: &text)
            switch (half, unit) {
            case (nil, nil): break
            case (nil, let unit?) where UTF16.isLeadSurrogate(unit): half = (unit, place)
            case (let high?, let low?) where UTF16.isTrailSurrogate(low):
                text += String(decoding: [high.unit, low], as: UTF16.self).utf8
                half = nil
            case (let half, nil), (let half, _?): throw loneSurrogate(at: half?.place ?? place)
            }
        }
        if let half { throw loneSurrogate(at: half.place) }
        position += 1
        guard let string = String(validating: text, as: UTF8.self) else {
            throw error(at: start, "found a string that is no UTF-8")
        }
        return string
    }

    private func loneSurrogate(at offset: Int) -> PropertyListError {
        error(at: offset, "found half of a surrogate pair")
    }

    /// Reads what is behind a backslash.
    ///
    /// - Returns: A surrogate; everything else is added to the text.
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
                throw error(at: start, "found an octal escape for which NeXTSTEP's encoding has no character")
            }
            text += scalar.utf8
        case UInt8(ascii: "U"):
            var unit: UInt16 = 0
            let digits = position
            while position < digits + 4, let digit = ASCII.hexDigit(current), !isAtEnd {
                unit = unit << 4 | UInt16(digit)
                position += 1
            }
            guard position > digits else { throw error(at: start, "found ‘\\U’ without hexadecimal digits") }
            guard let scalar = Unicode.Scalar(unit) else { return unit }
            text += scalar.utf8
        // Anything else stands for itself.
        default: text.append(byte)
        }
        return nil
    }
}
