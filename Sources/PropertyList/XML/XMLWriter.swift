import FoundationEssentials

/// Writes XML property lists that look as Foundation's and plistlib's do.
///
/// Keys are sorted as `String` sorts them: by their UTF-8 where they are in Unicode's normal form
/// C. What XML holds no place for is refused: characters that XML 1.0 forbids, dates that are not
/// within the years 0 to 9999, and a dictionary that would be read as the reference of a keyed
/// archive. A carriage return is written as `&#13;`, since other readers take a bare one for a
/// line feed; fractions of a second are dropped; reals have the fewest digits that read as the same
/// number.
struct XMLWriter {
    private(set) var output: [UInt8] = []
    /// Where begins what has to be within the limit of a file's size.
    private var start = 0
    private let limits: PropertyListLimits
    /// Of the document that is added to, where that has another than this writes.
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

    /// A whole file.
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

    /// Begins something of its own: what is there already no longer counts for the limit of size.
    mutating func begin() { start = output.count }

    /// A key and its value, each on a line of its own, from the line feed before it on.
    mutating func appendEntry(_ key: String, _ value: PropertyListValue, depth: Int) throws(PropertyListError)
    {
        // Most entries are those of the dictionary at the top, and their lines are as quickly written at once.
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
            throw error.below(.key(key))
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
            throw error.below(.key(key))
        }
        append(end)
    }

    /// A value; its first line is not indented.
    ///
    /// - Parameter depth: The arrays and dictionaries around it.
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
        }
        try checkSize()
    }

    func checkSize() throws(PropertyListError) {
        guard output.count - start <= limits.size else {
            throw unwritable(.limitExceeded, "the file would have more than \(limits.size) bytes")
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
                throw error.below(.index(index))
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
                "more than \(limits.depth) arrays and dictionaries inside each other"
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

    /// Lines of 76 columns at the most, a tab counted as 8, as plistlib and Foundation have them.
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
        // Most lines are those of the dictionary at the top.
        if depth == 1 { return append("\n\t") }
        output.append(ASCII.lineFeed)
        for _ in 0..<depth { output.append(ASCII.tab) }
    }

    private mutating func appendNumber(_ number: PropertyListInteger) {
        if number < 0 { output.append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        // As many digits as the largest number has.
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
