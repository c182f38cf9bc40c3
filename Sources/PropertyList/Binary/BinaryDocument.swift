/// A suite's file in binary format.
///
/// A change copies the unchanged objects byte for byte, except for the references in arrays and
/// dictionaries, and leaves out objects that nothing refers to. So shared objects stay shared, and
/// removed values do not remain in the file. Encoding all values again would lose the sharing and take
/// longer.
struct BinaryDocument: Sendable {
    let file: BinaryFile
    let limits: PropertyListLimits
    let order: KeyOrder
    /// The cost of its values, or more.
    let cost: BinaryCost

    var bytes: [UInt8] { file.bytes }
}

extension BinaryDocument {
    /// Returns the document with another file. With an empty one, it is an outline.
    func with(file: BinaryFile) -> BinaryDocument {
        BinaryDocument(file: file, limits: limits, order: order, cost: cost)
    }
}

extension BinaryDocument {
    /// Creates an empty dictionary.
    init(limits: PropertyListLimits) {
        self.init(file: BinaryFile(), limits: limits, order: .sorted, cost: BinaryCost())
    }

    static func read(
        _ bytes: [UInt8],
        limits: PropertyListLimits
    ) throws(PropertyListError) -> (document: BinaryDocument, values: PropertyListEntries) {
        let file = try BinaryFile(bytes)
        var reader = BinaryReader(file, limits: limits)
        let top = try reader.openTop()
        let count = file.count(of: top)
        var entries = EntryList()
        entries.reserve(count)
        for index in 0..<count {
            let (key, value) = try reader.readStoredEntry(index, of: top, count: count, &entries.packed)
            entries.append(key, value)
        }
        let isSorted = entries.isSorted
        try reader.removeRepeated(&entries, of: top)
        let values = entries.entries(keeping: .first)
        let order: KeyOrder = isSorted ? .sorted : values.count < count ? .repeated : .distinct
        return (BinaryDocument(file: file, limits: limits, order: order, cost: reader.cost), values)
    }

    func value(forKey key: String) -> PropertyListValue? {
        // Errors are not possible below, because the same bytes were read before.
        guard let top = try? file.topDictionary() else { return nil }
        let count = file.count(of: top)
        var index: Int?
        if order == .sorted {
            let candidate = indexNotBelow(key, from: 0, count: count) { file.key($0, of: top) }
            if candidate < count, file.key(candidate, of: top) == key { index = candidate }
        } else {
            let entries = order == .repeated ? firstEntries(of: top) : Array(0..<count)
            index = entries.first { file.key($0, of: top) == key }
        }
        guard let index else { return nil }
        var reader = BinaryReader(file, limits: limits)
        return try? reader.readEntry(index, of: top, count: count, depth: 1).value
    }
}

extension BinaryFile {
    /// A key of a dictionary that was read before, so an error is not possible here.
    func key(_ index: Int, of dictionary: BinaryObject) -> String {
        guard let reference = try? reference(index, of: dictionary), let object = try? object(reference)
        else { return "" }
        return (try? string(object)) ?? ""
    }
}

extension BinaryDocument {
    /// The entries whose key object no earlier entry has.
    func firstEntries(of top: BinaryObject) -> [Int] {
        var repeated = RepeatedKeys()
        // This cannot fail, because the same bytes were read before.
        return (try? repeated.firstEntries(of: top, in: file)) ?? Array(0..<file.count(of: top))
    }
}
