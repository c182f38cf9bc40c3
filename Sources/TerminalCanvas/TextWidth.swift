/// Returns the number of columns that ``Grid/write(_:at:style:columns:)`` takes for a text, escaped or not.
///
/// Terminals do not report character widths, and a wrong guess misplaces the rest of a row. So the width is
/// the sum over the scalars, as tmux, xterm and ncurses count: 0, 1, or 2 for East Asian wide characters and
/// emoji. Without these tables, every row with Chinese text or an emoji would be misaligned.
public func displayWidth(of text: some StringProtocol, glyphs: Glyphs = .unicode) -> Int {
    displayWidth(Substring(text), glyphs)
}

private func displayWidth(_ text: Substring, _ glyphs: Glyphs) -> Int {
    let plain = text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isPrintableASCII) } ?? false
    if plain { return text.utf8.count }
    return DisplayCells(text, glyphs: glyphs).reduce(0) { $0 + $1.width }
}

@inline(__always)
func isPrintableASCII(_ byte: UInt8) -> Bool { byte &- 0x20 < 0x5F }

extension Unicode.Scalar {
    var isRegionalIndicator: Bool { 0x1F1E6...0x1F1FF ~= value }
    var isZeroWidthJoiner: Bool { value == 0x200D }

    /// The width on which terminals agree for a scalar on its own, or 0 for a mark on the previous character.
    ///
    /// Nil if a terminal would act on the scalar or not show it, or if terminals disagree.
    var columns: Int? {
        switch value {
        case 0x20..<0x7F: 1
        // No-break spaces are spelled like invisible characters, because they look like a normal space.
        case 0..<0xA1, 0xAD: nil
        case 0xA1..<0x300: 1
        // Common scripts, punctuation, arrows, lines and shapes. All of them are assigned, so Unicode's tables are not
        // needed.
        case 0x400...0x482, 0x2010...0x2027, 0x203A, 0x2190...0x21FF, 0x2500...0x25FC: 1
        case 0x4E00...0x9FFC, 0xAC00...0xD7A3: 2
        // Hangul vowels and finals, which are drawn into the syllable of the initial.
        case 0x1160...0x11FF where !properties.isDefaultIgnorableCodePoint: 0
        case 0xD7B0...0xD7C6, 0xD7CB...0xD7FB: nil
        // Numbers that the C library treats as wide, and the digrams and hexagrams that Unicode 16 made wide.
        case 0x2630...0x2637, 0x268A...0x268F, 0x3248...0x324F, 0x4DC0...0x4DFF: nil
        case 0x1D300...0x1D356, 0x1D360...0x1D376: nil
        default: columnsByProperties
        }
    }

    private var columnsByProperties: Int? {
        // Unicode 14 is from 2021, and the C library of Debian 12 knows no later version.
        guard let age = properties.age, age.major <= 14 else { return nil }
        if properties.isDefaultIgnorableCodePoint || properties.isEmojiModifier || isRegionalIndicator {
            return nil
        }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            return nil
        case .nonspacingMark, .enclosingMark: return 0
        default: return isWide ? 2 : 1
        }
    }

    private var isWide: Bool {
        var low = 0
        var high = wideRanges.count
        while low < high {
            let middle = (low + high) / 2
            if wideRanges[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < wideRanges.count && wideRanges[low].contains(value)
    }
}

/// The scalars with East Asian Width W or F in Unicode 15 (UAX #11), in ascending order.
///
/// Ranges also cover marks and unassigned scalars, which are excluded before.
private let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0,
    0x23F3...0x23F3, 0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F,
    0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5,
    0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5,
    0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728,
    0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
    0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55,
    0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAD9, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E,
    0x1F191...0x1F19A, 0x1F200...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393,
    0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E,
    0x1F440...0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567,
    0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5,
    0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC,
    0x1F7E0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FAF8,
    0x20000...0x323AF,
]
