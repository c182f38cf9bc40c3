import PropertyList
import TerminalCanvas

/// Values beside each other as lines of text. What is the same in all stands in the same rows; what each has
/// otherwise than the last one, from which they were made, is marked.
struct Comparison: Sendable {
    struct Row: Sendable, Hashable {
        let text: String
        /// How far it is set in.
        let indent: Int
        let differs: Bool

        /// Where another value has more rows.
        fileprivate static let nothing = Row(text: "", indent: 0, differs: false)
    }

    let subject: ComparisonSubject
    /// Of each value as many rows as of every other.
    let texts: [[Row]]
    /// What makes the first value of the second; nil where there are no more than two.
    let words: ChangeInWords?
    /// The first row that is shown of each.
    private(set) var top = 0
    /// How many rows are shown of each.
    private(set) var height: Int
    /// The rows that differ, as far as they follow each other.
    private let differences: [Range<Int>]

    init(_ subject: ComparisonSubject, height: Int, _ spelling: ValueSpelling, _ glyphs: Glyphs) {
        self.subject = subject
        let nodes = subject.parts.map(\.value.node)
        words = nodes.count > 2 ? ChangeInWords(nodes[1], nodes[0], spelling) : nil
        let texts = Self.rows(subject.blocks(nodes, spelling), nodes.count, subject.columns, glyphs)
        let differs = (texts.first ?? []).indices.map { row in texts.contains { $0[row].differs } }
        self.texts = texts
        differences = differs.indices.filter { differs[$0] && ($0 == 0 || !differs[$0 - 1]) }.map { start in
            start..<(differs[start...].firstIndex(of: false) ?? differs.count)
        }
        self.height = height
        if let first = differences.first?.lowerBound, first >= height { top = first - lead }
        show(height)
    }

    private static func rows(
        _ blocks: [ComparisonSubject.Block],
        _ count: Int,
        _ columns: Int,
        _ glyphs: Glyphs
    ) -> [[Row]] {
        var texts: [[Row]] = Array(repeating: [], count: count)
        func fill(_ parts: some Sequence<Int>) {
            let height = parts.map { texts[$0].count }.max() ?? 0
            for part in parts {
                texts[part] += Array(repeating: .nothing, count: height - texts[part].count)
            }
        }
        for block in blocks {
            for group in block.groups {
                for part in block.parts { texts[part] += group[part]?.rows(columns, glyphs) ?? [] }
                fill(block.parts)
            }
        }
        fill(texts.indices)
        return texts
    }

    var rowCount: Int { texts.first?.count ?? 0 }

    /// Whether not all can be seen at once.
    var scrolls: Bool { rowCount > height }

    private var lastTop: Int { max(0, rowCount - height) }

    /// Where there is room, a row before a difference is shown too.
    private var lead: Int { height > 2 ? 1 : 0 }

    mutating func show(_ height: Int) {
        self.height = height
        top = max(0, min(top, lastTop))
    }

    mutating func scroll(_ movement: Movement, times: Int? = nil) {
        top = movement.target(from: top, count: lastTop + 1, page: max(1, height), times: times)
    }

    /// Goes to where the next difference begins, or the last one before; round the end. Where not all of it can be
    /// seen at once, or several follow each other, to what comes next of it.
    mutating func goToDifference(forwards: Bool) {
        let page = max(1, height - lead)
        let places = differences.flatMap { stride(from: $0.lowerBound, to: $0.upperBound, by: page) }
            .map { min(max(0, $0 - lead), lastTop) }
        let next = forwards ? places.first { $0 > top } : places.last { $0 < top }
        guard let place = next ?? (forwards ? places.first : places.last) else { return }
        top = place
    }
}

/// What is compared, and in how many columns: the same gives the same lines.
struct ComparisonSubject: Sendable, Hashable {
    enum Value: Sendable, Hashable {
        case nothing
        case node(ValueNode)
        /// Taken apart only when it is compared.
        case whole(PropertyListValue)

        init(_ node: ValueNode?) { self = node.map(Value.node) ?? .nothing }
        init(_ value: PropertyListValue?) { self = value.map(Value.whole) ?? .nothing }

        var node: ValueNode? {
            switch self {
            case .nothing: nil
            case .node(let node): node.read
            case .whole(let value): ValueNode(value)
            }
        }
    }

    struct Part: Sendable, Hashable {
        let title: String
        /// For where there is no room for that.
        let shortTitle: String
        let value: Value
    }

    let parts: [Part]
    /// Nothing of them is to be shown.
    let isHidden: Bool
    /// For the lines of one value.
    let columns: Int
}

/// Where the values stand: beside each other under their titles; where it is narrow below one another, and
/// where it is low too with their titles in the same line.
struct ComparisonLayout {
    /// Of each value: its title.
    let titles: [Area]
    /// And its text, without the column for signs before it.
    let texts: [Area]
    let isWide: Bool
    let isInline: Bool

    init(_ area: Area, _ titles: [(long: String, short: String)]) {
        let count = max(1, titles.count)
        isWide = area.columns / count >= 20
        let height = isWide ? area.rows : area.rows / count
        isInline = !isWide && height < 3
        let label = isInline ? min(titles.map(\.short.count).max() ?? 0, area.columns / 2) : 0
        let width = isWide ? (area.columns - (count - 1)) / count : area.columns
        var places: (titles: [Area], texts: [Area]) = ([], [])
        for number in titles.indices {
            let column = area.column + (isWide ? number * (width + 1) : 0)
            // Of less rows than values each but the last ones has one.
            let rows = isWide ? height : max(height, number < area.rows ? 1 : 0)
            let row = area.row + (isWide ? 0 : number * max(1, height))
            if isInline {
                let lead = label + 1
                places.titles.append(Area(column: column, row: row, columns: label, rows: min(1, rows)))
                places.texts.append(
                    Area(column: column + lead, row: row, columns: max(0, width - lead - 1), rows: rows)
                )
            } else {
                places.titles.append(Area(column: column, row: row, columns: width, rows: min(1, rows)))
                places.texts.append(
                    Area(
                        column: column + 1,
                        row: row + 1,
                        columns: max(0, width - 2),
                        rows: max(0, rows - 1)
                    )
                )
            }
        }
        (self.titles, self.texts) = places
    }

    var height: Int { texts.first?.rows ?? 0 }
}
