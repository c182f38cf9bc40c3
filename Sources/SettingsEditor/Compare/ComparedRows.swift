import PropertyList
import ValueDiff

/// A row of a comparison: a key, or a difference inside a key's value.
struct ComparedRow: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case same, onlyLeft, onlyRight, different

        init(_ left: Bool, _ right: Bool, areSame: Bool) {
            self = !left ? .onlyRight : !right ? .onlyLeft : areSame ? .same : .different
        }
    }

    /// Names a row, so that the selection stays when rows come and go. The ids rise from row to row.
    struct ID: Sendable, Hashable, Comparable {
        /// Empty if two values are compared.
        let key: String
        /// The number of the difference inside the value; nil for the value as a whole.
        let number: Int?

        static func < (a: ID, b: ID) -> Bool {
            a.key == b.key ? (a.number ?? -1) < (b.number ?? -1) : a.key < b.key
        }
    }

    let id: ID
    let kind: Kind
}

/// The rows of the comparison on the screen.
///
/// The keys of both sides are compared in their order, a little at a time between keys. A key that changes later is
/// compared again by itself, so that a change of a large suite shows at once.
struct ComparedRows: Sendable {
    private(set) var rows: [ComparedRow] = []
    /// The differences inside a value, by key.
    private(set) var places: [String: [TreeDiff.Place]] = [:]
    /// How many keys differ, or how many parts of two values.
    private(set) var differences = 0
    private(set) var isComplete = false
    /// The last key that was compared.
    private var last: String?
    /// The keys to compare again.
    private var stale: Set<String> = []
    var start = SuiteStart()

    /// If more keys change at once, all are compared again.
    private static let mostStale = 1000
    /// Values with more children show no differences inside, because comparing these would delay a key.
    private static let mostChildren = 1000
    /// A value with more differences shows none of them.
    private static let mostPlaces = 200
    /// The limit for two values that are compared by themselves.
    private static let mostPlacesOfValue = 10_000

    var hasWork: Bool { !isComplete || !stale.isEmpty }

    /// Compares all keys again.
    mutating func begin() { self = ComparedRows(start: start) }

    private init(start: SuiteStart) { self.start = start }
    init() {}

    mutating func compareAgain(_ keys: Set<String>) {
        stale.formUnion(keys)
        if stale.count > Self.mostStale { begin() }
    }

    /// The index of a row, or of the first one after it.
    func index(of id: ComparedRow.ID?) -> Int {
        guard let id else { return 0 }
        return max(0, min(rows.beginning { $0.id >= id }, rows.count - 1))
    }

    func row(_ id: ComparedRow.ID) -> ComparedRow? {
        let index = index(of: id)
        return rows.indices.contains(index) && rows[index].id == id ? rows[index] : nil
    }

    func place(_ id: ComparedRow.ID) -> TreeDiff.Place? {
        guard let places = places[id.key], let number = id.number else { return nil }
        return places.indices.contains(number) ? places[number] : nil
    }
}

extension ComparedRows {
    mutating func goOn(
        _ left: ComparedValues,
        _ right: ComparedValues,
        showsSame: Bool,
        _ budget: inout WorkBudget
    ) {
        while budget.isLeft, let key = stale.popFirst() {
            // A later key is compared in its turn.
            if !isComplete, last.map({ key > $0 }) ?? true { continue }
            budget.spend(2)
            let first = rows.beginning { $0.id.key >= key }
            let end = rows[first...].firstIndex { $0.id.key != key } ?? rows.endIndex
            differences -= rows[first..<end].count { $0.id.number == nil && $0.kind != .same }
            places[key] = nil
            let new = self.rows(of: key, left.value(key), right.value(key), showsSame, &budget)
            rows.replaceSubrange(first..<end, with: new)
        }
        if isComplete { return }
        func next(_ entries: SortedEntries) -> Int {
            last.map { entries.find($0) }.map { $0.isThere ? $0.index + 1 : $0.index } ?? 0
        }
        var (a, b) = (next(left.entries), next(right.entries))
        while budget.isLeft {
            let mine = a < left.entries.count ? left.entries[a] : nil
            let theirs = b < right.entries.count ? right.entries[b] : nil
            guard let some = mine?.key ?? theirs?.key else {
                isComplete = true
                // Keys that were deleted since the start have no rows.
                stale.formUnion(start.values.keys.filter { !left.entries.find($0).isThere })
                return
            }
            let key = min(some, theirs?.key ?? some)
            budget.spend(1)
            let (isLeft, isRight) = (mine?.key == key, theirs?.key == key)
            let old = left.value(key, row: isLeft ? mine?.value : nil)
            let new = right.value(key, row: isRight ? theirs?.value : nil)
            rows += self.rows(of: key, old, new, showsSame, &budget)
            (a, b, last) = (isLeft ? a + 1 : a, isRight ? b + 1 : b, key)
        }
    }

    private mutating func rows(
        of key: String,
        _ old: PropertyListValue?,
        _ new: PropertyListValue?,
        _ showsSame: Bool,
        _ budget: inout WorkBudget
    ) -> [ComparedRow] {
        let areSame = old == new
        if old == nil && new == nil || areSame && !showsSame { return [] }
        let id = ComparedRow.ID(key: key, number: nil)
        let row = ComparedRow(id: id, kind: .init(old != nil, new != nil, areSame: areSame))
        if areSame { return [row] }
        differences += 1
        guard let old, let new else { return [row] }
        let (first, second) = (ValueNode.unreadIfLong(old), ValueNode.unreadIfLong(new))
        let children = first.isUnread || second.isUnread ? .max : first.childCount + second.childCount
        guard children <= Self.mostChildren, first.opens(like: second) else { return [row] }
        budget.spend(children)
        let difference = TreeDiff(first, second, limit: Self.mostPlaces)
        guard difference.count <= Self.mostPlaces, difference.places.allSatisfy({ !$0.path.steps.isEmpty })
        else { return [row] }
        places[key] = difference.places
        return [row] + Self.rows(of: difference.places, key)
    }

    private static func rows(of places: [TreeDiff.Place], _ key: String) -> [ComparedRow] {
        places.enumerated().map { number, place in
            let kind = ComparedRow.Kind(place.old != nil, place.new != nil, areSame: false)
            return ComparedRow(id: .init(key: key, number: number), kind: kind)
        }
    }

    /// Compares two values by themselves, all at once.
    mutating func compare(_ left: ValueNode?, _ right: ValueNode?) {
        let difference = TreeDiff(left, right, limit: Self.mostPlacesOfValue)
        (places, differences) = (["": difference.places], difference.count)
        rows = Self.rows(of: difference.places, "")
        (isComplete, stale) = (true, [])
    }
}
