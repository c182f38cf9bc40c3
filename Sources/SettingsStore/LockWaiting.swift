import Glibc

/// The wait for a folder's lock, which somebody may never give back: a process that was stopped while it had
/// it, or any program that may read the folder.
struct LockWaiting {
    /// How long, in seconds, it is waited for while nobody writes in the folder.
    static let patience = 10.0
    /// The same, where this process has waited for so long already and nobody has written since: a second
    /// suite, a second attempt and the end of the process do not take as long again.
    private static let shortPatience = 0.5
    /// How often the patience begins anew, since somebody has written: it is a queue then.
    private static let renewals = 6

    /// The suite's file or another one in the folder, for the errors.
    let path: String
    let folder: Int32
    let files: any FileSystem

    /// Asks again and again instead of waiting in the system, which would not give up: ever more rarely, since
    /// hundreds may be waiting, and by chance, so that nobody is passed over for long.
    ///
    /// - Parameter descriptor: of the folder, or of the file that is locked in its place.
    func wait(for descriptor: Int32) throws {
        if try isLocked(descriptor) {
            return try StuckFolders.shared.remove { try files.fstat(folder, path).identity }
        }
        var pause = 0.000_2
        var waited = 0.0
        var renewals = Self.renewals
        var last = try files.fstat(folder, path).identity
        while try !isLocked(descriptor) {
            let patience = StuckFolders.shared.contains(last) ? Self.shortPatience : Self.patience
            if waited > patience {
                // A commit changes the folder.
                let now = try files.fstat(folder, path).identity
                if now.modified == last.modified {
                    StuckFolders.shared.insert(now)
                    throw SettingsError.notWritable(path: path, reason: try stuck(descriptor))
                }
                if renewals == 0 { throw SettingsError.notWritable(path: path, reason: crowded) }
                last = now
                renewals -= 1
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

    private func stuck(_ descriptor: Int32) throws(SystemError) -> String {
        let holder = LockHolder(of: try files.fstat(descriptor, path).identity, files)
        let time = "has kept its folder locked for more than \(Int(Self.patience)) seconds"
        guard let holder else {
            return "another process \(time); end the one that is stopped or hangs, and try again"
        }
        if holder.isStopped {
            return "\(holder) \(time), and is stopped; “kill -CONT \(holder.process)” has it go on"
        }
        return "\(holder) \(time); end it, and try again"
    }

    private var crowded: String {
        let time = Int(Self.patience) * (Self.renewals + 1)
        return "others have written in its folder for \(time) seconds without leaving this process its turn"
    }
}

/// The folders whose locks this process has waited for in vain.
final class StuckFolders: Sendable {
    static let shared = StuckFolders()

    private struct Folder: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ identity: FileInfo.Identity) { (device, inode) = (identity.device, identity.inode) }
    }

    private struct Attempt {
        /// When somebody had last written in the folder.
        let lastWrite: Timestamp
        /// Of the monotonic clock.
        let time: Double
    }

    private let attempts = Mutex<[Folder: Attempt]>([:])

    /// Whether the lock was waited for in vain within the last minute, and nobody has written since.
    func contains(_ folder: FileInfo.Identity) -> Bool {
        guard let attempt = attempts.withLock({ $0[Folder(folder)] }) else { return false }
        return attempt.lastWrite == folder.modified && monotonicTime() - attempt.time < 60
    }

    func insert(_ folder: FileInfo.Identity) {
        let attempt = Attempt(lastWrite: folder.modified, time: monotonicTime())
        attempts.withLock { $0[Folder(folder)] = attempt }
    }

    /// - Parameter folder: Asked for where it matters.
    func remove(_ folder: () throws -> FileInfo.Identity) rethrows {
        if attempts.withLock(\.isEmpty) { return }
        let folder = Folder(try folder())
        attempts.withLock { $0[folder] = nil }
    }
}
