/// The number of bytes, of 1, 2, 4 and 8, that are needed to store a number.
func byteSize(of number: UInt64) -> Int {
    number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : number <= 0xFFFF_FFFF ? 4 : 8
}

extension [UInt8] {
    /// Overwrites bytes with a big-endian number of 1, 2, 4 or 8 bytes.
    @inline(__always)
    mutating func setNumber(_ number: UInt64, size: Int, at position: Int) {
        precondition(position >= 0 && position + size <= count)
        withUnsafeMutableBytes { bytes in
            func store<Number: FixedWidthInteger>(_ type: Number.Type) {
                let number = Number(truncatingIfNeeded: number).bigEndian
                bytes.storeBytes(of: number, toByteOffset: position, as: type)
            }
            switch size {
            case 1: store(UInt8.self)
            case 2: store(UInt16.self)
            case 4: store(UInt32.self)
            case 8: store(UInt64.self)
            default: preconditionFailure("no size of a number: \(size)")
            }
        }
    }
}
