import PropertyList
import TerminalCanvas

/// Values side by side, as lines of text. Equal lines are beside each other, and lines that differ are
/// marked.
struct Comparison: Sendable {
    struct Row: Sendable, Hashable {
        let text: String
        /// By how many columns the text is indented.
        let indent: Int
        let differs: Bool

        /// An empty row beside a longer value.
        fileprivate static let nothing = Row(text: "", indent: 0, differs: false)
    }

    let subject: ComparisonSubject
    /// The rows of each value. All values have the same number of rows.
    let texts: [[Row]]
    /// The change from the second value to the first; nil if only two values are compared.
    let words: ChangeSummary?
    /// The first shown row.
    private(set) var top = 0
    /// The number of shown rows.
    private(set) var height: Int
    /// The ranges of consecutive rows that differ.
    private let differences: [Range<Int>]

    init(_ subject: ComparisonSubject, height: Int, _ format: ValueFormat, _ glyphs: Glyphs) {
        self.subject = subject
        let nodes = subject.parts.map(\.value.node)
        words = nodes.count > 2 ? ChangeSummary(nodes[1], nodes[0], format) : nil
        let texts = Self.rows(subject.blocks(nodes, format), nodes.count, subject.columns, glyphs)
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

    /// Whether some rows are hidden.
    var scrolls: Bool { rowCount > height }

    private var lastTop: Int { max(0, rowCount - height) }

    /// On a larger screen the row before a difference is shown too.
    private var lead: Int { height > 2 ? 1 : 0 }

    mutating func show(_ height: Int) {
        self.height = height
        top = max(0, min(top, lastTop))
    }

    mutating func scroll(_ movement: Movement, times: Int? = nil) {
        top = movement.target(from: top, count: lastTop + 1, page: max(1, height), times: times)
    }

    /// Goes to the next or previous difference, and continues at the other end. A difference that does not
    /// fit is shown page by page.
    mutating func goToDifference(forwards: Bool) {
        let page = max(1, height - lead)
        let places = differences.flatMap { stride(from: $0.lowerBound, to: $0.upperBound, by: page) }
            .map { min(max(0, $0 - lead), lastTop) }
        let next = forwards ? places.first { $0 > top } : places.last { $0 < top }
        guard let place = next ?? (forwards ? places.first : places.last) else { return }
        top = place
    }
}

/// The compared values and the number of columns. The lines are made again only if this changes.
struct ComparisonSubject: Sendable, Hashable {
    enum Value: Sendable, Hashable {
        case nothing
        case node(ValueNode)
        /// Parsed only when it is compared.
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
        /// For narrow screens.
        let shortTitle: String
        let value: Value
    }

    let parts: [Part]
    /// Whether the values are secret.
    let isHidden: Bool
    /// The columns for the lines of one value.
    let columns: Int
}

/// Places compared values: side by side; on a narrow screen below each other; on a narrow and low screen with
/// the titles in the same lines.
struct ComparisonLayout {
    /// The titles, one for each value.
    let titles: [Area]
    /// The texts, without the column for marks before them.
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
            // If there are fewer rows than values, only the first values get a row.
            let rows = isWide ? height : max(height, number < area.rows ? 1 : 0)
            let row = area.row + (isWide ? 0 : number * max(1, height))
            // The text is after its title, or below it.
            let (lead, below) = isInline ? (label + 1, 0) : (1, 1)
            let title = Area(column: column, row: row, columns: isInline ? label : width, rows: min(1, rows))
            places.titles.append(title)
            places.texts.append(
                Area(
                    column: column + lead,
                    row: row + below,
                    columns: max(0, width - lead - 1),
                    rows: max(0, rows - below)
                )
            )
        }
        (self.titles, self.texts) = places
    }

    var height: Int { texts.first?.rows ?? 0 }
}
