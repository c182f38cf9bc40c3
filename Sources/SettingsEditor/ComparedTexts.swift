import PropertyList

// Texts, line by line.
extension ComparedLines {
    /// Adds texts; the first is the one that each other is compared with by itself.
    mutating func add(texts: [(part: Int, text: String)]) {
        let lines = texts.map(\.text.lines)
        let pairs = lines.dropFirst().map { Pairs(lines[0], $0) }
        for stretch in stretches(lines[0].count, pairs) {
            if isFull { return }
            switch stretch {
            case .same(let starts, let count):
                let shown = SameStretch(count: count) { 1 + lines[0][starts[0] + $0].text.utf8.count / 200 }
                func add(_ place: Int) {
                    let text = lines[0][starts[0] + place].shortened
                    self.add(texts.map { ($0.part, ComparedLine(text: text)) })
                }
                for place in 0..<shown.head { add(place) }
                if shown.head < shown.tail {
                    let leftOut = ComparedLine.leftOut("\(shown.tail - shown.head) lines are the same")
                    self.add(texts.map { ($0.part, leftOut) })
                }
                for place in shown.tail..<count { add(place) }
            case .row(let places, let areSame):
                let cells = zip(texts, zip(lines, places)).map { text, line in
                    (text.part, line.1.map { String(line.0[$0].text) })
                }
                add(line: cells, areSame: areSame)
            }
        }
    }

    /// Adds a line of several texts that differs.
    ///
    /// - Parameters:
    ///   - cells: the line in each, nil where that has none there; the first is the one that each other is
    ///     compared with.
    ///   - areSame: whether the others' are the same as the first one's.
    ///   - lead: what stands before each, and is the editor's own.
    mutating func add(
        line cells: [(part: Int, text: String?)],
        areSame: [Bool],
        depth: Int = 0,
        lead: [String] = []
    ) {
        let there = cells.indices.filter { cells[$0].text != nil }
        let texts = there.compactMap { cells[$0].text }
        func add(
            _ number: Int,
            _ text: String,
            _ marks: [Range<Int>],
            isFirst: Bool,
            to group: inout [(Int, ComparedLine)]
        ) {
            let start = isFirst && lead.indices.contains(number) ? lead[number] : ""
            let shift = start.count
            group.append(
                (
                    cells[number].part,
                    ComparedLine(
                        text: start + text,
                        depth: depth,
                        differences: marks.map {
                            $0.upperBound == .max ? $0 : $0.lowerBound + shift..<$0.upperBound + shift
                        },
                        isOwn: !lead.isEmpty
                    )
                )
            )
        }
        guard there.first == 0, there.count > 1 else {
            var group: [(Int, ComparedLine)] = []
            for (number, text) in zip(there, texts) {
                add(number, TextLine(text[...]).shortened, ComparedLine.whole, isFirst: true, to: &group)
            }
            return self.add(group)
        }
        let isMissing = there.count < cells.count
        let same = there.dropFirst().map { areSame[$0 - 1] }
        for (piece, parts) in Pieces(texts, areSame: same, columns, &effort).pieces.enumerated() {
            if let leftOut = parts.leftOut {
                let start = piece == 0 ? lead.first ?? "" : ""
                self.add(
                    there.map {
                        (cells[$0].part, .leftOut("\(leftOut) are the same", behind: start, depth: depth))
                    }
                )
                continue
            }
            var group: [(Int, ComparedLine)] = []
            for (place, number) in there.enumerated() {
                let text = parts.texts[place]
                // What is missing here has its room.
                if text.isEmpty, piece > 0 { continue }
                let marks = place == 0 && isMissing ? ComparedLine.whole : parts.marks[place]
                add(number, text, marks, isFirst: piece == 0, to: &group)
            }
            self.add(group)
        }
    }
}

/// A line of a text, the same as another one when its bytes are.
struct TextLine: Hashable {
    let text: Substring

    init(_ text: Substring) { self.text = text }

    static func == (a: TextLine, b: TextLine) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// As much of it as is shown where it does not matter.
    var shortened: String {
        guard text.utf8.count > 2000 else { return String(text) }
        return String(text.prefix(500)) + "… (\(text.utf8.count) bytes)"
    }
}

extension String {
    /// A carriage return before the end of a line stays in it.
    var lines: [TextLine] {
        utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { TextLine(Substring($0)) }
    }
}
