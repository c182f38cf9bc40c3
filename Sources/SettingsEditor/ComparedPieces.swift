/// A line that several texts have otherwise, in pieces that stand beside each other: where something was put in
/// that takes rows of its own, what follows begins anew in all, and what is the same for long is left out.
struct Pieces {
    struct Piece {
        /// Of each text.
        var texts: [String]
        /// The characters in which each differs, an empty range where something is missing.
        var marks: [[Range<Int>]]
        /// Nothing is shown, but how much is left out, in words.
        var leftOut: String?
    }

    private(set) var pieces: [Piece] = []
    private var current: Piece
    private var lengths: [Int]

    /// So much of what is the same is shown before and behind what is not, where more is left out.
    private static let context = 1000

    /// - Parameters:
    ///   - texts: the first is the one that each other is compared with by itself.
    ///   - areSame: whether the others are the same as the first.
    ///   - columns: how many characters a row has.
    init(_ texts: [String], areSame: [Bool], _ columns: Int, _ effort: inout Effort) {
        current = Piece(texts: texts.map { _ in "" }, marks: texts.map { _ in [] })
        lengths = texts.map { _ in 0 }
        let (head, tail) = commonEnds(texts)
        let first = texts[0]
        let headText = first.utf8.prefix(head)
        var shownHead = Substring(headText)
        if head > 2 * Self.context {
            shownHead = shownHead.suffix(Self.context / 2)
            leaveOut(head - shownHead.utf8.count)
        }
        append(same: String(shownHead))
        let middles = texts.map { Array(Substring($0.utf8.dropFirst(head).dropLast(tail))) }
        append(middles, areSame, columns, &effort)
        beginAnew(before: tail, columns)
        let tailText = Substring(first.utf8.suffix(tail))
        if tail > 2 * Self.context {
            let shown = tailText.prefix(Self.context / 2)
            append(same: String(shown))
            leaveOut(tail - shown.utf8.count)
        } else {
            append(same: String(tailText))
        }
        end()
        // They differ, if in nothing that is seen.
        if pieces.allSatisfy({ $0.marks.allSatisfy(\.isEmpty) }),
            let last = pieces.lastIndex(where: { $0.leftOut == nil })
        {
            for place in texts.indices where place == 0 || !areSame[place - 1] {
                pieces[last].marks[place] = ComparedLine.whole
            }
        }
    }

    /// Characters that lie between those with which all begin and end.
    private mutating func append(
        _ texts: [[Character]],
        _ areSame: [Bool],
        _ columns: Int,
        _ effort: inout Effort
    ) {
        let work = texts.reduce(0) { $0 + $1.count } * min(256, texts.map(\.count).max() ?? 0)
        guard effort.isLeft, texts.allSatisfy({ $0.count <= 1 << 16 }) else {
            // All of it is taken for different.
            for (place, text) in texts.enumerated() {
                let isChanged = place == 0 || !areSame[place - 1]
                let shown = text.count > 4 * Self.context ? text.prefix(4 * Self.context) + "…" : text[...]
                append(shown, to: place, differs: isChanged)
            }
            return
        }
        effort.spend(work)
        let pairs = texts.dropFirst().map { Pairs(texts[0], $0) }
        for stretch in stretches(texts[0].count, pairs) {
            switch stretch {
            case .same(let starts, let count):
                let same = texts[0][starts[0]..<starts[0] + count]
                beginAnew(before: count, columns)
                if count > 4 * Self.context {
                    append(same: String(same.prefix(Self.context)))
                    leaveOut("\(count - 2 * Self.context) characters")
                    append(same: String(same.suffix(Self.context)))
                } else {
                    append(same: String(same))
                }
            case .row(let cells, let areSame):
                for (place, cell) in cells.enumerated() {
                    let isChanged =
                        place == 0
                        ? areSame.contains(false) : !areSame[place - 1] && (cells[0] != nil || cell != nil)
                    append(cell.map { texts[place][$0...$0] } ?? [], to: place, differs: isChanged)
                }
            }
        }
    }

    /// Has what is the same begin in the same row in all, where some have rows more before it.
    private mutating func beginAnew(before count: Int, _ columns: Int) {
        let drift = (lengths.max() ?? 0) - (lengths.min() ?? 0)
        if drift >= max(1, columns), count >= columns { end() }
    }

    private mutating func append(_ text: ArraySlice<Character>, to place: Int, differs: Bool) {
        let start = lengths[place]
        current.texts[place] += String(text)
        lengths[place] += text.count
        guard differs else { return }
        if let last = current.marks[place].last, last.upperBound == start {
            current.marks[place][current.marks[place].count - 1] = last.lowerBound..<lengths[place]
        } else {
            current.marks[place].append(start..<lengths[place])
        }
    }

    private mutating func append(same text: String) {
        let count = text.count
        for place in lengths.indices {
            current.texts[place] += text
            lengths[place] += count
        }
    }

    private mutating func leaveOut(_ bytes: Int) { leaveOut("\(bytes) bytes") }

    private mutating func leaveOut(_ words: String) {
        end()
        pieces.append(Piece(texts: [], marks: [], leftOut: words))
    }

    private mutating func end() {
        if pieces.isEmpty || current.texts.contains(where: { !$0.isEmpty }) { pieces.append(current) }
        current = Piece(texts: lengths.map { _ in "" }, marks: lengths.map { _ in [] })
        lengths = lengths.map { _ in 0 }
    }
}

/// How many bytes all texts begin with, and end with, alike, up to characters that all begin anew.
private func commonEnds(_ texts: [String]) -> (head: Int, tail: Int) {
    let first = texts[0]
    let head = texts.dropFirst().map { commonPrefix(first, $0) }.min() ?? 0
    let tails = texts.dropFirst().map { other in
        let most = min(first.utf8.count, other.utf8.count) - head
        return zip(first.utf8.reversed(), other.utf8.reversed()).prefix(most).prefix { $0 == $1 }.count
    }
    let tail = tails.min() ?? 0
    return (head, texts.map { $0.utf8.count - $0.characterStart(notBefore: $0.utf8.count - tail) }.min() ?? 0)
}

extension String {
    /// The first byte from an offset on with which a character begins, or the end.
    fileprivate func characterStart(notBefore offset: Int) -> Int {
        let start = characterStart(notBehind: offset)
        if start >= offset { return start }
        let index = utf8.index(startIndex, offsetBy: start)
        return utf8.distance(from: startIndex, to: self.index(after: index))
    }
}
