import PropertyList

/// What a storage wrote within the last moments.
///
/// A program that writes in place, like Foundation's `UserDefaults`, reads the file, changes a key and
/// writes all of it. If a write took place in between, it is undone, key by key, to what had been there
/// before; the program does not know. Nobody who means to do that is as quick.
struct RecentWrites {
    private struct Entry {
        /// What had been there before each of the writes; nil where nothing was.
        var before: [PropertyListValue?]
        var time: Timestamp
        var timesUndone = 0
    }

    private var entries: [String: Entry] = [:]

    /// In nanoseconds. `UserDefaults` takes some 50 ms to write again what it finds changed.
    private static let memory: Int64 = 1_000_000_000
    /// Keys of one write, and keys altogether: more than that is not worth the room.
    private static let limit = 1_000
    /// Whoever undoes a key more often than that shall have it.
    private static let patience = 20

    mutating func note(
        _ changes: [String: PropertyListValue?],
        over old: PropertyListDocument?,
        at now: Timestamp
    ) {
        entries = entries.filter { isRecent($0.value, at: now) }
        guard entries.count + changes.count <= Self.limit else { return }
        for key in changes.keys {
            var entry = entries[key] ?? Entry(before: [], time: now)
            let before = old?.value(forKey: key)
            if !entry.before.contains(before) { entry.before.append(before) }
            entry.time = now
            entries[key] = entry
        }
    }

    /// Takes keys that were undone out of what differs.
    mutating func findUndone(in reading: inout StorageReading, at now: Timestamp) {
        guard !entries.isEmpty, case .some(var changes) = reading.difference else { return }
        for (key, entry) in entries {
            guard isRecent(entry, at: now), entry.timesUndone < Self.patience,
                let value = changes[key], entry.before.contains(value)
            else { continue }
            entries[key]?.timesUndone += 1
            changes[key] = nil
            reading.undone[key] = .some(value)
        }
        reading.difference = changes.isEmpty ? .none : .some(changes)
    }

    private func isRecent(_ entry: Entry, at now: Timestamp) -> Bool {
        abs(now.nanoseconds - entry.time.nanoseconds) < Self.memory
    }
}
