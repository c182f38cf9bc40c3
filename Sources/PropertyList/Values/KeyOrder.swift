/// How the keys of a dictionary stand in a file.
enum KeyOrder {
    /// Each key is greater than the one before it.
    case sorted
    /// No key is there twice.
    case distinct
    case repeated
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

extension String {
    /// Whether more combining marks than that follow each other.
    @inline(__always)
    func hasCombiningMarks(moreThan limit: Int) -> Bool {
        // Each takes two bytes or more.
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
    /// What is wrong with a key; nil if nothing is.
    @inline(__always)
    func problem(withKey key: String) -> String? {
        guard key.hasCombiningMarks(moreThan: combiningMarks) else { return nil }
        return "found a key with more than \(combiningMarks) combining marks in a row"
    }
}
