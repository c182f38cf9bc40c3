import FoundationEssentials

// Decodes the objects of a binary property list that do not refer to other objects.
extension BinaryFile {
    /// The value of an object that is not an array or a dictionary.
    func scalar(_ object: BinaryObject) throws(PropertyListError) -> PropertyListValue {
        let content = object.content
        switch object.kind {
        case .false: return .boolean(false)
        case .true: return .boolean(true)
        case .integer: return .integer(try integer(object))
        case .real:
            let bits = unsigned(at: content.lowerBound, size: content.count)
            if content.count == 8 { return .real(Double(bitPattern: bits)) }
            return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
        case .date:
            let seconds = Double(bitPattern: unsigned(at: content.lowerBound, size: 8))
            guard seconds.isFinite else {
                throw Self.malformed(object.start, "found a date that is not a finite number of seconds")
            }
            return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .data: return .data(Data(bytes[content]))
        case .asciiString, .unicodeString: return .string(try string(object))
        case .uid:
            let size = content.count
            let high = bytes[content].dropLast(8)
            guard high.allSatisfy({ $0 == 0 }) else {
                throw Self.malformed(
                    object.start,
                    "found a UID of more than 64 bits"
                )
            }
            return .uid(unsigned(at: content.upperBound - min(size, 8), size: min(size, 8)))
        case .array, .dictionary:
            throw Self.malformed(object.start, "found an array or dictionary, expected another value")
        }
    }

    private func integer(_ object: BinaryObject) throws(PropertyListError) -> PropertyListInteger {
        let start = object.content.lowerBound
        switch object.content.count {
        case 16:
            let high = unsigned(at: start, size: 8)
            let low = unsigned(at: start + 8, size: 8)
            if high == 0 { return PropertyListInteger(low) }
            let signed = Int64(bitPattern: low)
            guard high == .max, signed < 0 else {
                throw Self.malformed(
                    object.start,
                    "found an integer that is not between -9223372036854775808 and 18446744073709551615"
                )
            }
            return PropertyListInteger(signed)
        case 8: return PropertyListInteger(Int64(bitPattern: unsigned(at: start, size: 8)))
        case let size: return PropertyListInteger(unsigned(at: start, size: size))
        }
    }

    /// The characters of a string object.
    func string(_ object: BinaryObject) throws(PropertyListError) -> String {
        if object.kind == .asciiString {
            let string: String? = bytes.withUnsafeBytes { bytes in
                // The slice checks that the object is within the bytes.
                let text = UnsafeRawBufferPointer(rebasing: bytes[object.content])
                return text.isASCII ? String(ascii: text) : nil
            }
            if let string { return string }
            let offset: Int = object.content.first { bytes[$0] >= 0x80 } ?? object.start
            throw Self.malformed(offset, "found a byte above 127, but the string is marked as ASCII")
        }
        var units: [UInt16] = []
        units.reserveCapacity(object.content.count / 2)
        for offset in stride(from: object.content.lowerBound, to: object.content.upperBound, by: 2) {
            units.append(UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1]))
        }
        guard let string = String(validating: units, as: UTF16.self) else {
            throw Self.malformed(
                object.content.lowerBound + 2 * Self.firstLoneSurrogate(in: units),
                "found half of a character of UTF-16, expected the other half"
            )
        }
        return string
    }

    private static func firstLoneSurrogate(in units: [UInt16]) -> Int {
        var decoder = UTF16()
        var rest = units.makeIterator()
        var index = 0
        while case .scalarValue(let scalar) = decoder.decode(&rest) { index += UTF16.width(scalar) }
        return index
    }
}
