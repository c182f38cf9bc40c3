import PropertyList

/// The keys of a suite with their values, in order. The storage is shared with the store, and copied only when
/// something changes.
struct SortedEntries: Sendable {
    struct Entry: Sendable, Hashable {
        let key: String
        var value: PropertyListValue

        var path: ValuePath { [.key(key)] }
        var node: ValueNode { ValueNode(value) }
        /// The entry as a node, unread if parsing takes long.
        var shown: ValueNode { ValueNode.unreadIfLong(value) }

        /// The same key without a value that a search could find.
        var withoutValue: Entry { Entry(key: key, value: [:]) }
    }

    private(set) var values: PropertyListEntries
    /// The storage index of each entry; nil if the storage is in order.
    private var positions: [Int]?

    init(_ values: PropertyListEntries = PropertyListEntries()) {
        self.values = values
        positions = values.sortedPositions
    }

    /// The first index that is not before a key, and whether it is that key's.
    func find(_ key: String) -> (index: Int, isThere: Bool) {
        let index = (0..<count).beginning { self.key(at: $0) >= key }
        return (index, index < count && self.key(at: index) == key)
    }

    /// The key at an index, without its value.
    func key(at index: Int) -> String { values.key(at: positions?[index] ?? index) }

    mutating func setValue(_ value: PropertyListValue, at index: Int) { values[key(at: index)] = value }

    /// Inserts a new key at its place in the order.
    mutating func insert(_ entry: Entry, at index: Int) {
        let position = values.count
        if index < position || positions != nil { withPositions { $0.insert(position, at: index) } }
        values[entry.key] = entry.value
    }

    mutating func remove(at index: Int) {
        // The last entry of the storage takes the place of the removed one.
        let last = values.count - 1
        let key = key(at: index)
        if index < last || positions != nil {
            let place = find(values.key(at: last)).index
            withPositions { positions in
                positions[place] = positions[index]
                positions.remove(at: index)
            }
        }
        values[key] = nil
    }

    private mutating func withPositions(_ change: (inout [Int]) -> Void) {
        var positions = positions ?? Array(values.indices)
        self.positions = nil
        change(&positions)
        self.positions = positions
    }
}

extension SortedEntries: RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { values.count }

    subscript(index: Int) -> Entry {
        let (key, value) = values[positions?[index] ?? index]
        return Entry(key: key, value: value)
    }
}

extension SortedEntries: Equatable {
    static func == (a: Self, b: Self) -> Bool { a.values == b.values }
}
