import FoundationEssentials

/// Reads the values of an XML property list, as its DTD (PropertyList-1.0.dtd) defines them.
///
/// `PropertyListSerialization` is not used for the reasons given at ``PropertyListDocument``. A general
/// XML parser, such as Foundation's `XMLParser`, does not report where in the bytes an element is. An
/// edit that keeps the other bytes needs that.
///
/// Real files deviate from the DTD. The reader accepts what Foundation accepts, with one exception:
/// after the property list, only white space, comments and processing instructions may follow.
///
/// - The `plist` element may be missing.
/// - If two keys are equal, the last one wins.
/// - A dictionary with the single key `CF$UID` and a non-negative integer is a reference of a keyed
///   archive.
/// - White space may surround integers, reals and dates, and may be anywhere in data.
struct XMLReader {
    var scanner: XMLScanner
    let limits: PropertyListLimits
    var depth = 0
    private var hasPlistElement = false

    /// Creates a reader.
    ///
    /// - Parameter text: UTF-8, with or without a byte order mark.
    init(_ text: [UInt8], limits: PropertyListLimits) {
        scanner = XMLScanner(bytes: text, position: 0)
        self.limits = limits
    }

    /// Reads a whole file.
    static func read(_ text: [UInt8], limits: PropertyListLimits) throws(PropertyListError)
        -> PropertyListValue
    {
        var reader = XMLReader(text, limits: limits)
        try reader.readStart()
        let value = try reader.readValue()
        try reader.readEnd()
        return value
    }

    var position: Int { scanner.position }
}

extension XMLReader {
    /// Reads everything before the top value.
    mutating func readStart() throws(PropertyListError) {
        if scanner.has("\u{FEFF}") { scanner.position += 3 }
        try scanner.skipProlog()
        guard scanner.has("<plist") else { return }
        let start = scanner.position
        let (element, isEmpty) = try scanner.readStartTag()
        hasPlistElement = true
        if !isEmpty { try scanner.skipMiscellany() }
        guard element == .plist, !isEmpty, !scanner.isAtEndTag else {
            throw scanner.error(at: start, "found an empty ‘plist’ element, expected a value in it")
        }
    }

    /// Reads everything after the top value.
    mutating func readEnd() throws(PropertyListError) {
        try scanner.skipMiscellany()
        if hasPlistElement {
            guard scanner.isAtEndTag else {
                throw scanner.expected("‘</plist>’, because a property list holds one value")
            }
            try scanner.readEndTag(of: .plist)
            try scanner.skipMiscellany()
        }
        guard scanner.isAtEnd else {
            throw scanner.expected("the end of the file, because the property list ended before this")
        }
    }

    /// The start tag of the top dictionary.
    enum DictionaryStart {
        /// `<dict>`
        case open
        /// `<dict/>`, with the index of its `/`.
        case empty(slash: Int)
    }

    /// Reads the start of the top value, which must be a dictionary.
    mutating func readDictionaryStart() throws(PropertyListError) -> DictionaryStart {
        guard scanner.current == ASCII.less else { throw scanner.expected("a ‘dict’ element") }
        let start = scanner.position
        let (element, isEmpty) = try scanner.readStartTag()
        guard element == .dict else {
            throw scanner.error(
                at: start,
                "found ‘\(element)’ at the top, expected a dictionary",
                reason: .unsupported
            )
        }
        depth = 1
        guard depth <= limits.depth else { throw tooDeep(at: start) }
        return isEmpty ? .empty(slash: scanner.position - 2) : .open
    }

    /// Reads the next key of a dictionary. Returns nil after the last entry, when the end tag has been
    /// read.
    mutating func readKey() throws(PropertyListError) -> String? {
        try scanner.skipMiscellany()
        if scanner.isAtEndTag {
            try scanner.readEndTag(of: .dict)
            return nil
        }
        guard scanner.current == ASCII.less else { throw scanner.expected("a ‘key’ element or ‘</dict>’") }
        let start = scanner.position
        let (element, isEmpty) = try scanner.readStartTag()
        guard element == .key else {
            throw scanner.error(at: start, "found ‘\(element)’ in a dictionary, expected ‘key’")
        }
        guard !isEmpty else { return "" }
        let key = try readString(in: .key)
        if let problem = limits.problem(withKey: key) {
            throw scanner.error(at: start, problem, reason: .limitExceeded)
        }
        return key
    }

