/// A radix sort for ASCII keys, whose order is that of their bytes.
///
/// Comparing strings pair by pair is slow for many keys. So each key becomes one number: the bits in
/// which the first sixteen bytes of the keys differ, followed by the key's position. Usually all those
/// bits fit, and a few passes sort the numbers. Without it, sorting the keys of a large file would take
/// several times as long.
enum ASCIIKeySort {
    /// Sixteen bytes as two numbers that compare like the bytes.
    private typealias Words = (first: UInt64, second: UInt64)

    /// Returns the positions of the keys in sorted order, or nil if a key is not ASCII.
    static func positions(of keys: some Collection<String>) -> [Int]? {
        guard var words = Self.words(of: keys, from: 0), let first = words.first else { return nil }
        if words.allSatisfy({ $0.first == first.first }) {
            guard let rest = Self.words(of: keys, from: sharedLength(of: keys)) else { return nil }
            words = rest
        }
        let bits = UInt64.bitWidth - words.count.leadingZeroBitCount
        let fields = fields(of: words, bits: UInt64.bitWidth - bits)
        var numbers = words.indices.map { number(words[$0], fields) << bits | UInt64($0) }
        sort(&numbers, from: bits, to: bits + fields.reduce(0) { $0 + $1.length })
        sortTies(&numbers, after: bits, keys)
        return numbers.map { Int($0 & ((1 << bits) - 1)) }
    }

    /// Returns sixteen bytes of each key from an index on, or nil if a key is not ASCII.
    private static func words(of keys: some Collection<String>, from position: Int) -> [Words]? {
        var words: [Words] = []
        words.reserveCapacity(keys.count)
        for var key in keys {
            let found = key.withUTF8 { key -> Words? in
                let key = UnsafeRawBufferPointer(key)
                return key.isASCII ? (key.paddedWord(at: position), key.paddedWord(at: position + 8)) : nil
            }
            guard let found else { return nil }
            words.append(found)
        }
        return words
    }

    /// The number of leading bytes that all keys share.
    private static func sharedLength(of keys: some Collection<String>) -> Int {
        guard var first = keys.first else { return 0 }
        return first.withUTF8 { first in
            keys.reduce(first.count) { length, key in
                var key = key
                return key.withUTF8 {
                    min(length, commonPrefix(UnsafeRawBufferPointer(first), UnsafeRawBufferPointer($0)))
                }
            }
        }
    }

    /// Selects the bits in which the keys differ, starting with the highest, until `bits` bits are used
    /// up.
    private static func fields(of words: [Words], bits: Int) -> [Field] {
        var (remainingBits, differing) = (bits, (first: UInt64(0), second: UInt64(0)))
        for word in words {
            differing.first |= word.first ^ words[0].first
            differing.second |= word.second ^ words[0].second
        }
        var fields: [Field] = []
        for (isSecond, differing) in [(false, differing.first), (true, differing.second)] {
            for byte in stride(from: 56, through: 0, by: -8) where remainingBits > 0 {
                let bits = UInt8(truncatingIfNeeded: differing >> byte)
                if bits == 0 { continue }
                let end = 8 - bits.leadingZeroBitCount
                let length = min(remainingBits, end - bits.trailingZeroBitCount)
                fields.append(Field(isSecond: isSecond, shift: byte + end - length, length: length))
                remainingBits -= length
            }
        }
        return fields
    }

    /// Consecutive bits of one of the two words.
    private struct Field {
        let isSecond: Bool
        let shift: Int
        let length: Int
    }

    private static func number(_ words: Words, _ fields: [Field]) -> UInt64 {
        fields.reduce(0) { number, field in
            let word = field.isSecond ? words.second : words.first
            return number << field.length | word >> field.shift & ((1 << field.length) - 1)
        }
    }

    /// Sorts by the given bits, starting with the lowest. Numbers that agree in them keep their order.
    private static func sort(_ numbers: inout [UInt64], from start: Int, to end: Int) {
        // For few numbers, clearing and adding up the counts of a larger digit would take longer.
        let size = numbers.count > 4096 ? 11 : 8
        var other = numbers
        for shift in stride(from: start, to: end, by: size) {
            let mask = (UInt64(1) << min(size, end - shift)) - 1
            var positions = [Int](repeating: 0, count: (1 << size) + 1)
            for number in numbers { positions[Int(number >> shift & mask) + 1] += 1 }
            for position in 1..<positions.count { positions[position] += positions[position - 1] }
            for number in numbers {
                let digit = Int(number >> shift & mask)
                other[positions[digit]] = number
                positions[digit] += 1
            }
            swap(&numbers, &other)
        }
    }

    /// Sorts the numbers that agree in these bits by comparing their keys.
    private static func sortTies(
        _ numbers: inout [UInt64],
        after bits: Int,
        _ keys: some Collection<String>
    ) {
        var list: [String]?
        var start = 0
        while start < numbers.count {
            var end = start + 1
            while end < numbers.count, numbers[end] >> bits == numbers[start] >> bits { end += 1 }
            if end > start + 1 {
                let keys = list ?? Array(keys)
                list = keys
                let mask = (UInt64(1) << bits) - 1
                numbers[start..<end].sort { keys[Int($0 & mask)] < keys[Int($1 & mask)] }
            }
            start = end
        }
    }
}
