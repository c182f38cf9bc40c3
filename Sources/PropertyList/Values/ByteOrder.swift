/// The order of keys of ASCII, which is that of their bytes.
///
/// Sixteen bytes of each decide, and of these the bits alone in which the keys differ: mostly so few that they fit
/// into one number together with the key's position, and numbers are sorted in a few passes.
enum ByteOrder {
    /// Sixteen bytes as two numbers, which compare as the bytes do.
    private typealias Words = (first: UInt64, second: UInt64)

    /// The positions of keys in their sorted order; nil where not all are of ASCII.
    static func positions(of keys: some Collection<String>) -> [Int]? {
        guard var words = Self.words(of: keys, from: 0), let first = words.first else { return nil }
        if words.allSatisfy({ $0.first == first.first }) {
            guard let behind = Self.words(of: keys, from: sharedLength(of: keys)) else { return nil }
            words = behind
        }
        let bits = UInt64.bitWidth - words.count.leadingZeroBitCount
        let fields = fields(of: words, bits: UInt64.bitWidth - bits)
        var numbers = words.indices.map { number(words[$0], fields) << bits | UInt64($0) }
        sort(&numbers, from: bits, to: bits + fields.reduce(0) { $0 + $1.length })
        sortTies(&numbers, behind: bits, keys)
        return numbers.map { Int($0 & ((1 << bits) - 1)) }
    }

    /// Nil where a key is not of ASCII.
    private static func words(of keys: some Collection<String>, from place: Int) -> [Words]? {
        var words: [Words] = []
        words.reserveCapacity(keys.count)
        for var key in keys {
            let found = key.withUTF8 { key -> Words? in
                let key = UnsafeRawBufferPointer(key)
                return key.isASCII ? (key.paddedWord(at: place), key.paddedWord(at: place + 8)) : nil
            }
            guard let found else { return nil }
            words.append(found)
        }
        return words
    }

    /// How many bytes all the keys have in common at their start.
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

    /// The bits of each byte among which keys differ, the highest first, and no more of them than there is room for.
    private static func fields(of words: [Words], bits: Int) -> [Field] {
        var (room, differing) = (bits, (first: UInt64(0), second: UInt64(0)))
        for word in words {
            differing.first |= word.first ^ words[0].first
            differing.second |= word.second ^ words[0].second
        }
        var fields: [Field] = []
        for (isSecond, differing) in [(false, differing.first), (true, differing.second)] {
            for byte in stride(from: 56, through: 0, by: -8) where room > 0 {
                let bits = UInt8(truncatingIfNeeded: differing >> byte)
                if bits == 0 { continue }
                let end = 8 - bits.leadingZeroBitCount
                let length = min(room, end - bits.trailingZeroBitCount)
                fields.append(Field(isSecond: isSecond, shift: byte + end - length, length: length))
                room -= length
            }
        }
        return fields
    }

    /// Some bits that follow each other.
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

    /// Sorts by some of the bits, from the lowest on; numbers in which these are the same keep their order.
    private static func sort(_ numbers: inout [UInt64], from start: Int, to end: Int) {
        // To clear and to add up the counts takes its time too.
        let size = numbers.count > 4096 ? 11 : 8
        var other = numbers
        for shift in stride(from: start, to: end, by: size) {
            let mask = (UInt64(1) << min(size, end - shift)) - 1
            var places = [Int](repeating: 0, count: (1 << size) + 1)
            for number in numbers { places[Int(number >> shift & mask) + 1] += 1 }
            for place in 1..<places.count { places[place] += places[place - 1] }
            for number in numbers {
                let digit = Int(number >> shift & mask)
                other[places[digit]] = number
                places[digit] += 1
            }
            swap(&numbers, &other)
        }
    }

    /// Puts those in order that are the same in these bits.
    private static func sortTies(
        _ numbers: inout [UInt64],
        behind bits: Int,
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
