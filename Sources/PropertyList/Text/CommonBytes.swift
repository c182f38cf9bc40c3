/// How many bytes two arrays have in common at their start.
func commonPrefix(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.withUnsafeBytes { a in b.withUnsafeBytes { b in commonPrefix(a, b) } }
}

func commonPrefix(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    var index = 0
    while let word = a.word(at: index), word == b.word(at: index) { index += 8 }
    let count = min(a.count, b.count)
    while index < count, a[index] == b[index] { index += 1 }
    return index
}

/// How many bytes two arrays have in common at their end, no more than both have.
func commonSuffix(_ a: [UInt8], _ b: [UInt8], atMost limit: Int) -> Int {
    let limit = min(limit, a.count, b.count)
    return a.withUnsafeBytes { a in
        b.withUnsafeBytes { b in
            var count = 0
            while count + 8 <= limit,
                a.loadUnaligned(fromByteOffset: a.count - count - 8, as: UInt64.self)
                    == b.loadUnaligned(fromByteOffset: b.count - count - 8, as: UInt64.self)
            { count += 8 }
            while count < limit, a[a.count - count - 1] == b[b.count - count - 1] { count += 1 }
            return count
        }
    }
}
