import FoundationEssentials

/// Reads the values of a binary property list.
///
/// - Integers of 1, 2 and 4 bytes are without sign, those of 8 and 16 with one, as for Foundation.
/// - A real of 4 bytes is the same number in 8.
/// - Dates keep their fractions; one that is no finite number is refused.
/// - Of two equal keys the first one wins.
/// - An object that is referred to more than once, and may be long, is read at most twice and then
///   shared, so that time and memory follow the size of the file. How many values and bytes they make
///   when each reference is counted is bounded all the same, for the sake of those who walk over them.
/// - Objects that lie over each other, so that together they are longer than two files of that size,
///   are refused.
struct BinaryReader {
    let file: BinaryFile
    let limits: PropertyListLimits

    private enum State { case new, open, seen }
    private var states: [State]
    private var shared: [Int: Shared] = [:]
    /// Objects that are keys and have been checked.
    private var longKeys: Set<Int> = []
    private var repeatedKeys = RepeatedKeys()
    /// Of the values read so far.
    private(set) var cost = BinaryCost()
    private let maximum: BinaryCost
    /// The bytes of the objects read so far, each counted once.
    private var objectBytes = 0
    /// The greatest depth since this was last set back.
    private var deepest = 0

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

    /// Reads what opens the dictionary at the top, for which `readEntry` can be called then.
    mutating func openTop() throws(PropertyListError) -> BinaryObject {
        let top = try file.topDictionary()
        try begin(file.topObject, top)
        guard limits.depth >= 1 else { throw tooDeep(top) }
        states[file.topObject] = .open
        return top
    }

    /// Reads an entry of a dictionary.
    ///
    /// - Parameter depth: The arrays and dictionaries around the value, that dictionary included.
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

    /// Counts a value that need not be read, because it is known or its bytes are taken as they are.
    mutating func pass(_ index: Int, _ object: BinaryObject) throws(PropertyListError) {
        try begin(index, object)
        states[index] = .seen
    }

    /// Whether nothing has referred to it so far.
    func isNew(_ index: Int) -> Bool { states[index] == .new }

    /// Counts an object that is about to be read.
    @inline(__always)
    private mutating func begin(_ index: Int, _ object: BinaryObject) throws(PropertyListError) {
        try count(BinaryCost(values: 1, bytes: object.range.count), at: object)
        guard states[index] == .new else { return }
        objectBytes += object.range.count
        guard objectBytes / 2 <= file.bytes.count else {
            throw BinaryFile.malformed(object.start, "found a value that lies over others")
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
            "shared parts add up to more values or bytes than a file of this size may have"
        )
    }
}

/// What the values of a file take when each reference is counted.
struct BinaryCost: Sendable {
    var values = 0
    /// Of their objects.
    var bytes = 0

    static func += (a: inout Self, b: Self) {
        a.values += b.values
        a.bytes += b.bytes
    }

    static func - (a: Self, b: Self) -> Self {
        BinaryCost(values: a.values - b.values, bytes: a.bytes - b.bytes)
    }

    /// What a file of that size may have at the most.
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
            "more than \(limits.depth) arrays and dictionaries inside each other"
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
        // A long key is looked through once, however many dictionaries have it.
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
        // To read a small one again takes no longer than to look for it.
        if state == .seen, !object.kind.isSmall, let shared = shared[index] {
            guard depth + shared.height <= limits.depth else { throw tooDeep(object) }
            deepest = max(deepest, depth + shared.height)
            try count(shared.cost, at: object)
            return shared.value
        }
        let before = cost
        try begin(index, object)
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
        let outer = deepest
        deepest = depth + 1
        states[index] = .open
        let value = try readContainer(object, depth: depth + 1)
        states[index] = .seen
        if state == .seen {
            shared[index] = Shared(value: value, cost: cost - before, height: deepest - depth)
        }
        deepest = max(deepest, outer)
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
        try leaveOutRepeated(&entries, of: object)
        return .dictionary(entries.dictionary(of: .first))
    }

    /// Leaves out the entries of a dictionary whose key is the same object as that of one before them.
    mutating func leaveOutRepeated(
        _ entries: inout EntryList,
        of dictionary: BinaryObject
    ) throws(PropertyListError) {
        // Of keys that rise none is there twice.
        if entries.isSorted { return }
        if let first = try repeatedKeys.firstEntries(of: dictionary, in: file) { entries.keepOnly(first) }
    }
}
