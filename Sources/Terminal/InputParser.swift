import TerminalCanvas

/// Turns the bytes that a terminal sends into events.
///
/// A value without a clock or a descriptor. Bytes may come in any pieces: what is not complete waits
/// for more. Only of an Escape can't be told whether more belongs to it; then
/// ``isWaitingForMore`` is true, and ``flush()`` takes it for a key.
struct InputParser {
    /// What is not understood yet.
    private var pending: [UInt8] = []
    /// The bytes of a paste under way. Nothing but its end ends it, since what it holds must never act
    /// as keys; if a terminal should forget that, Ctrl-\ is still there.
    private var pasted: [UInt8]?
    /// The control characters of it that are left out.
    private var leftOut = 0
    private let keys: KeySequences
    /// What the terminal has answered, until somebody takes it.
    private(set) var replies: [TerminalReply] = []

    /// The bytes of a paste that are kept before they are handed on, so that memory has a bound.
    private static let longestPaste = 64 << 20
    /// No sequence in use is longer; what is has no end.
    private static let longestSequence = 64

    init(keys: KeySequences = KeySequences()) { self.keys = keys }

    /// Whether there is an Escape that is either a key or the beginning of one.
    var isWaitingForMore: Bool {
        pasted == nil && pending.first == Self.escape
            && (pending.count <= 2 || Self.backgroundReply.starts(with: pending))
    }

    mutating func takeReplies() -> [TerminalReply] {
        defer { replies = [] }
        return replies
    }

    mutating func feed(_ bytes: [UInt8]) -> [InputEvent] {
        var events: [InputEvent] = []
        pending += bytes
        parse(into: &events, isComplete: false)
        return events
    }

    /// Takes an Escape that waits for more to be a key.
    mutating func flush() -> [InputEvent] {
        var events: [InputEvent] = []
        if isWaitingForMore { parse(into: &events, isComplete: true) }
        return events
    }

    private mutating func parse(into events: inout [InputEvent], isComplete: Bool) {
        var rest = pending[...]
        loop: while let first = rest.first {
            if pasted != nil {
                guard takePaste(&rest, into: &events) else { break }
                continue
            }
            switch first {
            case Self.escape:
                switch sequence(rest, isComplete: isComplete) {
                case .incomplete: break loop
                case .key(let key, let length):
                    if let key { events.append(.key(key)) }
                    rest = rest.dropFirst(length)
                case .mouse(let action, let point, let length):
                    events.append(.mouse(action, point))
                    rest = rest.dropFirst(length)
                case .reply(let reply, let length):
                    if let reply { replies.append(reply) }
                    rest = rest.dropFirst(length)
                case .pasteBegins(let length):
                    pasted = []
                    rest = rest.dropFirst(length)
                }
            case 0..<0x20, 0x7F:
                if let key = Self.controlKey(first) { events.append(.key(key)) }
                rest = rest.dropFirst()
            default:
                let run = rest.prefix { $0 >= 0x20 && $0 != 0x7F }
                let whole = run.count == rest.count ? run.dropLast(Self.unfinishedCharacter(run)) : run
                guard !whole.isEmpty else { break loop }
                events += String(decoding: whole, as: UTF8.self).compactMap(Self.character)
                rest = rest.dropFirst(whole.count)
            }
        }
        pending = Array(rest)
    }
}

// What begins with an Escape.
extension InputParser {
    private enum Sequence {
        case incomplete
        /// A key, or nothing that is known, and the bytes that it takes.
        case key(Key?, length: Int)
        case mouse(MouseAction, Point, length: Int)
        case pasteBegins(length: Int)
        /// The terminal's answer to a question, nil where it can't be understood.
        case reply(TerminalReply?, length: Int)
    }

