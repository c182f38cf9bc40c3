/// Finds the entries of dictionaries whose key is the same object as that of an entry before them.
///
/// That such keys are equal is known without a look at their bytes. A file has them once, however many they are
/// and however many entries refer to them, so that to hash or to compare them for each entry would take longer
/// than the size of the file warrants.
struct RepeatedKeys {
    /// Of each object the last dictionary that had it as a key, in the order in which they were asked about.
    private var dictionaries: [UInt32] = []
    private var number: UInt32 = 0

    /// The entries whose key is that of no entry before them; nil where those are all.
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
