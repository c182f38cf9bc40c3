/// The signs that a screen is made of: those of Unicode, or ASCII alone for a terminal or a locale
/// without it.
public enum Glyphs: Sendable, Hashable {
    case unicode, ascii

    /// One column that says that something was left out.
    public var ellipsis: Character { self == .unicode ? "…" : "~" }
    public var horizontalLine: Character { self == .unicode ? "─" : "-" }
    public var verticalLine: Character { self == .unicode ? "│" : "|" }

    /// How a scalar is written that can't be shown itself: control characters as pictures (U+2400
    /// and on) or with a caret, all else by its number in angle brackets, as less does.
    func spelling(of scalar: Unicode.Scalar) -> String {
        switch (self, scalar.value) {
        // U+2400 and on, as UTF-8.
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

/// The text with everything that a terminal would act upon, would not show, or would give a width
/// that differs from terminal to terminal replaced by something plain.
///
/// - Control characters come as pictures (`␛`, `␊`) or, with ``Glyphs/ascii``, as `^[`, `^J`.
/// - C1 controls, line separators, spaces other than U+0020, bidirectional marks and overrides, joiners and other zero-width
///   characters, tags, what is private or unassigned or younger than Unicode 14, come as
///   `<U+202E>`.
/// - An emoji sequence comes as the emoji that it joins, side by side with `‿` between them; a skin tone
///   as its number (`👍₄`, the types of Fitzpatrick's scale), a flag as its letters (`<DE>`). With
///   ``Glyphs/ascii`` these come by their numbers. A variation selector behind its character is left out.
/// - Marks without a character before them, and those beyond four on one character, stand on a
///   dotted circle (`<U+0301>` with ``Glyphs/ascii``).
///
/// Right-to-left letters stay as they are, in the order in which they are stored: that is how most
/// terminals show them. `TerminalSession` asks those that would reorder a row not to.
///
/// An escaped text is left as it is when it is escaped again.
public func escapedForDisplay(_ text: some StringProtocol, glyphs: Glyphs = .unicode) -> String {
    let plain = text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isPrintableASCII) } ?? false
    if plain { return String(text) }
    return DisplayCells(text, glyphs: glyphs).reduce(into: "") { $0 += $1.text }
}

/// A JSON text that stays the same JSON, its characters written as `\u202e` where they are no text: controls,
/// line separators, bidirectional marks and overrides.
///
/// - Parameter isForTerminal: writes all so that ``escapedForDisplay(_:glyphs:)`` would replace, joiners of
///   emoji and what is private too.
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
        // Joiners are part of words.
        case .format: ![0x200C, 0x200D].contains(value)
        default: false
        }
    }
}

/// An escaped text in at most `columns` columns. If it is longer, an ellipsis stands at its end.
public func clipped(_ text: some StringProtocol, columns: Int, glyphs: Glyphs = .unicode) -> String {
    guard columns > 0 else { return "" }
    // Most texts are this, and a screen has hundreds of them.
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
    // The bytes that leave room for an ellipsis.
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
