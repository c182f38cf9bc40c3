import Glibc

/// The wait for a folder's lock.
///
/// Problem: a process that was stopped while it had the lock never gives it back, and a blocking flock(2) has no time
/// limit. Approach: ask again and again until a timeout, which restarts while other processes make progress, and up to ten
/// times while the process that has the lock is at work. Without the timeout, one stopped process would hang every program
/// that stores a setting.
struct LockAcquisition {
    /// Seconds without a write in the folder after which the wait fails.
    static let timeout = 10.0
    /// The timeout after this process has waited in vain already, if no process has written in the folder since. So
    /// a second suite, a second attempt and the end of the process do not take as long again.
    private static let shortTimeout = 0.5
    /// How many times the wait begins again because the process that has the lock is at work. On a busy machine or disk, one
    /// commit may take longer than the timeout.
    private static let mostDelays = 10

    /// The suite's file or another one in the folder, for the errors.
    let path: String
    let folder: Int32
    /// Whether to wait at all. Otherwise `EWOULDBLOCK` is thrown if another process has the lock.
    let isPatient: Bool
    let files: any FileSystem

    /// Asks for the lock again and again: ever more rarely, because hundreds of processes may wait, and at random
    /// intervals, so that none of them is passed over for long.
    ///
    /// - Parameter descriptor: The folder, or the file that is locked in its place.
    func wait(for descriptor: Int32) throws {
        if try isLocked(descriptor) {
            return try StuckFolders.shared.remove { try files.fstat(folder, path).identity }
        }
        if !isPatient { throw SystemError("flock", path, EWOULDBLOCK) }
        var pause = 0.000_2
        var (waited, delays) = (0.0, 0)
        var last = try files.fstat(folder, path).identity
        while try !isLocked(descriptor) {
            let timeout = StuckFolders.shared.contains(last) ? Self.shortTimeout : Self.timeout
            if waited > timeout {
                let now = try files.fstat(folder, path).identity
                let holder = LockHolder(of: try files.fstat(descriptor, path).identity, files)
                if now.modified != last.modified {
                    // A commit changes the folder.
                    (last, delays) = (now, 0)
                } else if delays < Self.mostDelays, holder?.isAtWork(files) == true {
                    delays += 1
                } else if try isLocked(descriptor) {
                    break
                } else {
                    StuckFolders.shared.insert(now)
                    throw SettingsError.notWritable(path: path, reason: stuck(holder))
                }
                waited = 0
            }
            let now = pause * .random(in: 0.5..<1.5)
            files.pause(now)
            waited += now
            pause = min(pause * 1.25, 0.01)
        }
        StuckFolders.shared.remove { last }
    }

    private func isLocked(_ descriptor: Int32) throws(SystemError) -> Bool {
        do {
            try files.flockUninterrupted(descriptor, operation: LOCK_EX | LOCK_NB)
            return true
        } catch  where error.number == EWOULDBLOCK {
            return false
        }
    }

    private func stuck(_ holder: LockHolder?) -> String {
        let time = "has kept its folder locked for more than \(Int(Self.timeout)) seconds"
        guard let holder else {
            return "another process \(time); end the process that hangs, and try again"
        }
        if holder.isStopped {
            return "\(holder) \(time), and is stopped; run “kill -CONT \(holder.process)” to resume it"
        }
        return "\(holder) \(time). End that process, and try again"
    }
}

/// The folders whose locks this process has waited for without success.
final class StuckFolders: Sendable {
    static let shared = StuckFolders()

    private struct Folder: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ identity: FileInfo.Identity) { (device, inode) = (identity.device, identity.inode) }
    }

    private struct Attempt {
        /// When a process had last written in the folder.
        let lastWrite: Timestamp
        /// Of the monotonic clock.
        let time: Double
    }

    private let attempts = Mutex<[Folder: Attempt]>([:])

    /// Whether a wait for the lock has failed within the last minute, and no process has written in the folder since.
    func contains(_ folder: FileInfo.Identity) -> Bool {
        guard let attempt = attempts.withLock({ $0[Folder(folder)] }) else { return false }
        return attempt.lastWrite == folder.modified && monotonicTime() - attempt.time < 60
    }

    func insert(_ folder: FileInfo.Identity) {
        let attempt = Attempt(lastWrite: folder.modified, time: monotonicTime())
        attempts.withLock { $0[Folder(folder)] = attempt }
    }

    /// - Parameter folder: Called only if there is anything to remove.
    func remove(_ folder: () throws -> FileInfo.Identity) rethrows {
        // Not as a key path, which takes longer than the lock.
        if attempts.withLock({ $0.isEmpty }) { return }
        let folder = Folder(try folder())
        attempts.withLock { $0[folder] = nil }
    }
}
