import PropertyList

/// What this storage, and others that keep to the lock, wrote within the last moments.
///
/// A program without the lock, like Foundation's `UserDefaults`, reads the file, changes a key and
/// writes all of it, in place or as a new file. Every write that took place in between is undone, key by key, to what had been there
/// before; the program does not know. Nobody who means to do that is as quick.
struct RecentWrites {
    /// When a value had last been there before a write.
    private struct Times {
        var ofAny: Timestamp
        /// Of a write after which it is written again even where somebody who keeps to the lock may have built
        /// upon what undid it: what others wrote they may since have changed on purpose.
        var ofOwn: Timestamp?
    }

    private struct Entry {
        /// nil is a value, too: that nothing was there.
        private var before: [PropertyListValue?: Times] = [:]
        /// How many there may be before the old ones are looked for.
        private var room = 16
        private(set) var lastTime = Timestamp(nanoseconds: 0)
        var lastWrite: UInt64 = 0
        var timesUndone = 0
        /// Whether it is about to be written again for another storage.
        var isForOthers = false

        mutating func note(_ value: PropertyListValue?, isOwn: Bool, at now: Timestamp) {
            lastTime = now
            let ofOwn = isOwn ? now : before[value]?.ofOwn
            before[value] = Times(ofAny: now, ofOwn: ofOwn)
            if before.count < room { return }
            before = before.filter { RecentWrites.isRecent($0.value.ofAny, at: now) }
            room = max(16, before.count * 2)
        }

        /// Whether the value was there before a write a moment ago.
        func had(_ value: PropertyListValue?, beforeOwn: Bool, at now: Timestamp) -> Bool {
            guard let times = before[value] else { return false }
            return (beforeOwn ? times.ofOwn : times.ofAny).map { RecentWrites.isRecent($0, at: now) } ?? false
        }
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
    /// Keys of one write by others: to look up what had been there takes time, each time.
    private static let othersLimit = 100
    /// Whoever undoes a key more often than that shall have it. A program that writes a large file again
    /// and again undoes what is written meanwhile in nine of ten rounds.
    private static let patience = 300

    /// Notes what was written here.
    ///
    /// - Parameter old: what the changes were laid over; nil where there was no file.
    mutating func note(
        _ changes: [String: PropertyListValue?],
        over old: PropertyListDocument?,
        at now: Timestamp
    ) {
        note(changes, over: old, at: now) { _, _ in true }
    }

    /// Notes what a storage that keeps to the lock has written.
    mutating func note(
        ofOthers changes: [String: PropertyListValue?],
        over old: PropertyListDocument,
        at now: Timestamp
    ) {
        if changes.count <= Self.othersLimit { note(changes, over: old, at: now) { _, _ in false } }
    }

    /// Notes what is put back since a program had written it late. What is gone there may have been unknown
    /// to it.
    mutating func note(
        late changes: [String: PropertyListValue?],
        over old: PropertyListDocument,
        at now: Timestamp
    ) {
        note(changes.filter { $0.value != nil }, over: old, at: now) { $0 != nil && $1 == nil }
    }

    private mutating func note(
        _ changes: [String: PropertyListValue?],
        over old: PropertyListDocument?,
        at now: Timestamp,
        areOwn: (_ value: PropertyListValue?, _ before: PropertyListValue?) -> Bool
    ) {
        forgetOld(at: now)
        lastWrite += 1
        guard entries.count + changes.count <= Self.limit else { return }
        for (key, value) in changes {
            var entry = entries.removeValue(forKey: key) ?? Entry()
            let before = old?.value(forKey: key)
            entry.note(before, isOwn: areOwn(value, before) && !entry.isForOthers, at: now)
            entry.isForOthers = false
            entry.lastWrite = lastWrite
            entries[key] = entry
            order.append((key, lastWrite))
        }
    }

    /// Takes keys that were undone out of what differs.
    ///
    /// - Parameters:
    ///   - isSameFile: whether the file is the one that was last seen, as far as that can be told.
    ///   - wasUnlocked: whether somebody has written a file without the lock lately, who may not have known
    ///     what that undid; nil where that isn't known. Asked where it matters.
    mutating func findUndone(
        in reading: inout StorageReading,
        at now: Timestamp,
        isSameFile: Bool = true,
        wasUnlocked: () -> Bool? = { true }
    ) {
        forgetOld(at: now)
        guard !entries.isEmpty, case .some(var changes) = reading.difference else { return }
        var undone = changes.filter { isUndone($0.key, $0.value, beforeOwn: !isSameFile, at: now) }
        if undone.isEmpty { return }
        let wasUnlocked = wasUnlocked()
        if wasUnlocked != true {
            if !(wasUnlocked ?? isSameFile) { return }
            undone = undone.filter { isUndone($0.key, $0.value, beforeOwn: true, at: now) }
        }
        for (key, value) in undone {
            let isOwn = isUndone(key, value, beforeOwn: true, at: now)
            entries[key]?.isForOthers = !isOwn
            entries[key]?.timesUndone += 1
            changes[key] = nil
            reading.undone[key] = .some(value)
        }
        reading.difference = changes.isEmpty ? .none : .some(changes)
    }

    private func isUndone(
        _ key: String,
        _ value: PropertyListValue?,
        beforeOwn: Bool,
        at now: Timestamp
    ) -> Bool {
        guard let entry = entries[key], entry.timesUndone < Self.patience else { return false }
        return entry.had(value, beforeOwn: beforeOwn, at: now)
    }

    private mutating func forgetOld(at now: Timestamp) {
        while firstInOrder < order.count {
            let (key, write) = order[firstInOrder]
            if let entry = entries[key], entry.lastWrite == write {
                if Self.isRecent(entry.lastTime, at: now) { break }
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
    private static func isRecent(_ time: Timestamp, at now: Timestamp) -> Bool {
        abs(now.nanoseconds - time.nanoseconds) < Int64(memory * 1_000_000_000)
    }
}
