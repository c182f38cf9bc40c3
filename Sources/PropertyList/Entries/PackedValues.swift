import FoundationEssentials

/// A value in the list of a suite's entries.
enum StoredValue: Sendable {
    case value(PropertyListValue)
    /// The index of its first byte in the ``PackedValues`` of its chunk.
    case packed(UInt32)
}

/// Values encoded as bytes, one after another.
///
/// Problem: a string of 30 bytes takes 80 bytes in memory, and a dictionary of two numbers takes over 200, while
/// programs read only a few of the values in a file. Approach: a reader stores short strings, data, arrays and
/// dictionaries in this encoding, and decodes a value each time it is read. Without it, the values of a
/// large suite would take several times the memory of their bytes. Long values save little and are
/// stored normally.
///
/// The encoding of a value is a tag byte followed by its content. Integers have seven bits per byte;
/// reals and dates have eight bytes; strings and data have a length and their bytes. An array has its
/// number of elements and then the elements. A dictionary has its number of entries and then keys and
/// values in turn.
struct PackedValues: Sendable {
    /// The lengths in bytes for which packing a string saves memory.
    static let stringLengths = 16...255
    static let dataLengths = 15...255
    /// The limits for packing an array or a dictionary: its encoded size in bytes and its number of
    /// entries.
    static let maximumSize = 1 << 10
    static let maximumEntryCount = Int(UInt8.max)

    enum Container {
        case array
        /// If keys repeat, `Winner` tells which one counts.
        case dictionary(EntryList.Winner)
    }

    fileprivate enum Tag: UInt8 {
        case `false`, `true`, number, negative, real, date, string, data, uid, nothing, spelledNumber
        case array, dictionaryOfFirst, dictionaryOfLast
    }

    private var bytes: [UInt8] = []

    /// The index at which the next value will start.
    var end: Int { bytes.count }

    /// A copy without unused capacity.
    var withoutSpareCapacity: PackedValues {
        var result = PackedValues()
        if !bytes.isEmpty { result.bytes = bytes.withUnsafeBufferPointer { Array($0) } }
        return result
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Removes everything from an index on.
    mutating func truncate(to end: Int) { bytes.removeLast(bytes.count - end) }

    subscript(position: UInt32) -> PropertyListValue {
        bytes.withUnsafeBytes { bytes in
            var unpacking = Unpacking(bytes: bytes, position: Int(position))
            return unpacking.value()
        }
    }
}

extension PackedValues {
    /// Appends a value that is not an array or a dictionary.
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
        case .null: append(Tag.nothing)
        case .number(var spelling):
            append(.spelledNumber)
            spelling.withUTF8 { append(counted: UnsafeRawBufferPointer($0)) }
        case .array, .dictionary: preconditionFailure("what is in a container is added one by one")
        }
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(utf8: UnsafeRawBufferPointer($0)) }
    }

    /// Appends a string, given as valid UTF-8.
    mutating func append(utf8 text: UnsafeRawBufferPointer) {
        append(.string)
        append(counted: text)
    }

    mutating func append(data: UnsafeRawBufferPointer) {
        append(.data)
        append(counted: data)
    }

    /// Starts an array or a dictionary. Its elements, or its keys and values in turn, are appended
    /// next.
    ///
    /// - Returns: An index to pass to ``close(_:count:)``.
    mutating func open(_ container: Container) -> Int {
        switch container {
        case .array: append(.array)
        case .dictionary(.first): append(.dictionaryOfFirst)
        case .dictionary(.last): append(.dictionaryOfLast)
        }
        bytes.append(0)
        return bytes.count - 1
    }

    /// Ends an array or a dictionary.
    ///
    /// - Parameter count: The number of elements or entries, at most ``maximumEntryCount``.
    mutating func close(_ position: Int, count: Int) { bytes[position] = UInt8(count) }

    private mutating func append(_ tag: Tag) { bytes.append(tag.rawValue) }

    private mutating func append(_ tag: Tag, _ bits: UInt64) {
        append(tag)
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

/// Decodes values, starting at an index.
private struct Unpacking {
    let bytes: UnsafeRawBufferPointer
    var position: Int

    mutating func value() -> PropertyListValue {
        guard let tag = PackedValues.Tag(rawValue: byte()) else { return .boolean(false) }
        switch tag {
        case .false: return .boolean(false)
        case .true: return .boolean(true)
        case .number: return .integer(PropertyListInteger(number()))
        case .negative: return .integer(PropertyListInteger(Int64(bitPattern: 0 &- number())))
        case .real: return .real(Double(bitPattern: word()))
        case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: word())))
        case .string: return .string(text())
        case .data: return .data(Data(counted()))
        case .uid: return .uid(number())
        case .nothing: return .null
        case .spelledNumber: return .number(text())
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
            // Skip the tag of the key.
            position += 1
            let (key, value) = (text(), value())
            if winner == .last || entries[key] == nil { entries[key] = value }
        }
        return entries
    }

    private mutating func byte() -> UInt8 {
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func word() -> UInt64 {
        defer { position += 8 }
        return bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
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
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    private mutating func text() -> String { String(decoding: counted(), as: UTF8.self) }
}
