import FoundationEssentials
import PropertyList
import TerminalCanvas

/// The lines of a whole value: a text with its line breaks, bytes in hexadecimal, and arrays, dictionaries and JSON
/// indented. Only as many lines are made as are needed, so that a huge value costs as much as a small one.
struct WholeValue {
    private let context: DetailContext
    private(set) var lines: [DetailLine] = []

    init(_ context: DetailContext) { self.context = context }

    private var isFull: Bool { lines.count >= context.limit }

    mutating func add(_ node: ValueNode) {
        if node.isContainer {
            addContainer(node, depth: 0, before: [], after: "")
        } else if node.json != nil, let text = node.text {
            lines += context.sentences("\"\(context.spelledInJSON(text))\"", .string)
        } else if let text = node.text {
            lines += context.sentences(text.isEmpty ? "\"\"" : text, .string)
        } else if node.json == nil, case .propertyList(.data(let data)) = node.content {
            addBytes(data)
        } else {
            let text = context.state.format.display(node)
            lines += context.sentences(text, node.style)
            if node.json == nil, case .propertyList(.date(let date)) = node.content {
                if text != node.displayText() { lines.append(DetailLine(node.displayText(), .faint)) }
                if let now = context.state.clock.date {
                    lines.append(DetailLine(date.distance(from: now), .faint))
                }
            }
        }
        lines = Array(lines.prefix(context.limit))
    }

    private mutating func addContainer(
        _ node: ValueNode,
        depth: Int,
        before: [DetailLine.Piece],
        after: String
    ) {
        let (open, close) = node.holdsElements ? ("[", "]") : ("{", "}")
        let count = node.childCount
        if count == 0 {
            return addLine(before + [.init(text: open + close + after, style: .container)], depth)
        }
        addLine(before + [.init(text: open, style: .container)], depth)
        let children = node.children
        for index in 0..<count {
            if isFull { return }
            let child = children.shown(at: index)
            let comma = index < count - 1 ? "," : ""
            let name: [DetailLine.Piece] =
                node.holdsElements
                ? []
                : [
                    .init(text: "\"\(context.spelledInJSON(children.step(at: index).text))\"", style: .plain),
                    .init(text: ": ", style: .faint),
                ]
            if child.isUnread {
                addLine(
                    name + [.init(text: String(context.glyphs.ellipsis) + comma, style: .faint)],
                    depth + 1
                )
            } else if child.isContainer {
                addContainer(child, depth: depth + 1, before: name, after: comma)
            } else {
                let quoted = child.text.map { "\"\(context.spelledInJSON($0))\"" }
                let text = quoted ?? context.state.format.display(child)
                let value = DetailLine.Piece(text: text, style: child.style)
                addLine(name + [value, .init(text: comma, style: .faint)], depth + 1)
            }
        }
        addLine([.init(text: close + after, style: .container)], depth)
    }

    /// Adds a line, broken if it is too long.
    private mutating func addLine(_ pieces: [DetailLine.Piece], _ depth: Int) {
        if isFull { return }
        let indent = min(2 * depth, context.columns / 2)
        var room = context.columns - indent
        var line = DetailLine([], indent: indent)
        for piece in pieces {
            var rest = piece.text[...]
            while !rest.isEmpty, !isFull {
                let head = rest.prefixFitting(room, context.glyphs)
                if head.isEmpty {
                    guard !line.pieces.isEmpty else { break }
                    lines.append(line)
                    line = DetailLine([], indent: min(indent + 2, context.columns / 2))
                    room = context.columns - line.indent
                    continue
                }
                line.pieces.append(.init(text: String(head), style: piece.style))
                room -= displayWidth(of: String(head), glyphs: context.glyphs)
                rest = rest[head.endIndex...]
            }
        }
        lines.append(line)
    }

    /// Adds the size, and the bytes as hexadecimal digits and characters.
    private mutating func addBytes(_ data: Data) {
        lines.append(DetailLine(data.count == 1 ? "1 byte" : "\(data.count) bytes", .faint))
        let each = context.columns >= 76 ? 16 : max(4, (context.columns - 10) / 4 / 4 * 4)
        var rest = data[...]
        while !rest.isEmpty, !isFull {
            let part = rest.prefix(each)
            rest = rest.dropFirst(each)
            let digits = part.map { byte in
                let text = String(byte, radix: 16)
                return text.count == 1 ? "0\(text)" : text
            }
            let hex = digits.joined(separator: " ")
            let blank = String(repeating: " ", count: each * 3 - hex.count + 1)
            let characters = String(
                decoding: part.map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: ".") },
                as: UTF8.self
            )
            lines.append(
                DetailLine([.init(text: hex + blank, style: .data), .init(text: characters, style: .faint)])
            )
        }
    }
}

extension Date {
    /// How long ago the date was, or how long it is until then, in the largest unit of which there are at least two.
    fileprivate func distance(from now: Date) -> String {
        let seconds = timeIntervalSince(now)
        let units = [
            (31_556_952.0, "years"), (2_629_746, "months"), (86_400, "days"), (3600, "hours"),
            (60, "minutes"),
            (1, "seconds"),
        ]
        guard let (unit, name) = units.first(where: { seconds.magnitude >= 2 * $0.0 }) else { return "now" }
        let count = Int(min(seconds.magnitude / unit, 1e15))
        return seconds > 0 ? "in \(count) \(name)" : "\(count) \(name) ago"
    }
}

extension DetailContext {
    /// A text as it is written in JSON, as far as it can be shown.
    fileprivate func spelledInJSON(_ text: String) -> String {
        let shown = String(text.unicodeScalars.prefix(columns * max(1, limit)))
        let rest = shown.utf8.count < text.utf8.count ? String(glyphs.ellipsis) : ""
        // Most texts have none of them, and each search takes as long as drawing a row.
        if !shown.utf8.contains(where: { #"\""#.utf8.contains($0) || $0 < 0x20 }) { return shown + rest }
        return shown.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            .replacing("\t", with: "\\t") + rest
    }
}

extension Substring {
    /// The longest prefix within so many columns. It has at least one character if there is any room.
    func prefixFitting(_ columns: Int, _ glyphs: Glyphs) -> Substring {
        // A fast path: most texts fit as a whole.
        if utf8.count <= columns {
            let whole = displayWidth(of: escapedForDisplay(self, glyphs: glyphs), glyphs: glyphs)
            if whole <= columns { return self }
        }
        var width = 0
        var end = startIndex
        while end < endIndex {
            let next = index(after: end)
            width += displayWidth(of: escapedForDisplay(self[end..<next], glyphs: glyphs), glyphs: glyphs)
            if width > columns { break }
            end = next
        }
        return self[..<end]
    }
}
