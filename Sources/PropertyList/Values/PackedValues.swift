import FoundationEssentials

/// A value as it lies among the entries of a suite: as it is, or packed.
enum StoredValue: Sendable {
    case value(PropertyListValue)
    /// Where it begins in the ``PackedValues`` of its chunk.
    case packed(UInt32)
}

/// Values as bytes, one behind the other.
///
/// A text of thirty bytes takes eighty in memory, a dictionary of two numbers more than two hundred. Of what a
/// file holds most is never asked for, so that what would take memory of its own is packed as it is read, and
/// made a value each time that somebody looks at it. What is long gains little by that and stays as it is.
///
/// A value is a byte that says what it is, and what belongs to that: a number of seven bits a byte, eight bytes,
/// or a length and as many bytes; of an array the number of its elements, and these; of a dictionary that of its
/// entries, and keys and values in turn.
struct PackedValues: Sendable {
    /// How long a text or data has to be to take memory of its own, and to be worth it.
    static let texts = 16...255
    static let data = 15...255
    /// What an array or a dictionary takes in bytes at the most, and how many entries.
    static let longest = 1 << 10
    static let mostEntries = Int(UInt8.max)

    enum Container {
        case array
        /// Of equal keys one counts.
        case dictionary(EntryList.Winner)
    }

    fileprivate enum Mark: UInt8 {
        case `false`, `true`, number, negative, real, date, string, data, uid
        case array, dictionaryOfFirst, dictionaryOfLast
    }

    private var bytes: [UInt8] = []

    /// Where the next value begins.
    var end: Int { bytes.count }

    /// The same, with no room for more.
    var fitted: PackedValues {
        var result = PackedValues()
        if !bytes.isEmpty { result.bytes = bytes.withUnsafeBufferPointer { Array($0) } }
        return result
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Forgets all from a place on.
    mutating func cut(to end: Int) { bytes.removeLast(bytes.count - end) }

    subscript(place: UInt32) -> PropertyListValue {
        bytes.withUnsafeBytes { bytes in
            var unpacking = Unpacking(bytes: bytes, place: Int(place))
            return unpacking.value()
        }
    }
}

extension PackedValues {
    /// Adds a value that is no array and no dictionary.
    mutating func append(_ value: PropertyListValue) {
        switch value {
        case .boolean(let value): append(value ? .true : .false)
        case .integer(let value):
            append(value < 0 ? .negative : .number)
            append(number: value.magnitude)
        case .real(let value): append(.real, value.bitPattern)
        case .date(let value): append(.date, value.timeIntervalSinceReferenceDate.bitPattern)
        case .string(let text): append(text)
        case .data(let data): data.withUnsafeBytes { append(data: $0) }
        case .uid(let number):
            append(.uid)
            append(number: number)
        case .array, .dictionary: preconditionFailure("what is in a container is added one by one")
        }
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(utf8: UnsafeRawBufferPointer($0)) }
    }

    /// Adds a string of bytes that are UTF-8.
    mutating func append(utf8 text: UnsafeRawBufferPointer) {
        append(.string)
        append(counted: text)
    }

    mutating func append(data: UnsafeRawBufferPointer) {
        append(.data)
        append(counted: data)
    }

    /// Begins an array or a dictionary, whose elements, or keys and values in turn, are added next.
    ///
    /// - Returns: Where the number of its entries is to be put.
    mutating func open(_ container: Container) -> Int {
        switch container {
        case .array: append(.array)
        case .dictionary(.first): append(.dictionaryOfFirst)
        case .dictionary(.last): append(.dictionaryOfLast)
        }
        bytes.append(0)
        return bytes.count - 1
    }

    /// - Parameter count: No more than ``mostEntries``.
    mutating func close(_ place: Int, count: Int) { bytes[place] = UInt8(count) }

    private mutating func append(_ mark: Mark) { bytes.append(mark.rawValue) }

    private mutating func append(_ mark: Mark, _ bits: UInt64) {
        append(mark)
        withUnsafeBytes(of: bits) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(number: UInt64) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func append(counted content: UnsafeRawBufferPointer) {
        append(number: UInt64(content.count))
        bytes.append(contentsOf: content)
    }
}

/// Makes values of what was packed, from a place on.
private struct Unpacking {
    let bytes: UnsafeRawBufferPointer
    var place: Int

    mutating func value() -> PropertyListValue {
        guard let mark = PackedValues.Mark(rawValue: byte()) else { return .boolean(false) }
        switch mark {
        case .false: return .boolean(false)
        case .true: return .boolean(true)
        case .number: return .integer(PropertyListInteger(number()))
        case .negative: return .integer(PropertyListInteger(Int64(bitPattern: 0 &- number())))
        case .real: return .real(Double(bitPattern: word()))
        case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: word())))
        case .string: return .string(text())
        case .data: return .data(Data(counted()))
        case .uid: return .uid(number())
        case .array: return .array(elements())
        case .dictionaryOfFirst: return .dictionary(entries(of: .first))
        case .dictionaryOfLast: return .dictionary(entries(of: .last))
        }
    }

    private mutating func elements() -> [PropertyListValue] {
        let count = Int(byte())
        var elements: [PropertyListValue] = []
        elements.reserveCapacity(count)
        for _ in 0..<count { elements.append(value()) }
        return elements
    }

    private mutating func entries(of winner: EntryList.Winner) -> [String: PropertyListValue] {
        let count = Int(byte())
        var entries = [String: PropertyListValue](minimumCapacity: count)
        for _ in 0..<count {
            // The mark of the key.
            place += 1
            let (key, value) = (text(), value())
            if winner == .last || entries[key] == nil { entries[key] = value }
        }
        return entries
    }

    private mutating func byte() -> UInt8 {
        defer { place += 1 }
        return bytes[place]
    }

    private mutating func word() -> UInt64 {
        defer { place += 8 }
        return bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    }

    private mutating func number() -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = byte()
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }

    private mutating func counted() -> UnsafeRawBufferPointer {
        let count = Int(number())
        defer { place += count }
        return UnsafeRawBufferPointer(rebasing: bytes[place..<place + count])
    }

    private mutating func text() -> String { String(decoding: counted(), as: UTF8.self) }
}
