import FoundationEssentials

/// Writes XML property lists in the layout of Foundation and Python's plistlib.
///
/// `PropertyListSerialization` is not used: it takes 0.5 s for 50,000 keys, and can only write a whole file, so that an
/// edit would lose comments and white space.
///
/// Keys are sorted as `String` sorts them, which is by UTF-8 for text in Unicode normalization form C.
/// Reals have the fewest digits that read back as the same number, and fractions of a second are
/// dropped. A carriage return becomes `&#13;`, because other readers turn a bare one into a line feed
/// (XML 1.0, section 2.11).
///
/// The writer refuses what XML cannot hold: characters that XML 1.0 forbids (section 2.2), dates
/// outside the years 0 to 9999, and a dictionary that would be read as a reference of a keyed archive.
struct XMLWriter {
    private(set) var output: [UInt8] = []
    /// Where the bytes begin that count for the size limit.
    private var start = 0
    private let limits: PropertyListLimits
    /// The style of the existing document, if it differs from that of new files.
    private let style: XMLStyle?

    init(limits: PropertyListLimits, style: XMLStyle? = nil) {
        self.limits = limits
        self.style = style
    }

    static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """
    static let end = "</plist>\n"

    /// Writes a whole file.
    static func write(
        _ value: PropertyListValue,
        limits: PropertyListLimits
    ) throws(PropertyListError) -> [UInt8] {
        var writer = XMLWriter(limits: limits)
        writer.output += head.utf8
        try writer.append(value, depth: 0)
        writer.append("\n")
        writer.output += end.utf8
        try writer.checkSize()
        return writer.output
    }
}

extension XMLWriter {
    mutating func reserve(_ count: Int) { output.reserveCapacity(count) }

    mutating func append(copy bytes: ArraySlice<UInt8>) { output += bytes }

    /// Starts a new part. What was written before no longer counts for the size limit.
    mutating func begin() { start = output.count }

    /// Writes a key and a value, each on its own line, beginning with the line feed before the key.
    mutating func appendEntry(_ key: String, _ value: PropertyListValue, depth: Int) throws(PropertyListError)
    {
        // Most entries are at the top level, so their lines have a fast path.
        if depth == 1, style == nil {
            try appendKey(key, between: "\n\t<key>", "</key>\n\t")
        } else {
            appendLine(depth)
            try appendKey(key)
            appendLine(depth)
        }
        do throws(PropertyListError) {
            try append(value, depth: depth)
        } catch {
            throw error.inside(.key(key))
        }
    }

    @inline(__always)
    mutating func appendKey(
        _ key: String,
        between start: StaticString = "<key>",
        _ end: StaticString = "</key>"
    ) throws(PropertyListError) {
        append(start)
        do throws(PropertyListError) {
            if let problem = limits.problem(withKey: key) { throw unwritable(.limitExceeded, problem) }
            try appendText(key)
        } catch {
            throw error.inside(.key(key))
        }
        append(end)
    }

    /// Writes a value. Its first line is not indented.
    ///
    /// - Parameter depth: The number of arrays and dictionaries around the value.
    mutating func append(_ value: PropertyListValue, depth: Int) throws(PropertyListError) {
        switch value {
        case .boolean(let value): append(value ? "<true/>" : "<false/>")
        case .integer(let value):
            append("<integer>")
            appendNumber(value)
            append("</integer>")
        case .real(let value):
            append("<real>")
            output += XMLNumber.text(value).utf8
            append("</real>")
        case .string(let value):
            append("<string>")
            try appendText(value)
            append("</string>")
        case .date(let value): try appendDate(value)
        case .data(let value): appendData(value, depth: depth)
        case .array(let elements): try appendArray(elements, depth: depth)
        case .dictionary(let entries): try appendDictionary(entries, depth: depth)
        case .uid(let value):
            try checkDepth(depth)
            append("<dict>")
            appendLine(depth + 1)
            append("<key>CF$UID</key>")
            appendLine(depth + 1)
            append("<integer>")
            appendNumber(PropertyListInteger(value))
            append("</integer>")
            appendLine(depth)
            append("</dict>")
        case .null, .number: try append(value.inPropertyList, depth: depth)
        }
        try checkSize()
    }

    func checkSize() throws(PropertyListError) {
        guard output.count - start <= limits.size else {
            throw unwritable(.limitExceeded, limits.sizeProblem)
        }
    }

    private mutating func appendArray(_ elements: [PropertyListValue], depth: Int) throws(PropertyListError) {
        try checkDepth(depth)
        guard !elements.isEmpty else { return append("<array/>") }
        append("<array>")
        for (index, element) in elements.enumerated() {
            appendLine(depth + 1)
            do {
                try append(element, depth: depth + 1)
            } catch {
                throw error.inside(.index(index))
            }
        }
        appendLine(depth)
        append("</array>")
    }

    private mutating func appendDictionary(
        _ entries: [String: PropertyListValue],
        depth: Int
    ) throws(PropertyListError) {
        try checkDepth(depth)
        guard !entries.isEmpty else { return append("<dict/>") }
        if entries.count == 1, case .integer(let number)? = entries["CF$UID"], UInt64(exactly: number) != nil
        {
            throw unwritable(
                .unrepresentable,
                "in XML a dictionary with ‘CF$UID’ alone is a reference of a keyed archive; "
                    + "the binary format can tell them apart"
            )
        }
        append("<dict>")
        for (key, value) in sortedByKey(entries) { try appendEntry(key, value, depth: depth + 1) }
        appendLine(depth)
        append("</dict>")
    }

    private func checkDepth(_ depth: Int) throws(PropertyListError) {
        guard depth < limits.depth else {
            throw unwritable(
                .limitExceeded,
                limits.depthProblem
            )
        }
    }

    private mutating func appendDate(_ value: Date) throws(PropertyListError) {
        guard let date = CivilDate(value) else {
            throw unwritable(
                .unrepresentable,
                "XML holds dates of the years 0 to 9999 only; the binary format has no such bounds"
            )
        }
        append("<date>")
        date.appendXML(to: &output)
        append("</date>")
    }

    /// Writes lines of at most 76 columns, where a tab counts as 8, like plistlib and Foundation.
    private mutating func appendData(_ value: Data, depth: Int) {
        append("<data>")
        let bytesPerLine = max(16, 76 - 8 * depth) / 4 * 3
        value.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: bytesPerLine) {
                appendLine(depth)
                Base64.append(
                    UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + bytesPerLine, bytes.count)]),
                    to: &output
                )
            }
        }
        appendLine(depth)
        append("</data>")
    }

    private func unwritable(_ reason: PropertyListError.Reason, _ problem: String) -> PropertyListError {
        PropertyListError(.path([]), reason, problem)
    }
}

extension XMLWriter {
    @inline(__always)
    private mutating func append(_ text: StaticString) {
        output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func appendLine(_ depth: Int) {
        if let style {
            output += style.lineEnd
            for _ in 0..<depth { output += style.indentation }
            return
        }
        // Most lines are at the top level.
        if depth == 1 { return append("\n\t") }
        output.append(ASCII.lineFeed)
        for _ in 0..<depth { output.append(ASCII.tab) }
    }

    private mutating func appendNumber(_ number: PropertyListInteger) {
        if number < 0 { output.append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        // The largest number has 20 digits.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var start = digits.count
            repeat {
                start -= 1
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                digits[start] = ASCII.zero + UInt8(truncatingIfNeeded: digit)
                rest = quotient
            } while rest > 0
            output.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    private mutating func appendText(_ text: String) throws(PropertyListError) {
        var text = text
        let isPlain = text.withUTF8 { text in
            let isPlain = UnsafeRawBufferPointer(text).isPlainXML
            if isPlain { output.append(contentsOf: text) }
            return isPlain
        }
        if !isPlain { try appendEscaped(Array(text.utf8)) }
    }

    private mutating func appendEscaped(_ text: [UInt8]) throws(PropertyListError) {
        for (index, byte) in text.enumerated() {
            switch byte {
            case ASCII.ampersand: append("&amp;")
            case ASCII.less: append("&lt;")
            case ASCII.greater: append("&gt;")
            case ASCII.carriageReturn: append("&#13;")
            case 0..<0x20 where byte != ASCII.tab && byte != ASCII.lineFeed:
                throw forbidden(Unicode.Scalar(byte))
            case 0xEF where text[index + 1] == 0xBF && text[index + 2] >= 0xBE:
                throw forbidden(text[index + 2] == 0xBE ? "\u{FFFE}" : "\u{FFFF}")
            default: output.append(byte)
            }
        }
    }

    private func forbidden(_ character: Unicode.Scalar) -> PropertyListError {
        unwritable(
            .unrepresentable,
            "XML forbids the character \(character.codePoint); the binary format can hold it"
        )
    }
}
