/// What a ``JSONDocument`` knows about one value; positions are bytes of its text.
struct JSONEntry: Sendable {
    /// The first byte of the value.
    var start: UInt32
    /// After its last byte.
    var end: UInt32 = 0
    /// The opening quote of the member's name; 0 for what is no member (an object's brace comes
    /// before any name, so that none starts at 0).
    var nameStart: UInt32
    /// Where its children's numbers begin in ``JSONIndex/children``.
    var firstChild: UInt32 = 0
    var childCount: UInt32 = 0
    var hasTwin = false
}

/// Where everything lies in a JSON text.
struct JSONIndex: Sendable {
    /// In the order of the text; the first is the root.
    var entries: [JSONEntry] = []
    /// The entries' numbers, those of one container side by side.
    var children: [UInt32] = []
    /// The first member of each name, for the objects that have more than a few.
    var members: [Int: [String: Int]] = [:]
}

/// Reads a JSON text by the grammar of RFC 8259, without recursion.
///
/// Beyond the grammar: bytes must be UTF-8 (RFC 3629); a byte order mark at the start is passed
/// over, as section 8.1 allows; numbers may have any size, as nobody computes with them here; an
/// escaped half of a surrogate pair is accepted alone, as the grammar has it; names may repeat.
struct JSONReader {
    /// Objects with up to this many members are searched one by one.
    static let fewMembers = 8

    private let bytes: [UInt8]
    private let limits: PropertyListLimits
    private let maximumCount: Int
    private var position = 0
    private var index = JSONIndex()
    /// The containers around the position, each with where its children begin in `pending`.
    private var open: [(entry: Int, firstPending: Int)] = []
    /// The children of open containers.
    private var pending: [UInt32] = []

    /// - Parameter maximumCount: How many values are read, which keeps a text that is all commas from
    ///   taking many times its size.
    static func read(
        _ bytes: [UInt8],
        limits: PropertyListLimits,
        maximumCount: Int = 1 << 24
    ) throws(PropertyListError) -> JSONIndex {
        var reader = JSONReader(bytes: bytes, limits: limits, maximumCount: maximumCount)
        try reader.readText()
        return reader.index
    }

    private init(bytes: [UInt8], limits: PropertyListLimits, maximumCount: Int) {
        self.bytes = bytes
        self.limits = limits
        self.maximumCount = maximumCount
    }

    private mutating func readText() throws(PropertyListError) {
        let size = min(limits.size, Int(UInt32.max))
        guard bytes.count <= size else {
            throw error(0, .limitExceeded, "the text has \(bytes.count) bytes, at most \(size) are read")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        skipSpace()
        var nameStart = 0
        repeat {
            let hasOpened = try beginValue(nameStart: nameStart)
            let hasMore = if hasOpened { true } else { try endContainers() }
            if hasMore { nameStart = try readName() }
        } while !open.isEmpty
        skipSpace()
        if position < bytes.count { throw unexpected("the end of the text") }
    }

    /// Reads a whole value, or the start of a container that isn't empty.
    ///
    /// - Returns: Whether a container was opened.
    private mutating func beginValue(nameStart: Int) throws(PropertyListError) -> Bool {
        let number = index.entries.count
        guard number < maximumCount else {
            throw error(position, .limitExceeded, "more than \(maximumCount) values are not read")
        }
        guard position < bytes.count else { throw unexpected("a value") }
        index.entries.append(JSONEntry(start: UInt32(position), nameStart: UInt32(nameStart)))
        pending.append(UInt32(number))
        switch bytes[position] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard open.count < limits.depth else {
                throw error(
                    position,
                    .limitExceeded,
                    "objects and arrays are nested more than \(limits.depth) deep"
                )
            }
            open.append((number, pending.count))
            position += 1
            skipSpace()
            if byte != closer(of: number) { return true }
            endContainer()
            return false
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber()
        case UInt8(ascii: "t"): try skipWord("true")
        case UInt8(ascii: "f"): try skipWord("false")
        case UInt8(ascii: "n"): try skipWord("null")
        default: throw unexpected("a value")
        }
        index.entries[number].end = UInt32(position)
        return false
    }

    /// After a value: closes containers until one goes on.
    ///
    /// - Returns: Whether one goes on; the position is then behind its comma.
    private mutating func endContainers() throws(PropertyListError) -> Bool {
        while let container = open.last {
            skipSpace()
            if byte == UInt8(ascii: ",") {
                position += 1
                skipSpace()
                return true
            }
            let closer = closer(of: container.entry)
            guard byte == closer else {
                throw unexpected("“,” or “\(Character(UnicodeScalar(closer)))”")
            }
            endContainer()
        }
        return false
    }

    /// At the closing bracket of the innermost container.
    private mutating func endContainer() {
        position += 1
        let (number, firstPending) = open.removeLast()
        index.entries[number].end = UInt32(position)
        index.entries[number].firstChild = UInt32(index.children.count)
        index.entries[number].childCount = UInt32(pending.count - firstPending)
        index.children += pending[firstPending...]
        pending.removeLast(pending.count - firstPending)
        if bytes[position - 1] == UInt8(ascii: "}") { findTwins(in: number) }
    }

