#if Cluster
import Glibc
import SettingsStore

/// Goes on asking about a write that no server has answered for: where it is not known what has become of it, or
/// a part of it is there.
struct Perseverance {
    private let seconds: Double
    private var deadline: Double?

    /// Seconds between two times.
    private static let pause = 0.3

    init(_ cluster: SettingsCluster) { seconds = cluster.perseverance }

    /// Returns when it is time to try again.
    ///
    /// - Parameters:
    ///   - mayHaveHappened: whether the write may have taken place.
    ///   - hasBegun: whether a part of it has.
    /// - Throws: the error where it is not, or not any more; that nobody knows is not forgotten.
    mutating func wait(
        after error: SettingsError,
        mayHaveHappened: Bool,
        hasBegun: Bool = false
    ) throws(SettingsError) {
        let now = monotonicSeconds()
        deadline = deadline ?? now + seconds
        if error.isOutage, mayHaveHappened || hasBegun, now < deadline ?? now {
            usleep(UInt32(Self.pause * 1e6))
            return
        }
        if mayHaveHappened, case .unreachable(let path, let reason) = error {
            throw .unconfirmed(path: path, reason: reason)
        }
        throw error
    }
}
#endif
