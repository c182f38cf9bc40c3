import FoundationEssentials

/// Reads the values of a binary property list.
///
/// Foundation's reader is not used because a hostile file of 47 bytes crashes it, and one of 193 bytes
/// with shared references makes it hang. So this reader checks everything before it follows it:
///
/// - Integers of 1, 2 and 4 bytes are unsigned, those of 8 and 16 bytes are signed, as in Foundation.
/// - A real of 4 bytes becomes the same number in 8 bytes.
/// - A date keeps its fraction of a second. A date that is not a finite number is refused.
/// - If two keys are equal, the first one wins.
/// - A shared object that may be long is read at most twice and then reused, so time and memory follow
///   the file's size. The number of values and bytes, with every reference counted, is limited too, to
///   protect code that walks over them.
/// - Overlapping objects are refused if their lengths add up to more than twice the file.
struct BinaryReader {
    let file: BinaryFile
    let limits: PropertyListLimits

    private enum State { case new, open, seen }
    private var states: [State]
    private var shared: [Int: Shared] = [:]
    /// Keys that were checked for combining marks.
    private var longKeys: Set<Int> = []
    private var repeatedKeys = RepeatedKeys()
    /// The cost of all values that were read so far, with every reference counted.
    private(set) var cost = BinaryCost()
    private let maximum: BinaryCost
    /// The bytes of the objects that were read so far, each object counted once.
    private var objectBytes = 0
    /// The greatest depth since this was last reset.
    private var deepestLevel = 0

    private struct Shared {
        let value: PropertyListValue
        let cost: BinaryCost
        let height: Int
    }

    init(_ file: BinaryFile, limits: PropertyListLimits) {
        self.file = file
        self.limits = limits
        states = Array(repeating: .new, count: file.objectCount)
        maximum = .maximum(limits, fileSize: file.bytes.count)
    }

    static func read(
        _ bytes: [UInt8],
        limits: PropertyListLimits
    ) throws(PropertyListError) -> PropertyListValue {
        let file = try BinaryFile(bytes)
        var reader = BinaryReader(file, limits: limits)
        return try reader.readValue(file.topObject, depth: 0)
    }

    /// Reads the start of the top dictionary. Its entries can then be read with `readEntry`.
    mutating func openTop() throws(PropertyListError) -> BinaryObject {
        let top = try file.topDictionary()
        try countObject(file.topObject, top)
        guard limits.depth >= 1 else { throw tooDeep(top) }
        states[file.topObject] = .open
        return top
    }

    /// Reads an entry of a dictionary.
    ///
    /// - Parameter depth: The number of arrays and dictionaries around the value, including that
    ///   dictionary.
    mutating func readEntry(
        _ index: Int,
        of dictionary: BinaryObject,
        count entries: Int,
        depth: Int
    ) throws(PropertyListError) -> (key: String, value: PropertyListValue) {
        let key = try readKey(try file.reference(index, of: dictionary))
        let value = try readValue(try file.reference(entries + index, of: dictionary), depth: depth)
        return (key, value)
    }

    /// Counts a value that is not read by ``readValue(_:depth:)``.
    mutating func countUnread(_ index: Int, _ object: BinaryObject) throws(PropertyListError) {
        try countObject(index, object)
        states[index] = .seen
    }

    /// Whether no reference to the object was followed so far.
    func isNew(_ index: Int) -> Bool { states[index] == .new }

    /// Counts an object before it is read.
    @inline(__always)
    private mutating func countObject(_ index: Int, _ object: BinaryObject) throws(PropertyListError) {
        try count(BinaryCost(values: 1, bytes: object.range.count), at: object)
        guard states[index] == .new else { return }
        objectBytes += object.range.count
        guard objectBytes / 2 <= file.bytes.count else {
            throw BinaryFile.malformed(object.start, "found a value that overlaps others")
        }
    }

    @inline(__always)
    private mutating func count(_ cost: BinaryCost, at object: BinaryObject) throws(PropertyListError) {
        self.cost += cost
        guard self.cost.isWithin(maximum) else { throw tooLarge(object) }
    }

    private func tooLarge(_ object: BinaryObject) -> PropertyListError {
        PropertyListError(
            .offset(object.start),
            .limitExceeded,
            "shared objects add up to more values or bytes than a file of this size may have"
        )
    }
}

