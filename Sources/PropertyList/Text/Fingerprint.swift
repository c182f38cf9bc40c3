/// Recognizes bytes that are no longer in memory, by their number and a hash.
///
/// The hash depends on random numbers of this process, so a file cannot be crafted to collide with
/// another. Each step multiplies two eight-byte words, after mixing them with a secret and with the
/// previous state. Swift's `Hasher` would be as safe but slower for a whole file.
struct Fingerprint: Sendable, Equatable {
    private static let secret = UInt64.random(in: .min ... .max) | 1
    private static let otherSecret = UInt64.random(in: .min ... .max) | 1

    private var state = Self.otherSecret
    private(set) var count = 0

    init() {}

    init(of bytes: [UInt8]) { add(bytes) }

    /// Adds the next bytes. Only the last piece may have a length that is not a multiple of 16.
    mutating func add(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            let (secret, otherSecret) = (Self.secret, Self.otherSecret)
            var position = 0
            while position < bytes.count {
                let product = (bytes.paddedWord(at: position) ^ state)
                    .multipliedFullWidth(by: bytes.paddedWord(at: position + 8) ^ secret)
                state = product.high ^ product.low &+ otherSecret
                position += 16
            }
        }
        count += bytes.count
    }
}
