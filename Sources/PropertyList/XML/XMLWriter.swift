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
    private let limits: PropertyListLimits

    init(limits: PropertyListLimits) { self.limits = limits }

    static let start = """
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
        writer.append(start)
        try writer.append(value, depth: 0)
        writer.append("\n")
        writer.append(end)
        try writer.checkSize()
        return writer.output
    }

    /// A whole file with a dictionary at the top, and where each of its entries ends.
    static func write(
        dictionary: [String: PropertyListValue],
        limits: PropertyListLimits
    ) throws(PropertyListError) -> (text: [UInt8], bodyStart: Int, ends: [Int]) {
        var writer = XMLWriter(limits: limits)
        writer.append(start)
        writer.append("<dict>")
        let bodyStart = writer.output.count
        var ends: [Int] = []
        ends.reserveCapacity(dictionary.count)
        for index in sortedByKey(dictionary) {
            try writer.appendEntry(dictionary.keys[index], dictionary.values[index], depth: 1)
            ends.append(writer.output.count)
        }
        writer.append("\n</dict>\n")
        writer.append(end)
        try writer.checkSize()
        return (writer.output, bodyStart, ends)
    }
}

extension XMLWriter {
    /// A key and its value, each on a line of its own, from the line feed before it on.
    mutating func appendEntry(_ key: String, _ value: PropertyListValue, depth: Int) throws(PropertyListError)
    {
        appendLine(depth)
        append("<key>")
        do throws(PropertyListError) {
            if let problem = limits.problem(withKey: key) { throw unwritable(.limitExceeded, problem) }
            try appendText(key)
            append("</key>")
            appendLine(depth)
            try append(value, depth: depth)
        } catch {
            throw error.below(.key(key))
        }
    }

    /// A value; its first line is not indented.
    ///
    /// - Parameter depth: The arrays and dictionaries around it.
    mutating func append(_ value: PropertyListValue, depth: Int) throws(PropertyListError) {
        switch value {
        case .boolean(let value): append(value ? "<true/>" : "<false/>")
        case .integer(let value):
            append("<integer>")
            append(value.description)
            append("</integer>")
        case .real(let value):
            append("<real>")
            append(XMLNumber.text(value))
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
            append(value.description)
            append("</integer>")
            appendLine(depth)
            append("</dict>")
        }
        try checkSize()
    }

    private func checkSize() throws(PropertyListError) {
        guard output.count <= limits.size else {
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
        for index in sortedByKey(entries) {
            try appendEntry(entries.keys[index], entries.values[index], depth: depth + 1)
        }
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
        let bytes = [UInt8](value)
        let bytesPerLine = max(16, 76 - 8 * depth) / 4 * 3
        for start in stride(from: 0, to: bytes.count, by: bytesPerLine) {
            appendLine(depth)
            Base64.append(bytes[start..<min(start + bytesPerLine, bytes.count)], to: &output)
        }
        appendLine(depth)
        append("</data>")
    }

    private func unwritable(_ reason: PropertyListError.Reason, _ problem: String) -> PropertyListError {
        PropertyListError(.path([]), reason, problem)
    }
}

extension XMLWriter {
    private mutating func append(_ text: String) { output.append(contentsOf: text.utf8) }

    private mutating func appendLine(_ depth: Int) {
        output.append(ASCII.lineFeed)
        for _ in 0..<depth { output.append(ASCII.tab) }
    }

    private mutating func appendText(_ text: String) throws(PropertyListError) {
        guard output.count + text.utf8.count <= limits.size else {
            throw unwritable(.limitExceeded, "the file would have more than \(limits.size) bytes")
        }
        let start = output.count
        output.append(contentsOf: text.utf8)
        guard let first = output[start...].firstIndex(where: Self.needsAttention) else { return }
        let rest = Array(output[first...])
        output.removeSubrange(first...)
        for (index, byte) in rest.enumerated() {
            switch byte {
            case ASCII.ampersand: append("&amp;")
            case ASCII.less: append("&lt;")
            case ASCII.greater: append("&gt;")
            case ASCII.carriageReturn: append("&#13;")
            case 0..<0x20 where byte != ASCII.tab && byte != ASCII.lineFeed:
                throw forbidden(Unicode.Scalar(byte))
            case 0xEF where rest[index + 1] == 0xBF && rest[index + 2] >= 0xBE:
                throw forbidden(rest[index + 2] == 0xBE ? "\u{FFFE}" : "\u{FFFF}")
            default: output.append(byte)
            }
        }
    }

    /// 0xEF begins the two characters of the last plane's kind that XML forbids, and others.
    private static func needsAttention(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == ASCII.ampersand || byte == ASCII.less || byte == ASCII.greater || byte == 0xEF
    }

    private func forbidden(_ character: Unicode.Scalar) -> PropertyListError {
        unwritable(
            .unrepresentable,
            "XML forbids the character \(character.codePoint); the binary format can hold it"
        )
    }
}
