/// A suite's file in the binary format.
///
/// A change copies the objects that stay as they are, byte by byte but for the references in arrays
/// and dictionaries, and leaves out what nothing refers to any more. So objects that were shared
/// stay shared, and nothing that was removed lingers in the file.
struct BinaryDocument: Sendable {
    private(set) var file: BinaryFile
    let limits: PropertyListLimits
    private(set) var order: KeyOrder
    /// Of its values, or more.
    private(set) var cost: BinaryCost

    init(file: BinaryFile, limits: PropertyListLimits, order: KeyOrder, cost: BinaryCost) {
        self.file = file
        self.limits = limits
        self.order = order
        self.cost = cost
    }

    var bytes: [UInt8] { file.bytes }

    /// Changes the bytes in place; they have to be those of a file then.
    mutating func withBytes(_ change: (inout [UInt8]) -> Void) {
        var bytes = file.bytes
        // Held once only, so that they are not copied.
        file = BinaryFile()
        change(&bytes)
        // A file that can't be framed would be a fault of this code.
        file = (try? BinaryFile(bytes)) ?? BinaryFile()
    }

    mutating func add(_ cost: BinaryCost) { self.cost += cost }
}

/// What of a ``BinaryDocument`` is left without its bytes.
struct BinaryOutline: Sendable {
    fileprivate let limits: PropertyListLimits
    fileprivate let order: KeyOrder
    fileprivate let cost: BinaryCost
}

extension BinaryDocument {
    var outline: BinaryOutline { BinaryOutline(limits: limits, order: order, cost: cost) }

    init(bytes: [UInt8], _ outline: BinaryOutline) throws(PropertyListError) {
        self.init(
            file: try BinaryFile(bytes),
            limits: outline.limits,
            order: outline.order,
            cost: outline.cost
        )
    }
}

