import PropertyList

/// Finds the keys that this process wrote and that an unlocked writer overwrote without knowing.
///
/// Problem: an unlocked writer reads the file, changes a key and writes all of it, so every write that took place in
/// between is gone. Approach: for each key that this process wrote, it remembers for two seconds which value the key
/// had before; if an unlocked writer's file has that value again, the key was overwritten, since a deliberate revert
/// takes a program longer. Without it, a value that was stored beside `UserDefaults` would silently turn back.
struct OverwriteDetector {
    private struct Entry {
        /// The values that writes of ours replaced, with the times of these writes, the oldest first.
        var replaced: [(value: PropertyListValue?, time: Timestamp)] = []
        /// How often the key was found overwritten.
        var count = 0
    }

    private var entries: [String: Entry] = [:]

    /// Nanoseconds. `UserDefaults` waits some 50 ms before it writes a changed file again, and on a busy machine many
    /// times that.
    private static let memory: Int64 = 2_000_000_000
    /// How many keys are remembered. A write of more keys is not remembered at all, to save memory.
    private static let keyLimit = 10_000
    /// How many replaced values of one key are remembered.
    private static let valueLimit = 128
    /// How often a key is written again. A program that overwrites it more often has it in the end.
    private static let restoringLimit = 1_000

    /// Notes changes that this process wrote.
    ///
    /// - Parameter old: The file before that; nil if there was none.
    mutating func note(
        _ changes: [String: PropertyListValue?],
        over old: PropertyListDocument?,
        at now: Timestamp
    ) {
        forget(before: now)
        guard changes.count <= Self.keyLimit else { return }
        for (key, value) in changes where entries.count < Self.keyLimit || entries[key] != nil {
            let before = old?.value(forKey: key)
            if before == value { continue }
            entries[key, default: Entry()].replaced.append((before, now))
            if entries[key]?.replaced.count ?? 0 > Self.valueLimit { entries[key]?.replaced.removeFirst() }
        }
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Whether a value that the file has now is one that a write of ours had replaced, so that an unlocked writer
    /// must have overwritten that.
    ///
    /// - Parameter known: The mark of the file that this process read or wrote before.
    func isOverwritten(
        _ key: String,
        by value: PropertyListValue?,
        in file: WriteMark,
        after known: WriteMark?
    ) -> Bool {
        guard let time = file.lastUnlockedWrite, let entry = entries[key] else { return false }
        // No unlocked writer has written since.
        if file.isOurs, time == known?.lastUnlockedWrite { return false }
        return entry.replaced.contains { replaced in
            time.nanoseconds - replaced.time.nanoseconds <= Self.memory && replaced.value == value
        }
    }

    /// Moves the overwritten keys from the differences to ``StorageReading/overwritten``.
    mutating func separateOverwritten(
        in reading: inout StorageReading,
        of file: WriteMark,
        after known: WriteMark?
    ) {
        guard !entries.isEmpty, case .some(var changes) = reading.difference else { return }
        for (key, value) in changes where isOverwritten(key, by: value, in: file, after: known) {
            guard let entry = entries[key], entry.count < Self.restoringLimit else { continue }
            entries[key]?.count += 1
            changes[key] = nil
            reading.overwritten.updateValue(value, forKey: key)
        }
        reading.difference = changes.isEmpty ? .none : .some(changes)
    }

    /// Forgets old writes.
    ///
    /// - Parameter now: The time of a reading. Every overwrite before it has been found.
    mutating func forget(before now: Timestamp) {
        if entries.isEmpty { return }
        entries = entries.filter { _, entry in
            guard let last = entry.replaced.last?.time else { return false }
            // A time in the future is from before the clock was set back.
            return abs(now.nanoseconds - last.nanoseconds) <= Self.memory
        }
    }
}
