import PropertyList
import ValueDiff

// Compares texts line by line, so that a change in a long text is seen next to the lines around it.
extension SideBySideLines {
    /// Adds strings. The first is the base, which each other is compared with.
    mutating func add(texts: [(part: Int, text: String, marks: QuotationMarks)]) {
        let lines = texts.map(\.text.lines)
        /// The marks of a line: the first line begins with a quotation mark, and the last line ends with one.
        func marks(_ number: Int, of text: Int) -> QuotationMarks {
            QuotationMarks(
                opening: number == 0 ? texts[text].marks.opening : "",
                closing: number == lines[text].count - 1 ? texts[text].marks.closing : ""
            )
        }
        let matchings = lines.dropFirst().map { ElementMatching(lines[0], $0) }
        for stretch in stretches(lines[0].count, matchings) {
            if isFull { return }
            switch stretch {
            case .same(let starts, let count):
                let first = lines[0][starts[0]...]
                let shown = SameStretch(count: count) { 1 + first[starts[0] + $0].text.utf8.count / 200 }
                add(
                    shown,
                    of: texts.map(\.part),
                    leftOut: { .leftOut("\($0) lines are the same") },
                    each: { sides, place in
                        let line = first[starts[0] + place]
                        sides.add(
                            texts.indices.map {
                                (texts[$0].part, line.shown(from: 0, marks(starts[$0] + place, of: $0)))
                            }
                        )
                    }
                )
            case .row(let places, let areSame):
                let cells = texts.indices.map { text in
                    (
                        part: texts[text].part, text: places[text].map { lines[text][$0].text },
                        marks: places[text].map { marks($0, of: text) }
                    )
                }
                add(line: cells, areSame)
            }
        }
    }

    /// Adds a line that differs. Of a very long line the part from the first difference on is shown.
    ///
    /// - Parameters:
    ///   - cells: the line in each text with its quotation marks, nil if the text lacks the line; the first cell is the
    ///     base's.
    ///   - areSame: for each cell after the first whether it equals the first.
    ///   - leads: what the editor writes before each.
    mutating func add(
        line cells: [(part: Int, text: Substring?, marks: QuotationMarks?)],
        _ areSame: [Bool],
        depth: Int = 0,
        leads: [String]? = nil
    ) {
        let base = cells[0].text.map(String.init)
        let same = cells.dropFirst().map { cell in
            if let base, let text = cell.text { commonPrefix(base, String(text)) } else { 0 }
        }
        let starts = [same.min() ?? 0] + same
        add(
            cells.enumerated().compactMap { place, cell in
                guard let text = cell.text, let marks = cell.marks else { return nil }
                var line = TextLine(text).shown(from: starts[place], marks)
                if let leads { line.before = "\(leads[place]) \(line.before)" }
                line.depth = depth
                line.differs = areSame.marks(place)
                return (cell.part, line)
            }
        )
    }
}

extension [Bool] {
    /// Whether a row's cell is marked, if these say which other cells equal the base's: the base's cell if any
    /// other differs from it, and each other that does.
    func marks(_ place: Int) -> Bool { place == 0 ? contains(false) : !self[place - 1] }
}

/// A line of a text. Two lines are equal if their bytes are: a composed and a decomposed “é” are different text.
struct TextLine: Hashable {
    let text: Substring

    init(_ text: Substring) { self.text = text }

    static func == (a: TextLine, b: TextLine) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }

    private static let mostBytes = 2000
    private static let shortenedCharacters = 500
    private static let charactersBefore = 20

    /// The line between its quotation marks, or of a very long one the part from shortly before a byte on.
    func shown(from offset: Int, _ marks: QuotationMarks) -> SideBySideLine {
        let size = text.utf8.count
        guard size > Self.mostBytes else {
            return SideBySideLine(text: String(text), before: marks.opening, after: marks.closing)
        }
        let place = text.utf8.index(text.startIndex, offsetBy: offset)
        let start = text.index(place, offsetBy: -Self.charactersBefore, limitedBy: text.startIndex)
        let rest = text[(start ?? text.startIndex)...]
        let end = rest.index(rest.startIndex, offsetBy: Self.shortenedCharacters, limitedBy: rest.endIndex)
        let shown = rest[..<(end ?? rest.endIndex)]
        return SideBySideLine(
            text: String(shown),
            before: marks.opening + (shown.startIndex == text.startIndex ? "" : "…"),
            after: (shown.endIndex == text.endIndex ? "" : "…") + marks.closing + " (\(size) bytes)"
        )
    }
}

extension String {
    /// The lines, separated by line feeds. A carriage return stays at the end of its line.
    var lines: [TextLine] {
        utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { TextLine(Substring($0)) }
    }
}
