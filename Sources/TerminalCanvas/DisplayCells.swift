/// Splits a text into the cells that it takes on a screen, one at a time.
///
/// Terminals disagree on the width of emoji sequences, flags and invisible characters, and ncurses and tmux
/// keep only one scalar and a few marks in a cell. So each cell gets one scalar of one or two columns with at
/// most four marks, and everything that terminals draw differently is spelled in plain characters. Without
/// this, the cursor and the rest of a row would be misplaced after such a character.
///
/// Cells are made on request, so a long text costs no more than its visible part.
struct DisplayCells: Sequence, IteratorProtocol {
    private var rest: Substring.UnicodeScalarView.Iterator
    private let glyphs: Glyphs
    /// The rest of a spelling that takes several cells. It is printable ASCII.
    private var spelling: Substring.UTF8View.Iterator?
    /// Whether the previous cell is an emoji, so that a skin tone or a joiner would belong to it.
    private var followsEmoji = false

    init(_ text: some StringProtocol, glyphs: Glyphs) {
        rest = Substring(text).unicodeScalars.makeIterator()
        self.glyphs = glyphs
    }

    mutating func next() -> (text: String, width: Int)? {
        if let byte = spelling?.next() { return (String(Unicode.Scalar(byte)), 1) }
        guard let scalar = rest.next() else { return nil }
        if followsEmoji, let sign = emojiSign(scalar) { return (sign, 1) }
        followsEmoji = false
        if scalar.isRegionalIndicator { return flag(scalar) }
        switch scalar.columns {
        case nil: return spelled(scalar)
        case 0 where glyphs == .ascii: return spelled(scalar)
        case 0: return (withMarks("◌", and: scalar), 1)
        case let width?:
            let text = withMarks(scalar)
            followsEmoji = scalar.value >= 0xA9 && glyphs == .unicode && scalar.properties.isEmoji
            return (text, width)
        }
    }

    private mutating func spelled(_ scalar: Unicode.Scalar) -> (text: String, width: Int) {
        spelled(glyphs.spelling(of: scalar))
    }

    /// Returns the first cell of a spelling and keeps the rest for the next cells.
    private mutating func spelled(_ spelled: String) -> (text: String, width: Int) {
        let text = Substring(spelled)
        var bytes = text.utf8.makeIterator()
        guard let first = bytes.next(), first < 0x80 else { return (spelled, 1) }
        spelling = bytes
        return (String(Unicode.Scalar(first)), 1)
    }

    /// Returns the base with the marks that follow it. A variation selector directly after the base is
    /// dropped.
    private mutating func withMarks(_ base: Unicode.Scalar, and first: Unicode.Scalar? = nil) -> String {
        var text = String(base)
        var marks = 0
        var ahead = rest
        // No scalar below U+0300 combines.
        if first == nil, (ahead.next()?.value ?? 0) < 0x300 { return text }
        if let first {
            text.unicodeScalars.append(first)
            marks = 1
        } else {
            skip { $0.properties.isVariationSelector }
        }
        while marks < 4, let mark = skip({ $0.columns == 0 }) {
            text.unicodeScalars.append(mark)
            marks += 1
        }
        return text
    }

    /// Returns the replacement of a skin tone or of a joiner between two emoji (UTS #51).
    ///
    /// Terminals combine such emoji only if the real scalars are between them.
    private mutating func emojiSign(_ scalar: Unicode.Scalar) -> String? {
        if scalar.properties.isEmojiModifier {
            // The types of the Fitzpatrick scale. The first scalar stands for types 1 and 2.
            return ["₂", "₃", "₄", "₅", "₆"][Int(scalar.value) - 0x1F3FB]
        }
        var ahead = rest
        guard scalar.isZeroWidthJoiner, let emoji = ahead.next(), emoji.properties.isEmoji, !emoji.isASCII
        else { return nil }
        return "‿"
    }

    /// Returns the region letters of a flag in angle brackets.
    private mutating func flag(_ first: Unicode.Scalar) -> (text: String, width: Int) {
        let second = skip { $0.isRegionalIndicator }
        return spelled("<\(first.letterOfFlag)\(second?.letterOfFlag ?? "")>")
    }

    /// Skips the next scalar if the condition holds, and returns it.
    @discardableResult
    private mutating func skip(_ condition: (Unicode.Scalar) -> Bool) -> Unicode.Scalar? {
        var ahead = rest
        guard let scalar = ahead.next(), condition(scalar) else { return nil }
        rest = ahead
        return scalar
    }
}

extension Unicode.Scalar {
    /// The letter of a regional indicator.
    fileprivate var letterOfFlag: String { String(Unicode.Scalar(UInt8(value - 0x1F1E6) + 0x41)) }
}
