import TerminalCanvas

/// Turns the bytes that a terminal sends into events.
///
/// A terminal sends the Escape key as the same byte that starts every arrow key, function key and mouse
/// report. So the parser keeps an unfinished sequence in `pending`, and the next bytes complete it. If none
/// come within a short delay, the caller calls ``flush()``, and the lone Escape becomes the Escape key.
/// Without this, either Escape would not work until the next key, or an arrow key on a slow link would act as
/// Escape and two letters.
///
/// The parser reads no clock and no descriptor, so tests can feed it any bytes.
struct InputParser {
    /// Bytes of a sequence or character that is not complete.
    private var pending: [UInt8] = []
    /// The bytes of the paste that is being received. Only the end marker ends a paste, because pasted text
    /// must never act as keys. If a terminal forgets the marker, Ctrl-\ still quits the program.
    private var pasted: [UInt8]?
    /// The number of control characters that are left out of the current paste.
    private var leftOut = 0
    private let keys: KeySequences
    /// Answers from the terminal that ``takeReplies()`` has not returned yet.
    private(set) var replies: [TerminalReply] = []

    /// The size in bytes at which a paste is delivered in parts, so that memory use is limited.
    private static let longestPaste = 64 << 20

    init(keys: KeySequences = KeySequences()) { self.keys = keys }

    /// Whether the input ends in an Escape that might be the Escape key or the start of a sequence.
    var isWaitingForMore: Bool {
        pasted == nil && EscapeSequence.isOpen(pending)
    }

    mutating func takeReplies() -> [TerminalReply] {
        defer { replies = [] }
        return replies
    }

    /// Parses more bytes and returns the completed events.
    ///
    /// - Parameter isLate: Whether the bytes came too late to belong to the key of a pending Escape. They can
    ///   still belong to an answer.
    mutating func feed(_ bytes: [UInt8], isLate: Bool = false) -> [InputEvent] {
        var events: [InputEvent] = []
        if isLate, pending.count == 1, bytes.first.map("[]".utf8.contains) != true { events += flush() }
        pending += bytes
        parse(into: &events, isComplete: false)
        return events
    }

    /// Treats a pending Escape as the Escape key.
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
            case EscapeSequence.escape:
                switch EscapeSequence(rest, keys, isComplete: isComplete) {
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
                let whole = run.count == rest.count ? run.dropLast(run.unfinishedCharacter) : run
                guard !whole.isEmpty else { break loop }
                let (text, lost) = whole.decoded
                events += text.compactMap(Self.character)
                if lost > 0 { events.append(.undecodable(lost)) }
                rest = rest.dropFirst(whole.count)
            }
        }
        pending = Array(rest)
    }
}

// MARK: Pastes
extension InputParser {
    private static let endOfPaste: [UInt8] = Array("\u{1B}[201~".utf8)

    /// Consumes bytes of the paste. Returns true when the paste has ended, and false if more bytes are
    /// needed.
    private mutating func takePaste(_ rest: inout ArraySlice<UInt8>, into events: inout [InputEvent]) -> Bool
    {
        while let index = rest.firstIndex(of: EscapeSequence.escape) {
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
            let kept = text.count - text[...].unfinishedCharacter
            events.append(.paste(cleaned(Array(text[..<kept]))))
            pasted = Array(text[kept...])
        }
        return false
    }

    /// Converts line ends to line feeds, and removes all control characters except line feeds and tabs.
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

// MARK: Single characters
extension InputParser {
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
}
