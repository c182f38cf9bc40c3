import PropertyList

/// Checks whether a write beside an unlocked writer has lasted.
///
/// Problem: a program that read the file before our write may write it a moment later, and a command that has ended
/// by then never learns of it. Approach: if an unlocked writer wrote within the last half second, the write watches the
/// file for 25 ms; if its value is gone, it writes once more and watches once more, and if the value is gone again,
/// the call fails. Without it, calls would report success for values that are not in the file.
extension FileStorage {
    /// Seconds for which the file is watched after a write.
    private static let watchingTime = 0.025
    /// Seconds from one look to the next.
    private static let lookInterval = 0.001
    /// Nanoseconds for which an unlocked writer is taken to be at work.
    private static let activity: Int64 = 500_000_000

    /// - Throws: ``SettingsError/overwritten(path:)``.
    mutating func lookAgain(
        at changes: [String: PropertyListValue?],
        _ patience: inout WriterPatience
    ) throws {
        guard isBesideUnlockedWriter, !changes.isEmpty else { return }
        let gone = overwrittenSoon(of: changes.merging(patience.late) { own, _ in own })
        if gone.isEmpty { return }
        // In a copy, so that the next reading still reports foreign changes.
        var other = self
        do {
            _ = try other.store(&patience) { _ in StorageWrite(changes: gone) }
        } catch {
            throw SettingsError.overwritten(path: path)
        }
        overwrites = other.overwrites
        if other.overwrittenSoon(of: gone).keys.contains(where: changes.keys.contains) {
            throw SettingsError.overwritten(path: path)
        }
    }

    /// The changes that an unlocked writer overwrites within the watching time. If such a program writes a file that has
    /// all of them, it has read them, and the wait ends.
    private func overwrittenSoon(of changes: [String: PropertyListValue?]) -> [String: PropertyListValue?] {
        var last = seen?.identity
        let begin = files.now()
        var paused = 0.0
        while max(paused, files.now().seconds(since: begin)) < Self.watchingTime {
            files.pause(Self.lookInterval)
            paused += Self.lookInterval
            let identity = ((try? files.stat(path)) ?? nil)?.identity
            if identity == last { continue }
            last = identity
            let (gone, isOurs) = overwritten(of: changes)
            if !gone.isEmpty || !isOurs { return gone }
        }
        return overwritten(of: changes).gone
    }

    /// Whether an unlocked writer wrote the file just before this process did. False if files can't be marked.
    private var isBesideUnlockedWriter: Bool {
        guard let last = mark?.lastUnlockedWrite else { return false }
        return abs(files.now().nanoseconds - last.nanoseconds) < Self.activity
    }

    /// The changes that are not in the file any more, and whether this library wrote the file. A value that another
    /// program has set since is a later change, which stays.
    private func overwritten(
        of changes: [String: PropertyListValue?]
    ) -> (gone: [String: PropertyListValue?], isOurs: Bool) {
        var probe = self
        do throws(SettingsError) {
            guard try probe.read().exists else { return (changes.filter { $0.value != nil }, false) }
        } catch {
            // A file that is broken for longer than a moment has lost what was stored there.
            if case .unreadable = error { return (changes, false) }
            return ([:], true)
        }
        guard let file = probe.mark else { return ([:], true) }
        let gone = changes.filter { key, value in
            let found = probe.document?.value(forKey: key)
            return found != value && overwrites.isOverwritten(key, by: found, in: file, after: mark)
        }
        return (gone, file.isOurs)
    }
}
