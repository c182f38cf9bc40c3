import PropertyList
import TerminalCanvas

/// A line of a value before it is broken into rows.
struct ComparedLine {
    var text: String
    var depth = 0
    /// The characters in which it differs, counted from its start; an empty range where something is missing.
    var differences: [Range<Int>] = []
    /// Its quotes and ellipses are the editor's own.
    var isOwn = false

    static let whole = [0..<Int.max]

    /// Says that something is not shown.
    static func leftOut(_ words: String, behind lead: String = "", depth: Int = 0) -> ComparedLine {
        ComparedLine(text: "\(lead)… \(words)", depth: depth, isOwn: true)
    }

    /// The rows that it takes, broken behind a space where there is one. All spaces stay, so that none is
    /// lost that differs.
    func rows(_ columns: Int, _ glyphs: Glyphs) -> [Comparison.Row] {
        guard columns > 0 else { return [] }
        let indent = min(2 * depth, columns / 2)
        let room = columns - indent
        var rows: [Comparison.Row] = []
        var cells: [(text: String, width: Int, isSpace: Bool)] = []
        var (start, width) = (0, 0)
        func end(_ count: Int) {
            let part = start..<start + count
            rows.append(
                Comparison.Row(
                    text: cells[..<count].map(\.text).joined(),
                    indent: indent,
                    differs: differences.contains {
                        part.overlaps($0) || part.contains($0.lowerBound) || part.isEmpty
                    }
                )
            )
            cells.removeFirst(count)
            start += count
            width = cells.reduce(0) { $0 + $1.width }
        }
        for character in text {
            let text = isOwn ? spelled(String(character), glyphs) : String(character)
            let shown = escapedForDisplay(text, glyphs: glyphs)
            let columns = displayWidth(of: shown, glyphs: glyphs)
            if width + columns > room, !cells.isEmpty {
                let behindSpace = cells.lastIndex { $0.isSpace }.map { $0 + 1 } ?? 0
                end(behindSpace > cells.count / 2 ? behindSpace : cells.count)
            }
            cells.append((shown, columns, character == " "))
            width += columns
        }
        if !cells.isEmpty || rows.isEmpty { end(cells.count) }
        // What only another of the values has at the end is missing on the last row.
        if differences.contains(where: { $0.lowerBound >= start }), let last = rows.popLast() {
            rows.append(Comparison.Row(text: last.text, indent: indent, differs: true))
        }
        return rows
    }
}

/// Lines of several values, those that belong together beside each other.
struct ComparedLines {
    /// Each has one of every value, or nil where that has none there.
    private(set) var groups: [[ComparedLine?]] = []
    /// How wide a line is.
    let columns: Int
    let spelling: ValueSpelling
    /// How many values there are.
    let count: Int
    /// How many more groups are made.
    private var left = 5000
    /// How much more is done to find out which characters differ.
    var effort = Effort(4_000_000)

    init(count: Int, columns: Int, _ spelling: ValueSpelling) {
        self.count = count
        self.columns = columns
        self.spelling = spelling
    }

    /// Whether there is room for more.
    var isFull: Bool { left <= 0 }

    /// Adds lines of some of the values; each is told with the number of its value.
    mutating func add(_ lines: [(part: Int, line: ComparedLine)]) {
        guard left > 0 else { return }
        left -= 1
        var group: [ComparedLine?] = Array(repeating: nil, count: count)
        for (part, line) in lines { group[part] = line }
        if left == 0 {
            group = group.map { $0 == nil ? nil : ComparedLine(text: "…", isOwn: true) }
        }
        groups.append(group)
    }

    /// Adds what several values have side by side, each as many lines as it has.
    mutating func add(besideEachOther columns: [(part: Int, lines: [ComparedLine])]) {
        for row in 0..<(columns.map(\.lines.count).max() ?? 0) {
            add(columns.compactMap { $0.lines.indices.contains(row) ? ($0.part, $0.lines[row]) : nil })
        }
    }
}

/// How much of what is the same in all values is shown: all, or so many at its start and at its end.
struct SameStretch {
    /// The last one from the start on, and the first one that is shown again.
    let head: Int
    let tail: Int

    /// What is no larger is shown as a whole.
    private static let small = 600
    private static let context = 200

    /// - Parameter size: how many lines one of them takes, about.
    init(count: Int, size: (Int) -> Int) {
        if count <= Self.small, (0..<count).reduce(0, { $0 + size($1) }) <= Self.small {
            (head, tail) = (count, count)
            return
        }
        var (head, tail, sizes) = (0, count, (0, 0))
        while head < tail, sizes.0 < Self.context {
            sizes.0 += size(head)
            head += 1
        }
        while tail > head, sizes.1 < Self.context {
            tail -= 1
            sizes.1 += size(tail)
        }
        (self.head, self.tail) = (head, tail)
    }
}

extension ComparisonSubject {
    /// Values that are laid beside each other, line by line.
    struct Block {
        /// The numbers of those values.
        let parts: [Int]
        let groups: [[ComparedLine?]]
    }

    /// The lines of all values.
    ///
    /// Of three each is compared with the last one, from which the others were made, by itself: what is marked
    /// in it is what differs from that, and in the last what any other has otherwise. Where the last one is
    /// nothing, or nothing like the others, the one before it takes its place.
    func blocks(_ nodes: [ValueNode?], _ spelling: ValueSpelling) -> [Block] {
        if isHidden {
            return parts.indices.map { part in
                let text = parts[part].value == .nothing ? "nothing" : "a secret"
                return block(part, [ComparedLine(text: text)])
            }
        }
        func alike(_ part: Int) -> [Int] {
            nodes.indices.filter { $0 != part && nodes[part]?.isComparable(with: nodes[$0]) == true }
        }
        // Of two the first is the older one.
        let order = nodes.count > 2 ? Array(nodes.indices.reversed()) : Array(nodes.indices)
        let base = order.first { !alike($0).isEmpty } ?? order.first { nodes[$0] != nil }
        guard let base, let node = nodes[base] else {
            return nodes.indices.map { block($0, [ComparedLine(text: "nothing")]) }
        }
        let others = alike(base)
        let compared: [(part: Int, node: ValueNode)] =
            [(part: base, node: node)] + others.compactMap { part in nodes[part].map { (part, $0) } }
        var lines = ComparedLines(count: nodes.count, columns: columns, spelling)
        let isOther = others.isEmpty && nodes.contains { $0 != node }
        if isOther {
            lines.add(besideEachOther: [(base, lines.outline(of: node, marks: ComparedLine.whole))])
        } else {
            lines.add(compared)
        }
        let rest = nodes.indices.filter { $0 != base && !others.contains($0) }
        return [Block(parts: compared.map(\.part), groups: lines.groups)]
            + rest.map { part in
                guard let other = nodes[part] else {
                    return block(part, [ComparedLine(text: "nothing", differences: ComparedLine.whole)])
                }
                let marks = other == node ? [] : ComparedLine.whole
                return block(
                    part,
                    ComparedLines(count: 1, columns: columns, spelling).outline(of: other, marks: marks)
                )
            }
    }

    private func block(_ part: Int, _ lines: [ComparedLine]) -> Block {
        Block(
            parts: [part],
            groups: lines.map { line in parts.indices.map { $0 == part ? line : nil } }
        )
    }
}
