import PropertyList

/// What was changed from outside a short while ago.
struct Marks: Sendable {
    struct Mark: Sendable {
        /// What the key held before the first of the changes; nil where it was not there.
        let before: ValueNode?
        /// The changes since that are known inside it, the last one first. They are taken together, but for those
        /// that were compared beforehand.
        private(set) var steps: [Step] = []
        let until: Double

        struct Step {
            /// What differs inside it since.
            let words: ChangeInWords
            /// Where elements of arrays were before: see ``Differences/moved``.
            let moved: [ValuePath: [Int?]]
            let gone: GoneInside

            init(_ differences: Differences) {
                (words, moved) = (ChangeInWords(differences, nil), differences.moved)
                gone = GoneInside(differences, limit: Marks.places)
            }
        }

        /// More changes in a row are known by the last one alone.
        private static let mostSteps = 8

        init(_ before: ValueNode?, _ after: PropertyListValue?, until: Double) {
            (self.before, self.until) = (before, until)
            guard let before, before.isContainer, let after else { return }
            steps = [Step(Differences(before, ValueNode(after), limit: Marks.places))]
        }

        /// One more change.
        init(_ former: Self?, _ read: ReadChange, until: Double) {
            let former = former.flatMap { $0.steps.isEmpty || $0.steps.count >= Self.mostSteps ? nil : $0 }
            before = former?.before ?? read.old
            self.until = until
            if read.old.isContainer { steps = [Step(read.differences)] + (former?.steps ?? []) }
        }
    }

    /// Seconds.
    static let lifetime = 5.0

    private var marks: [String: Mark] = [:]
    /// Keys that have changed and are not compared yet.
    private var announced: Set<String> = []
    /// The suite as a whole, also where a key is gone.
    private var suiteUntil: Double?
    /// When the first of them ends.
    private(set) var nextEnd: Double?

    var isEmpty: Bool { suiteUntil == nil }

    /// How many places inside a value are known by themselves.
    static let places = 32

    /// Marks keys of which nobody knows yet what has changed.
    mutating func announce(_ keys: [String], now: Double) {
        announced.formUnion(keys)
        addSuite(now: now)
    }

    mutating func add(_ key: String, before: ValueNode?, after: PropertyListValue?, now: Double) {
        let until = now + Self.lifetime
        announced.remove(key)
        marks[key] = Mark(marks[key].map(\.before) ?? before, after, until: until)
        addSuite(now: now)
    }

    mutating func add(_ key: String, _ read: ReadChange, now: Double) {
        announced.remove(key)
        marks[key] = Mark(marks[key], read, until: now + Self.lifetime)
        addSuite(now: now)
    }

    /// What a key shows has changed otherwise than what is stored of it: what waits to be written lies over that.
    mutating func renew(_ key: String, after: PropertyListValue?) {
        if let mark = marks[key] { marks[key] = Mark(mark.before, after, until: mark.until) }
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
        marks[key] = Mark(carried.map(ValueNode.init), change.new, until: mark.until)
    }

    mutating func expire(now: Double) {
        guard let nextEnd, now >= nextEnd else { return }
        marks = marks.filter { $0.value.until > now }
        if let end = suiteUntil, end <= now {
            suiteUntil = nil
            announced = []
        }
        self.nextEnd = marks.values.reduce(suiteUntil) { min($0 ?? $1.until, $1.until) }
    }

    /// What a row's place held before the changes, in a few words; nil where that reads the same. Of what is
    /// closed it says which place inside has changed, and of what is open what is gone from it.
    func before(_ row: Row, _ spelling: ValueSpelling) -> String? {
        guard !row.shown.isUnread, contains(row), let mark = marks[row.path.key] else { return nil }
        let node = mark.former(row)
        if row.node.isContainer, let node, node.isContainer {
            if row.isOpen { return node == row.node ? nil : mark.gone(from: row, spelling) }
            guard let (place, more) = mark.place(below: row.path.inside),
                !place.path.steps.isEmpty
            else { return nil }
            return "\(place.path) was \(place.old)\(more == 0 ? "" : ", \(more) more")"
        }
        let (text, now) = excerpts(node, row.node, spelling)
        return text == now ? nil : "was \(text)"
    }

    /// Whether a row shows something else than before the changes.
    func contains(_ row: Row) -> Bool {
        if row.depth == 0, announced.contains(row.path.key) { return true }
        guard let mark = marks[row.path.key] else { return false }
        return row.depth == 0 || mark.former(row) != row.node
    }
}

extension Marks.Mark {
    /// What stood in a row before; nil where it is new.
    fileprivate func former(_ row: Row) -> ValueNode? {
        if row.depth == 0 { return before }
        var path: ValuePath? = row.path.inside
        for step in steps { path = path?.former(step.moved) }
        return path.flatMap { before?.node(at: $0) }
    }

    /// What is gone from an open row, in a few words.
    fileprivate func gone(from row: Row, _ spelling: ValueSpelling) -> String? {
        var path: ValuePath? = row.path.inside
        for step in steps {
            guard let place = path else { return nil }
            var gone = step.gone.inside(place, isOpen: true)
            // What is back is not gone.
            gone.dropAll { !$0.endsWithIndex && row.node.node(at: ValuePath($0.steps.suffix(1))) != nil }
            if let text = gone.text(from: place, isOpen: true, spelling) { return text }
            path = place.former(step.moved)
        }
        return nil
    }

    /// The first place that has changed at or below another one, and how many more have.
    fileprivate func place(below path: ValuePath) -> (place: ChangeInWords.Place, more: Int)? {
        var path: ValuePath? = path
        for step in steps {
            guard let place = path else { return nil }
            if let found = step.words.first(below: place) { return found }
            path = place.former(step.moved)
        }
        return nil
    }
}

extension SuiteModel {
    /// Has the marks of keys that others have changed beneath what waits tell what shows otherwise.
    mutating func renewMarks(_ keys: [String]) {
        for key in keys { marks.renew(key, after: value(forKey: key)) }
    }
}