    /// Skips what is before a key or before the end tag.
    mutating func skipToKey() throws(PropertyListError) { try scanner.skipMiscellany() }

    /// Skips what is between a key and its value.
    mutating func skipToValue() throws(PropertyListError) {
        try scanner.skipMiscellany()
        guard scanner.isAtEndTag else { return }
        throw scanner.error(
            at: scanner.position,
            "found the end of the dictionary, expected a value for the key"
        )
    }

    /// Skips the comments that follow a value on its line, because they describe that value.
    ///
    /// - Returns: The index up to which the text was examined.
    @discardableResult
    mutating func skipCommentsOfLine() throws(PropertyListError) -> Int {
        scanner.current == ASCII.lineFeed ? scanner.position : try skipComments()
    }

    private mutating func skipComments() throws(PropertyListError) -> Int {
        let start = scanner.position
        var end = start
        scanner.skipBlanks()
        while scanner.has("<!--") {
            try scanner.skip(to: "-->", "comment")
            end = scanner.position
            scanner.skipBlanks()
        }
        let endsLine = scanner.isAtEnd || [ASCII.lineFeed, ASCII.carriageReturn].contains(scanner.current)
        defer { scanner.position = endsLine ? end : start }
        return scanner.position
    }

    /// Moves to an entry of the top dictionary.
    mutating func move(to position: Int) {
        scanner.position = position
        depth = 1
    }

    /// Continues with other bytes, which begin with an entry of the top dictionary.
    mutating func restart(with bytes: [UInt8]) {
        scanner = XMLScanner(bytes: bytes, position: 0)
        depth = 1
    }
}

extension XMLReader {
    mutating func readValue() throws(PropertyListError) -> PropertyListValue {
        try readContent(of: try readValueStart())
    }

    /// A start tag that was read.
    struct ValueStart {
        let element: XMLScanner.Element
        let isEmpty: Bool
        let position: Int
    }

    mutating func readValueStart() throws(PropertyListError) -> ValueStart {
        guard scanner.current == ASCII.less else { throw scanner.expected("an element") }
        let start = scanner.position
        guard !scanner.isAtEndTag else {
            throw scanner.error(at: start, "found an end tag, expected an element")
        }
        let (element, isEmpty) = try scanner.readStartTag()
        return ValueStart(element: element, isEmpty: isEmpty, position: start)
    }

    /// Reads the rest of a value after its start tag.
    mutating func readContent(of start: ValueStart) throws(PropertyListError) -> PropertyListValue {
        let (element, isEmpty) = (start.element, start.isEmpty)
        switch element {
        case .string: return .string(isEmpty ? "" : try readString(in: .string))
        // Foundation accepts a key as a string wherever a value is expected.
        case .key: return .string(isEmpty ? "" : try readString(in: .key))
        case .integer: return .integer(try readInteger(isEmpty: isEmpty))
        case .true, .false:
            if !isEmpty {
                try scanner.skipMiscellany()
                try scanner.readEndTag(of: element)
            }
            return .boolean(element == .true)
        case .real: return .real(try readReal(isEmpty: isEmpty))
        case .date: return .date(try readDate(isEmpty: isEmpty))
        case .data: return .data(isEmpty ? Data() : Data(try readData()))
        case .array, .dict:
            depth += 1
            defer { depth -= 1 }
            guard depth <= limits.depth else { throw tooDeep(at: start.position) }
            if isEmpty { return element == .array ? .array([]) : .dictionary([:]) }
            return element == .array ? .array(try readElements()) : try readDictionary()
        case .plist: throw scanner.error(at: start.position, "found a ‘plist’ element inside another")
        }
    }

    private func tooDeep(at offset: Int) -> PropertyListError {
        scanner.error(at: offset, limits.depthProblem, reason: .limitExceeded)
    }

    private mutating func readElements() throws(PropertyListError) -> [PropertyListValue] {
        var elements: [PropertyListValue] = []
        while try skipToElement() { elements.append(try readValue()) }
        return elements
    }

    /// Skips what is before the next element of an array. Returns false after the last one, when the
    /// end tag has been read.
    mutating func skipToElement() throws(PropertyListError) -> Bool {
        try scanner.skipMiscellany()
        guard scanner.isAtEndTag else { return true }
        try scanner.readEndTag(of: .array)
        return false
    }

