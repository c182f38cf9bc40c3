/// Parses a JSON text by the grammar of RFC 8259, without recursion, at once or in small steps.
///
/// A text can be deeply nested, so recursion could exhaust the stack. An editor opens texts of several
/// megabytes, so parsing can stop when its work budget is used up and continue later.
///
/// In addition to the grammar: the bytes must be UTF-8 (RFC 3629); a byte order mark at the start is
/// ignored, as section 8.1 permits; numbers may have any size; an escaped half of a surrogate pair is
/// accepted, as the grammar allows it (section 8.2); names may repeat.
struct JSONReader {
    /// The members of an object with at most this many are searched one by one.
    static let fewMembers = 8

    private var scanner: JSONScanner
    private let limits: PropertyListLimits
    private let maximumCount: Int
    /// The values found so far. It is complete when `resume` returns true.
    private(set) var index = JSONIndex()
    /// The containers around the position, each with the index of its first child in `pending`.
    private var open: [(entry: Int, firstPending: Int)] = []
    /// The children of the open containers.
    private var pending: [UInt32] = []
    private var stage = Stage.start

    /// The next part of the grammar.
    private enum Stage {
        case start
        case value(nameStart: Int)
        case names(Names)
        case afterValue
        case end
        case finished
    }

    /// An object whose names are being compared with one another.
    private struct Names {
        let object: Int
        var next = 0
        /// Finds the first member with a name among the members.
        var firsts: KeyIndex
        /// For each name that repeats, the number of its members so far. The key is the entry of the
        /// first one.
        var counts: [Int: UInt32] = [:]
    }

    /// Creates a reader.
    ///
    /// - Parameter maximumCount: The largest number of values. It keeps a text of commas from taking
    ///   many times its size in memory.
    init(
        _ bytes: [UInt8],
        limits: PropertyListLimits,
        _ dialect: JSONDialect = .strict,
        maximumCount: Int = 1 << 24
    ) {
        scanner = JSONScanner(bytes, dialect)
        self.limits = limits
        self.maximumCount = maximumCount
    }

    var bytes: [UInt8] { scanner.bytes }

    private func closer(of container: Int) -> UInt8 {
        // The ASCII code of an opening bracket is two less than that of its closing bracket.
        bytes[Int(index.entries[container].start)] + 2
    }

    static func read(
        _ bytes: [UInt8],
        limits: PropertyListLimits,
        _ dialect: JSONDialect = .strict,
        maximumCount: Int = 1 << 24
    ) throws(PropertyListError) -> JSONIndex {
        var reader = JSONReader(bytes, limits: limits, dialect, maximumCount: maximumCount)
        var work = Int.max
        while try !reader.resume(&work) {}
        return reader.index
    }

    /// Continues until the work budget is used up, and returns whether everything was read.
    ///
    /// - Parameter work: The budget in bytes. The rest is written back. A string is always read
    ///   completely.
    mutating func resume(_ work: inout Int) throws(PropertyListError) -> Bool {
        while work > 0 {
            let before = scanner.position
            switch stage {
            case .start:
                try readStart()
                stage = .value(nameStart: 0)
            case .value(let nameStart):
                stage = try beginValue(nameStart: nameStart) ? .value(nameStart: readName()) : .afterValue
            case .afterValue: stage = try readAfterValue()
            case .names(let names):
                stage = .end
                stage = compare(names, &work)
            case .end:
                try scanner.skipSpace()
                if scanner.position < bytes.count { throw scanner.unexpected("the end of the text") }
                stage = .finished
            case .finished: return true
            }
            work = max(0, work - (scanner.position - before))
        }
        return false
    }