    private func sequence(_ bytes: ArraySlice<UInt8>, isComplete: Bool) -> Sequence {
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
            return bytes.count > Self.longestSequence ? .key(nil, length: bytes.count) : .incomplete
        case Self.escape: return .key(.escape, length: 1)
        case UInt8(ascii: "]"): return backgroundReply(bytes, isComplete: isComplete)
        default: return alt(after)
        }
    }

    private static let backgroundReply = Array("\u{1B}]11;".utf8)

    /// What the terminal says about its background, up to a BEL or `ESC \`; else Alt and a bracket.
    private func backgroundReply(_ bytes: ArraySlice<UInt8>, isComplete: Bool) -> Sequence {
        let beginning = Self.backgroundReply
        guard bytes.starts(with: beginning) else {
            let mayBe = !isComplete && beginning.starts(with: bytes)
            return mayBe ? .incomplete : alt(bytes.dropFirst())
        }
        let color = bytes.dropFirst(beginning.count)
        guard let end = color.firstIndex(where: { $0 < 0x20 }) else {
            return bytes.count > Self.longestSequence ? .reply(nil, length: bytes.count) : .incomplete
        }
        let length = end - bytes.startIndex + 1
        if bytes[end] == Self.escape, end + 1 == bytes.endIndex { return .incomplete }
        let isEnded = bytes[end] == Self.escape && bytes[end + 1] == UInt8(ascii: "\\")
        return .reply(TerminalReply(background: color[..<end]), length: isEnded ? length + 1 : length)
    }

    /// The sequence whose bytes after `ESC [` or `ESC O` these are (ECMA-48, 5.4); nil if there is no end
    /// yet.
    private func controlSequence(_ bytes: ArraySlice<UInt8>, isShort: Bool) -> Sequence? {
        if !isShort, bytes.first == UInt8(ascii: "M") {
            // The old form of the mouse, of terminals that do not know the one that was asked for: three
            // bytes follow, which must not act as keys.
            return bytes.count < 4 ? nil : .key(nil, length: 6)
        }
        // The bytes before a sequence's last; one that has no place in it ends it unread.
        guard let end = bytes.firstIndex(where: { !(0x20...0x3F ~= $0) }) else { return nil }
        let length = end - bytes.startIndex + 2
        guard 0x40...0x7E ~= bytes[end] else { return .key(nil, length: length) }
        if !isShort, bytes.first == UInt8(ascii: "<"),
            let mouse = Self.mouse(bytes[..<end], final: bytes[end])
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

    /// A button or the wheel, as SGR reports it (xterm's mode 1006); nil for what is let go or is not used.
    private static func mouse(
        _ bytes: ArraySlice<UInt8>,
        final: UInt8
    ) -> (action: MouseAction, point: Point)? {
        let numbers = bytes.dropFirst().split(separator: UInt8(ascii: ";"))
            .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard final == UInt8(ascii: "M"), numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else {
            return nil
        }
        let point = Point(column: numbers[1] - 1, row: numbers[2] - 1)
        // Shift, Alt and Control add 4, 8 and 16.
        switch numbers[0] & ~0b1_1100 {
        case 0: return (.press, point)
        case 64: return (.wheelUp, point)
        case 65: return (.wheelDown, point)
        default: return nil
        }
    }

    /// A character that an Escape precedes.
    private func alt(_ bytes: ArraySlice<UInt8>) -> Sequence {
        guard let first = bytes.first, first >= 0x80 else {
            return .key(bytes.first.map { .alt(Character(Unicode.Scalar($0))) }, length: 2)
        }
        let length = min(max(1, Self.length(of: first)), bytes.count)
        if Self.unfinishedCharacter(bytes.prefix(length)) > 0 { return .incomplete }
        let character = String(decoding: bytes.prefix(length), as: UTF8.self).first
        return .key(character.map { .alt($0) }, length: length + 1)
    }
}

// Pastes.
extension InputParser {
    private static let endOfPaste: [UInt8] = Array("\u{1B}[201~".utf8)

    /// Takes what belongs to the paste; false if that is all there is.
    private mutating func takePaste(_ rest: inout ArraySlice<UInt8>, into events: inout [InputEvent]) -> Bool
    {
        while let index = rest.firstIndex(of: Self.escape) {
            pasted?.append(contentsOf: rest[..<index])
            rest = rest[index...]
            if rest.starts(with: Self.endOfPaste) {
                events.append(.paste(cleaned(pasted ?? [])))
                if leftOut > 0 { events.append(.pasteLacks(leftOut)) }
                (pasted, leftOut) = (nil, 0)
                rest = rest.dropFirst(Self.endOfPaste.count)
                return true
            }
            if Self.endOfPaste.starts(with: rest) { return false }
            rest = rest.dropFirst()
            leftOut += 1
        }
        pasted?.append(contentsOf: rest)
        rest = []
        if let text = pasted, text.count >= Self.longestPaste {
            let kept = text.count - Self.unfinishedCharacter(text[...])
            events.append(.paste(cleaned(Array(text[..<kept]))))
            pasted = Array(text[kept...])
        }
        return false
    }

    /// The text of a paste: line ends as line feeds, and no control character but those and tabs.
    private mutating func cleaned(_ bytes: [UInt8]) -> String {
        var scalars = String.UnicodeScalarView()
        var follows = false
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x0D: scalars.append("\n")
            case 0x0A: if !follows { scalars.append("\n") }
            case 0x09: scalars.append(scalar)
            case 0..<0x20, 0x7F..<0xA0: leftOut += 1
            default: scalars.append(scalar)
            }
            follows = scalar.value == 0x0D
        }
        return String(scalars)
    }
}

// Single characters.
extension InputParser {
    private static let escape: UInt8 = 0x1B

    private static func character(_ character: Character) -> InputEvent? {
        let isControl = character.unicodeScalars.first?.properties.generalCategory == .control
        return isControl ? nil : .key(.character(character))
    }

    private static func controlKey(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x08, 0x7F: .backspace
        case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0x1F: .control("_")
        default: nil
        }
    }

    /// The bytes that a character of UTF-8 has by its first; 0 where that can't be one.
    private static func length(of first: UInt8) -> Int {
        switch first {
        case 0..<0x80: 1
        case 0xC2..<0xE0: 2
        case 0xE0..<0xF0: 3
        case 0xF0..<0xF5: 4
        default: 0
        }
    }

    /// How many bytes at the end begin a character of UTF-8 that has more.
    private static func unfinishedCharacter(_ bytes: ArraySlice<UInt8>) -> Int {
        for (count, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
            return length(of: byte) > count + 1 ? count + 1 : 0
        }
        return 0
    }
}
