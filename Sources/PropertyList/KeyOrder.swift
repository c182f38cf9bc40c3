/// How the keys of a dictionary stand in a file.
enum KeyOrder {
    /// Each key is greater than the one before it.
    case sorted
    /// No key is there twice.
    case distinct
    case repeated
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

/// The entries of a dictionary in the order in which they are written.
func sortedByKey(
    _ dictionary: [String: PropertyListValue]
) -> [(key: String, value: PropertyListValue)] {
    dictionary.sorted { $0.key < $1.key }
}
