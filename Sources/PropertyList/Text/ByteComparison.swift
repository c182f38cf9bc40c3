/// Returns how many leading bytes two arrays share.
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

/// Returns how many trailing bytes two arrays share, at most `limit`.
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

extension String {
    /// Whether both strings have the same UTF-8 bytes. `==` would also accept canonically equivalent
    /// ones.
    public func hasSameBytes(as other: String) -> Bool {
        let (mine, theirs) = (utf8, other.utf8)
        guard mine.count == theirs.count else { return false }
        let isSame = mine.withContiguousStorageIfAvailable { mine in
            theirs.withContiguousStorageIfAvailable { theirs in
                commonPrefix(UnsafeRawBufferPointer(mine), UnsafeRawBufferPointer(theirs)) == mine.count
            }
        }
        return (isSame ?? nil) ?? mine.elementsEqual(theirs)
    }
}

/// Whether a range of one array has the same bytes as a range of another.
@inline(__always)
func haveSameBytes(_ a: [UInt8], _ part: Range<Int>, _ b: [UInt8], _ otherPart: Range<Int>) -> Bool {
    guard part.count == otherPart.count else { return false }
    return a.withUnsafeBytes { a in
        b.withUnsafeBytes { b in
            commonPrefix(
                UnsafeRawBufferPointer(rebasing: a[part]),
                UnsafeRawBufferPointer(rebasing: b[otherPart])
            ) == part.count
        }
    }
}
