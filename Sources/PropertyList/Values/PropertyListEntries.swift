/// The keys of a suite with their values: what a dictionary is, in half the memory and made in a
/// fraction of the time, for the many keys that a file may have. A copy shares what neither changes.
///
/// Keys are told apart as `String` tells them apart. Nobody who chooses the keys of a file can make
/// them slow to find. The order of the entries says nothing.
public struct PropertyListEntries: Sendable {
    struct Entry: Sendable {
        let key: String
        var value: PropertyListValue
    }

    private var entries: EntryChunks
    /// Where in `entries` the keys are.
    private var index: KeyIndex
    /// Whether they are known to stand in the order of their keys.
    private var isSorted = false
    /// The keys that the file they were read from has in several Unicode forms, which are one key here: what is
    /// stored under the others is not among these entries. Others' changes to the file don't change this.
    public private(set) var keysInSeveralForms: [String] = []

    public init() { self.init(distinct: EntryChunks()) }

    public init(_ dictionary: [String: PropertyListValue]) {
        self.init(distinct: EntryChunks(dictionary.lazy.map { Entry(key: $0.key, value: $0.value) }))
    }

    /// - Parameters:
    ///   - entries: No key is there twice.
    ///   - isSorted: They stand in the order of their keys.
    init(distinct entries: consuming EntryChunks, isSorted: Bool = false) {
        self.isSorted = isSorted
        index = Self.index(of: entries, capacity: entries.count)
        self.entries = entries
    }

    /// - Parameter entries: A key may be there several times; one of its values counts.
    init(_ list: consuming EntryChunks, of winner: EntryList.Winner) {
        var entries = list
        index = KeyIndex(capacity: entries.count)
        var count = 0
        for place in entries.indices {
            let key = entries.key(at: place)
            let hash = KeyHash.of(key)
            let twin = index.place(hash) { entries.hasKey(key, at: $0) }
            if let twin {
                if !entries.key(at: twin).hasSameBytes(as: key) { keysInSeveralForms.append(key) }
                if winner == .last { entries.setValue(entries.value(at: place), at: twin) }
                continue
            }
            if count < place { entries[count] = entries[place] }
            index.insert(count, hash)
            count += 1
        }
        while entries.count > count { _ = entries.removeLast() }
        self.entries = entries
    }

    /// The value of a key; nil where there is none, and to remove it.
    public subscript(key: String) -> PropertyListValue? {
        get { place(of: key, KeyHash.of(key)).map { entries.value(at: $0) } }
        set {
            let hash = KeyHash.of(key)
            switch (place(of: key, hash), newValue) {
            case (nil, nil): break
            case (nil, let value?): append(key, value, hash)
            case (let place?, let value?): entries.setValue(value, at: place)
            case (let place?, nil): remove(at: place)
            }
        }
    }

    @inline(__always)
    private func place(of key: String, _ hash: UInt64) -> Int? {
        index.place(hash) { entries.hasKey(key, at: $0) }
    }

    /// The same as reading it, and quicker when it is asked for again.
    @inline(__always)
    public mutating func valueAskedFor(_ key: String) -> PropertyListValue? {
        place(of: key, KeyHash.of(key)).map { entries.unpackedValue(at: $0) }
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

    /// The last entry takes the place of the one that is removed.
    private mutating func remove(at place: Int) {
        index.remove(place) { [entries] in KeyHash.of(entries.key(at: $0)) }
        let last = entries.removeLast()
        guard place < entries.count else { return }
        isSorted = false
        index.move(entries.count, to: place, KeyHash.of(last.key))
        entries[place] = last
    }
}

extension PropertyListEntries: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { entries.count }

    public subscript(position: Int) -> (key: String, value: PropertyListValue) {
        (entries.key(at: position), entries.value(at: position))
    }

    /// The key at a position, without its value.
    public func key(at position: Int) -> String { entries.key(at: position) }

    public var keys: some RandomAccessCollection<String> { entries.indices.lazy.map { entries.key(at: $0) } }

    /// The positions in the order of their keys; nil where the entries stand in that order.
    public var sortedPositions: [Int]? { isSorted ? nil : positionsByKey(self) }
}

extension PropertyListEntries: Equatable {
    /// Whether both have the same keys, with equal values.
    public static func == (a: Self, b: Self) -> Bool {
        a.count == b.count && a.entries.allSatisfy { b[$0.key] == $0.value }
    }

    public static func == (a: Self, b: [String: PropertyListValue]) -> Bool {
        a.count == b.count && a.entries.allSatisfy { b[$0.key] == $0.value }
    }
}

extension PropertyListEntries {
    /// What differs from older entries: the new values, nil for keys that are gone. Takes time in the number of
    /// both.
    public func differences(from old: Self) -> [String: PropertyListValue?] {
        var result: [String: PropertyListValue?] = [:]
        for entry in entries where old[entry.key] != entry.value {
            result.updateValue(entry.value, forKey: entry.key)
        }
        for entry in old.entries where place(of: entry.key, KeyHash.of(entry.key)) == nil {
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
