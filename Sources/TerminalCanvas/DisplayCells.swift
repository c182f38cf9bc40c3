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

    init(_ text: some StringProtocol, glyphs: Glyphs) {
        rest = Substring(text).unicodeScalars.makeIterator()
        self.glyphs = glyphs
    }

    mutating func next() -> (text: String, width: Int)? {
        if let byte = spelling?.next() { return (String(Unicode.Scalar(byte)), 1) }
        guard let scalar = rest.next() else { return nil }
        if scalar.isRegionalIndicator { return (scalar.letterOfFlag, 1) }
        switch scalar.columns {
        case nil: return spelled(scalar)
        case 0 where glyphs == .ascii: return spelled(scalar)
        case 0: return (withMarks("◌", and: scalar), 1)
        case let width?:
            let text = withMarks(scalar)
            if scalar.value >= 0xA9, scalar.properties.isEmoji { skipJoiner() }
            return (text, width)
        }
    }

    /// The first cell of a spelling; the others follow.
    private mutating func spelled(_ scalar: Unicode.Scalar) -> (text: String, width: Int) {
        let text = glyphs.spelling(of: scalar)
        var bytes = Substring(text).utf8.makeIterator()
        guard let first = bytes.next(), first < 0x80 else { return (text, 1) }
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

    /// What joins an emoji to the next one (UTS #51): skin tones and a joiner. The next one gets a cell of
    /// its own, since terminals that draw the two as one do so only where the joiner is between them.
    ///
    /// Bounded, since a hostile text may go on for as long as it is; no sequence in use has more.
    private mutating func skipJoiner() {
        for _ in 0..<4 where skip({ $0.properties.isEmojiModifier }) == nil { break }
        var ahead = rest
        guard let joiner = ahead.next(), joiner.isZeroWidthJoiner else { return }
        let behind = ahead
        guard let emoji = ahead.next(), emoji.properties.isEmoji, !emoji.isASCII else { return }
        rest = behind
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
