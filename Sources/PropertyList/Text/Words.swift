// Eight bytes at once. A byte is looked for in all eight by calculating with each of them alone, so
// that none carries into its neighbour.

extension UnsafeRawBufferPointer {
    /// The eight bytes from there on, the first one in the highest bits; nil where there are fewer.
    @inline(__always)
    func word(at place: Int) -> UInt64? {
        guard place >= 0, place <= count - 8 else { return nil }
        return UInt64(bigEndian: loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }

    /// The same with the first one in the lowest bits.
    @inline(__always)
    func littleEndianWord(at place: Int) -> UInt64? { word(at: place)?.byteSwapped }

    /// The same with zeros behind the last byte.
    @inline(__always)
    func paddedWord(at place: Int) -> UInt64 {
        if let word = word(at: place) { return word }
        // The last eight bytes, of which those before the place are shifted out.
        if count >= 8, place >= 0, place < count, let last = word(at: count - 8) {
            return last << (8 * (place + 8 - count))
        }
        var word: UInt64 = 0
        for index in place..<place + 8 { word = word << 8 | (index < count ? UInt64(self[index]) : 0) }
        return word
    }

    var isASCII: Bool {
        var seen: UInt64 = 0
        var place = 0
        while let word = word(at: place) {
            seen |= word
            place += 8
        }
        while place < count {
            seen |= UInt64(self[place])
            place += 1
        }
        return seen & 0x8080_8080_8080_8080 == 0
    }
}

extension [UInt8] {
    /// The eight bytes from there on, the first one in the highest bits; nil where there are fewer.
    @inline(__always)
    func word(at place: Int) -> UInt64? { withUnsafeBytes { $0.word(at: place) } }
}

extension UInt64 {
    /// That byte eight times.
    @inline(__always)
    init(each byte: UInt8) { self = 0x0101_0101_0101_0101 * UInt64(byte) }

    /// The highest bit of each byte that equals the given one.
    @inline(__always)
    func places(of byte: UInt8) -> UInt64 {
        let difference = self ^ UInt64(each: byte)
        // Only of a zero neither the highest bit nor one below it is set.
        let low = UInt64(each: 0x7F)
        return ~((difference & low) + low | difference | low)
    }

    /// The highest bit of each byte that is below the given one, which is 128 at the most.
    @inline(__always)
    func places(below byte: UInt8) -> UInt64 {
        let sum = (self & UInt64(each: 0x7F)) + UInt64(each: 0x80 - byte)
        return ~(sum | self) & UInt64(each: 0x80)
    }

    /// How many bytes are before the first place found by the functions above; 8 where there is none.
    @inline(__always)
    var bytesBeforeFirst: Int { leadingZeroBitCount / 8 }
}

extension String {
    /// Of bytes that are ASCII.
    init(ascii bytes: UnsafeRawBufferPointer) {
        self.init(unsafeUninitializedCapacity: bytes.count) { room in
            UnsafeMutableRawBufferPointer(room).copyMemory(from: bytes)
            return bytes.count
        }
    }

    /// Nil where the bytes are no UTF-8. `init(validating:as:)` takes several times as long.
    init?(utf8 bytes: UnsafeRawBufferPointer) {
        self.init(decoding: bytes, as: UTF8.self)
        // What was no UTF-8 is another text now.
        let isSame = withUTF8 { text in
            text.count == bytes.count && commonPrefix(UnsafeRawBufferPointer(text), bytes) == bytes.count
        }
        if !isSame { return nil }
    }
}
