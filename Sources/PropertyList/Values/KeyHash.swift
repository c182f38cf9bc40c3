/// Hashes of keys that are equal where `String` takes the keys for equal, and that nobody who does
/// not know this process's secret numbers can make equal otherwise.
///
/// A short key of ASCII is taken for a polynomial over the whole numbers modulo the prime 2⁶¹ - 1: its
/// length and its bytes, seven at a time, are the coefficients. The hash is its value at a secret
/// place. Two polynomials of n coefficients agree at n places at the most, so that the chance of
/// two keys that were thought out beforehand to do so is n in 2⁶¹. Other keys have Swift's own hash,
/// which knows the equivalences of Unicode and has a secret seed too.
enum KeyHash {
    /// In bytes.
    private static let longest = 64
    private static let prime: UInt64 = 1 << 61 - 1
    private static let place = UInt64.random(in: 1 << 32..<prime)
    private static let seed = UInt64.random(in: .min ... .max)

    static func of(_ key: String) -> UInt64 {
        var key = key
        let count = key.utf8.count
        if count <= longest, let hash = key.withUTF8(ofASCII) { return hash }
        // A character has three bytes at the most for one of its twin.
        if count <= 3 * longest, !key.withUTF8({ UnsafeRawBufferPointer($0).isASCII }),
            var twin = asciiTwin(of: key), twin.utf8.count <= longest
        {
            return twin.withUTF8(ofASCII) ?? 0
        }
        return UInt64(bitPattern: Int64(key.hashValue))
    }

    /// The same of a key's bytes; nil where it is not a short one of ASCII.
    static func of(ascii key: UnsafeBufferPointer<UInt8>) -> UInt64? {
        key.count <= longest ? ofASCII(key) : nil
    }

    /// Nil where a byte is not ASCII.
    private static func ofASCII(_ key: UnsafeBufferPointer<UInt8>) -> UInt64? {
        let place = place
        var hash = UInt64(key.count)
        var seen: UInt64 = 0
        var start = 0
        while start < key.count {
            let coefficient = sevenBytes(of: UnsafeRawBufferPointer(key), from: start)
            seen |= coefficient
            // The remainder by 2⁶¹ - 1 (or that much more, the same for equal keys) is the sum of a
            // number's digits to the base 2⁶¹.
            let product = hash.multipliedFullWidth(by: place)
            let sum = (product.low & prime) + (product.high << 3 | product.low >> 61) + coefficient
            hash = (sum & prime) + sum >> 61
            start += 7
        }
        guard seen & 0x8080_8080_8080_8080 == 0 else { return nil }
        return mixed(hash ^ seed)
    }

    /// All bits of the result hang on all bits of the number, also for numbers in a row: for these one
    /// multiplication alone leaves some bits the same for most of them, with some seeds.
    @inline(__always)
    private static func mixed(_ number: UInt64) -> UInt64 {
        let product = number.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        var bits = product.high ^ product.low
        bits = (bits ^ bits >> 32) &* 0xD6E8_FEB8_6659_FD93
        return bits ^ bits >> 32
    }

    /// The bytes from one on as a number; zeros behind the last one.
    @inline(__always)
    private static func sevenBytes(of key: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
        if let word = key.littleEndianWord(at: start) { return word & 0xFF_FFFF_FFFF_FFFF }
        let rest = key.count - start
        if let last = key.littleEndianWord(at: key.count - 8) { return last >> UInt64(8 * (8 - rest)) }
        var number: UInt64 = 0
        for byte in key[start...].reversed() { number = number << 8 | UInt64(byte) }
        return number
    }

    /// The key of ASCII that a key with other characters is canonically equivalent to, if there is one:
    /// Unicode has three characters that are another spelling of one in ASCII.
    private static func asciiTwin(of key: String) -> String? {
        func twin(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
            switch scalar {
            case "\u{37E}": ";"
            case "\u{1FEF}": "`"
            case "\u{212A}": "K"
            default: scalar.isASCII ? scalar : nil
            }
        }
        guard key.unicodeScalars.allSatisfy({ twin($0) != nil }) else { return nil }
        return String(String.UnicodeScalarView(key.unicodeScalars.compactMap(twin)))
    }
}
