import PropertyList
import TerminalCanvas

// Makes the lines of values that are compared side by side. Equal lines are beside each other, lines that differ are
// marked, and a long equal part is replaced by a count, so that the differences in a large value can be found.

/// A line of a compared value, before it is broken into the rows of its column.
struct SideBySideLine {
    var text: String
    var depth = 0
    /// Whether the line is marked as different.
    var differs = false
    /// Whether the quotes and ellipses in it are the editor's, and not part of the value.
    var isOwn = false
    /// The editor's words before and after a text of the value, such as quotation marks.
    var before = ""
    var after = ""

    /// Stands for lines that are not shown.
    static func leftOut(_ words: String, depth: Int = 0) -> SideBySideLine {
        SideBySideLine(text: "… \(words)", depth: depth, isOwn: true)
    }

    /// The rows of the line, broken after a space if possible. All spaces stay, because spaces can differ too.
    func rows(_ columns: Int, _ glyphs: Glyphs) -> [Comparison.Row] {
        guard columns > 0 else { return [] }
        let indent = min(2 * depth, columns / 2)
        var rows: [Comparison.Row] = []
        var cells: [(text: String, width: Int)] = []
        var width = 0
        func endRow(_ count: Int) {
            let text = cells[..<count].map(\.text).joined()
            rows.append(Comparison.Row(text: text, indent: indent, differs: differs))
            cells.removeFirst(count)
            width = cells.reduce(0) { $0 + $1.width }
        }
        for (text, isOwn) in [(before, true), (text, isOwn), (after, true)] {
            for character in text {
                let text = isOwn ? spelled(String(character), glyphs) : String(character)
                let cellWidth = displayWidth(of: escapedForDisplay(text, glyphs: glyphs), glyphs: glyphs)
                if width + cellWidth > columns - indent, !cells.isEmpty {
                    let afterSpace = cells.lastIndex { $0.text == " " }.map { $0 + 1 } ?? 0
                    endRow(afterSpace > cells.count / 2 ? afterSpace : cells.count)
                }
                cells.append((escapedForDisplay(text, glyphs: glyphs), cellWidth))
                width += cellWidth
            }
        }
        if !cells.isEmpty || rows.isEmpty { endRow(cells.count) }
        return rows
    }
}

/// Collects the lines of several values. Lines that belong together are in one group.
struct SideBySideLines {
    /// Each group has one line for each value, or nil if the value has none there.
    private(set) var groups: [[SideBySideLine?]] = []
    let format: ValueFormat
    /// How many values there are.
    let count: Int
    /// How many more groups fit. Making lines for all of a huge value would delay the next key.
    private var left = 5000

    init(count: Int, _ format: ValueFormat) {
        self.count = count
        self.format = format
    }

    var isFull: Bool { left <= 0 }

    /// Adds a group. Each line comes with the number of its value.
    mutating func add(_ lines: [(part: Int, line: SideBySideLine)]) {
        guard left > 0 else { return }
        left -= 1
        var group: [SideBySideLine?] = Array(repeating: nil, count: count)
        for (part, line) in lines { group[part] = left == 0 ? SideBySideLine(text: "…", isOwn: true) : line }
        groups.append(group)
    }

    /// Adds groups for values that have a different number of lines.
    mutating func add(besideEachOther columns: [(part: Int, lines: [SideBySideLine])]) {
        for row in 0..<(columns.map(\.lines.count).max() ?? 0) {
            add(columns.compactMap { $0.lines.indices.contains(row) ? ($0.part, $0.lines[row]) : nil })
        }
    }

    /// Adds a stretch that is equal in all values: its start, the number of elements left out, and its end.
    mutating func add(
        _ stretch: SameStretch,
        of parts: [Int],
        leftOut: (Int) -> SideBySideLine,
        each: (inout SideBySideLines, Int) -> Void
    ) {
        for place in 0..<stretch.head { each(&self, place) }
        if stretch.head < stretch.tail {
            let line = leftOut(stretch.tail - stretch.head)
            add(parts.map { ($0, line) })
        }
        for place in stretch.tail..<stretch.count { each(&self, place) }
    }
}

/// How much of a stretch that is equal in all values is shown: all of it, or its start and its end.
struct SameStretch {
    let count: Int
    /// Elements before this one are shown.
    let head: Int
    /// Elements from this one on are shown.
    let tail: Int

    /// A stretch of so many lines is shown as a whole.
    private static let mostLines = 600
    /// How many lines are shown at each end of a longer stretch.
    private static let contextLines = 200

    /// - Parameter size: about how many lines an element takes.
    init(count: Int, size: (Int) -> Int) {
        self.count = count
        if count <= Self.mostLines, (0..<count).reduce(0, { $0 + size($1) }) <= Self.mostLines {
            (head, tail) = (count, count)
            return
        }
        var (head, tail, sizes) = (0, count, (0, 0))
        while head < tail, sizes.0 < Self.contextLines {
            sizes.0 += size(head)
            head += 1
        }
        while tail > head, sizes.1 < Self.contextLines {
            tail -= 1
            sizes.1 += size(tail)
        }
        (self.head, self.tail) = (head, tail)
    }
}

extension ComparisonSubject {
    /// Values that are laid side by side, line by line.
    struct Block {
        /// The numbers of those values.
        let parts: [Int]
        let groups: [[SideBySideLine?]]
    }

    /// The lines of all values.
    ///
    /// If there are three values, the last is the base, from which the other two were made. The lines of the other two
    /// are marked if they differ from the base, and the base's lines if any of the two differs. If the base is missing or
    /// of another kind, the value before it takes its place.
    func blocks(_ nodes: [ValueNode?], _ format: ValueFormat) -> [Block] {
        if isHidden {
            return parts.indices.map { part in
                block(part, [SideBySideLine(text: parts[part].value == .nothing ? "nothing" : "a secret")])
            }
        }
        func comparable(_ part: Int) -> [Int] {
            nodes.indices.filter { $0 != part && nodes[part]?.isComparable(with: nodes[$0]) == true }
        }
        // If there are two values, the first is the older one.
        let order = nodes.count > 2 ? Array(nodes.indices.reversed()) : Array(nodes.indices)
        let base = order.first { !comparable($0).isEmpty } ?? order.first { nodes[$0] != nil }
        guard let base, let node = nodes[base] else {
            return nodes.indices.map { block($0, [SideBySideLine(text: "nothing")]) }
        }
        let others = comparable(base)
        let compared: [(part: Int, node: ValueNode)] =
            [(part: base, node: node)] + others.compactMap { part in nodes[part].map { (part, $0) } }
        var lines = SideBySideLines(count: nodes.count, format)
        if others.isEmpty, nodes.contains(where: { $0 != node }) {
            lines.add(besideEachOther: [(base, lines.outline(of: node, differs: true))])
        } else {
            lines.add(compared)
        }
        let rest = nodes.indices.filter { $0 != base && !others.contains($0) }
        return [Block(parts: compared.map(\.part), groups: lines.groups)]
            + rest.map { part in
                guard let other = nodes[part] else {
                    return block(part, [SideBySideLine(text: "nothing", differs: true)])
                }
                return block(part, lines.outline(of: other, differs: other != node))
            }
    }

    private func block(_ part: Int, _ lines: [SideBySideLine]) -> Block {
        Block(
            parts: [part],
            groups: lines.map { line in parts.indices.map { $0 == part ? line : nil } }
        )
    }
}
