// A write whose answer was lost may or may not have happened. The caller then retries until `perseverance` seconds have
// passed since the first failure. Without retries, a server that restarts within a second would leave such a write
// undecided.

#if Cluster
import Glibc
import SettingsStore

/// Decides how long a write that may have happened is retried.
struct RetryDeadline {
    private let seconds: Double
    private var deadline: Double?

    /// Seconds between two attempts.
    private static let retryPause = 0.3

    init(_ cluster: SettingsCluster) { seconds = cluster.perseverance }

    /// Sleeps until the next attempt.
    ///
    /// - Parameter mayHaveHappened: whether the write may have been carried out.
    /// - Throws: `error` if no further attempt makes sense, or if the time is over. "Unreachable" becomes
    ///   ``SettingsError/unconfirmed(path:reason:)`` if the write may have been carried out.
    mutating func wait(
        after error: SettingsError,
        mayHaveHappened: Bool
    ) throws(SettingsError) {
        let now = monotonicTime()
        deadline = deadline ?? now + seconds
        if error.isOutage, mayHaveHappened, now < deadline ?? now {
            usleep(UInt32(Self.retryPause * 1e6))
            return
        }
        if mayHaveHappened, case .unreachable(let path, let reason) = error {
            throw .unconfirmed(path: path, reason: reason)
        }
        throw error
    }
}
#endif
