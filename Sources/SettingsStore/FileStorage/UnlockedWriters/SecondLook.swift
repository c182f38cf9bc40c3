import PropertyList

/// Checks whether a write beside an unlocked writer has lasted.
///
/// Problem: a program that read the file before our write may write it a moment later, and a command that has ended
/// by then never learns of it. Approach: if an unlocked writer wrote within the last half second, the write watches the
/// file for 25 ms; if its value is gone, the update fails, and its caller updates once more before it fails itself.
/// Without it, calls would report success for values that are not in the file.
extension FileStorage {
    /// Seconds for which the file is watched after a write.
    private static let watchingTime = 0.025
    /// Seconds from one look to the next.
    private static let lookInterval = 0.001
    /// Nanoseconds for which an unlocked writer is taken to be at work.
    private static let activity: Int64 = 500_000_000

    /// - Parameter late: The changes of unlocked writers that were stored with ours.
    /// - Throws: ``SettingsError/overwritten(path:)``.
    func lookAgain(at changes: [String: PropertyListValue?], _ late: [String: PropertyListValue?]) throws {
        guard isBesideUnlockedWriter, !changes.isEmpty else { return }
        if isOverwrittenSoon(changes.merging(late) { own, _ in own }) {
            throw SettingsError.overwritten(path: path)
        }
    }

    /// Whether an unlocked writer overwrites one of the changes within the watching time. If such a program writes a
    /// file that has all of them, it has read them, and the wait ends.
    private func isOverwrittenSoon(_ changes: [String: PropertyListValue?]) -> Bool {
        var last = seen?.identity
        let begin = files.now()
        var paused = 0.0
        while max(paused, files.now().seconds(since: begin)) < Self.watchingTime {
            files.pause(Self.lookInterval)
            paused += Self.lookInterval
            let identity = ((try? files.stat(path)) ?? nil)?.identity
            if identity == last { continue }
            last = identity
            let (isGone, isOurs) = isOverwritten(changes)
            if isGone || !isOurs { return isGone }
        }
        return isOverwritten(changes).isGone
    }

    /// Whether an unlocked writer wrote the file just before this process did. False if files can't be marked.
    var isBesideUnlockedWriter: Bool {
        guard let last = mark?.lastUnlockedWrite else { return false }
        return abs(files.now().nanoseconds - last.nanoseconds) < Self.activity
    }

    /// Whether one of the changes is not in the file any more, and whether this library wrote the file. A value that
    /// another program has set since is a later change, which stays.
    private func isOverwritten(_ changes: [String: PropertyListValue?]) -> (isGone: Bool, isOurs: Bool) {
        var probe = self
        do throws(SettingsError) {
            guard try probe.read().exists else { return (changes.values.contains { $0 != nil }, false) }
        } catch {
            // A file that is broken for longer than a moment has lost what was stored there.
            if case .unreadable = error { return (true, false) }
            return (false, true)
        }
        guard let file = probe.mark else { return (false, true) }
        let isGone = changes.contains { key, value in
            let found = probe.document?.value(forKey: key)
            return found != value && overwrites.isOverwritten(key, by: found, in: file, after: mark)
        }
        return (isGone, file.isOurs)
    }
}
