import TerminalCanvas

/// The events that a byte sequence starting with Escape can stand for.
///
/// Terminals send keys, mouse reports, pastes and answers in one byte stream, and all of them start with
/// Escape. This type decides where such a sequence ends and what it means.
enum EscapeSequence {
    case incomplete
    /// A key and the length of its sequence in bytes. The key is nil if the sequence is unknown.
    case key(Key?, length: Int)
    case mouse(MouseAction, Point, length: Int)
    case pasteBegins(length: Int)
    /// An answer to one of our queries. The reply is nil if the answer could not be understood.
    case reply(TerminalReply?, length: Int)

    static let escape: UInt8 = 0x1B
    /// The length in bytes after which an unfinished sequence is given up. No sequence in use is longer.
    private static let longest = 64

    /// Whether the bytes start with an Escape that might be the Escape key or the start of a sequence.
    static func isOpen(_ bytes: [UInt8]) -> Bool {
        bytes.first == escape && (bytes.count <= 2 || backgroundReply.starts(with: bytes))
    }

    /// Parses the sequence at the start of the bytes.
    ///
    /// - Parameters:
    ///   - bytes: The input, starting with the Escape.
    ///   - isComplete: Whether no more bytes are expected soon.
    init(_ bytes: ArraySlice<UInt8>, _ keys: KeySequences, isComplete: Bool) {
        self = Self.sequence(bytes, keys, isComplete: isComplete)
    }

    private static func sequence(
        _ bytes: ArraySlice<UInt8>,
        _ keys: KeySequences,
        isComplete: Bool
    ) -> Self {
        switch keys.match(bytes) {
        case .key(let key, let length): return .key(key, length: length)
        case .incomplete where !isComplete: return .incomplete
        case .incomplete, .none: break
        }
        let after = bytes.dropFirst()
        guard let second = after.first else { return isComplete ? .key(.escape, length: 1) : .incomplete }
        let third = after.dropFirst()
        switch second {
        case UInt8(ascii: "["), UInt8(ascii: "O"):
            if let sequence = controlSequence(third, isShort: second == UInt8(ascii: "O")) { return sequence }
            if third.isEmpty { return isComplete ? alt(after) : .incomplete }
            return bytes.count > longest ? .key(nil, length: bytes.count) : .incomplete
        case escape: return .key(.escape, length: 1)
        case UInt8(ascii: "]"): return backgroundReply(bytes, isComplete: isComplete)
        default: return alt(after)
        }
    }

    private static let backgroundReply = Array("\u{1B}]11;".utf8)

    /// Parses the report of the background colour, which ends with BEL or `ESC \`. Any other sequence that
    /// starts with `ESC ]` is the key Alt+].
    private static func backgroundReply(_ bytes: ArraySlice<UInt8>, isComplete: Bool) -> Self {
        let beginning = backgroundReply
        guard bytes.starts(with: beginning) else {
            let mayBe = !isComplete && beginning.starts(with: bytes)
            return mayBe ? .incomplete : alt(bytes.dropFirst())
        }
        let color = bytes.dropFirst(beginning.count)
        guard let end = color.firstIndex(where: { $0 < 0x20 }) else {
            return bytes.count > longest ? .reply(nil, length: bytes.count) : .incomplete
        }
        let length = end - bytes.startIndex + 1
        if bytes[end] == escape, end + 1 == bytes.endIndex { return .incomplete }
        let isEnded = bytes[end] == escape && bytes[end + 1] == UInt8(ascii: "\\")
        return .reply(TerminalReply(background: color[..<end]), length: isEnded ? length + 1 : length)
    }

