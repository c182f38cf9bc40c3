/// The entries of a dictionary in the order in which they are written: that of their keys. Several times
/// as fast as `sorted`.
public func sortedByKey<Value>(_ entries: [String: Value]) -> [(key: String, value: Value)] {
    // To sort a few in another way than by comparing takes longer.
    guard entries.count > 32, let order = ByteOrder.positions(of: entries.keys) else {
        return entries.sorted { $0.key < $1.key }
    }
    // Each is moved, since to count references to keys and values takes longer than all else.
    let unsorted = UnsafeMutableBufferPointer<(key: String, value: Value)>.allocate(
        capacity: entries.count
    )
    defer { unsorted.deallocate() }
    _ = unsorted.initialize(from: entries)
    return Array(unsafeUninitializedCapacity: entries.count) { sorted, count in
        for position in order {
            sorted.initializeElement(at: count, to: unsorted.moveElement(from: position))
            count += 1
        }
    }
}

/// The keys of a dictionary in that order.
func sortedKeys(_ entries: [String: PropertyListValue]) -> [String] {
    let keys = Array(entries.keys)
    guard keys.count > 32, let order = ByteOrder.positions(of: keys) else { return keys.sorted() }
    return order.map { keys[$0] }
}

/// The positions of a suite's entries in that order; nil where they stand in it.
func positionsByKey(_ entries: PropertyListEntries) -> [Int]? {
    // Most files are sorted already.
    if zip(entries.keys, entries.keys.dropFirst()).allSatisfy(<) { return nil }
    guard entries.count > 32,
        let order = ByteOrder.positions(of: entries.indices.lazy.map { entries.key(at: $0) })
    else {
        return entries.indices.sorted { entries.key(at: $0) < entries.key(at: $1) }
    }
    return order
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
        let order = ByteOrder.positions(of: keys)
        lists.append(order?.map { keys[$0] } ?? keys.sorted())
    }
}
