/// How the keys of a dictionary stand in a file.
enum KeyOrder {
    /// Each key is greater than the one before it.
    case sorted
    /// No key is there twice.
    case distinct
    case repeated
}

/// The entries of a dictionary as they are read, so that it is made with the right capacity and,
/// where they are sorted, without copying one.
struct EntryList {
    private var keys: [String] = []
    private var values: [PropertyListValue] = []
    /// Whether each key is greater than the one before it.
    private(set) var isSorted = true

    var count: Int { keys.count }

    /// Makes room; what is not used of it costs no time.
    mutating func reserve(_ count: Int) {
        keys.reserveCapacity(count)
        values.reserveCapacity(count)
    }

    mutating func append(_ key: String, _ value: PropertyListValue) {
        if isSorted, let last = keys.indices.last, !(keys[last] < key) { isSorted = false }
        keys.append(key)
        values.append(value)
    }

    /// Which one of several equal keys counts.
    enum Winner { case first, last }

    consuming func dictionary(of winner: Winner) -> [String: PropertyListValue] {
        var result = [String: PropertyListValue](minimumCapacity: keys.count)
        if isSorted {
            while let key = keys.popLast(), let value = values.popLast() {
                result.updateValue(value, forKey: key)
            }
            return result
        }
        for (key, value) in zip(keys, values) where winner == .last || result[key] == nil {
            result[key] = value
        }
        return result
    }
}

/// Keys of a file that are asked for again and again, each read once, however long it is or however
/// much stands before it.
struct KnownKeys {
    private var keys: [Int: String] = [:]

    mutating func key(_ index: Int, reading: (Int) -> String) -> String {
        if let key = keys[index] { return key }
        let key = reading(index)
        keys[index] = key
        return key
    }
}

/// The first index, from one on, whose key is not below another, where the keys are sorted. It is
/// looked for in steps that double, so that many keys in sorted order are found in one walk.
func firstIndex(notBelow key: String, from start: Int, count: Int, keyAt: (Int) -> String) -> Int {
    var low = start
    var step = 1
    while low + step <= count, keyAt(low + step - 1) < key {
        low += step
        step *= 2
    }
    var high = min(low + step - 1, count)
    while low < high {
        let middle = low + (high - low) / 2
        if keyAt(middle) < key { low = middle + 1 } else { high = middle }
    }
    return low
}

/// Where the entries of a dictionary are, in the order in which they are written: that of their keys.
/// Several times as fast as `sorted`.
public func sortedByKey(
    _ entries: [String: PropertyListValue]
) -> [Dictionary<String, PropertyListValue>.Index] {
    var order: [SortKey] = []
    order.reserveCapacity(entries.count)
    for index in entries.indices {
        guard let key = SortKey(entries.keys[index], index) else {
            return entries.indices.sorted { entries.keys[$0] < entries.keys[$1] }
        }
        order.append(key)
    }
    order.sort { a, b in
        if a.start != b.start { return a.start < b.start }
        return a.next != b.next ? a.next < b.next : entries.keys[a.index] < entries.keys[b.index]
    }
    return order.map(\.index)
}

/// The first 16 bytes of a key of ASCII, as two numbers that compare as the bytes do.
private struct SortKey {
    let start: UInt64
    let next: UInt64
    let index: Dictionary<String, PropertyListValue>.Index

    /// Nil for other keys, whose order is not that of their bytes.
    init?(_ key: String, _ index: Dictionary<String, PropertyListValue>.Index) {
        var (start, next): (UInt64, UInt64) = (0, 0)
        var seen: UInt8 = 0
        var count: UInt64 = 0
        for byte in key.utf8 {
            seen |= byte
            if count < 8 {
                start |= UInt64(byte) << (56 - 8 * count)
            } else if count < 16 {
                next |= UInt64(byte) << (120 - 8 * count)
            }
            count += 1
        }
        guard seen < 0x80 else { return nil }
        (self.start, self.next, self.index) = (start, next, index)
    }
}

extension String {
    /// Whether more combining marks than that follow each other.
    func hasCombiningMarks(moreThan limit: Int) -> Bool {
        // Each takes two bytes or more.
        guard utf8.count / 2 > limit else { return false }
        var count = 0
        for scalar in unicodeScalars {
            count = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : count + 1
            if count > limit { return true }
        }
        return false
    }
}

extension PropertyListLimits {
    /// What is wrong with a key; nil if nothing is.
    func problem(withKey key: String) -> String? {
        guard key.hasCombiningMarks(moreThan: combiningMarks) else { return nil }
        return "found a key with more than \(combiningMarks) combining marks in a row"
    }
}
