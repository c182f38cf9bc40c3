/// The structure of a binary property list: header, trailer, and the positions of the objects.
///
/// The format is described in CoreFoundation's `CFBinaryPList.c`. The header is `bplist00`, or
/// `bplist01`, which CoreFoundation treats alike. Every position that the file names is checked before
/// it is followed.
struct BinaryFile: Sendable {
    let bytes: [UInt8]
    let offsetSize: Int
    let referenceSize: Int
    let objectCount: Int
    let topObject: Int
    /// Where the table of object offsets begins, after the last object.
    let tableStart: Int

    static let headerLength = 8
    static let trailerLength = 32

    init(_ bytes: [UInt8]) throws(PropertyListError) {
        guard bytes.count > Self.headerLength + Self.trailerLength else {
            throw Self.malformed(bytes.count, "the file ends before its trailer is complete")
        }
        guard bytes[6] == ASCII.zero, bytes[7] == ASCII.zero || bytes[7] == ASCII.zero + 1 else {
            throw PropertyListError(
                .offset(6),
                .unsupported,
                "the version of the binary format is not 00 or 01"
            )
        }
        let trailer = bytes.count - Self.trailerLength
        self.bytes = bytes
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard 1...8 ~= offsetSize, 1...8 ~= referenceSize else {
            throw Self.malformed(
                trailer + 6,
                "the last 32 bytes are not the end of a property list, so the file was probably cut off"
            )
        }
        let count = Self.unsigned(in: bytes, at: trailer + 8, size: 8)
        let top = Self.unsigned(in: bytes, at: trailer + 16, size: 8)
        let start = Self.unsigned(in: bytes, at: trailer + 24, size: 8)
        guard start > UInt64(Self.headerLength), start < UInt64(trailer) else {
            throw Self.malformed(trailer + 24, "the trailer puts the table of offsets outside the file")
        }
        let tableLength = UInt64(trailer) - start
        // Division, because the product could overflow.
        guard count > 0, tableLength.isMultiple(of: UInt64(offsetSize)),
            tableLength / UInt64(offsetSize) == count
        else {
            throw Self.malformed(
                trailer + 8,
                "the trailer's number of objects does not fit the length of the table of offsets"
            )
        }
        guard top < count else {
            throw Self.malformed(trailer + 16, "the trailer names a top object that is not in the table")
        }
        objectCount = Int(count)
        topObject = Int(top)
        tableStart = Int(start)
    }

    /// Creates an empty dictionary.
    init() {
        // Swift 6.1 may need minutes to find the type of one long sum of literals.
        let dictionaryAndItsOffset: [UInt8] = [0xD0, 8]
        let trailer: [UInt8] = [
            0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9,
        ]
        bytes = Array("bplist00".utf8) + dictionaryAndItsOffset + trailer
        (offsetSize, referenceSize, objectCount, topObject, tableStart) = (1, 1, 1, 0, 9)
    }

    static func malformed(_ offset: Int, _ problem: String) -> PropertyListError {
        PropertyListError(.offset(offset), .malformed, problem)
    }

    /// Reads a big-endian number of 1 to 8 bytes at an offset that was checked before.
    @inline(__always)
    static func unsigned(in bytes: [UInt8], at offset: Int, size: Int) -> UInt64 {
        // The trailer follows all numbers, so eight bytes can usually be loaded.
        if let word = bytes.word(at: offset) { return word >> UInt64(64 - 8 * size) }
        var value: UInt64 = 0
        for index in offset..<offset + size { value = value << 8 | UInt64(bytes[index]) }
        return value
    }

    @inline(__always)
    func unsigned(at offset: Int, size: Int) -> UInt64 {
        Self.unsigned(in: bytes, at: offset, size: size)
    }
}

/// The kind and the position of an object, from its marker and length.
struct BinaryObject {
    enum Kind {
        case `false`, `true`
        /// 1, 2, 4, 8 or 16 bytes.
        case integer
        /// 4 or 8 bytes.
        case real
        case date
        case data
        /// One byte for each character.
        case asciiString
        /// UTF-16, big-endian.
        case unicodeString
        case uid
        /// References to the elements.
        case array
        /// References to the keys, then as many to the values.
        case dictionary

        var isContainer: Bool { self == .array || self == .dictionary }
        var isString: Bool { self == .asciiString || self == .unicodeString }
        /// Whether the size is limited and the value takes no memory outside of `PropertyListValue`
        /// itself.
        var isSmall: Bool {
            switch self {
            case .false, .true, .integer, .real, .date, .uid: true
            case .data, .asciiString, .unicodeString, .array, .dictionary: false
            }
        }
    }

    let kind: Kind
    /// The offset of the marker.
    let start: Int
    /// The bytes after marker and length.
    let content: Range<Int>

    var range: Range<Int> { start..<content.upperBound }
}