/// The size of a file's values if every reference is counted.
struct BinaryCost: Sendable {
    var values = 0
    /// The bytes of the objects.
    var bytes = 0

    static func += (a: inout Self, b: Self) {
        a.values += b.values
        a.bytes += b.bytes
    }

    static func - (a: Self, b: Self) -> Self {
        BinaryCost(values: a.values - b.values, bytes: a.bytes - b.bytes)
    }

    /// The largest cost that a file of the given size may have.
    static func maximum(_ limits: PropertyListLimits, fileSize: Int) -> Self {
        let (product, overflow) = fileSize.multipliedReportingOverflow(by: limits.expansion)
        let expanded = overflow ? .max : product
        return BinaryCost(values: expanded, bytes: max(expanded, limits.size))
    }

    func isWithin(_ maximum: Self) -> Bool { values <= maximum.values && bytes <= maximum.bytes }
}

extension BinaryReader {
    private func tooDeep(_ object: BinaryObject) -> PropertyListError {
        PropertyListError(
            .offset(object.start),
            .limitExceeded,
            limits.depthProblem
        )
    }

    mutating func readKey(_ index: Int) throws(PropertyListError) -> String {
        let object = try file.object(index)
        guard object.kind.isString else {
            throw PropertyListError(
                .offset(object.start),
                .unsupported,
                "found a key that is not a string"
            )
        }
        guard case .string(let key) = try readValue(index, depth: 0) else { return "" }
        // A long key is checked once, even if many dictionaries share it.
        if key.utf8.count / 2 > limits.combiningMarks, longKeys.insert(index).inserted,
            let problem = limits.problem(withKey: key)
        {
            throw PropertyListError(.offset(object.start), .limitExceeded, problem)
        }
        return key
    }

    mutating func readValue(_ index: Int, depth: Int) throws(PropertyListError) -> PropertyListValue {
        try readValue(index, try file.object(index), depth: depth)
    }

    mutating func readValue(
        _ index: Int,
        _ object: BinaryObject,
        depth: Int
    ) throws(PropertyListError) -> PropertyListValue {
        let state = states[index]
        // Reading a small object again takes no longer than finding it in a table.
        if state == .seen, !object.kind.isSmall, let shared = shared[index] {
            guard depth + shared.height <= limits.depth else { throw tooDeep(object) }
            deepestLevel = max(deepestLevel, depth + shared.height)
            try count(shared.cost, at: object)
            return shared.value
        }
        let before = cost
        try countObject(index, object)
        guard object.kind.isContainer else {
            let value = try file.scalar(object)
            if state == .seen, !object.kind.isSmall {
                shared[index] = Shared(value: value, cost: cost - before, height: 0)
            }
            states[index] = .seen
            return value
        }
        guard state != .open else {
            throw BinaryFile.malformed(object.start, "found an array or dictionary that contains itself")
        }
        guard depth < limits.depth else { throw tooDeep(object) }
        let outer = deepestLevel
        deepestLevel = depth + 1
        states[index] = .open
        let value = try readContainer(object, depth: depth + 1)
        states[index] = .seen
        if state == .seen {
            shared[index] = Shared(value: value, cost: cost - before, height: deepestLevel - depth)
        }
        deepestLevel = max(deepestLevel, outer)
        return value
    }

    private mutating func readContainer(
        _ object: BinaryObject,
        depth: Int
    ) throws(PropertyListError) -> PropertyListValue {
        let count = file.count(of: object)
        if object.kind == .array {
            var elements: [PropertyListValue] = []
            elements.reserveCapacity(count)
            for index in 0..<count {
                elements.append(try readValue(try file.reference(index, of: object), depth: depth))
            }
            return .array(elements)
        }
        var entries = EntryList()
        entries.reserve(count)
        for index in 0..<count {
            let (key, value) = try readEntry(index, of: object, count: count, depth: depth)
            entries.append(key, value)
        }
        try removeRepeated(&entries, of: object)
        return .dictionary(entries.dictionary(keeping: .first))
    }

    /// Removes the entries of a dictionary whose key object an earlier entry has.
    mutating func removeRepeated(
        _ entries: inout EntryList,
        of dictionary: BinaryObject
    ) throws(PropertyListError) {
        // Sorted keys are all different.
        if entries.isSorted { return }
        if let first = try repeatedKeys.firstEntries(of: dictionary, in: file) { entries.keepOnly(first) }
    }
}