    /// Reads the start tag of an array or dictionary. Returns nil for an empty one and for any other
    /// value.
    mutating func readContainerStart() throws(PropertyListError) -> XMLScanner.Element? {
        let (element, isEmpty) = try scanner.readStartTag()
        return !isEmpty && [.array, .dict].contains(element) ? element : nil
    }

    private mutating func readDictionary() throws(PropertyListError) -> PropertyListValue {
        var list = EntryList()
        // An entry is at least about as long as a key with a number.
        if depth == 1 { list.reserve(scanner.bytes.count / 56) }
        while let key = try readKey() {
            try skipToValue()
            list.append(key, try readValue())
        }
        let entries = list.dictionary(keeping: .last)
        if list.count == 1, case .integer(let number)? = entries["CF$UID"], let uid = UInt64(exactly: number)
        {
            return .uid(uid)
        }
        return .dictionary(entries)
    }

    private mutating func readString(in element: XMLScanner.Element) throws(PropertyListError) -> String {
        if let text = scanner.readPlainText(of: element) {
            return scanner.bytes.withUnsafeBytes { bytes in
                // The slice checks that the text is within the bytes.
                String(ascii: UnsafeRawBufferPointer(rebasing: bytes[text]))
            }
        }
        let start = scanner.position
        let text = try scanner.readText(of: element)
        guard let string = text.withUnsafeBytes({ String(utf8: $0) }) else {
            throw scanner.error(at: firstNonUTF8(from: start), "found a byte that is not UTF-8")
        }
        return string
    }

    /// Returns where the text from `start` on stops being UTF-8.
    private func firstNonUTF8(from start: Int) -> Int {
        var decoder = UTF8()
        var rest = scanner.bytes[start...].makeIterator()
        var offset = start
        while case .scalarValue(let scalar) = decoder.decode(&rest) { offset += UTF8.width(scalar) }
        return offset
    }
}

extension XMLReader {
    private mutating func readScalarText(
        of element: XMLScanner.Element,
        isEmpty: Bool
    ) throws(PropertyListError) -> ArraySlice<UInt8> {
        isEmpty ? [] : try scanner.readText(of: element).trimmingWhiteSpace()
    }

    private mutating func readInteger(isEmpty: Bool) throws(PropertyListError) -> PropertyListInteger {
        let start = scanner.position
        let text = try readScalarText(of: .integer, isEmpty: isEmpty)
        switch XMLNumber.integer(text) {
        case .number(let number): return number
        case .outOfRange:
            throw scanner.error(at: start, quoting: .text(text)) {
                "\($0) is not between -9223372036854775808 and 18446744073709551615, the smallest and the largest integer"
            }
        case .malformed: throw malformed(text, at: start, "an integer")
        }
    }

    private mutating func readReal(isEmpty: Bool) throws(PropertyListError) -> Double {
        let start = scanner.position
        let text = try readScalarText(of: .real, isEmpty: isEmpty)
        guard let number = XMLNumber.real(text) else { throw malformed(text, at: start, "a decimal number") }
        return number
    }

    private mutating func readDate(isEmpty: Bool) throws(PropertyListError) -> Date {
        let start = scanner.position
        let text = try readScalarText(of: .date, isEmpty: isEmpty)
        guard let date = CivilDate(xml: text) else {
            throw malformed(text, at: start, "a date such as 2024-02-29T23:59:59Z")
        }
        return date.date
    }

    private func malformed(_ text: ArraySlice<UInt8>, at start: Int, _ expected: String) -> PropertyListError
    {
        if text.isEmpty { return scanner.error(at: start, "found nothing, expected \(expected)") }
        return scanner.error(at: start, quoting: .text(text)) { "\($0) is not \(expected)" }
    }

    mutating func readData() throws(PropertyListError) -> [UInt8] {
        let start = scanner.position
        let text = try scanner.readText(of: .data)
        do {
            return try Base64.decode(text)
        } catch {
            // The offset is one of the file only if the text is a slice of the file itself.
            let offset = text.startIndex == start ? error.offset : start
            throw scanner.error(at: offset, quoting: .character(at: offset, in: scanner.bytes)) {
                "found \($0) in data: \(error.problem)"
            }
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func trimmingWhiteSpace() -> Self {
        var trimmed = self
        while let first = trimmed.first, ASCII.isWhiteSpace(first) { trimmed.removeFirst() }
        while let last = trimmed.last, ASCII.isWhiteSpace(last) { trimmed.removeLast() }
        return trimmed
    }
}
