/// The entries of a dictionary in the order in which they are written: that of their keys. Several times
/// as fast as `sorted`.
public func sortedByKey<Value>(_ entries: [String: Value]) -> [(key: String, value: Value)] {
    // To sort a few in another way than by comparing takes longer.
    guard entries.count > 32, let order = SortKey.order(of: entries.keys) else {
        return entries.sorted { $0.key < $1.key }
    }
    return order.map { entries[$0.index] }
}

/// The keys of a dictionary in that order.
func sortedKeys(_ entries: [String: PropertyListValue]) -> [String] {
    let keys = Array(entries.keys)
    guard keys.count > 32, let order = SortKey.order(of: keys) else { return keys.sorted() }
    return order.map { keys[$0.index] }
}

/// The positions of a suite's entries in that order; nil where they stand in it.
func positionsByKey(_ entries: PropertyListEntries) -> [Int]? {
    // Most files are sorted already.
    if zip(entries.keys, entries.keys.dropFirst()).allSatisfy(<) { return nil }
    guard entries.count > 32, let order = SortKey.order(of: entries.indices.lazy.map { entries.key(at: $0) })
    else {
        return entries.indices.sorted { entries.key(at: $0) < entries.key(at: $1) }
    }
    return order.map(\.index)
}

/// Sixteen bytes of a key of ASCII, as two numbers that compare as the bytes do, and which key it is.
private struct SortKey<Index> {
    let start: UInt64
    let next: UInt64
    let index: Index

    /// Nil for other keys, whose order is not that of their bytes.
    init?(_ key: String, from place: Int, _ index: Index) {
        var key = key
        let words = key.withUTF8 { key -> (UInt64, UInt64)? in
            let key = UnsafeRawBufferPointer(key)
            return key.isASCII ? (key.paddedWord(at: place), key.paddedWord(at: place + 8)) : nil
        }
        guard let words else { return nil }
        (start, next, self.index) = (words.0, words.1, index)
    }

    /// The keys in sorted order; nil where not all are of ASCII.
    static func order<Keys: Collection<String>>(of keys: Keys) -> [Self]? where Keys.Index == Index {
        guard var order = list(keys, from: 0), let first = order.first else { return nil }
        if order.allSatisfy({ $0.start == first.start }) {
            guard let behind = list(keys, from: sharedLength(of: keys)) else { return nil }
            order = behind
        }
        sort(&order) { $0.next }
        sort(&order) { $0.start }
        // Those whose sixteen bytes are the same.
        var begin = 0
        while begin < order.count {
            var end = begin + 1
            while end < order.count, order[end].start == order[begin].start,
                order[end].next == order[begin].next
            {
                end += 1
            }
            if end > begin + 1 { order[begin..<end].sort { keys[$0.index] < keys[$1.index] } }
            begin = end
        }
        return order
    }

    private static func list<Keys: Collection<String>>(_ keys: Keys, from place: Int) -> [Self]?
    where Keys.Index == Index {
        var list: [Self] = []
        list.reserveCapacity(keys.count)
        for index in keys.indices {
            guard let key = Self(keys[index], from: place, index) else { return nil }
            list.append(key)
        }
        return list
    }

    /// How many bytes all the keys have in common at their start.
    private static func sharedLength(of keys: some Collection<String>) -> Int {
        guard var first = keys.first else { return 0 }
        return first.withUTF8 { first in
            keys.reduce(first.count) { length, key in
                var key = key
                return key.withUTF8 {
                    min(length, commonPrefix(UnsafeRawBufferPointer(first), UnsafeRawBufferPointer($0)))
                }
            }
        }
    }

    /// Sorts by a number, byte by byte from the lowest one on; keys with the same number keep their
    /// order. Bytes that all have in common are left out.
    @inline(__always)
    private static func sort(_ order: inout [Self], by number: (Self) -> UInt64) {
        let first = number(order[0])
        let differing = order.reduce(0) { $0 | (number($1) ^ first) }
        var other = order
        for shift in stride(from: UInt64(0), to: 64, by: 8) where differing >> shift & 0xFF != 0 {
            var places = [Int](repeating: 0, count: 257)
            for key in order { places[Int(number(key) >> shift & 0xFF) + 1] += 1 }
            for byte in 1..<257 { places[byte] += places[byte - 1] }
            for key in order {
                let byte = Int(number(key) >> shift & 0xFF)
                other[places[byte]] = key
                places[byte] += 1
            }
            swap(&order, &other)
        }
    }
}

/// Sorts the keys of a dictionary a little at a time: some of them at once, as quickly as can be, and then
/// two sorted lists after the other into one.
struct KeySorting: Sendable {
    private var rest: [String: PropertyListValue].Iterator
    /// Sorted lists, the oldest first; those before `firstList` have been merged.
    private var lists: [[String]] = []
    private var firstList = 0
    private var isCollected = false
    private var merge: Merge?

    private struct Merge {
        let a: [String]
        let b: [String]
        var (nextA, nextB) = (0, 0)
        var merged: [String] = []

        init(_ a: [String], _ b: [String]) {
            (self.a, self.b) = (a, b)
            merged.reserveCapacity(a.count + b.count)
        }

        /// Whether it has come to its end.
        mutating func goOn(_ work: inout Int) -> Bool {
            while merged.count < a.count + b.count {
                guard work > 0 else { return false }
                work -= 8
                if nextB == b.count || nextA < a.count && a[nextA] < b[nextB] {
                    merged.append(a[nextA])
                    nextA += 1
                } else {
                    merged.append(b[nextB])
                    nextB += 1
                }
            }
            return true
        }
    }

    init(_ entries: [String: PropertyListValue]) { rest = entries.makeIterator() }

    /// Goes on for a while, counted in bytes as for ``ValueReading/goOn(_:)``; the keys once they are sorted.
    mutating func goOn(_ work: inout Int) -> [String]? {
        while work > 0 {
            if var merge {
                self.merge = nil
                if merge.goOn(&work) { lists.append(merge.merged) } else { self.merge = merge }
            } else if !isCollected {
                collect(&work)
            } else if lists.count - firstList > 1 {
                merge = Merge(lists[firstList], lists[firstList + 1])
                lists[firstList] = []
                lists[firstList + 1] = []
                firstList += 2
            } else {
                return lists.last ?? []
            }
        }
        return nil
    }

    private mutating func collect(_ work: inout Int) {
        var keys: [String] = []
        keys.reserveCapacity(512)
        while keys.count < 512, let (key, _) = rest.next() { keys.append(key) }
        isCollected = keys.count < 512
        work -= 32 * keys.count
        let order = SortKey.order(of: keys)
        lists.append(order?.map { keys[$0.index] } ?? keys.sorted())
    }
}
