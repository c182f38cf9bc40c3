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
    /// What of it can't be handed on.
    private var loss = PasteLoss()
    private let keys: KeySequences
    /// What the terminal has answered, until somebody takes it.
    private(set) var replies: [TerminalReply] = []

    /// The bytes of a paste that are kept before they are handed on, so that memory has a bound.
    private static let longestPaste = 64 << 20

    init(keys: KeySequences = KeySequences()) { self.keys = keys }

    /// Whether there is an Escape that is either a key or the beginning of one.
    var isWaitingForMore: Bool {
        pasted == nil && EscapeSequence.isOpen(pending)
    }

    mutating func takeReplies() -> [TerminalReply] {
        defer { replies = [] }
        return replies
    }

    /// - Parameter isLate: They come too late to be of a key whose Escape waits; of an answer they may be.
    mutating func feed(_ bytes: [UInt8], isLate: Bool = false) -> [InputEvent] {
        var events: [InputEvent] = []
        if isLate, pending.count == 1, bytes.first.map("[]".utf8.contains) != true { events += flush() }
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

// Pastes.
extension InputParser {
    private static let endOfPaste: [UInt8] = Array("\u{1B}[201~".utf8)

    /// Takes what belongs to the paste; false if that is all there is.
    private mutating func takePaste(_ rest: inout ArraySlice<UInt8>, into events: inout [InputEvent]) -> Bool
    {
        while let index = rest.firstIndex(of: EscapeSequence.escape) {
            pasted?.append(contentsOf: rest[..<index])
            rest = rest[index...]
            if rest.starts(with: Self.endOfPaste) {
                events.append(.paste(cleaned(pasted ?? [])))
                if loss != PasteLoss() { events.append(.pasteLacks(loss)) }
                (pasted, loss) = (nil, PasteLoss())
                rest = rest.dropFirst(Self.endOfPaste.count)
                return true
            }
            if Self.endOfPaste.starts(with: rest) { return false }
            rest = rest.dropFirst()
            loss.controlCharacters += 1
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

    /// The text of a paste: line ends as line feeds, and no control character but those and tabs.
    private mutating func cleaned(_ bytes: [UInt8]) -> String {
        var scalars = String.UnicodeScalarView()
        var follows = false
        loss.nonUTF8 += bytes.nonUTF8Count
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x0D: scalars.append("\n")
            case 0x0A: if !follows { scalars.append("\n") }
            case 0x09: scalars.append(scalar)
            case 0..<0x20, 0x7F..<0xA0: loss.controlCharacters += 1
            default: scalars.append(scalar)
            }
            follows = scalar.value == 0x0D
        }
        return String(scalars)
    }
}

// Single characters.
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
