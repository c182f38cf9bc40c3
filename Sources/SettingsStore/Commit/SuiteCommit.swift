import PropertyList

/// The pending writes of a suite, and when they are stored. Part of ``SuiteState``.
///
/// This type owns the pending writes, the migrations that are not finished, the turns of commits and retries, and when
/// the storage may release its cache. It knows nothing of values and observers.
struct SuiteCommit {
    /// A key that was set and is not stored yet.
    struct Pending {
        /// nil removes the key.
        var value: PropertyListValue?
        /// The value that the storage has, as last read.
        var stored: PropertyListValue?
        /// The number of the set, which a later set of the same key does not have.
        var number: UInt64
        /// The same for all keys that were set in one transaction: if one can't be stored, none is.
        var transaction: UInt64?
        /// Whether the storage was out of reach when the key should have been stored. Then it does not replace a
        /// foreign change that was made meanwhile.
        var isOverdue = false
        /// Whether the key was stored before and is stored again, because an unlocked writer has overwritten it.
        var isRestoring = false
        /// Values that may have been stored, because the storage got them and its answer was lost.
        var attempts: [PropertyListValue?] = []

        fileprivate mutating func set(_ value: PropertyListValue?, _ number: UInt64) {
            self.value = value
            self.number = number
            transaction = nil
            isRestoring = false
        }
    }

    private(set) var pending: [String: Pending] = [:]
    /// Migrations that are not finished.
    private(set) var migrations: [any UnfinishedMove] = []
    /// Why the last commit failed; nil after one that succeeded.
    private(set) var error: SettingsError?
    /// Why a pending key was taken back, until a caller is thrown it.
    private var refusal: SettingsError?
    private var schedule = CommitSchedule()
    private var lastNumber: UInt64 = 0

    /// How often the storage was read with a difference, or written.
    private var uses: UInt64 = 0
    /// The number of uses when a thread began to wait until the storage is idle.
    private var usesBeforeIdle: UInt64?

    /// The limit of ``Pending/attempts``, because memory is limited and a service may never answer. A value that is
    /// forgotten counts as a foreign change later, which is reported.
    private static let attemptLimit = 100
}

// MARK: - Pending writes

extension SuiteCommit {
    /// Whether the exit of the process has to wait for something.
    var isUnfinished: Bool { !pending.isEmpty || !migrations.isEmpty }

    /// The next number of a set.
    private mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// - Parameters:
    ///   - stored: the value that the key had so far.
    ///   - isOverdue: whether the storage is out of reach.
    mutating func set(
        _ value: PropertyListValue?,
        forKey key: String,
        replacing stored: PropertyListValue?,
        isOverdue: Bool
    ) {
        let number = nextNumber()
        // One search for the key, because every set pays for it.
        pending[key, default: Pending(value: nil, stored: stored, number: 0, isOverdue: isOverdue)]
            .set(value, number)
    }

    /// The number that the keys of the next transaction have in common.
    var nextTransaction: UInt64 { lastNumber + 1 }

    mutating func join(_ key: String, transaction: UInt64) { pending[key]?.transaction = transaction }

    /// Makes a key pending again that an unlocked writer has overwritten.
    ///
    /// - Parameter stored: the value that the storage has now.
    mutating func restore(_ value: PropertyListValue?, forKey key: String, over stored: PropertyListValue?) {
        if pending[key] == nil {
            pending[key] = Pending(value: value, stored: nil, number: nextNumber(), isRestoring: true)
        }
        pending[key]?.stored = stored
    }

    func isRestoring(oneOf keys: Set<String>) -> Bool {
        pending.contains { $0.value.isRestoring && keys.contains($0.key) }
    }

    /// Notes the value that the storage has under a pending key.
    mutating func noteStored(_ value: PropertyListValue?, forKey key: String) { pending[key]?.stored = value }

    mutating func remove(_ key: String) -> Pending? { pending.removeValue(forKey: key) }

    /// The keys that share a transaction with a refused one, sorted. Empty if the key was set again since.
    func keysToWithdraw(with key: String, _ refused: Pending) -> [String] {
        guard pending[key]?.number == refused.number else { return [] }
        guard let transaction = refused.transaction else { return [key] }
        return pending.filter { $0.value.transaction == transaction }.keys.sorted()
    }
}

// MARK: - Results

extension SuiteCommit {
    /// The storage had these values, at least for a moment. A key that was set again since stays pending.
    mutating func reachedStorage(_ taken: [String: Pending]) {
        for (key, entry) in taken {
            if pending[key]?.number == entry.number {
                pending[key] = nil
            } else {
                pending[key]?.stored = entry.value
            }
        }
    }

    mutating func succeeded() {
        error = nil
        schedule.succeeded()
    }

    /// - Parameter taken: the pending writes that the storage got.
    mutating func failed(_ error: SettingsError, _ taken: [String: Pending]) {
        self.error = pending.isEmpty ? nil : error
        schedule.failed()
        guard error.isOutage else { return }
        for key in pending.keys { pending[key]?.isOverdue = true }
        for (key, entry) in taken where pending[key]?.attempts.contains(entry.value) == false {
            pending[key]?.attempts.append(entry.value)
            if let count = pending[key]?.attempts.count, count > Self.attemptLimit {
                pending[key]?.attempts.removeFirst()
            }
        }
    }

    /// The first of several refusals counts.
    mutating func noteRefusal(_ error: SettingsError) { refusal = refusal ?? error }

    /// Why a key was taken back since the last call.
    mutating func takeRefusal() -> SettingsError? {
        defer { refusal = nil }
        return refusal
    }
}

// MARK: - Turns

extension SuiteCommit {
    /// Returns whether the caller has to schedule a commit. Otherwise nothing is pending, or one is on the way already.
    mutating func begin() -> Bool { !pending.isEmpty && schedule.begin() }

    /// Like ``begin()``, also if a retry is scheduled for later.
    mutating func beginNow() -> Bool { !pending.isEmpty && schedule.beginNow() }

    /// Begins a scheduled turn. Returns whether there is still something to store.
    mutating func endWaiting(_ turn: CommitSchedule.Turn) -> Bool { schedule.end(turn) && !pending.isEmpty }

    /// Returns the turn of a retry, if one is needed and none is scheduled.
    mutating func beginRetry() -> (turn: CommitSchedule.Turn, seconds: Double)? {
        pending.isEmpty ? nil : schedule.beginRetry()
    }
}

// MARK: - Migrations

extension SuiteCommit {
    mutating func begin(_ migration: any UnfinishedMove) { migrations.append(migration) }

    mutating func end(_ migration: any UnfinishedMove) { migrations.removeAll { $0 === migration } }
}

// MARK: - Releasing the cache

extension SuiteCommit {
    /// Notes a use of the storage. Returns whether the caller has to schedule the release of its cache.
    mutating func beginWaitingForIdle() -> Bool {
        uses += 1
        guard usesBeforeIdle == nil else { return false }
        usesBeforeIdle = uses
        return true
    }

    /// Returns whether the storage has not been used since.
    mutating func endWaitingForIdle() -> Bool {
        defer { usesBeforeIdle = nil }
        return usesBeforeIdle == uses
    }
}
