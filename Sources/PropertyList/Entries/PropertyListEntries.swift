/// The keys of a suite with their values, in the role of a dictionary.
///
/// For many keys it takes half the memory of a `Dictionary` and is built in a fraction of the time.
/// Copies share the parts that neither changes.
///
/// Keys are equal if `String` compares them as equal. No choice of keys makes lookups slow. The order
/// of the entries has no meaning.
public struct PropertyListEntries: Sendable {
    struct Entry: Sendable {
        let key: String
        var value: PropertyListValue
    }

    private var entries: EntryChunks
    /// Finds the index of a key in `entries`.
    private var index: KeyIndex
    /// Whether the entries are known to be sorted by key.
    private var isSorted = false
    /// Keys that the file has in several Unicode forms.
    ///
    /// The forms count as one key here, and the values of the other forms are not among these entries.
    /// The list describes the file as it was read; later changes do not update it.
    public private(set) var keysInSeveralForms: [String] = []

    public init() { self.init(distinct: EntryChunks()) }

    public init(_ dictionary: [String: PropertyListValue]) {
        self.init(distinct: EntryChunks(dictionary.lazy.map { Entry(key: $0.key, value: $0.value) }))
    }

    /// Creates the entries from a list in which no key occurs twice.
    ///
    /// - Parameters:
    ///   - isSorted: Whether the list is sorted by key.
    ///   - index: Finds the keys, if a reader has made it.
    init(distinct entries: consuming EntryChunks, isSorted: Bool = false, _ index: KeyIndex? = nil) {
        self.isSorted = isSorted
        self.index = index ?? Self.index(of: entries, capacity: entries.count)
        self.entries = entries
    }

    /// Creates the entries from a list in which keys may repeat.
    init(_ list: consuming EntryChunks, keeping winner: EntryList.Winner) {
        var entries = list
        index = KeyIndex(capacity: entries.count)
        var count = 0
        for position in entries.indices {
            let key = entries.key(at: position)
            let hash = KeyHash.of(key)
            let earlier = index.firstPosition(hash) { entries.hasKey(key, at: $0) }
            if let earlier {
                if !entries.key(at: earlier).hasSameBytes(as: key) { keysInSeveralForms.append(key) }
                if winner == .last { entries.setValue(entries.value(at: position), at: earlier) }
                continue
            }
            if count < position { entries[count] = entries[position] }
            index.insert(count, hash)
            count += 1
        }
        while entries.count > count { _ = entries.removeLast() }
        self.entries = entries
    }

    /// The value of a key, or nil if there is none. Setting nil removes the key.
    public subscript(key: String) -> PropertyListValue? {
        get { position(of: key, KeyHash.of(key)).map { entries.value(at: $0) } }
        set {
            let hash = KeyHash.of(key)
            switch (position(of: key, hash), newValue) {
            case (nil, nil): break
            case (nil, let value?): append(key, value, hash)
            case (let position?, let value?): entries.setValue(value, at: position)
            case (let position?, nil): remove(at: position)
            }
        }
    }

    @inline(__always)
    private func position(of key: String, _ hash: UInt64) -> Int? {
        index.firstPosition(hash) { entries.hasKey(key, at: $0) }
    }

    /// Returns the value of a key and keeps it decoded, so that reading it again is faster.
    @inline(__always)
    public mutating func valueAskedFor(_ key: String) -> PropertyListValue? {
        position(of: key, KeyHash.of(key)).map { entries.unpackedValue(at: $0) }
    }

    private mutating func append(_ key: String, _ value: PropertyListValue, _ hash: UInt64) {
        isSorted = isSorted && entries.isInOrder(before: key)
        entries.append(key, .value(value))
        if entries.count <= index.capacity {
            index.insert(entries.count - 1, hash)
        } else {
            index = Self.index(of: entries, capacity: 2 * entries.count)
        }
    }

    private static func index(of entries: borrowing EntryChunks, capacity: Int) -> KeyIndex {
        var index = KeyIndex(capacity: capacity)
        entries.forEachKey { index.insert($0, KeyHash.of($1)) }
        return index
    }

    /// Removes an entry. The last entry takes its position.
    private mutating func remove(at position: Int) {
        index.remove(position) { [entries] in KeyHash.of(entries.key(at: $0)) }
        let last = entries.removeLast()
        guard position < entries.count else { return }
        isSorted = false
        index.move(entries.count, to: position, KeyHash.of(last.key))
        entries[position] = last
    }
}

extension PropertyListEntries: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { entries.count }

    public subscript(position: Int) -> (key: String, value: PropertyListValue) {
        (entries.key(at: position), entries.value(at: position))
    }

    /// Returns the key at a position without decoding its value.
    public func key(at position: Int) -> String { entries.key(at: position) }

    public var keys: some RandomAccessCollection<String> { entries.indices.lazy.map { entries.key(at: $0) } }

    /// The positions of the entries in the order of their keys, or nil if the entries are sorted
    /// already.
    public var sortedPositions: [Int]? { isSorted ? nil : positionsByKey(self) }
}

extension PropertyListEntries: Equatable {
    /// Whether both have the same keys with equal values, in any order.
    public static func == (a: Self, b: Self) -> Bool {
        a.count == b.count && a.entries.allSatisfy { b[$0.key] == $0.value }
    }

    public static func == (a: Self, b: [String: PropertyListValue]) -> Bool {
        a.count == b.count && a.entries.allSatisfy { b[$0.key] == $0.value }
    }
}

extension PropertyListEntries {
    /// Returns how these entries differ from older ones.
    ///
    /// A value of nil means that the key was removed. The time grows with the number of entries in
    /// both.
    public func differences(from old: Self) -> [String: PropertyListValue?] {
        var result: [String: PropertyListValue?] = [:]
        for entry in entries where old[entry.key] != entry.value {
            result.updateValue(entry.value, forKey: entry.key)
        }
        for entry in old.entries where position(of: entry.key, KeyHash.of(entry.key)) == nil {
            result.updateValue(nil, forKey: entry.key)
        }
        return result
    }
}

extension [String: PropertyListValue] {
    public init(_ entries: PropertyListEntries) {
        self.init(minimumCapacity: entries.count)
        for (key, value) in entries { self[key] = value }
    }
}
