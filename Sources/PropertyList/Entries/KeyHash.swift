/// Hashes keys so that a file cannot be crafted to make key lookup slow.
///
/// Keys that `String` compares as equal have equal hashes. A short ASCII key counts as a polynomial
/// modulo the prime 2⁶¹ − 1: its coefficients are its length and its bytes, seven at a time. The hash
/// is the value of the polynomial at a secret, random point. Two different polynomials with n
/// coefficients agree at no more than n points, so two chosen keys collide with a probability of n in
/// 2⁶¹. All other keys use Swift's own hash, which handles Unicode equivalence and has a random seed
/// too.
///
/// Swift's hash alone would be correct but slower for short ASCII keys, and nearly all keys are such.
enum KeyHash {
    /// The length of the longest key that is hashed as a polynomial, in bytes.
    private static let maximumLength = 64
    private static let prime: UInt64 = 1 << 61 - 1
    private static let point = UInt64.random(in: 1 << 32..<prime)
    private static let seed = UInt64.random(in: .min ... .max)

    static func of(_ key: String) -> UInt64 {
        var key = key
        let count = key.utf8.count
        if count <= maximumLength, let hash = key.withUTF8(ofASCII) { return hash }
        // An equivalent ASCII character is one byte where the other form has up to three.
        if count <= 3 * maximumLength, !key.withUTF8({ UnsafeRawBufferPointer($0).isASCII }),
            var equivalent = asciiEquivalent(of: key), equivalent.utf8.count <= maximumLength
        {
            return equivalent.withUTF8(ofASCII) ?? 0
        }
        return UInt64(bitPattern: Int64(key.hashValue))
    }

    /// Hashes the bytes of a key. Returns nil if it is long or not ASCII.
    static func of(ascii key: UnsafeBufferPointer<UInt8>) -> UInt64? {
        key.count <= maximumLength ? ofASCII(key) : nil
    }

    /// Returns nil if a byte is not ASCII.
    private static func ofASCII(_ key: UnsafeBufferPointer<UInt8>) -> UInt64? {
        let point = point
        var hash = UInt64(key.count)
        var seen: UInt64 = 0
        var start = 0
        while start < key.count {
            let coefficient = sevenBytes(of: UnsafeRawBufferPointer(key), from: start)
            seen |= coefficient
            // The remainder modulo 2⁶¹ − 1 is the sum of the number's digits in base 2⁶¹. It may be one
            // modulus too large, but then it is so for every equal key.
            let product = hash.multipliedFullWidth(by: point)
            let sum = (product.low & prime) + (product.high << 3 | product.low >> 61) + coefficient
            hash = (sum & prime) + sum >> 61
            start += 7
        }
        guard seen & 0x8080_8080_8080_8080 == 0 else { return nil }
        return mixed(hash ^ seed)
    }

    /// Makes every bit of the result depend on every bit of the number. One multiplication is not
    /// enough: for consecutive numbers and some seeds it leaves some bits nearly constant.
    @inline(__always)
    private static func mixed(_ number: UInt64) -> UInt64 {
        let product = number.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        var bits = product.high ^ product.low
        bits = (bits ^ bits >> 32) &* 0xD6E8_FEB8_6659_FD93
        return bits ^ bits >> 32
    }

    /// Seven bytes as a little-endian number, filled up with zeros after the last byte.
    @inline(__always)
    private static func sevenBytes(of key: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
        if let word = key.littleEndianWord(at: start) { return word & 0xFF_FFFF_FFFF_FFFF }
        let rest = key.count - start
        if let last = key.littleEndianWord(at: key.count - 8) { return last >> UInt64(8 * (8 - rest)) }
        var number: UInt64 = 0
        for byte in key[start...].reversed() { number = number << 8 | UInt64(byte) }
        return number
    }

    /// Returns the ASCII key that is canonically equivalent to a key with other characters.
    ///
    /// Unicode has three characters whose canonical form is an ASCII character.
    private static func asciiEquivalent(of key: String) -> String? {
        func equivalent(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
            switch scalar {
            case "\u{37E}": ";"
            case "\u{1FEF}": "`"
            case "\u{212A}": "K"
            default: scalar.isASCII ? scalar : nil
            }
        }
        guard key.unicodeScalars.allSatisfy({ equivalent($0) != nil }) else { return nil }
        return String(String.UnicodeScalarView(key.unicodeScalars.compactMap(equivalent)))
    }
}
