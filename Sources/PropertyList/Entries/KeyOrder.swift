/// The order of a dictionary's keys in a file.
enum KeyOrder {
    /// Each key is greater than the previous one.
    case sorted
    /// Not sorted, and no key occurs twice.
    case distinct
    case repeated
}

/// Caches keys that are read from a file several times. Each is decoded once, even if it is long or
/// comes after many other objects.
struct KeyCache {
    private var keys: [Int: String] = [:]

    mutating func key(_ index: Int, reading: (Int) -> String) -> String {
        if let key = keys[index] { return key }
        let key = reading(index)
        keys[index] = key
        return key
    }
}

/// Returns the first index, starting at `start`, whose key is not less than the given key. The keys
/// must be sorted.
///
/// The step doubles during the search, so looking up many sorted keys in turn takes one walk over the
/// list.
func indexNotBelow(_ key: String, from start: Int, count: Int, keyAt: (Int) -> String) -> Int {
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

extension String {
    /// Whether more than `limit` combining marks follow one another.
    @inline(__always)
    func hasCombiningMarks(moreThan limit: Int) -> Bool {
        // Each mark takes two bytes or more.
        utf8.count / 2 > limit && hasManyCombiningMarks(moreThan: limit)
    }

    private func hasManyCombiningMarks(moreThan limit: Int) -> Bool {
        var count = 0
        for scalar in unicodeScalars {
            count = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : count + 1
            if count > limit { return true }
        }
        return false
    }
}

extension PropertyListLimits {
    /// Returns what is wrong with a key, or nil if nothing is.
    @inline(__always)
    func problem(withKey key: String) -> String? {
        guard key.hasCombiningMarks(moreThan: combiningMarks) else { return nil }
        return "found a key with more than \(combiningMarks) combining marks in a row"
    }
}
