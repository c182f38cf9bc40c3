import PropertyList

/// The state of one suite in memory, which its owner guards with a lock.
///
/// Three value types own the behaviour: ``SuiteValues`` the values and where they come from, ``SuiteCommit`` what is
/// not stored yet and when it is stored, ``WatchState`` whether the storage is watched. This type coordinates them:
/// it applies each event (a set, a reading, a result of a commit) to those that it concerns, and turns it into
/// notifications. What concerns one of them alone is asked of it directly.
///
/// Values here own their data (``PropertyList/PropertyListValue/withOwnData``). The `Data` of a caller could run the
/// caller's deallocator under the lock.
struct SuiteState {
    var values = SuiteValues()
    var commit = SuiteCommit()
    var watch = WatchState()
    var observers = ObserverQueue()
    /// The status that the observers know.
    private var notifiedStatus = SuiteStatus()
    /// Stored values that the program could not read. A commit that replaces one puts it into quarantine first.
    private var unreadable: [String: PropertyListValue] = [:]
    /// Failures for the failure handler, because no caller was there to be thrown them.
    private var unreported: [SettingsError] = []
}

// MARK: - Setting values

extension SuiteState {
    /// Sets several keys in one transaction.
    mutating func set(_ changes: [(key: String, value: PropertyListValue?)], origin: ChangeOrigin) {
        let transaction = commit.nextTransaction
        for (key, value) in changes {
            set(value, forKey: key, origin: origin)
            if changes.count > 1 { commit.join(key, transaction: transaction) }
        }
    }

    mutating func set(_ value: PropertyListValue?, forKey key: String, origin: ChangeOrigin) {
        let replaced = values.set(value, forKey: key)
        commit.set(value, forKey: key, replacing: replaced.old, isOverdue: values.hasOutage)
        observers.add(key, replaced, origin)
    }
}

// MARK: - Readings

extension SuiteState {
    /// The values to compare a reading with; nil before the first reading or set.
    var knownValues: PropertyListEntries? {
        values.isLoaded || !commit.pending.isEmpty ? values.stored : nil
    }

    /// Adopts the stored values. Pending keys keep their values.
    ///
    /// - Parameter differences: the differences between all stored values and those in memory, if the caller has
    ///   compared them.
    mutating func merge(_ reading: StorageReading, differences: [String: PropertyListValue?]?) {
        let isKnown = values.isLoaded || !commit.pending.isEmpty
        if let outage = reading.outage, outage != values.contentError {
            mustReport(outage)
            observers.add(.failed(outage))
        }
        switch reading.difference {
        case .none:
            break
        case .all(let all):
            if isKnown {
                var changes = differences ?? all.differences(from: values.stored)
                for key in commit.pending.keys { changes.updateValue(all[key], forKey: key) }
                adoptForeignChanges(changes)
            } else {
                values.adoptAll(all)
            }
        case .some(let changes):
            adoptForeignChanges(changes)
        }
        for (key, value) in reading.overwritten {
            commit.restore(values.stored[key], forKey: key, over: value)
        }
        values.readingSucceeded(exists: reading.exists, outage: reading.outage)
        notifyStatusIfChanged()
    }

    /// Like ``merge(_:differences:)``, for a reading outside of a commit.
    ///
    /// - Returns: whether the caller has to schedule a commit: a write that would have been retried later can be
    ///   stored now, or an unlocked writer has overwritten something.
    mutating func mergeForeignChanges(
        _ reading: StorageReading,
        differences: [String: PropertyListValue?]?
    ) -> Bool {
        let wasUnreadable = values.contentError != nil
        merge(reading, differences: differences)
        return (wasUnreadable || !reading.overwritten.isEmpty) && commit.beginNow()
    }

    private mutating func adoptForeignChanges(_ changes: [String: PropertyListValue?]) {
        for (key, value) in changes.sorted(by: { $0.key < $1.key }) { adoptForeignChange(value, forKey: key) }
    }

    private mutating func adoptForeignChange(_ value: PropertyListValue?, forKey key: String) {
        // A foreign change that is not the overwriting itself ends the restoring of our value.
        if let entry = commit.pending[key], entry.isRestoring, value != entry.stored {
            _ = commit.remove(key)
        }
        guard let entry = commit.pending[key] else {
            if values.stored[key] == value { return }
            observers.add(key, values.replace(value, forKey: key), .otherProcess)
            return
        }
        commit.noteStored(value, forKey: key)
        let isOwn = value == entry.value || entry.attempts.contains(value)
        if entry.isOverdue, value != entry.stored, !isOwn {
            // Each key that was set during an outage is decided for itself, so the others stay pending.
            let error = SettingsError.conflict(current: [key: value])
            commit.noteRefusal(error)
            takeBack([key], because: error)
            mustReport(error)
        }
    }

    mutating func readingFailed(_ error: SettingsError) {
        let isKnown = values.contentError == error
        values.readingFailed(error)
        notifyStatusIfChanged()
        if isKnown { return }
        mustReport(error)
        observers.add(.failed(error))
    }

    mutating func foundReadOnlyReason(_ reason: String?) {
        values.readOnlyReason = reason
        notifyStatusIfChanged()
    }
}

// MARK: - Other layers

