import PropertyList
import TerminalCanvas

/// A line of a value before it is broken into rows.
struct ComparedLine {
    var text: String
    var depth = 0
    /// The characters in which it differs, counted from its start; nil where it does not.
    var difference: Range<Int>?

    /// Its quotes and ellipses are the editor's own.
    var isOwn = false

    static let whole = 0..<Int.max

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
                    differs: difference.map { part.overlaps($0) || part.isEmpty } ?? false
                )
            )
            cells.removeFirst(count)
            start += count
            width = cells.reduce(0) { $0 + $1.width }
        }
        for character in isOwn ? spelled(text, glyphs) : text {
            let shown = escapedForDisplay(String(character), glyphs: glyphs)
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
        if let difference, difference.lowerBound >= start, let last = rows.popLast() {
            rows.append(Comparison.Row(text: last.text, indent: indent, differs: true))
        }
        return rows
    }
}

extension ComparisonSubject {
    /// No more lines and bytes of each value are made than that.
    private static let mostLines = 5000
    private static let mostBytes = 1 << 16

    /// The lines of each value.
    func lines(of nodes: [ValueNode?], _ spelling: ValueSpelling) -> [[ComparedLine]] {
        if isHidden {
            return parts.map { [ComparedLine(text: $0.value == .nothing ? "nothing" : "a secret")] }
        }
        let differing = Differing(nodes, spelling)
        let start = differing.start(among: nodes, behind: Self.mostLines / 2)
        let texts = windows(of: nodes)
        return nodes.indices.map { number in
            guard let node = nodes[number] else {
                return [ComparedLine(text: "nothing", difference: differing.isWhole(number))]
            }
            if node.isContainer {
                return outline(
                    of: node,
                    differing.places[number],
                    whole: differing.isWhole(number),
                    start,
                    spelling
                )
            }
            if let text = texts[number] {
                return lines(
                    of: text,
                    beside: texts.enumerated().filter { $0.offset != number }.map(\.element)
                )
            }
            let text = spelling.display(node, limit: 4000)
            return [ComparedLine(text: text, difference: differing.isWhole(number))]
        }
    }

    /// What strings have, from some way before the first difference on where they are very long.
    private func windows(of nodes: [ValueNode?]) -> [String?] {
        let texts = nodes.map { $0?.text }
        guard let longest = texts.compactMap({ $0?.utf8.count }).max(), longest > Self.mostBytes else {
            return texts
        }
        let there = texts.compactMap { $0 }
        let same = there.dropFirst().map { commonPrefix(there[0], $0) }.min() ?? 0
        let start = there[0].characterStart(notBehind: max(0, same - Self.mostBytes / 8))
        return texts.map { text in
            guard let text, text.utf8.count > start else { return text }
            let rest = text.utf8.dropFirst(start)
            let part = Substring(rest).prefix(Self.mostBytes)
            let end = part.endIndex < text.endIndex ? "…" : ""
            return (start > 0 ? "… (\(start) bytes before)\n" : "") + part + end
        }
    }

    private func lines(of text: String, beside others: [String?]) -> [ComparedLine] {
        if text.isEmpty {
            let difference = others.allSatisfy { $0?.isEmpty == true } ? nil : ComparedLine.whole
            return [ComparedLine(text: "an empty text", difference: difference)]
        }
        let mine = text.splitIntoLines
        var lines = mine.map { ComparedLine(text: $0) }
        for other in others {
            for (number, range) in differences(of: mine, from: other?.splitIntoLines) {
                let known = lines[number].difference
                lines[number].difference =
                    known.map {
                        min($0.lowerBound, range.lowerBound)..<max($0.upperBound, range.upperBound)
                    } ?? range
            }
        }
        return lines
    }
}

// Containers.
extension ComparisonSubject {
    /// What is inside, one place a line.
    private func outline(
        of node: ValueNode,
        _ places: [ValuePath: String],
        whole: Range<Int>?,
        _ start: ValuePath?,
        _ spelling: ValueSpelling
    ) -> [ComparedLine] {
        var lines: [ComparedLine] = []
        func add(_ path: ValuePath, _ node: ValueNode) {
            let ancestors = path.steps.indices.map { ValuePath(Array(path.steps[...$0])) }
            let place = ancestors.first { places[$0] != nil }
            let opens = node.isContainer && node.childCount > 0
            let text = place == path ? places[path] : nil
            let value = opens ? "" : " " + (text ?? brief(node, spelling, limit: 200))
            lines.append(
                ComparedLine(
                    text: "\(path.lastName):\(value)",
                    depth: path.steps.count - 1,
                    difference: place == nil ? whole : ComparedLine.whole,
                    isOwn: true
                )
            )
        }
        var walk = Walk(node)
        if let start, let first = node.node(at: start) {
            lines.append(ComparedLine(text: "…", isOwn: true))
            add(start, first)
            walk = Walk(node, from: start.steps[...], forwards: true)
        }
        while lines.count < Self.mostLines, let (_, child) = walk.next() {
            add(ValuePath(walk.steps), child)
        }
        if walk.next() != nil { lines.append(ComparedLine(text: "…", isOwn: true)) }
        return lines.isEmpty ? [ComparedLine(text: node.displayText(), difference: whole)] : lines
    }
}
