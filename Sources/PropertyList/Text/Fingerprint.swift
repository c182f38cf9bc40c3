/// What bytes are known again by, when they themselves were let go of: their number, and a hash that
/// nobody can aim at who does not know this process's secret numbers.
///
/// Sixteen bytes at a time are multiplied with each other, after they were mixed with a secret and with
/// what came before.
struct Fingerprint: Sendable, Equatable {
    private static let secret = UInt64.random(in: .min ... .max) | 1
    private static let otherSecret = UInt64.random(in: .min ... .max) | 1

    private var state = Self.otherSecret
    private(set) var count = 0

    init() {}

    init(of bytes: [UInt8]) { add(bytes) }

    /// - Parameter bytes: What follows; only of the last piece the length need not be a multiple of 16.
    mutating func add(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            let (secret, otherSecret) = (Self.secret, Self.otherSecret)
            var place = 0
            while place < bytes.count {
                let product = (bytes.paddedWord(at: place) ^ state)
                    .multipliedFullWidth(by: bytes.paddedWord(at: place + 8) ^ secret)
                state = product.high ^ product.low &+ otherSecret
                place += 16
            }
        }
        count += bytes.count
    }
}
