import TerminalCanvas

/// Maps the byte sequences that terminals send to keys.
///
/// Terminals of different kinds send different sequences for the same key, and `TERM` is often wrong. So the
/// sequences from terminfo come first, and the common ones of xterm, VT220 and rxvt are always known too.
struct KeySequences {
    enum Match {
        case key(Key, length: Int)
        /// The bytes are the start of a longer sequence.
        case incomplete
        case none
    }

    private let keys: [[UInt8]: Key]
    private let beginnings: Set<[UInt8]>
    private let longest: Int

    /// Collects the key sequences of a terminal.
    ///
    /// - Parameter capability: Returns the value of a terminfo string capability by its name (terminfo(5)),
    ///   or nil if the terminal lacks it.
    init(capability: (String) -> [UInt8]? = { _ in nil }) {
        var keys: [[UInt8]: Key] = [:]
        for (name, key) in Self.capabilities {
            guard let bytes = capability(name), bytes.count > 1, bytes.first == 0x1B else { continue }
            keys[bytes] = key
        }
        // The function keys of the Linux console. A standard parser takes their first three bytes for a
        // complete sequence.
        for (offset, letter) in "ABCDE".utf8.enumerated() {
            keys[Array("\u{1B}[[".utf8) + [letter]] = .function(offset + 1)
        }
        self.keys = keys
        beginnings = Set(keys.keys.flatMap { bytes in (1..<bytes.count).map { Array(bytes[..<$0]) } })
        longest = keys.keys.map(\.count).max() ?? 0
    }

    /// Returns the longest key sequence at the start of the bytes.
    func match(_ bytes: ArraySlice<UInt8>) -> Match {
        for length in stride(from: min(longest, bytes.count), to: 1, by: -1) {
            if let key = keys[Array(bytes.prefix(length))] { return .key(key, length: length) }
        }
        return bytes.count < longest && beginnings.contains(Array(bytes)) ? .incomplete : .none
    }

    private static let capabilities: [(String, Key)] =
        [
            ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("khome", .home),
            ("kend", .end), ("kpp", .pageUp), ("knp", .pageDown), ("kich1", .insert), ("kdch1", .delete),
            ("kcbt", .backTab), ("kent", .enter), ("ka1", .home), ("ka3", .pageUp), ("kc1", .end),
            ("kc3", .pageDown), ("kfnd", .home), ("kslt", .end),
        ] + (1...12).map { ("kf\($0)", .function($0)) }

    /// Returns the key for a control sequence of xterm, VT220 or rxvt.
    ///
    /// These are recognised whatever `TERM` says, because terminals often run under another terminal's name
    /// and send either form of the cursor keys. Modifiers are ignored, except where Control or Alt turns a
    /// cursor key into a movement by words.
    ///
    /// - Parameters:
    ///   - final: The last byte.
    ///   - number: The first number.
    ///   - modifiers: The second number: 1, plus 1 for Shift, 2 for Alt and 4 for Control.
    ///   - isShort: Whether the sequence starts with `ESC O` (SS3) instead of `ESC [` (CSI).
    static func key(final: UInt8, number: Int?, modifiers: Int = 1, isShort: Bool) -> Key? {
        let isWord = modifiers > 1 && (modifiers - 1) & 6 != 0
        return switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): isWord ? .wordRight : .right
        case UInt8(ascii: "D"): isWord ? .wordLeft : .left
        // rxvt sends these for Control and a cursor key.
        case UInt8(ascii: "c") where isShort: .wordRight
        case UInt8(ascii: "d") where isShort: .wordLeft
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "P"): .function(1)
        case UInt8(ascii: "Q"): .function(2)
        case UInt8(ascii: "R"): .function(3)
        case UInt8(ascii: "S"): .function(4)
        case UInt8(ascii: "M") where isShort: .enter
        case UInt8(ascii: "Z") where !isShort: .backTab
        case UInt8(ascii: "~") where !isShort: number.flatMap { numbered[$0] }
        // The operators and digits of the keypad in application mode.
        case UInt8(ascii: "j")...UInt8(ascii: "y") where isShort:
            .character(Character(Unicode.Scalar(final - 0x40)))
        default: nil
        }
    }

    private static let numbered: [Int: Key] = [
        1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
        11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
        17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
        23: .function(11), 24: .function(12),
    ]
}