    /// In an object, reads the name before a value and its colon.
    ///
    /// - Returns: Where the name starts; 0 in an array.
    private mutating func readName() throws(PropertyListError) -> Int {
        guard let container = open.last, closer(of: container.entry) == UInt8(ascii: "}") else { return 0 }
        let nameStart = position
        guard byte == UInt8(ascii: "\"") else { throw unexpected("a name in double quotes") }
        try skipString()
        // A mark takes two bytes or more, so that shorter names need no look.
        if (position - nameStart) / 2 > limits.combiningMarks,
            let problem = limits.problem(withKey: JSONString.decoded(bytes, at: nameStart))
        {
            throw error(nameStart, .limitExceeded, problem)
        }
        skipSpace()
        guard byte == UInt8(ascii: ":") else { throw unexpected("“:”") }
        position += 1
        skipSpace()
        return nameStart
    }

    private mutating func findTwins(in object: Int) {
        let first = Int(index.entries[object].firstChild)
        let count = Int(index.entries[object].childCount)
        guard count > 1 else { return }
        let members = index.children[first..<first + count].map(Int.init)
        if count <= Self.fewMembers {
            for (rank, later) in members.enumerated() {
                for earlier in members[..<rank] where hasSameName(earlier, later) {
                    index.entries[earlier].hasTwin = true
                    index.entries[later].hasTwin = true
                }
            }
        } else {
            var firsts = [String: Int](minimumCapacity: count)
            for member in members {
                let name = JSONString.decoded(bytes, at: Int(index.entries[member].nameStart))
                if let first = firsts[name] {
                    index.entries[first].hasTwin = true
                    index.entries[member].hasTwin = true
                } else {
                    firsts[name] = member
                }
            }
            index.members[object] = firsts
        }
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

// The values without anything inside.
extension JSONReader {
    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func closer(of container: Int) -> UInt8 {
        // An opening bracket's code is two below its closing one's.
        bytes[Int(index.entries[container].start)] + 2
    }

    private mutating func skipSpace() {
        while position < bytes.count, JSONString.isSpace(bytes[position]) { position += 1 }
    }

    private mutating func skipWord(_ word: StaticString) throws(PropertyListError) {
        let start = position
        for offset in 0..<word.utf8CodeUnitCount {
            guard byte == word.utf8Start[offset] else {
                position = start
                throw unexpected("a value")
            }
            position += 1
        }
    }

    private mutating func skipNumber() throws(PropertyListError) {
        if byte == UInt8(ascii: "-") { position += 1 }
        if byte == UInt8(ascii: "0") {
            position += 1
            if isAtDigit {
                throw error(position - 1, .malformed, "a number has a 0 before its first digit")
            }
        } else {
            try skipDigits()
        }
        if byte == UInt8(ascii: ".") {
            position += 1
            try skipDigits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            position += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
    }

    private var isAtDigit: Bool { byte.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false }

    private mutating func skipDigits() throws(PropertyListError) {
        guard isAtDigit else { throw unexpected("a digit") }
        while isAtDigit { position += 1 }
    }

    private mutating func skipString() throws(PropertyListError) {
        let start = position
        position += 1
        while position < bytes.count {
            let unit = bytes[position]
            switch unit {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"): try skipEscape()
            case 0..<0x20:
                throw error(
                    position,
                    .malformed,
                    "a string holds the control character \(hex(unit)), which must be escaped"
                )
            case 0x20..<0x80: position += 1
            default:
                guard let length = JSONString.sequenceLength(bytes, at: position) else {
                    throw error(position, .malformed, "the byte \(hex(unit)) is not UTF-8")
                }
                position += length
            }
        }
        throw error(start, .malformed, "a string starts here and has no closing “\"”")
    }

    private mutating func skipEscape() throws(PropertyListError) {
        let start = position
        position += 1
        switch byte {
        case UInt8(ascii: "u"):
            position += 1
            for _ in 0..<4 {
                guard let unit = byte, JSONString.hexDigit(unit) != nil else {
                    throw error(start, .malformed, "“\\u” is not followed by four hexadecimal digits")
                }
                position += 1
            }
        case let unit? where JSONString.escape(unit) != nil: position += 1
        default: throw error(start, .malformed, "“\\” is not followed by one of \" \\ / b f n r t u")
        }
    }
}

extension JSONReader {
    private func unexpected(_ expected: String) -> PropertyListError {
        let found =
            switch byte {
            case nil: "the end of the text"
            case let unit? where 0x21..<0x7F ~= unit: "“\(Character(UnicodeScalar(unit)))”"
            case let unit?: "the byte \(hex(unit))"
            }
        return error(position, .malformed, "found \(found) where \(expected) is expected")
    }

    private func hex(_ unit: UInt8) -> String {
        "0x" + (unit < 0x10 ? "0" : "") + String(unit, radix: 16, uppercase: true)
    }

    private func error(
        _ offset: Int,
        _ reason: PropertyListError.Reason,
        _ problem: String
    ) -> PropertyListError {
        let before = bytes[..<offset]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return PropertyListError(.line(line, column: offset - lineStart + 1), reason, problem)
    }
}
