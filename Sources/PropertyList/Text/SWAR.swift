// SWAR (“SIMD within a register”): examines eight bytes at once as one 64-bit number.
//
// The readers must search every text for `<`, `&`, quotes and escapes. Arithmetic on a
// 64-bit number tests eight bytes in a few instructions, in such a way that no byte carries into the
// next. Without it, the readers would test each byte alone, which is slower.

extension UnsafeRawBufferPointer {
    /// Returns the eight bytes at an index, the first one in the highest bits, or nil if there are
    /// fewer.
    @inline(__always)
    func word(at position: Int) -> UInt64? {
        guard position >= 0, position <= count - 8 else { return nil }
        return UInt64(bigEndian: loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }

    /// Returns the eight bytes at an index, the first one in the lowest bits, or nil if there are
    /// fewer.
    @inline(__always)
    func littleEndianWord(at position: Int) -> UInt64? { word(at: position)?.byteSwapped }

    /// Returns the eight bytes at an index, the first one in the highest bits, with zeros after the
    /// last byte.
    @inline(__always)
    func paddedWord(at position: Int) -> UInt64 {
        if let word = word(at: position) { return word }
        // Load the last eight bytes and shift out those before the index.
        if count >= 8, position >= 0, position < count, let last = word(at: count - 8) {
            return last << (8 * (position + 8 - count))
        }
        var word: UInt64 = 0
        for index in position..<position + 8 { word = word << 8 | (index < count ? UInt64(self[index]) : 0) }
        return word
    }

    var isASCII: Bool {
        var seen: UInt64 = 0
        var position = 0
        while let word = word(at: position) {
            seen |= word
            position += 8
        }
        while position < count {
            seen |= UInt64(self[position])
            position += 1
        }
        return seen & 0x8080_8080_8080_8080 == 0
    }
}

extension [UInt8] {
    /// Returns the eight bytes at an index, the first one in the highest bits, or nil if there are
    /// fewer.
    @inline(__always)
    func word(at position: Int) -> UInt64? { withUnsafeBytes { $0.word(at: position) } }
}

extension UInt64 {
    /// Creates a number that has this byte eight times.
    @inline(__always)
    init(each byte: UInt8) { self = 0x0101_0101_0101_0101 * UInt64(byte) }

    /// Sets the highest bit of each byte that equals the given one, and clears all other bits.
    @inline(__always)
    func matches(of byte: UInt8) -> UInt64 {
        let difference = self ^ UInt64(each: byte)
        // Zero is the only byte in which neither the highest bit nor a lower one is set.
        let low = UInt64(each: 0x7F)
        return ~((difference & low) + low | difference | low)
    }

    /// Sets the highest bit of each byte that is less than the given one, which is at most 128.
    @inline(__always)
    func matches(below byte: UInt8) -> UInt64 {
        let sum = (self & UInt64(each: 0x7F)) + UInt64(each: 0x80 - byte)
        return ~(sum | self) & UInt64(each: 0x80)
    }

    /// The number of bytes before the first match of the methods above, or 8 without a match.
    @inline(__always)
    var bytesBeforeFirstMatch: Int { leadingZeroBitCount / 8 }
}

extension String {
    /// Creates a string from bytes that are known to be ASCII.
    init(ascii bytes: UnsafeRawBufferPointer) {
        self.init(unsafeUninitializedCapacity: bytes.count) { room in
            UnsafeMutableRawBufferPointer(room).copyMemory(from: bytes)
            return bytes.count
        }
    }

    /// Creates a string, or returns nil if the bytes are not UTF-8. `init(validating:as:)` takes
    /// several times as long.
    init?(utf8 bytes: UnsafeRawBufferPointer) {
        self.init(decoding: bytes, as: UTF8.self)
        // Decoding replaces invalid bytes, so the text then differs from them.
        let isSame = withUTF8 { text in
            text.count == bytes.count && commonPrefix(UnsafeRawBufferPointer(text), bytes) == bytes.count
        }
        if !isSame { return nil }
    }
}