    /// Parses a control sequence (ECMA-48, section 5.4). Returns nil if its last byte has not arrived.
    ///
    /// - Parameter bytes: The bytes after `ESC [` or, if `isShort`, after `ESC O`.
    private static func controlSequence(_ bytes: ArraySlice<UInt8>, isShort: Bool) -> Self? {
        if !isShort, bytes.first == UInt8(ascii: "M") {
            // Terminals that do not know SGR mouse reports use the old form (X10): three more bytes follow.
            // The parser skips them, so that they do not act as keys.
            return bytes.count < 4 ? nil : .key(nil, length: 6)
        }
        // Parameter and intermediate bytes are 0x20 to 0x3F. A byte that may not occur here ends the
        // sequence, and is then parsed on its own.
        guard let end = bytes.firstIndex(where: { !(0x20...0x3F ~= $0) }) else { return nil }
        let length = end - bytes.startIndex + 2
        guard 0x40...0x7E ~= bytes[end] else { return .key(nil, length: length) }
        if !isShort, bytes.first == UInt8(ascii: "<"),
            let mouse = mouseReport(bytes[..<end], final: bytes[end])
        {
            return .mouse(mouse.action, mouse.point, length: length + 1)
        }
        if !isShort, let reply = TerminalReply(parameters: bytes[..<end], final: bytes[end]) {
            return .reply(reply, length: length + 1)
        }
        let numbers = bytes[..<end].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let first = numbers.first.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        if !isShort, bytes[end] == UInt8(ascii: "~"), first == 200 { return .pasteBegins(length: length + 1) }
        let second = numbers.dropFirst().first.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        let key = KeySequences.key(
            final: bytes[end],
            number: first,
            modifiers: second ?? 1,
            isShort: isShort
        )
        return .key(key, length: length + 1)
    }

    /// Parses a mouse report in the SGR form (xterm's mode 1006). Returns nil for a released button and for
    /// buttons that are not used.
    private static func mouseReport(
        _ bytes: ArraySlice<UInt8>,
        final: UInt8
    ) -> (action: MouseAction, point: Point)? {
        let numbers = bytes.dropFirst().split(separator: UInt8(ascii: ";"))
            .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard final == UInt8(ascii: "M"), numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else {
            return nil
        }
        let point = Point(column: numbers[1] - 1, row: numbers[2] - 1)
        // Shift, Alt and Control add 4, 8 and 16 to the button's number.
        switch numbers[0] & ~0b1_1100 {
        case 0: return (.press, point)
        case 64: return (.wheelUp, point)
        case 65: return (.wheelDown, point)
        default: return nil
        }
    }

    /// Parses a character that follows an Escape, which is how terminals send Alt.
    private static func alt(_ bytes: ArraySlice<UInt8>) -> Self {
        guard let first = bytes.first, first >= 0x80 else {
            return .key(bytes.first.map { .alt(Character(Unicode.Scalar($0))) }, length: 2)
        }
        let length = min(max(1, lengthOfCharacter(first)), bytes.count)
        if bytes.prefix(length).unfinishedCharacter > 0 { return .incomplete }
        let character = String(decoding: bytes.prefix(length), as: UTF8.self).first
        return .key(character.map { .alt($0) }, length: length + 1)
    }
}

// MARK: UTF-8 that arrives in pieces

/// The length in bytes of a UTF-8 character with this first byte, or 0 if no character starts with it.
private func lengthOfCharacter(_ first: UInt8) -> Int {
    switch first {
    case 0..<0x80: 1
    case 0xC2..<0xE0: 2
    case 0xE0..<0xF0: 3
    case 0xF0..<0xF5: 4
    default: 0
    }
}

extension Collection<UInt8> {
    /// The text without its invalid UTF-8 sequences, and their number.
    var decoded: (text: String, nonUTF8: Int) {
        if let text = String(validating: self, as: UTF8.self) { return (text, 0) }
        var text = String.UnicodeScalarView()
        var count = 0
        var decoder = UTF8()
        var bytes = makeIterator()
        while true {
            switch decoder.decode(&bytes) {
            case .scalarValue(let scalar): text.append(scalar)
            case .error: count += 1
            case .emptyInput: return (String(text), count)
            }
        }
    }
}

extension ArraySlice<UInt8> {
    /// The number of bytes at the end that start a UTF-8 character and do not finish it.
    var unfinishedCharacter: Int {
        for (count, byte) in suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
            return lengthOfCharacter(byte) > count + 1 ? count + 1 : 0
        }
        return 0
    }
}