    private mutating func readStart() throws(PropertyListError) {
        let size = min(limits.size, Int(UInt32.max))
        guard bytes.count <= size else {
            throw scanner.error(
                0,
                .limitExceeded,
                "the text has \(bytes.count) bytes, at most \(size) are read"
            )
        }
        // Avoids moving the entries when the array grows. Unused capacity costs nothing.
        index.entries.reserveCapacity(bytes.count / 12)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.position = 3 }
        try scanner.skipSpace()
    }

    /// Reads a complete value, or the start of a container that is not empty.
    ///
    /// - Returns: Whether a container was opened.
    private mutating func beginValue(nameStart: Int) throws(PropertyListError) -> Bool {
        let number = index.entries.count
        guard number < maximumCount else {
            throw scanner.error(
                scanner.position,
                .limitExceeded,
                "more than \(maximumCount) values are not read"
            )
        }
        guard scanner.position < bytes.count else { throw scanner.unexpected("a value") }
        index.entries.append(JSONEntry(start: UInt32(scanner.position), nameStart: UInt32(nameStart)))
        pending.append(UInt32(number))
        switch bytes[scanner.position] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard open.count < limits.depth else {
                throw scanner.error(
                    scanner.position,
                    .limitExceeded,
                    "objects and arrays are nested more than \(limits.depth) deep"
                )
            }
            open.append((number, pending.count))
            scanner.position += 1
            try scanner.skipSpace()
            if scanner.byte != closer(of: number) { return true }
            endContainer()
            return false
        case UInt8(ascii: "\""): try scanner.skipString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try scanner.skipNumber()
        case UInt8(ascii: "t"): try scanner.skipWord("true")
        case UInt8(ascii: "f"): try scanner.skipWord("false")
        case UInt8(ascii: "n"): try scanner.skipWord("null")
        default: throw scanner.unexpected("a value")
        }
        index.entries[number].end = UInt32(scanner.position)
        return false
    }

    /// After a value, continues with the innermost container or closes it.
    private mutating func readAfterValue() throws(PropertyListError) -> Stage {
        guard let container = open.last else { return .end }
        try scanner.skipSpace()
        let closer = closer(of: container.entry)
        if scanner.byte == UInt8(ascii: ",") {
            scanner.position += 1
            try scanner.skipSpace()
            let isLast = scanner.dialect == .withComments && scanner.byte == closer
            if !isLast { return .value(nameStart: try readName()) }
        }
        guard scanner.byte == closer else {
            throw scanner.unexpected("“,” or “\(Character(UnicodeScalar(closer)))”")
        }
        endContainer()
        return closer == UInt8(ascii: "}") ? findSharedNames(in: container.entry) : .afterValue
    }

    /// Closes the innermost container at its closing bracket.
    private mutating func endContainer() {
        scanner.position += 1
        let (number, firstPending) = open.removeLast()
        index.entries[number].end = UInt32(scanner.position)
        index.entries[number].firstChild = UInt32(index.children.count)
        index.entries[number].childCount = UInt32(pending.count - firstPending)
        index.children += pending[firstPending...]
        pending.removeLast(pending.count - firstPending)
    }

    /// In an object, reads the next name and its colon.
    ///
    /// - Returns: The index at which the name begins, or 0 in an array.
    private mutating func readName() throws(PropertyListError) -> Int {
        guard let container = open.last, closer(of: container.entry) == UInt8(ascii: "}") else { return 0 }
        let nameStart = scanner.position
        guard scanner.byte == UInt8(ascii: "\"") else { throw scanner.unexpected("a name in double quotes") }
        try scanner.skipString()
        // A combining mark takes two bytes or more, so short names need no check.
        if (scanner.position - nameStart) / 2 > limits.combiningMarks,
            let problem = limits.problem(withKey: JSONString.decoded(bytes, at: nameStart))
        {
            throw scanner.error(nameStart, .limitExceeded, problem)
        }
        try scanner.skipSpace()
        guard scanner.byte == UInt8(ascii: ":") else { throw scanner.unexpected("“:”") }
        scanner.position += 1
        try scanner.skipSpace()
        return nameStart
    }

    /// Numbers the members of an object that share a name. For an object with many members, this only
    /// starts the comparison.
    private mutating func findSharedNames(in object: Int) -> Stage {
        let members = members(of: object)
        guard members.count <= Self.fewMembers else {
            return .names(Names(object: object, firsts: KeyIndex(capacity: members.count)))
        }
        for (rank, later) in members.enumerated() {
            let earlier = members[..<(members.startIndex + rank)].filter { hasSameName(Int($0), Int(later)) }
            guard let first = earlier.first else { continue }
            index.entries[Int(first)].duplicateNumber = 1
            index.entries[Int(later)].duplicateNumber = UInt32(earlier.count + 1)
        }
        return .afterValue
    }

    private func members(of object: Int) -> ArraySlice<UInt32> {
        let first = Int(index.entries[object].firstChild)
        return index.children[first..<first + Int(index.entries[object].childCount)]
    }

    private mutating func compare(_ names: consuming Names, _ work: inout Int) -> Stage {
        let members = members(of: names.object)
        while names.next < members.count {
            guard work > 0 else { return .names(names) }
            work -= 24
            let member = Int(members[members.startIndex + names.next])
            let hash = JSONString.keyHash(bytes, at: Int(index.entries[member].nameStart))
            let first = names.firsts.firstPosition(hash) { position in
                hasSameName(Int(members[members.startIndex + position]), member)
            }
            if let first {
                let first = Int(members[members.startIndex + first])
                names.counts[first, default: 1] += 1
                index.entries[first].duplicateNumber = 1
                index.entries[member].duplicateNumber = names.counts[first] ?? 0
            } else {
                names.firsts.insert(names.next, hash)
            }
            names.next += 1
        }
        index.members[names.object] = names.firsts
        return .afterValue
    }

    private func hasSameName(_ a: Int, _ b: Int) -> Bool {
        var a = Int(index.entries[a].nameStart) + 1
        var b = Int(index.entries[b].nameStart) + 1
        let starts = (a - 1, b - 1)
        while true {
            let x = bytes[a]
            let y = bytes[b]
            // A name can be escaped in several ways, and Unicode has several forms of some characters.
            if x == UInt8(ascii: "\\") || y == UInt8(ascii: "\\") || x >= 0x80 || y >= 0x80 {
                return JSONString.decoded(bytes, at: starts.0) == JSONString.decoded(bytes, at: starts.1)
            }
            if x != y {
                // A combining mark might follow the difference, but then the names differ too.
                return false
            }
            if x == UInt8(ascii: "\"") { return true }
            a += 1
            b += 1
        }
    }
}
