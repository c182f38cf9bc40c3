/// The cells that a text takes on a screen, one after the other and made only as they are asked for:
/// a long text costs no more than what is shown of it.
///
/// Each holds one scalar of one or two columns and at most four marks on it, which is what ncurses
/// and tmux can keep in a cell.
struct DisplayCells: Sequence, IteratorProtocol {
    private var rest: Substring.UnicodeScalarView.Iterator
    private let glyphs: Glyphs
    /// What is left of a spelling that takes several cells: printable ASCII.
    private var spelling: Substring.UTF8View.Iterator?
    /// What came last is an emoji, to which skin tones and joiners belong.
    private var isBehindEmoji = false

    init(_ text: some StringProtocol, glyphs: Glyphs) {
        rest = Substring(text).unicodeScalars.makeIterator()
        self.glyphs = glyphs
    }

    mutating func next() -> (text: String, width: Int)? {
        if let byte = spelling?.next() { return (String(Unicode.Scalar(byte)), 1) }
        guard let scalar = rest.next() else { return nil }
        if isBehindEmoji, let sign = emojiSign(scalar) { return (sign, 1) }
        isBehindEmoji = false
        if scalar.isRegionalIndicator { return flag(scalar) }
        switch scalar.columns {
        case nil: return spelled(scalar)
        case 0 where glyphs == .ascii: return spelled(scalar)
        case 0: return (withMarks("◌", and: scalar), 1)
        case let width?:
            let text = withMarks(scalar)
            isBehindEmoji = scalar.value >= 0xA9 && glyphs == .unicode && scalar.properties.isEmoji
            if scalar.value == 0x1F3F4 { spelling = tags().map { $0.utf8.makeIterator() } }
            return (text, width)
        }
    }

    private mutating func spelled(_ scalar: Unicode.Scalar) -> (text: String, width: Int) {
        spelled(glyphs.spelling(of: scalar))
    }

    /// The first cell of a spelling; the others follow.
    private mutating func spelled(_ spelled: String) -> (text: String, width: Int) {
        let text = Substring(spelled)
        var bytes = text.utf8.makeIterator()
        guard let first = bytes.next(), first < 0x80 else { return (spelled, 1) }
        spelling = bytes
        return (String(Unicode.Scalar(first)), 1)
    }

    /// The base with the marks that follow it; a variation selector right behind it is dropped.
    private mutating func withMarks(_ base: Unicode.Scalar, and first: Unicode.Scalar? = nil) -> String {
        var text = String(base)
        var marks = 0
        var ahead = rest
        // Nothing below this combines.
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

    /// What stands for a skin tone, and for what joins an emoji to the next one (UTS #51). Terminals that
    /// draw such sequences as one do so only where the real ones are between them.
    private mutating func emojiSign(_ scalar: Unicode.Scalar) -> String? {
        if scalar.properties.isEmojiModifier {
            // The types of Fitzpatrick's scale, of which the first stands for two.
            return ["₂", "₃", "₄", "₅", "₆"][Int(scalar.value) - 0x1F3FB]
        }
        var ahead = rest
        guard scalar.isZeroWidthJoiner, let emoji = ahead.next(), emoji.properties.isEmoji, !emoji.isASCII
        else { return nil }
        return "‿"
    }

    /// The letters of a flag's region in angle brackets.
    private mutating func flag(_ first: Unicode.Scalar) -> (text: String, width: Int) {
        let second = skip { $0.isRegionalIndicator }
        return spelled("<\(first.letterOfFlag)\(second?.letterOfFlag ?? "")>")
    }

    /// Likewise of a flag whose region is told by tags; nil where none follow.
    private mutating func tags() -> Substring? {
        var ahead = rest
        var letters = ""
        // No region has more.
        while letters.utf8.count <= 8, let tag = ahead.next(), 0xE0020...0xE007F ~= tag.value {
            if tag.value == 0xE007F, !letters.isEmpty {
                rest = ahead
                return "<\(letters)>"
            }
            letters.unicodeScalars.append(Unicode.Scalar(UInt8(tag.value - 0xE0000)))
        }
        return nil
    }

    /// Goes past the next scalar if it is such a one.
    @discardableResult
    private mutating func skip(_ isSuch: (Unicode.Scalar) -> Bool) -> Unicode.Scalar? {
        var ahead = rest
        guard let scalar = ahead.next(), isSuch(scalar) else { return nil }
        rest = ahead
        return scalar
    }
}

extension Unicode.Scalar {
    /// The letter that a regional indicator stands for.
    fileprivate var letterOfFlag: String { String(Unicode.Scalar(UInt8(value - 0x1F1E6) + 0x41)) }
}
