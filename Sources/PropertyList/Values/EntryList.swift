/// The entries of a dictionary as they are read.
struct EntryList: Sendable {
    private var entries = EntryChunks()
    /// Whether each key is greater than the one before it.
    private(set) var isSorted = true

    var count: Int { entries.count }

    /// Makes room; what is not used of it costs no time.
    mutating func reserve(_ count: Int) { entries.reserveCapacity(count) }

    /// Where the value of the next entry can be packed.
    var packed: PackedValues {
        get { entries.packed }
        _modify { yield &entries.packed }
    }

    mutating func append(_ key: String, _ value: PropertyListValue) { append(key, .value(value)) }

    mutating func append(_ key: String, _ value: StoredValue) {
        if isSorted, !entries.isInOrder(before: key) { isSorted = false }
        entries.append(key, value)
    }

    /// Leaves out all entries but those at some places, which rise.
    mutating func keepOnly(_ places: [Int]) {
        let all = entries
        entries = EntryChunks(places.lazy.map { all[$0] })
    }

    /// Which one of several equal keys counts.
    enum Winner { case first, last }

    consuming func table(of winner: Winner) -> PropertyListEntries {
        isSorted
            ? PropertyListEntries(distinct: entries, isSorted: true)
            : PropertyListEntries(entries, of: winner)
    }

    func dictionary(of winner: Winner) -> [String: PropertyListValue] {
        var result = [String: PropertyListValue](minimumCapacity: entries.count)
        // Keys may be long, and are hashed each time that they are looked for.
        for entry in entries where isSorted || winner == .last || result[entry.key] == nil {
            result[entry.key] = entry.value
        }
        return result
    }
}
