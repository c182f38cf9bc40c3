/// The formats of a property list that this module reads.
///
/// XML drops the fraction of a date's second (the date is rounded down) and the sign and payload of a
/// NaN. XML also refuses some characters and some dates. Binary holds every value except a date that is
/// not a finite number. OpenStep is read and never written. <doc:WhatIsKept> lists every case.
public enum PropertyListFormat: String, Sendable, Hashable, CaseIterable {
    case xml, binary
    /// An object in JSON with comments (JSONC).
    case json
    /// The old ASCII format, which is read and never written. The first change turns such a file into
    /// XML.
    case openStep
}

extension PropertyListFormat {
    /// The format of a new file, by its name. Upper and lower case are the same.
    public static func ofNewFile(called name: String) -> PropertyListFormat {
        let end = name.suffix(6).lowercased()
        return end.hasSuffix(".json") || end == ".jsonc" ? .json : .xml
    }
}

/// The format and text encoding of a file, detected from its first bytes.
enum FileEncoding: Equatable {
    case xml(TextEncoding)
    case binary
    case json
    case openStep

    /// Detects the encoding of a file.
    ///
    /// - Parameters:
    ///   - expected: The format that the file's name tells.
    ///   - readsJSON: Whether the file may be JSON.
    /// - Throws: ``PropertyListError`` if the file is larger than the limit or has an encoding that is
    ///   not supported.
    init(
        of bytes: [UInt8],
        expecting expected: PropertyListFormat? = nil,
        readsJSON: Bool = true,
        limits: PropertyListLimits
    ) throws(PropertyListError) {
        guard bytes.count <= limits.size else {
            throw PropertyListError(
                .offset(limits.size),
                .limitExceeded,
                "the file has more than \(limits.size) bytes"
            )
        }
        if bytes.starts(with: Array("bplist".utf8)) {
            self = .binary
            return
        }
        if readsJSON, JSONFile.isLikely(bytes, isExpected: expected == .json) {
            self = .json
            return
        }
        let (encoding, markLength) = try TextEncoding.detect(bytes)
        // UTF-16 has a zero byte beside each ASCII character, so zeros are skipped too. This is a plain
        // loop because a chain of lazy sequences builds its generic type on first use, which took about
        // half the run time of a short command.
        var position = markLength
        func next(skipping isSkipped: (UInt8) -> Bool) -> UInt8? {
            while position < bytes.count, bytes[position] == 0 || isSkipped(bytes[position]) { position += 1 }
            return position < bytes.count ? bytes[position] : nil
        }
        guard let first = next(skipping: ASCII.isWhiteSpace) else {
            throw .inText(bytes, at: bytes.count, "found the end of the file, expected a property list")
        }
        guard first == ASCII.less else {
            self = .openStep
            return
        }
        // A `<` also begins OpenStep data: hexadecimal digits, GNUstep's Base64, or one of GNUstep's
        // typed values.
        position += 1
        let afterLess = next(skipping: ASCII.isWhiteSpace)
        let afterDigits = next { ASCII.hexDigit($0) != nil || ASCII.isWhiteSpace($0) }
        self =
            afterLess == UInt8(ascii: "*") || afterLess == UInt8(ascii: "[") || afterDigits == ASCII.greater
            ? .openStep : .xml(encoding)
    }

    var format: PropertyListFormat {
        switch self {
        case .xml: .xml
        case .binary: .binary
        case .json: .json
        case .openStep: .openStep
        }
    }
}

extension PropertyListValue {
    /// Reads a property list that may have any value at the top.
    ///
    /// - Throws: ``PropertyListError`` if the bytes follow no supported format, hold something that
    ///   ``PropertyListValue`` cannot represent, or exceed a limit.
    public static func read(
        _ bytes: [UInt8],
        limits: PropertyListLimits = .standard
    ) throws(PropertyListError) -> (value: PropertyListValue, format: PropertyListFormat) {
        let encoding = try FileEncoding(of: bytes, readsJSON: false, limits: limits)
        switch encoding {
        case .xml(.utf8): return (try XMLReader.read(bytes, limits: limits), .xml)
        case .xml: return (try XMLReader.read(TextEncoding.decode(bytes), limits: limits), .xml)
        case .binary: return (try BinaryReader.read(bytes, limits: limits), .binary)
        case .openStep, .json:
            return (try OpenStepReader.read(bytes, limits: limits), .openStep)
        }
    }

    /// Encodes the value as a whole file in XML, binary or JSON.
    ///
    /// - Throws: ``PropertyListError`` with the path of the part that the format cannot hold, always
    ///   for `openStep`, or if the file would exceed ``PropertyListLimits/standard`` and so could not
    ///   be read again.
    public func encoded(as format: PropertyListFormat) throws(PropertyListError) -> [UInt8] {
        switch format {
        case .xml: return try XMLWriter.write(self, limits: .standard)
        case .binary: return try BinaryWriter.write(self, limits: .standard)
        case .json:
            var layout = JSONLayout(JSONStyle(document: JSONFile(limits: .standard).document))
            return Array((layout.text(of: try inJSON, indentation: []) + "\n").utf8)
        case .openStep:
            throw PropertyListError(
                .path([]),
                .unrepresentable,
                "property lists are not written in the OpenStep form; use XML"
            )
        }
    }
}
