/// An answer of the terminal to one of our queries.
enum TerminalReply: Sendable, Hashable {
    /// The lightness of the background, from 0 to 1 (OSC 11).
    case background(lightness: Double)
    /// Whether the terminal has mode 2026, which shows a frame only when it is complete (DECRQM).
    case synchronizedUpdates(Bool)
    /// The kind of terminal (DA1). This query is sent last, so this answer is the last one.
    case kind

    /// Parses an answer that is a control sequence.
    ///
    /// - Parameters:
    ///   - parameters: The bytes between `ESC [` and the last byte.
    ///   - final: The last byte.
    init?(parameters: ArraySlice<UInt8>, final: UInt8) {
        let text = String(decoding: parameters, as: UTF8.self)
        switch final {
        case UInt8(ascii: "c") where text.hasPrefix("?"): self = .kind
        case UInt8(ascii: "y") where text.hasPrefix("?2026;") && text.hasSuffix("$"):
            let state = text.dropFirst("?2026;".count).dropLast()
            // 1 is set, 2 is reset and 3 is permanently set. 0 is unknown and 4 is permanently reset.
            self = .synchronizedUpdates(["1", "2", "3"].contains(state))
        default: return nil
        }
    }

    /// Parses a background colour.
    ///
    /// - Parameter color: The colour in X11's notation: `rgb:` and one to four hexadecimal digits for each
    ///   component.
    init?(background color: ArraySlice<UInt8>) {
        let words = String(decoding: color, as: UTF8.self).split(separator: ":")
        guard words.count == 2, words[0] == "rgb" || words[0] == "rgba" else { return nil }
        let parts = words[1].split(separator: "/").prefix(3).compactMap { digits -> Double? in
            guard 1...4 ~= digits.count, let number = Int(digits, radix: 16) else { return nil }
            return Double(number) / Double((1 << (4 * digits.count)) - 1)
        }
        guard parts.count == 3 else { return nil }
        self = .background(lightness: (299 * parts[0] + 587 * parts[1] + 114 * parts[2]) / 1000)
    }
}
