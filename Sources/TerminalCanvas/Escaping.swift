// Keeps text from files and other programs from acting on the terminal. Without it, a value could move the
// cursor, change colours or reverse the direction of text.

/// The characters that a screen is drawn with: Unicode, or only ASCII for a terminal or locale without
/// Unicode.
public enum Glyphs: Sendable, Hashable {
    case unicode, ascii

    /// A character of one column that marks left-out text.
    public var ellipsis: Character { self == .unicode ? "…" : "~" }
    public var horizontalLine: Character { self == .unicode ? "─" : "-" }
    public var verticalLine: Character { self == .unicode ? "│" : "|" }

    /// Returns the spelling of a scalar that cannot be shown itself.
    ///
    /// A control character becomes a picture (from U+2400 on) or a caret with a letter. Any other scalar
    /// becomes its number in angle brackets, as in less(1).
    func spelling(of scalar: Unicode.Scalar) -> String {
        switch (self, scalar.value) {
        // The UTF-8 bytes of U+2400 and on.
        case (.unicode, 0..<0x20):
            return String(decoding: [0xE2, 0x90, 0x80 + UInt8(scalar.value)], as: UTF8.self)
        case (.unicode, 0x7F): return "␡"
        case (.ascii, 0..<0x20), (.ascii, 0x7F):
            return "^" + String(Unicode.Scalar(UInt8(scalar.value) ^ 0x40))
        default:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "<U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits + ">"
        }
    }
}

/// Replaces everything that a terminal would act on, would not show, or would show with an unclear width.
///
/// - Control characters become pictures (`␛`, `␊`) or, with ``Glyphs/ascii``, `^[`, `^J`.
/// - These become numbers such as `<U+202E>`: C1 controls, line separators, spaces other than U+0020,
///   bidirectional marks and overrides, joiners and other zero-width characters, tags, and characters that
///   are private, unassigned or newer than Unicode 14.
/// - The emoji of a sequence are written side by side with `‿` between them. A skin tone becomes its number
///   (`👍₄`, the types of the Fitzpatrick scale) and a flag its letters (`<DE>`). With ``Glyphs/ascii`` these
///   become numbers too. A variation selector after its character is left out.
/// - Marks without a character before them, and marks after the fourth one on a character, are put on a
///   dotted circle (`<U+0301>` with ``Glyphs/ascii``).
///
/// Right-to-left letters stay in the order in which they are stored, because most terminals show them in that
/// order. `TerminalSession` asks other terminals not to reorder a row.
///
/// Escaping an escaped text again changes nothing.
public func escapedForDisplay(_ text: some StringProtocol, glyphs: Glyphs = .unicode) -> String {
    let plain = text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isPrintableASCII) } ?? false
    if plain { return String(text) }
    return DisplayCells(text, glyphs: glyphs).reduce(into: "") { $0 += $1.text }
}

/// Escapes invisible and dangerous characters in a JSON text as `\u202e`, so that it stays the same JSON.
///
/// These are control characters, line separators, and bidirectional marks and overrides.
///
/// - Parameter isForTerminal: Whether to escape everything that ``escapedForDisplay(_:glyphs:)`` would
///   replace, including the joiners of emoji and private characters.
public func jsonEscapedForDisplay(_ text: String, isForTerminal: Bool) -> String {
    if text.utf8.allSatisfy({ isPrintableASCII($0) || $0 == 0x0A }) { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
        guard scalar.columns == nil, isForTerminal || scalar.isNoText,
            ![0x09, 0x0A, 0x0D].contains(scalar.value)
        else {
            escaped.unicodeScalars.append(scalar)
            continue
        }
        for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            escaped += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        }
    }
    return escaped
}

extension Unicode.Scalar {
    fileprivate var isNoText: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Zero-width joiners are part of words in some scripts.
        case .format: ![0x200C, 0x200D].contains(value)
        default: false
        }
    }
}

/// Escapes a text and shortens it to at most `columns` columns. A shortened text ends with an ellipsis.
public func clipped(_ text: some StringProtocol, columns: Int, glyphs: Glyphs = .unicode) -> String {
    clipped(Substring(text), columns, glyphs)
}

// Not generic, because generic code of another module is several times as slow.
private func clipped(_ text: Substring, _ columns: Int, _ glyphs: Glyphs) -> String {
    guard columns > 0 else { return "" }
    // A fast path for ASCII. Most texts are ASCII, and a screen has hundreds of them.
    let length = text.utf8.withContiguousStorageIfAvailable { bytes in
        bytes.prefix(columns).allSatisfy(isPrintableASCII)
            && (bytes.count <= columns || isPrintableASCII(bytes[columns])) ? bytes.count : nil
    }
    if case let length?? = length {
        return length <= columns
            ? String(text)
            : String(decoding: text.utf8.prefix(columns - 1), as: UTF8.self) + String(glyphs.ellipsis)
    }
    var kept = ""
    var used = 0
    // The length in bytes that leaves room for an ellipsis.
    var shortened = 0
    for cell in DisplayCells(text, glyphs: glyphs) {
        guard used + cell.width <= columns else {
            return String(decoding: kept.utf8.prefix(shortened), as: UTF8.self) + String(glyphs.ellipsis)
        }
        kept += cell.text
        used += cell.width
        if used < columns { shortened = kept.utf8.count }
    }
    return kept
}