extension SuiteState {
    /// Adopts the values of the other layers.
    ///
    /// - Parameters:
    ///   - changedKeys: the keys that may have other values than at the previous reading.
    ///   - arguments: the arguments of the process, which are adopted the first time.
    mutating func adopt(
        _ layers: LayerValues,
        _ problems: [LayerProblem],
        changedKeys: Set<String>,
        arguments: [String: PropertyListValue]
    ) {
        let known = values.layerProblems
        if values.knowsLayers {
            let before = changedKeys.sorted().map { ($0, values.layeredValue(forKey: $0)) }
            values.adopt(layers, problems)
            for (key, old) in before {
                observers.add(key, LayeredChange(old: old, new: values.layeredValue(forKey: key)))
            }
            if !changedKeys.isEmpty { observers.add(.layersChanged) }
        } else {
            values.adopt(layers, problems)
            if !arguments.isEmpty { values.adopt(arguments: arguments) }
        }
        for problem in problems where !known.contains(problem) {
            mustReport(.unusableLayer(problem))
            observers.add(.failed(.unusableLayer(problem)))
        }
    }
}

// MARK: - Results of commits

extension SuiteState {
    /// The pending writes that a commit has taken are stored.
    mutating func stored(_ taken: [String: SuiteCommit.Pending], readOnlyReason: String?) {
        values.readOnlyReason = readOnlyReason
        reachedStorage(taken)
        commit.succeeded()
        notifyStatusIfChanged()
    }

    /// The storage had these values, at least for a moment.
    mutating func reachedStorage(_ taken: [String: SuiteCommit.Pending]) {
        commit.reachedStorage(taken)
        if !unreadable.isEmpty { for key in taken.keys { unreadable[key] = nil } }
        if taken.values.contains(where: { $0.value != nil }) { values.noteStoredValue() }
    }

    /// A conditional write is stored. A later set of one of its keys wins.
    mutating func stored(_ write: ConditionalWrite) {
        for (key, value) in write.changes.sorted(by: { $0.key < $1.key }) {
            if commit.pending[key] != nil {
                commit.noteStored(value, forKey: key)
            } else {
                observers.add(key, values.set(value, forKey: key), write.origin)
            }
            if value != nil { values.noteStoredValue() }
        }
        values.noteExistence(after: write.action)
        notifyStatusIfChanged()
    }

    /// All values are stored in place of unreadable content, the pending ones among them.
    mutating func recovered(
        with taken: [String: SuiteCommit.Pending],
        exists: Bool,
        readOnlyReason: String?
    ) {
        values.recovered(exists: exists)
        stored(taken, readOnlyReason: readOnlyReason)
    }

    /// - Parameter taken: the pending writes that the storage got.
    mutating func storingFailed(_ error: SettingsError, _ taken: [String: SuiteCommit.Pending]) {
        if !commit.pending.isEmpty, commit.error != error { mustReport(error) }
        commit.failed(error, taken)
        values.writingFailed(error)
        notifyStatusIfChanged()
        observers.add(.failed(error))
    }

    mutating func noteUnreadable(_ value: PropertyListValue, forKey key: String) { unreadable[key] = value }

    /// The stored values that the changes are about to replace and that the program could not read.
    func unreadableValues(replacedBy changes: [String: PropertyListValue?]) -> [String: PropertyListValue] {
        unreadable.filter { key, value in
            guard let new = changes[key], new != value else { return false }
            let old = if let entry = commit.pending[key] { entry.stored } else { values.stored[key] }
            return old == value
        }
    }

    /// Takes back a pending key that the storage refuses for good, with its transaction. A later set stays.
    mutating func withdraw(_ key: String, _ refused: SuiteCommit.Pending, because error: SettingsError) {
        let keys = commit.keysToWithdraw(with: key, refused)
        if keys.isEmpty { return }
        commit.noteRefusal(error)
        takeBack(keys, because: error)
    }

    /// Takes back everything that is pending, because the storage is out of reach. A caller that waits is thrown the
    /// error; the failure handler gets the names of the keys.
    mutating func withdrawAll(because error: SettingsError) {
        let keys = commit.pending.keys.sorted()
        if keys.isEmpty { return }
        takeBack(keys, because: error)
        mustReport(error.takingBack(keys))
    }

    /// Gives pending keys their stored values again.
    private mutating func takeBack(_ keys: [String], because error: SettingsError) {
        for key in keys {
            guard let entry = commit.remove(key) else { continue }
            observers.add(key, values.replace(entry.stored, forKey: key), .refused)
        }
        observers.add(.failed(error))
    }
}

// MARK: - Status

extension SuiteState {
    var status: SuiteStatus {
        SuiteStatus(
            content: values.contentError.map { $0.content } ?? (values.exists ? .stored : .absent),
            watching: watch.watching,
            pendingKeys: commit.pending.count,
            storingError: commit.error.map { "\($0)" },
            readOnlyReason: values.readOnlyReason
        )
    }

    /// Notifies the observers of the status, unless only the number of pending keys has changed.
    private mutating func notifyStatusIfChanged() {
        var status = status
        status.pendingKeys = notifiedStatus.pendingKeys
        if status != notifiedStatus {
            notifiedStatus = status
            observers.add(.status(self.status))
        }
    }

    mutating func watchStarted(_ started: StorageWatch, layers: [StorageWatch]) {
        watch.started(started, layers: layers)
        notifyStatusIfChanged()
    }
}

// MARK: - Notifications

extension SuiteState {
    private mutating func mustReport(_ error: SettingsError) {
        if !unreported.contains(error) { unreported.append(error) }
    }

    /// Returns the failures that no caller was thrown since the last call.
    mutating func takeUnreported() -> [SettingsError] {
        defer { unreported = [] }
        return unreported
    }

    /// Adds an observer.
    ///
    /// - Returns: the value to start from. The observer is notified of every change after that; the current value may
    ///   be newer.
    mutating func add(_ observer: Observer) -> LayeredValue? {
        observers.join(observer, observer.key.flatMap { values.layeredValue(forKey: $0) })
    }
}
