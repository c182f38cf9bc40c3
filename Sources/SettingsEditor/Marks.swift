import PropertyList

/// What was changed from outside a short while ago.
struct Marks: Sendable {
    struct Mark: Sendable {
        /// What the key held before the first of the changes; nil where it was not there.
        let before: ValueNode?
        /// What differs inside it since; nil where nothing can.
        let words: ChangeInWords?
        let until: Double
    }

    /// Seconds.
    static let lifetime = 5.0

    private var marks: [String: Mark] = [:]
    /// The suite as a whole, also where a key is gone.
    private var suiteUntil: Double?
    /// When the first of them ends.
    private(set) var nextEnd: Double?

    var isEmpty: Bool { suiteUntil == nil }

    /// How many places inside a value are known by themselves.
    private static let places = 32

    mutating func add(_ key: String, before: ValueNode?, after: PropertyListValue?, now: Double) {
        let until = now + Self.lifetime
        let before = marks[key].map(\.before) ?? before
        var words: ChangeInWords?
        if let before, before.isContainer, let after {
            words = ChangeInWords(before, ValueNode(after), nil, limit: Self.places)
        }
        marks[key] = Mark(before: before, words: words, until: until)
        addSuite(now: now)
    }

    mutating func addSuite(now: Double) {
        suiteUntil = now + Self.lifetime
        nextEnd = nextEnd ?? suiteUntil
    }

    /// Takes a change of the user's own for one that was there before: what others have changed elsewhere in
    /// the key stays marked.
    mutating func carry(_ key: String, _ change: ValueChange) {
        guard let mark = marks[key] else { return }
        let before: PropertyListValue? =
            if case .propertyList(let value)? = mark.before?.content { value } else { nil }
        let carried = Merge(change, over: before).value
        if carried == change.new || carried == nil {
            marks[key] = nil
            return
        }
        let node = carried.map(ValueNode.init)
        var words: ChangeInWords?
        if let node, node.isContainer, let new = change.new {
            words = ChangeInWords(node, ValueNode(new), nil, limit: Self.places)
        }
        marks[key] = Mark(before: node, words: words, until: mark.until)
    }

    mutating func expire(now: Double) {
        guard let nextEnd, now >= nextEnd else { return }
        marks = marks.filter { $0.value.until > now }
        if let end = suiteUntil, end <= now { suiteUntil = nil }
        self.nextEnd = marks.values.reduce(suiteUntil) { min($0 ?? $1.until, $1.until) }
    }

    /// What a row's place held before the changes, in a few words; nil where that reads the same. Of what is
    /// closed it says which place inside has changed.
    func before(_ row: Row, _ spelling: ValueSpelling) -> String? {
        guard !row.shown.isUnread, contains(row), let mark = marks[row.path.key] else { return nil }
        let node = row.depth == 0 ? mark.before : mark.before?.node(at: row.path.inside)
        if row.node.isContainer, let node, node.isContainer {
            guard !row.isOpen, let (place, more) = mark.words?.first(below: row.path.inside),
                !place.path.steps.isEmpty
            else { return nil }
            return "\(place.path) was \(place.old)\(more == 0 ? "" : ", \(more) more")"
        }
        let (text, now) = excerpts(node, row.node, spelling)
        return text == now ? nil : "was \(text)"
    }

    /// Whether a row shows something else than before the changes.
    func contains(_ row: Row) -> Bool {
        guard let mark = marks[row.path.key] else { return false }
        return row.depth == 0 || mark.before?.node(at: row.path.inside) != row.node
    }
}
