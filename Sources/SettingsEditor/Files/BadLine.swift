/// The line of an unreadable file with the error, cut around the error. A line and column in words would make the user
/// open the file and count.
public struct BadLine: Sendable, Hashable {
    /// The number of the line, from 1.
    let number: Int
    /// The text before and after the place of the error. Either may be cut.
    let before: String
    let after: String
    let isCutBefore: Bool
    let isCutAfter: Bool

    /// At most this many bytes are kept on each side of the error. A file may be one line of many megabytes.
    private static let limit = 400

    /// Finds a line in the bytes of a file.
    ///
    /// - Parameters:
    ///   - line: The number of the line, from 1.
    ///   - column: The number of the byte in the line, from 1.
    /// - Returns: nil if the bytes have no such place or are not UTF-8, as in a binary file.
    public init?(_ bytes: [UInt8], line: Int, column: Int) {
        let isOtherUnicode = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
        guard line >= 1, column >= 1, !isOtherUnicode else { return nil }
        let lineFeed = UInt8(ascii: "\n")
        var start = 0
        for _ in 1..<line {
            guard let end = bytes[start...].firstIndex(of: lineFeed) else { return nil }
            start = end + 1
        }
        let place = start + column - 1
        guard place <= bytes.count, !bytes[start..<place].contains(lineFeed) else { return nil }
        let end = bytes[place...].prefix(Self.limit + 1).firstIndex { $0 == lineFeed || $0 == 0x0D }
        let last = end ?? min(bytes.count, place + Self.limit)
        // Not within a character.
        var first = max(start, place - Self.limit)
        while first < place, first > start, bytes[first] & 0xC0 == 0x80 { first += 1 }
        number = line
        before = String(decoding: bytes[first..<place], as: UTF8.self)
        after = String(decoding: bytes[place..<max(place, last)], as: UTF8.self)
        (isCutBefore, isCutAfter) = (first > start, end == nil && last < bytes.count)
    }
}
