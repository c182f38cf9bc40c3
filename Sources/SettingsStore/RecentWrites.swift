import PropertyList

/// What a storage wrote within the last moments.
///
/// A program that writes in place, like Foundation's `UserDefaults`, reads the file, changes a key and
/// writes all of it. Every write that took place in between is undone, key by key, to what had been there
/// before; the program does not know. Nobody who means to do that is as quick.
struct RecentWrites {
    private struct Entry {
        /// What had been there before each of the writes, with its time; nil where nothing was.
        var before: [(value: PropertyListValue?, time: Timestamp)] = []
        var lastWrite: UInt64 = 0
        var timesUndone = 0
    }

    private var entries: [String: Entry] = [:]
    /// The keys in the order of their writes, from `firstInOrder` on; one that was written again has an
    /// older place too, which says nothing any more.
    private var order: [(key: String, write: UInt64)] = []
    private var firstInOrder = 0
    private var lastWrite: UInt64 = 0

    /// Seconds. `UserDefaults` takes some 50 ms to write again what it finds changed, and on a busy
    /// machine many times that.
    static let memory = 2.0
    /// Keys of one write, and keys altogether: more than that is not worth the room.
    private static let limit = 10_000
    /// Whoever undoes a key more often than that shall have it. A program that writes a large file again
    /// and again undoes what is written meanwhile in nine of ten rounds.
    private static let patience = 300

    /// - Parameter old: what the changes were laid over; nil where there was no file.
    mutating func note(
        _ changes: [String: PropertyListValue?],
        over old: PropertyListDocument?,
        at now: Timestamp
    ) {
        forgetOld(at: now)
        lastWrite += 1
        guard entries.count + changes.count <= Self.limit else { return }
        for key in changes.keys {
            var entry = entries.removeValue(forKey: key) ?? Entry()
            entry.before.removeSubrange(
                ..<(entry.before.firstIndex { isRecent($0.time, at: now) } ?? entry.before.count)
            )
            entry.before.append((old?.value(forKey: key), now))
            entry.lastWrite = lastWrite
            entries[key] = entry
            order.append((key, lastWrite))
        }
    }

    /// Takes keys that were undone out of what differs.
    ///
    /// - Parameter isUnknowing: whether who wrote the file may not have known what it undid; asked where it
    ///   matters.
    mutating func findUndone(
        in reading: inout StorageReading,
        at now: Timestamp,
        if isUnknowing: () -> Bool = { true }
    ) {
        forgetOld(at: now)
        guard !entries.isEmpty, case .some(var changes) = reading.difference else { return }
        let undone = changes.filter { key, value in
            guard let entry = entries[key], entry.timesUndone < Self.patience else { return false }
            return entry.before.contains { isRecent($0.time, at: now) && $0.value == value }
        }
        if undone.isEmpty || !isUnknowing() { return }
        for (key, value) in undone {
            entries[key]?.timesUndone += 1
            changes[key] = nil
            reading.undone[key] = .some(value)
        }
        reading.difference = changes.isEmpty ? .none : .some(changes)
    }

    private mutating func forgetOld(at now: Timestamp) {
        while firstInOrder < order.count {
            let (key, write) = order[firstInOrder]
            if let entry = entries[key], entry.lastWrite == write {
                if let last = entry.before.last, isRecent(last.time, at: now) { break }
                entries[key] = nil
            }
            firstInOrder += 1
        }
        if firstInOrder * 2 >= order.count {
            order.removeFirst(firstInOrder)
            firstInOrder = 0
        }
    }

    /// Neither longer ago nor, where the clock was set back, to come.
    private func isRecent(_ time: Timestamp, at now: Timestamp) -> Bool {
        abs(now.nanoseconds - time.nanoseconds) < Int64(Self.memory * 1_000_000_000)
    }
}
