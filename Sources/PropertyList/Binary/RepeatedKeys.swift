/// Finds the entries of a dictionary whose key is the same object as that of an earlier entry.
///
/// Many entries of a small file can refer to one long key. Hashing or comparing that key for each entry
/// would cost far more time than the file's size justifies. Comparing object numbers finds these
/// duplicates without reading the key.
struct RepeatedKeys {
    /// For each object, the number of the last dictionary that had it as a key.
    private var dictionaries: [UInt32] = []
    private var number: UInt32 = 0

    /// The entries whose key object no earlier entry has, or nil if that is all of them.
    mutating func firstEntries(
        of dictionary: BinaryObject,
        in file: BinaryFile
    ) throws(PropertyListError) -> [Int]? {
        if dictionaries.isEmpty { dictionaries = Array(repeating: 0, count: file.objectCount) }
        number += 1
        var entries: [Int]?
        for index in 0..<file.count(of: dictionary) {
            let key = try file.reference(index, of: dictionary)
            if dictionaries[key] == number {
                entries = entries ?? Array(0..<index)
            } else {
                dictionaries[key] = number
                entries?.append(index)
            }
        }
        return entries
    }
}
