/// What a terminal answers when it is asked.
enum TerminalReply: Sendable, Hashable {
    /// How light its background is, from 0 to 1 (OSC 11).
    case background(lightness: Double)
    /// Whether it has mode 2026, which shows a screen only once it is complete (DECRQM).
    case synchronizedUpdates(Bool)
    /// That it has come to the question whether it is well (DSR).
    case ready
    /// What kind of terminal it is (DA1), which is what it was asked last.
    case kind

    /// - Parameters:
    ///   - parameters: what stands between `ESC [` and the last byte.
    ///   - final: the last byte.
    init?(parameters: ArraySlice<UInt8>, final: UInt8) {
        let text = String(decoding: parameters, as: UTF8.self)
        switch final {
        case UInt8(ascii: "n") where text == "0" || text == "3": self = .ready
        case UInt8(ascii: "c") where text.hasPrefix("?"): self = .kind
        case UInt8(ascii: "y") where text.hasPrefix("?2026;") && text.hasSuffix("$"):
            let state = text.dropFirst("?2026;".count).dropLast()
            // Set or reset; 0 is unknown, 4 is never.
            self = .synchronizedUpdates(["1", "2", "3"].contains(state))
        default: return nil
        }
    }

    /// - Parameter color: as X11 spells it: `rgb:` and one to four hexadecimal digits for each part.
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