extension BinaryDocument {
    /// An empty dictionary.
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
        try reader.leaveOutRepeated(&entries, of: top)
        let values = entries.table(of: .first)
        let order: KeyOrder = isSorted ? .sorted : values.count < count ? .repeated : .distinct
        return (BinaryDocument(file: file, limits: limits, order: order, cost: reader.cost), values)
    }

    func value(forKey key: String) -> PropertyListValue? {
        // What was read once can be read again.
        guard let top = try? file.topDictionary() else { return nil }
        let count = file.count(of: top)
        var index: Int?
        if order == .sorted {
            let candidate = firstIndex(notBelow: key, from: 0, count: count) { file.key($0, of: top) }
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
    /// A key of a dictionary that was read once, so that an error here would be a fault of this code.
    func key(_ index: Int, of dictionary: BinaryObject) -> String {
        guard let reference = try? reference(index, of: dictionary), let object = try? object(reference)
        else { return "" }
        return (try? string(object)) ?? ""
    }
}

extension BinaryDocument {
    /// Sets keys, or removes them where the value is nil, and tells whether that changed anything.
    mutating func apply(_ changes: [String: PropertyListValue?]) throws(PropertyListError) -> Bool {
        let top = try file.topDictionary()
        let count = file.count(of: top)
        let (entries, twins) = order == .sorted ? (nil, 0) : sortedEntries(of: top)
        let length = entries?.count ?? count
        func entry(_ position: Int) -> Int { entries?[position] ?? position }

        // What stands in the new file: entries of this one, or some of the changes, under a key that is there where
        // that has twins.
        enum Item {
            case kept(Range<Int>)
            case set(Range<Int>, key: Int?)
        }
        var items: [Item] = []
        var newCount = length
        var newTwins = twins
        var newObjects = 0
        var from = 0
        var known = KnownKeys()
        var reader = BinaryReader(file, limits: limits)
        let sorted = sortedByKey(changes)
        // Those that come behind all keys of the file need not be looked for.
        var rest = sorted.indices
        while from < length, let number = rest.popFirst() {
            let (key, value) = sorted[number]
            func knownKey(_ position: Int) -> String {
                known.key(position) { file.key(entry($0), of: top) }
            }
            let position = firstIndex(notBelow: key, from: from, count: length, keyAt: knownKey)
            let isPresent = position < length && knownKey(position) == key
            // Each entry is read once at the most, so that they exceed no limit now either.
            let present =
                isPresent ? try reader.readEntry(entry(position), of: top, count: count, depth: 1).value : nil
            if present == value { continue }
            if from < position || items.isEmpty { items.append(.kept(from..<position)) }
            // Removed is the key in all its Unicode forms, set the one that counts.
            from = isPresent ? position + 1 : position
            while isPresent, value == nil, twins > 0, from < length, knownKey(from) == key { from += 1 }
            newCount -= from - position
            newTwins -= max(0, from - position - 1)
            guard let value else { continue }
            items.append(.set(number..<number + 1, key: isPresent && twins > 0 ? entry(position) : nil))
            newCount += 1
            newObjects += try objectCount(of: value, forKey: key)
        }
        var isChange = !items.isEmpty
        for case (let key, let value?) in sorted[rest] {
            isChange = true
            newCount += 1
            newObjects += try objectCount(of: value, forKey: key)
        }
        guard isChange else { return false }
        items += [.kept(from..<length), .set(rest, key: nil)]

        var writer = BinaryWriter(objectCount: file.objectCount + newObjects, limits: limits)
        writer.reserve(min(limits.size, file.bytes.count + 16 * newObjects + 64))
        var copies = [Int32](repeating: -1, count: file.objectCount)
        let (_, references) = try writer.openDictionary(count: newCount)
        var next = 0
        var newBytes = 0
        for item in items {
            switch item {
            case .kept(let range):
                for position in range {
                    let key = try file.reference(entry(position), of: top)
                    writer.fill(references, next, try writer.copy(key, from: file, &copies))
                    let value = try file.reference(count + entry(position), of: top)
                    writer.fill(references, newCount + next, try writer.copy(value, from: file, &copies))
                    next += 1
                }
            case .set(let numbers, let known):
                let start = writer.output.count
                for case (let key, let value?) in sorted[numbers] {
                    do {
                        let name =
                            if let known {
                                try writer.copy(try file.reference(known, of: top), from: file, &copies)
                            } else {
                                try writer.append(key: key, depth: 0)
                            }
                        writer.fill(references, next, name)
                        writer.fill(references, newCount + next, try writer.append(value, depth: 1))
                    } catch {
                        throw error.below(.key(key))
                    }
                    next += 1
                }
                newBytes += writer.output.count - start
            }
        }
        let changed = try BinaryFile(try writer.finish())
        cost += BinaryCost(values: newObjects, bytes: newBytes)
        if cost.isWithin(.maximum(limits, fileSize: changed.bytes.count)) {
            file = changed
            order = newTwins > 0 ? .repeated : .sorted
        } else {
            self = try readable(changed, changes)
        }
        return true
    }

    /// The objects that an entry will take.
    private func objectCount(
        of value: PropertyListValue,
        forKey key: String
    ) throws(PropertyListError) -> Int {
        do {
            return 1 + (try BinaryWriter.objectCount(of: value, depth: 1, limits: limits))
        } catch {
            throw error.below(.key(key))
        }
    }

    /// Without what nothing refers to any more, a file may have become too small for all that it
    /// shares. Then it is written without sharing.
    private func readable(
        _ changed: BinaryFile,
        _ changes: [String: PropertyListValue?]
    ) throws(PropertyListError) -> BinaryDocument {
        if let document = try? BinaryDocument.read(changed.bytes, limits: limits).document { return document }
        var values = try BinaryDocument.read(bytes, limits: limits).values
        for (key, value) in changes { values[key] = value }
        let bytes = try BinaryWriter.write(.dictionary([String: PropertyListValue](values)), limits: limits)
        return try BinaryDocument.read(bytes, limits: limits).document
    }

    /// The entries in sorted order, and how many of them have the same key as the one before. Of keys with the same
    /// bytes the first one is there alone. Others that Unicode calls equivalent are different keys for programs
    /// that compare them otherwise.
    private func sortedEntries(of top: BinaryObject) -> (entries: [Int], twins: Int) {
        let first = firstEntries(of: top)
        let keys = first.map { file.key($0, of: top) }
        let sorted = keys.indices.sorted { keys[$0] == keys[$1] ? $0 < $1 : keys[$0] < keys[$1] }
        var entries: [Int] = []
        var twins = 0
        // The spellings of the last key.
        var spellings: Set<[UInt8]> = []
        for (place, index) in sorted.enumerated() {
            let isTwin = place > 0 && keys[sorted[place - 1]] == keys[index]
            let isNext = place + 1 < sorted.count && keys[sorted[place + 1]] == keys[index]
            if !isTwin { spellings = [] }
            // Most keys have no twin.
            if isTwin || isNext, !spellings.insert(Array(keys[index].utf8)).inserted { continue }
            twins += isTwin ? 1 : 0
            entries.append(first[index])
        }
        return (entries, twins)
    }

    /// The entries whose key is not the same object as that of one before them.
    private func firstEntries(of top: BinaryObject) -> [Int] {
        var repeated = RepeatedKeys()
        // What was read once can be read again.
        return (try? repeated.firstEntries(of: top, in: file)) ?? Array(0..<file.count(of: top))
    }
}
