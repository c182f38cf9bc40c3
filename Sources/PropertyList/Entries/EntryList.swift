/// The entries of a dictionary while a reader appends them, in file order and with repeated keys.
struct EntryList: Sendable {
    private var entries = EntryChunks()
    /// Whether each key is greater than the previous one.
    private(set) var isSorted = true

    var count: Int { entries.count }

    /// Reserves capacity. Unused capacity costs no time.
    mutating func reserve(_ count: Int) { entries.reserveCapacity(count) }

    /// Where a reader packs the value of the next entry.
    var packed: PackedValues {
        get { entries.packed }
        _modify { yield &entries.packed }
    }

    mutating func append(_ key: String, _ value: PropertyListValue) { append(key, .value(value)) }

    mutating func append(_ key: String, _ value: StoredValue) {
        if isSorted, !entries.isInOrder(before: key) { isSorted = false }
        entries.append(key, value)
    }

    /// Removes all entries except those at the given indexes, which are in rising order.
    mutating func keepOnly(_ positions: [Int]) {
        let all = entries
        entries = EntryChunks(positions.lazy.map { all[$0] })
    }

    /// Which of several equal keys counts.
    enum Winner { case first, last }

    /// - Parameter index: An index that a reader has made already. No two keys may be equal then.
    consuming func entries(keeping winner: Winner, _ index: KeyIndex? = nil) -> PropertyListEntries {
        isSorted || index != nil
            ? PropertyListEntries(distinct: entries, isSorted: isSorted, index)
            : PropertyListEntries(entries, keeping: winner)
    }

    func dictionary(keeping winner: Winner) -> [String: PropertyListValue] {
        var result = [String: PropertyListValue](minimumCapacity: entries.count)
        // A long key takes time to hash, so it is looked up only if it can have been seen before.
        for entry in entries where isSorted || winner == .last || result[entry.key] == nil {
            result[entry.key] = entry.value
        }
        return result
    }
}
