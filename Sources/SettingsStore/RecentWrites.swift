import PropertyList

/// What this storage, and others that keep to the lock, wrote within the last moments.
///
/// A program without the lock, like Foundation's `UserDefaults`, reads the file, changes a key and
/// writes all of it, in place or as a new file. Every write that took place in between is undone, key by key, to what had been there
/// before; the program does not know. Nobody who means to do that is as quick. What its file holds under other
/// keys tells when the program had read it: what was written before that it knew, and has undone on purpose.
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
        /// What the file holds, as last written or found.
        var lastValue: PropertyListValue?
        /// What was last written, whether or not somebody has undone it since.
        private var lastWritten: PropertyListValue??
        var lastWrite: UInt64 = 0
        /// Whether only a program without the lock wrote it, and wrote it late.
        var isLate = true
        /// Whether this storage wrote it for itself. What comes by way of others may be the very program's that is
        /// to be judged, which knows it without having read it.
        var isOwn = false
        var timesUndone = 0
        /// What another storage had written, while that is to be written again for it.
        var othersValue: PropertyListValue??

        mutating func note(
            _ old: PropertyListValue?,
            _ new: PropertyListValue?,
            isOwn: Bool,
            at now: Timestamp
        ) {
            lastTime = now
            lastValue = new
            if othersValue != .some(new) { othersValue = nil }
            if old != new { noteBefore(old, isOwn: isOwn, at: now) }
            if let lastWritten, lastWritten != new { noteBefore(lastWritten, isOwn: isOwn, at: now) }
            lastWritten = .some(new)
            if before.count < room { return }
            before = before.filter { RecentWrites.isRecent($0.value.ofAny, at: now) }
            room = max(16, before.count * 2)
        }

        /// Notes that somebody has had another value there, late.
        mutating func noteUndone(_ value: PropertyListValue?, at now: Timestamp) {
            noteBefore(value, isOwn: isOwn, at: now)
        }

        private mutating func noteBefore(_ value: PropertyListValue?, isOwn: Bool, at now: Timestamp) {
            let ofOwn = isOwn && othersValue == nil ? now : before[value]?.ofOwn
            before[value] = Times(ofAny: now, ofOwn: ofOwn)
        }

        /// Whether somebody else who writes a value has written again what this storage had stored.
        func isOwnAgain(_ value: PropertyListValue?) -> Bool { isOwn && lastWritten == .some(value) }

        /// Whether the value was there before a write a moment ago.
        func had(_ value: PropertyListValue?, beforeOwn: Bool, at now: Timestamp) -> Bool {
            guard let times = before[value] else { return false }
            return (beforeOwn ? times.ofOwn : times.ofAny).map { RecentWrites.isRecent($0, at: now) } ?? false
        }
    }

    /// From one version of the file to the next.
    private struct Step {
        let number: UInt64
        let time: Timestamp
        let changes: [String: (old: PropertyListValue?, new: PropertyListValue?)]
    }

    private enum Writer { case own, others, late }

    private var entries: [String: Entry] = [:]
    /// The oldest first, from `firstStep` on.
    private var steps: [Step] = []
    private var firstStep = 0
    /// Keys in all steps.
    private var size = 0
    private var lastNumber: UInt64 = 0

    /// Seconds. `UserDefaults` takes some 50 ms to write again what it finds changed, and on a busy
    /// machine many times that.
    static let memory = 2.0
    /// Seconds for which what a program wrote late may be unknown to that program, where nothing tells.
    private static let lateMemory = 0.3
    /// Keys of one write, and keys altogether: more than that is not worth the room.
    private static let limit = 10_000
    /// Keys of one write by others, beyond which only those are noted that were written here before: to look up
    /// what had been there takes time, each time.
    private static let othersLimit = 100
    /// Whoever undoes a key more often than that shall have it. A program that writes a large file again
    /// and again undoes what is written meanwhile in nine of ten rounds.
    private static let patience = 300

    /// Whether anything was written a moment ago.
    mutating func isEmpty(at now: Timestamp) -> Bool {
        forgetOld(at: now)
        return entries.isEmpty
    }

    /// Notes what was written here.
    ///
    /// - Parameter old: what the file had held; nil where there was none.
    mutating func note(
        _ changes: [String: PropertyListValue?],
        over old: PropertyListDocument?,
        at now: Timestamp
    ) {
        note(changes, by: .own, over: old, at: now)
    }

    /// Notes what a file of somebody else holds that differs from what was there last.
    ///
    /// - Parameter others: what of that a storage that keeps to the lock has written on purpose.
    mutating func note(
        found changes: [String: PropertyListValue?],
        ofOthers others: [String: PropertyListValue?],
        over old: PropertyListDocument?,
        at now: Timestamp
    ) {
        let others = others.count <= Self.othersLimit ? others : others.filter { entries[$0.key] != nil }
        var taken: [String: (old: PropertyListValue?, new: PropertyListValue?)] = [:]
        for (key, value) in changes where !others.keys.contains(key) {
            guard let entry = entries[key], entry.lastValue != value else { continue }
            taken[key] = (entry.lastValue, value)
            entries[key]?.lastValue = value
        }
        add(taken, at: now)
        note(others, by: .others, over: old, at: now)
    }

    /// Notes what a program undid in a file that was just replaced: its file, without what it undid, came before
    /// the one that is there.
    mutating func note(undoneLate undone: [String: PropertyListValue?], at now: Timestamp) {
        typealias Change = (old: PropertyListValue?, new: PropertyListValue?)
        var away: [String: Change] = [:]
        var back: [String: Change] = [:]
        for (key, value) in undone {
            guard let entry = entries[key] else { continue }
            away[key] = (entry.lastValue, value)
            back[key] = (value, entry.lastValue)
            entries[key]?.noteUndone(value, at: now)
        }
        add(away, at: now)
        add(back, at: now)
        for key in back.keys { entries[key]?.lastWrite = lastNumber }
    }

    /// Notes what is put back since a program had written it late. What is gone there may have been unknown
    /// to it.
    mutating func note(
        late changes: [String: PropertyListValue?],
        over old: PropertyListDocument,
        at now: Timestamp
    ) {
        note(changes.filter { $0.value != nil }, by: .late, over: old, at: now)
    }

    private mutating func note(
        _ changes: [String: PropertyListValue?],
        by writer: Writer,
        over old: PropertyListDocument?,
        at now: Timestamp
    ) {
        forgetOld(at: now)
        guard entries.count + changes.count <= Self.limit else { return }
        var noted: [String: (old: PropertyListValue?, new: PropertyListValue?)] = [:]
        for (key, value) in changes {
            let before = old?.value(forKey: key)
            // Where nothing was written lately there is nothing to take back.
            if before == value, entries[key] == nil { continue }
            var entry = entries.removeValue(forKey: key) ?? Entry()
            let isOwn =
                switch writer {
                case .own: true
                case .others: entry.isOwnAgain(value)
                case .late: before == nil
                }
            entry.note(before, value, isOwn: isOwn, at: now)
            entry.lastWrite = lastNumber + 1
            if writer != .late { entry.isLate = false }
            if writer == .own, entry.othersValue == nil { entry.isOwn = true }
            entries[key] = entry
            noted[key] = (before, value)
        }
        add(noted, at: now)
    }

    private mutating func add(
        _ changes: [String: (old: PropertyListValue?, new: PropertyListValue?)],
        at now: Timestamp
    ) {
        if changes.isEmpty { return }
        lastNumber += 1
        steps.append(Step(number: lastNumber, time: now, changes: changes))
        size += changes.count
        while size > 2 * Self.limit, firstStep < steps.count - 1 { forgetFirst() }
    }

    /// Takes keys that were undone out of what differs.
    ///
    /// - Parameters:
    ///   - isSameFile: whether the file is the one that was last seen, as far as that can be told.
    ///   - isLocked: whether somebody wrote it who keeps to the lock: upon what undid it, or for others whose last
    ///     word that was not. What else the file holds tells nothing then.
    ///   - wasUnlocked: whether somebody has written a file without the lock lately, who may not have known
    ///     what that undid; nil where that isn't known. Asked where it matters.
    mutating func findUndone(
        in reading: inout StorageReading,
        at now: Timestamp,
        isSameFile: Bool = true,
        isLocked: Bool = false,
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
        let known = lastKnown(to: changes)
        for (key, value) in undone {
            if !isLocked || entries[key]?.isLate == true, wasKnown(key, known, at: now) { continue }
            let isOwn = isUndone(key, value, beforeOwn: true, at: now)
            let last = entries[key]?.lastValue
            entries[key]?.othersValue = isOwn ? nil : .some(last)
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

    /// The last step that whoever wrote a file had seen, or which it may have been: the ones after which the
    /// keys that were written here were most like what its file holds.
    ///
    /// - Parameter changes: what the file holds that differs from what was there last.
    private func lastKnown(to changes: [String: PropertyListValue?]) -> ClosedRange<UInt64> {
        func tells(_ key: String) -> Bool { entries[key]?.isOwn == true }
        var held: [String: PropertyListValue?] = [:]
        var differing = changes.keys.count(where: tells)
        var (fewest, earliest, latest) = (differing, lastNumber, lastNumber)
        for step in steps[firstStep...].reversed() {
            for (key, change) in step.changes where tells(key) {
                let value = held[key] ?? changes[key] ?? change.new
                held.updateValue(value, forKey: key)
                if value == change.new { differing += 1 }
                if value == change.old { differing -= 1 }
            }
            if differing < fewest { (fewest, latest) = (differing, step.number - 1) }
            if differing == fewest { earliest = step.number - 1 }
        }
        return earliest...latest
    }

    /// Whether somebody who has seen one of those steps and none after it knew of the last write of a key.
    private func wasKnown(_ key: String, _ known: ClosedRange<UInt64>, at now: Timestamp) -> Bool {
        guard let entry = entries[key], entry.lastWrite <= known.upperBound else { return false }
        if entry.isOwn || entry.lastWrite <= known.lowerBound { return true }
        // Between its late writing and its being put back it was missing, and nothing tells more.
        return entry.isLate && known.upperBound == lastNumber
            && !Self.isRecent(entry.lastTime, at: now, within: Self.lateMemory)
    }

    private mutating func forgetOld(at now: Timestamp) {
        while firstStep < steps.count, !Self.isRecent(steps[firstStep].time, at: now) { forgetFirst() }
        if firstStep * 2 >= steps.count {
            steps.removeFirst(firstStep)
            firstStep = 0
        }
    }

    private mutating func forgetFirst() {
        let step = steps[firstStep]
        for key in step.changes.keys where entries[key]?.lastWrite == step.number { entries[key] = nil }
        size -= step.changes.count
        firstStep += 1
    }

    /// Neither longer ago nor, where the clock was set back, to come.
    private static func isRecent(_ time: Timestamp, at now: Timestamp, within seconds: Double = memory)
        -> Bool
    {
        abs(now.nanoseconds - time.nanoseconds) < Int64(seconds * 1_000_000_000)
    }
}
