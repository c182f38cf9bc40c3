import PropertyList
import ValueDiff

/// The keys that other programs changed within the past five seconds. Their rows are highlighted.
struct ChangeHighlights: Sendable {
    struct Highlight: Sendable {
        /// The value before the first change; nil if there was none.
        let before: ValueNode?
        /// The differences since then, newest first. Changes are combined, except those that were compared
        /// beforehand.
        private(set) var steps: [Step] = []
        let until: Double

        struct Step {
            /// The differences, as text.
            let words: ChangeSummary
            /// The former indexes of array elements: see ``TreeDiff/moved``.
            let moved: [ValuePath: [Int?]]

            init(_ differences: TreeDiff) {
                (words, moved) = (ChangeSummary(differences, nil), differences.moved)
            }
        }

        /// After this many changes in a row only the newest is described.
        private static let mostSteps = 8

        init(_ before: ValueNode?, _ after: PropertyListValue?, until: Double) {
            (self.before, self.until) = (before, until)
            guard let before, before.isContainer, let after else { return }
            steps = [Step(TreeDiff(before, ValueNode(after), limit: ChangeHighlights.places))]
        }

        /// Adds one change.
        init(_ former: Self?, _ read: PreparedDiff, until: Double) {
            let former = former.flatMap { $0.steps.isEmpty || $0.steps.count >= Self.mostSteps ? nil : $0 }
            before = former?.before ?? read.old
            self.until = until
            if read.old.isContainer { steps = [Step(read.differences)] + (former?.steps ?? []) }
        }
    }

    /// In seconds.
    static let lifetime = 5.0

    private var highlights: [String: Highlight] = [:]
    /// When the highlight of the suite itself ends.
    private var suiteUntil: Double?
    /// When the first highlight ends.
    private(set) var nextEnd: Double?

    var isEmpty: Bool { suiteUntil == nil }

    /// The number of differences inside a value that are described one by one.
    static let places = 32

    mutating func add(_ key: String, before: ValueNode?, after: PropertyListValue?, now: Double) {
        let until = now + Self.lifetime
        highlights[key] = Highlight(highlights[key].map(\.before) ?? before, after, until: until)
        addSuite(now: now)
    }

    mutating func add(_ key: String, _ read: PreparedDiff, now: Double) {
        highlights[key] = Highlight(highlights[key], read, until: now + Self.lifetime)
        addSuite(now: now)
    }

    /// Updates the highlight of a key whose staged change lies above the foreign one.
    mutating func renew(_ key: String, after: PropertyListValue?) {
        if let highlight = highlights[key] {
            highlights[key] = Highlight(highlight.before, after, until: highlight.until)
        }
    }

    mutating func addSuite(now: Double) {
        suiteUntil = now + Self.lifetime
        nextEnd = nextEnd ?? suiteUntil
    }

    /// Applies a change of the user to the value before, so that only foreign changes stay highlighted.
    mutating func carry(_ key: String, _ change: ValueChange) {
        guard let highlight = highlights[key] else { return }
        let before: PropertyListValue? =
            if case .propertyList(let value)? = highlight.before?.content { value } else { nil }
        let carried = ThreeWayMerge(change, over: before).value
        if carried == change.new || carried == nil {
            highlights[key] = nil
            return
        }
        highlights[key] = Highlight(carried.map(ValueNode.init), change.new, until: highlight.until)
    }

    mutating func expire(now: Double) {
        guard let nextEnd, now >= nextEnd else { return }
        highlights = highlights.filter { $0.value.until > now }
        if let end = suiteUntil, end <= now { suiteUntil = nil }
        self.nextEnd = highlights.values.reduce(suiteUntil) { min($0 ?? $1.until, $1.until) }
    }

    /// The former value of a row as a short text; nil if it reads the same. For a collapsed row, the part that
    /// changed. An expanded row leaves that to the rows below it.
    func before(_ row: Row, _ format: ValueFormat) -> String? {
        guard !row.shown.isUnread, contains(row), let highlight = highlights[row.path.key] else { return nil }
        let node = highlight.former(row)
        if row.node.isContainer, let node, node.isContainer {
            guard !row.isOpen, let (place, more) = highlight.place(below: row.path.inside),
                !place.path.steps.isEmpty
            else { return nil }
            return "\(place.path) was \(place.old)\(more == 0 ? "" : ", \(more) more")"
        }
        let (text, now) = excerpts(node, row.node, format)
        return text == now ? nil : "was \(text)"
    }

    /// Whether a row's value differs from the value before the foreign changes.
    func contains(_ row: Row) -> Bool {
        guard let highlight = highlights[row.path.key] else { return false }
        return row.depth == 0 || highlight.former(row) != row.node
    }
}

extension ChangeHighlights.Highlight {
    /// The former value of a row; nil if the row is new.
    fileprivate func former(_ row: Row) -> ValueNode? {
        if row.depth == 0 { return before }
        var path: ValuePath? = row.path.inside
        for step in steps { path = path?.former(step.moved) }
        return path.flatMap { before?.node(at: $0) }
    }

    /// The first difference at or below a path, and the number of other ones.
    fileprivate func place(below path: ValuePath) -> (place: ChangeSummary.Place, more: Int)? {
        var path: ValuePath? = path
        for step in steps {
            guard let place = path else { return nil }
            if let found = step.words.first(below: place) { return found }
            path = place.former(step.moved)
        }
        return nil
    }
}
