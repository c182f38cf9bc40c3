/// Sorts the entries of a dictionary by key, in the order in which files store them. It is several
/// times as fast as `sorted`.
public func sortedByKey<Value>(_ entries: [String: Value]) -> [(key: String, value: Value)] {
    // For a few keys, comparing is faster than the radix sort.
    guard entries.count > 32, let order = ASCIIKeySort.positions(of: entries.keys) else {
        return entries.sorted { $0.key < $1.key }
    }
    // The entries are moved, because counting references to keys and values would take longer than the
    // sort.
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

/// Returns the sorted keys of a dictionary.
func sortedKeys(_ entries: [String: PropertyListValue]) -> [String] {
    let keys = Array(entries.keys)
    guard keys.count > 32, let order = ASCIIKeySort.positions(of: keys) else { return keys.sorted() }
    return order.map { keys[$0] }
}

/// Returns the positions of a suite's entries in the order of their keys, or nil if the entries are
/// sorted.
func positionsByKey(_ entries: PropertyListEntries) -> [Int]? {
    // Most files are sorted already.
    if zip(entries.keys, entries.keys.dropFirst()).allSatisfy(<) { return nil }
    guard entries.count > 32,
        let order = ASCIIKeySort.positions(of: entries.indices.lazy.map { entries.key(at: $0) })
    else {
        return entries.indices.sorted { entries.key(at: $0) < entries.key(at: $1) }
    }
    return order
}

/// Sorts the keys of a dictionary in small steps.
///
/// An editor can show a dictionary with 100,000 keys without blocking the keyboard. The keys are sorted
/// in groups of 512, then pairs of sorted lists are merged, the oldest lists first.
struct KeySorting: Sendable {
    private var rest: [String: PropertyListValue].Iterator
    /// Sorted lists, the oldest first. The lists before `firstList` were merged into later ones.
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

        /// Continues, and returns whether the merge is complete.
        mutating func resume(_ work: inout Int) -> Bool {
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

    /// Continues until the work budget is used up, and returns the keys once they are sorted.
    ///
    /// - Parameter work: The budget, in the unit of ``ValueReading/goOn(_:)``.
    mutating func resume(_ work: inout Int) -> [String]? {
        while work > 0 {
            if var merge {
                self.merge = nil
                if merge.resume(&work) { lists.append(merge.merged) } else { self.merge = merge }
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
        let order = ASCIIKeySort.positions(of: keys)
        lists.append(order?.map { keys[$0] } ?? keys.sorted())
    }
}
