/// The spellings of a property list that can be read.
///
/// XML drops fractions of a second (towards the past) and sign and payload of a NaN, and refuses some
/// characters and dates; binary holds every value but dates that are no finite number; OpenStep is read
/// only. <doc:WhatIsKept> has all of it, case by case.
public enum PropertyListFormat: String, Sendable, Hashable, CaseIterable {
    case xml, binary
    /// The old ASCII form: read, never written; a file in it is written as XML.
    case openStep
}

/// What a file is encoded in, judged by its first bytes.
enum FileEncoding: Equatable {
    case xml(TextEncoding)
    case binary
    case openStep

    /// - Throws: Where the file is larger than allowed or in an encoding that can't be read.
    init(of bytes: [UInt8], limits: PropertyListLimits) throws(PropertyListError) {
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
        let (encoding, markLength) = try TextEncoding.detect(bytes)
        // UTF-16 has a zero beside each character of ASCII. By hand, since the type of a chain of lazy sequences
        // is made when it is first used, which took as long as half of all that a command does.
        var place = markLength
        func next(behind isLeftOut: (UInt8) -> Bool) -> UInt8? {
            while place < bytes.count, bytes[place] == 0 || isLeftOut(bytes[place]) { place += 1 }
            return place < bytes.count ? bytes[place] : nil
        }
        guard let first = next(behind: ASCII.isWhiteSpace) else {
            throw .inText(bytes, at: bytes.count, "found the end of the file, expected a property list")
        }
        guard first == ASCII.less else {
            self = .openStep
            return
        }
        // OpenStep data: hexadecimal digits, GNUstep's Base64, or a typed value of GNUstep's.
        place += 1
        let afterLess = next(behind: ASCII.isWhiteSpace)
        let afterDigits = next { ASCII.hexDigit($0) != nil || ASCII.isWhiteSpace($0) }
        self =
            afterLess == UInt8(ascii: "*") || afterLess == UInt8(ascii: "[") || afterDigits == ASCII.greater
            ? .openStep : .xml(encoding)
    }

    var format: PropertyListFormat {
        switch self {
        case .xml: .xml
        case .binary: .binary
        case .openStep: .openStep
        }
    }
}

extension PropertyListValue {
    /// Reads a property list with any value at the top.
    ///
    /// - Throws: ``PropertyListError`` where the file follows no format, holds something that has no
    ///   place in a value, or exceeds a limit.
    public static func read(
        _ bytes: [UInt8],
        limits: PropertyListLimits = .standard
    ) throws(PropertyListError) -> (value: PropertyListValue, format: PropertyListFormat) {
        let encoding = try FileEncoding(of: bytes, limits: limits)
        switch encoding {
        case .xml(.utf8): return (try XMLReader.read(bytes, limits: limits), .xml)
        case .xml: return (try XMLReader.read(TextEncoding.decode(bytes), limits: limits), .xml)
        case .binary: return (try BinaryReader.read(bytes, limits: limits), .binary)
        case .openStep:
            return (try OpenStepReader.read(bytes, limits: limits), .openStep)
        }
    }

    /// The value as a whole file. `openStep` is refused.
    ///
    /// - Throws: ``PropertyListError`` with the path of what has no place in the format, or where the
    ///   file could not be read again under ``PropertyListLimits/standard``.
    public func encoded(as format: PropertyListFormat) throws(PropertyListError) -> [UInt8] {
        switch format {
        case .xml: return try XMLWriter.write(self, limits: .standard)
        case .binary: return try BinaryWriter.write(self, limits: .standard)
        case .openStep:
            throw PropertyListError(
                .path([]),
                .unrepresentable,
                "property lists are not written in the OpenStep form; use XML"
            )
        }
    }
}