extension BinaryFile {
    /// Returns an object after checking that it is within the file.
    func object(_ index: Int) throws(PropertyListError) -> BinaryObject {
        let entry = tableStart + index * offsetSize
        let offset = unsigned(at: entry, size: offsetSize)
        guard offset >= UInt64(Self.headerLength), offset < UInt64(tableStart) else {
            throw Self.malformed(
                entry,
                "the table puts object \(index) outside the part of the file for objects"
            )
        }
        let start = Int(offset)
        let marker = bytes[start]
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0: return try constant(marker, start)
        case 0x1 where low <= 4: return try object(.integer, start, start + 1, length: 1 << low)
        case 0x2 where 2...3 ~= low: return try object(.real, start, start + 1, length: 1 << low)
        case 0x3 where low == 3: return try object(.date, start, start + 1, length: 8)
        case 0x4: return try counted(.data, start, low, unit: 1)
        case 0x5: return try counted(.asciiString, start, low, unit: 1)
        case 0x6: return try counted(.unicodeString, start, low, unit: 2)
        case 0x8: return try object(.uid, start, start + 1, length: low + 1)
        case 0xA: return try counted(.array, start, low, unit: referenceSize)
        case 0xB, 0xC: throw unsupported(start, "a set")
        case 0xD: return try counted(.dictionary, start, low, unit: 2 * referenceSize)
        default: throw unknown(marker, start)
        }
    }

    private func constant(_ marker: UInt8, _ start: Int) throws(PropertyListError) -> BinaryObject {
        switch marker {
        case 0x08: return try object(.false, start, start + 1, length: 0)
        case 0x09: return try object(.true, start, start + 1, length: 0)
        case 0x00: throw unsupported(start, "null")
        case 0x0C, 0x0D: throw unsupported(start, "a URL")
        case 0x0E: throw unsupported(start, "a UUID")
        default: throw unknown(marker, start)
        }
    }

    private func unknown(_ marker: UInt8, _ start: Int) -> PropertyListError {
        Self.malformed(
            start,
            "found the marker 0x\(String(marker, radix: 16)), which is not the marker of any kind of value"
        )
    }

    private func unsupported(_ offset: Int, _ what: String) -> PropertyListError {
        PropertyListError(.offset(offset), .unsupported, "found \(what), which settings can't store")
    }

    @inline(__always)
    private func object(
        _ kind: BinaryObject.Kind,
        _ start: Int,
        _ content: Int,
        length: Int
    ) throws(PropertyListError) -> BinaryObject {
        guard length <= tableStart - content else {
            throw Self.malformed(start, "the value reaches beyond the part of the file for objects")
        }
        return BinaryObject(kind: kind, start: start, content: content..<content + length)
    }

    /// Returns an object whose length is in the low half of its marker. The value 15 means that an
    /// integer with the length follows.
    @inline(__always)
    private func counted(
        _ kind: BinaryObject.Kind,
        _ start: Int,
        _ low: Int,
        unit: Int
    ) throws(PropertyListError) -> BinaryObject {
        if low < 15 { return try object(kind, start, start + 1, length: low * unit) }
        return try longer(kind, start, unit: unit)
    }

    private func longer(
        _ kind: BinaryObject.Kind,
        _ start: Int,
        unit: Int
    ) throws(PropertyListError) -> BinaryObject {
        guard start + 1 < tableStart, bytes[start + 1] & 0xF0 == 0x10, bytes[start + 1] & 0x0F <= 3 else {
            throw Self.malformed(
                start + 1,
                "expected an integer of at most 8 bytes as the length of the value"
            )
        }
        let size = 1 << Int(bytes[start + 1] & 0x0F)
        let content = start + 2 + size
        guard content <= tableStart else {
            throw Self.malformed(start + 1, "the length reaches beyond the part of the file for objects")
        }
        let count = unsigned(at: start + 2, size: size)
        guard count <= UInt64(tableStart - content) / UInt64(unit) else {
            throw Self.malformed(start, "the value reaches beyond the part of the file for objects")
        }
        return try object(kind, start, content, length: Int(count) * unit)
    }

    /// The number of references in an array, or of keys in a dictionary.
    func count(of object: BinaryObject) -> Int {
        object.content.count / (object.kind == .dictionary ? 2 * referenceSize : referenceSize)
    }

    /// The object to which a reference of a container leads.
    @inline(__always)
    func reference(_ index: Int, of container: BinaryObject) throws(PropertyListError) -> Int {
        let position = container.content.lowerBound + index * referenceSize
        let object = unsigned(at: position, size: referenceSize)
        guard object < UInt64(objectCount) else { throw wrongReference(object, at: position) }
        return Int(object)
    }

    private func wrongReference(_ object: UInt64, at position: Int) -> PropertyListError {
        Self.malformed(position, "found a reference to object \(object), expected 0 to \(objectCount - 1)")
    }

    func topDictionary() throws(PropertyListError) -> BinaryObject {
        let object = try object(topObject)
        guard object.kind == .dictionary else {
            throw PropertyListError(
                .offset(object.start),
                .unsupported,
                "found another value at the top, expected a dictionary"
            )
        }
        return object
    }
}
