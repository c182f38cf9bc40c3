/// Reads a JSON text by the grammar of RFC 8259, without recursion, in one go or a little at a time.
///
/// Beyond the grammar: bytes must be UTF-8 (RFC 3629); a byte order mark at the start is passed
/// over, as section 8.1 allows; numbers may have any size, as nobody computes with them here; an
/// escaped half of a surrogate pair is accepted alone, as the grammar has it; names may repeat.
struct JSONReader {
    /// Objects with up to this many members are searched one by one.
    static let fewMembers = 8

    private var scanner: JSONScanner
    private let limits: PropertyListLimits
    private let maximumCount: Int
    /// What has been read; all of it once there is nothing left.
    private(set) var index = JSONIndex()
    /// The containers around the position, each with where its children begin in `pending`.
    private var open: [(entry: Int, firstPending: Int)] = []
    /// The children of open containers.
    private var pending: [UInt32] = []
    private var stage = Stage.start

    /// What comes next.
    private enum Stage {
        case start
        case value(nameStart: Int)
        case names(Names)
        case behindValue
        case end
        case over
    }

    /// An object whose names are being compared with each other.
    private struct Names {
        let object: Int
        var next = 0
        /// Where among the children they are first.
        var firsts: KeyIndex
        /// Of those that are there several times, how often until now, by the number of the first.
        var counts: [Int: UInt32] = [:]
    }

    /// - Parameter maximumCount: How many values are read, which keeps a text that is all commas from
    ///   taking many times its size.
    init(_ bytes: [UInt8], limits: PropertyListLimits, maximumCount: Int = 1 << 24) {
        scanner = JSONScanner(bytes)
        self.limits = limits
        self.maximumCount = maximumCount
    }

    var bytes: [UInt8] { scanner.bytes }

    private func closer(of container: Int) -> UInt8 {
        // An opening bracket's code is two below its closing one's.
        bytes[Int(index.entries[container].start)] + 2
    }

    static func read(
        _ bytes: [UInt8],
        limits: PropertyListLimits,
        maximumCount: Int = 1 << 24
    ) throws(PropertyListError) -> JSONIndex {
        var reader = JSONReader(bytes, limits: limits, maximumCount: maximumCount)
        var work = Int.max
        while try !reader.goOn(&work) {}
        return reader.index
    }

    /// Goes on for a while and tells whether all has been read.
    ///
    /// - Parameter work: How many bytes are to be read, or what takes as long; what is left of that is
    ///   handed back. A string is read as a whole.
    mutating func goOn(_ work: inout Int) throws(PropertyListError) -> Bool {
        while work > 0 {
            let before = scanner.position
            switch stage {
            case .start:
                try readStart()
                stage = .value(nameStart: 0)
            case .value(let nameStart):
                stage = try beginValue(nameStart: nameStart) ? .value(nameStart: readName()) : .behindValue
            case .behindValue: stage = try readBehindValue()
            case .names(let names):
                stage = .end
                stage = compare(names, &work)
            case .end:
                scanner.skipSpace()
                if scanner.position < bytes.count { throw scanner.unexpected("the end of the text") }
                stage = .over
            case .over: return true
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
        // So that it need not be moved when it grows; what is not used of it costs nothing.
        index.entries.reserveCapacity(bytes.count / 12)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.position = 3 }
        scanner.skipSpace()
    }

    /// Reads a whole value, or the start of a container that isn't empty.
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
            scanner.skipSpace()
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

    /// After a value: goes on in the innermost container, or closes it.
    private mutating func readBehindValue() throws(PropertyListError) -> Stage {
        guard let container = open.last else { return .end }
        scanner.skipSpace()
        if scanner.byte == UInt8(ascii: ",") {
            scanner.position += 1
            scanner.skipSpace()
            return .value(nameStart: try readName())
        }
        let closer = closer(of: container.entry)
        guard scanner.byte == closer else {
            throw scanner.unexpected("“,” or “\(Character(UnicodeScalar(closer)))”")
        }
        endContainer()
        return closer == UInt8(ascii: "}") ? findTwins(in: container.entry) : .behindValue
    }

    /// At the closing bracket of the innermost container.
    private mutating func endContainer() {
        scanner.position += 1
        let (number, firstPending) = open.removeLast()
        index.entries[number].end = UInt32(scanner.position)
        index.entries[number].firstChild = UInt32(index.children.count)
        index.entries[number].childCount = UInt32(pending.count - firstPending)
        index.children += pending[firstPending...]
        pending.removeLast(pending.count - firstPending)
    }

    /// In an object, reads the name before a value and its colon.
    ///
    /// - Returns: Where the name starts; 0 in an array.
    private mutating func readName() throws(PropertyListError) -> Int {
        guard let container = open.last, closer(of: container.entry) == UInt8(ascii: "}") else { return 0 }
        let nameStart = scanner.position
        guard scanner.byte == UInt8(ascii: "\"") else { throw scanner.unexpected("a name in double quotes") }
        try scanner.skipString()
        // A mark takes two bytes or more, so that shorter names need no look.
        if (scanner.position - nameStart) / 2 > limits.combiningMarks,
            let problem = limits.problem(withKey: JSONString.decoded(bytes, at: nameStart))
        {
            throw scanner.error(nameStart, .limitExceeded, problem)
        }
        scanner.skipSpace()
        guard scanner.byte == UInt8(ascii: ":") else { throw scanner.unexpected("“:”") }
        scanner.position += 1
        scanner.skipSpace()
        return nameStart
    }

    /// Marks the members of an object that share a name, or begins to, where they are more than a few.
    private mutating func findTwins(in object: Int) -> Stage {
        let members = members(of: object)
        guard members.count <= Self.fewMembers else {
            return .names(Names(object: object, firsts: KeyIndex(capacity: members.count)))
        }
        for (rank, later) in members.enumerated() {
            let earlier = members[..<(members.startIndex + rank)].filter { hasSameName(Int($0), Int(later)) }
            guard let first = earlier.first else { continue }
            index.entries[Int(first)].twin = 1
            index.entries[Int(later)].twin = UInt32(earlier.count + 1)
        }
        return .behindValue
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
            let first = names.firsts.place(hash) { place in
                hasSameName(Int(members[members.startIndex + place]), member)
            }
            if let first {
                let first = Int(members[members.startIndex + first])
                names.counts[first, default: 1] += 1
                index.entries[first].twin = 1
                index.entries[member].twin = names.counts[first] ?? 0
            } else {
                names.firsts.insert(names.next, hash)
            }
            names.next += 1
        }
        index.members[names.object] = names.firsts
        return .behindValue
    }

    private func hasSameName(_ a: Int, _ b: Int) -> Bool {
        var a = Int(index.entries[a].nameStart) + 1
        var b = Int(index.entries[b].nameStart) + 1
        let starts = (a - 1, b - 1)
        while true {
            let x = bytes[a]
            let y = bytes[b]
            // Escapes spell a name in several ways, Unicode spells a character in several.
            if x == UInt8(ascii: "\\") || y == UInt8(ascii: "\\") || x >= 0x80 || y >= 0x80 {
                return JSONString.decoded(bytes, at: starts.0) == JSONString.decoded(bytes, at: starts.1)
            }
            if x != y {
                // A combining mark could still follow what differs, in which case the names differ too.
                return false
            }
            if x == UInt8(ascii: "\"") { return true }
            a += 1
            b += 1
        }
    }
}
