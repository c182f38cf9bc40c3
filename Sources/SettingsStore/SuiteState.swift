import PropertyList

/// What a suite keeps in memory, and the order in which it tells of changes: plain state, guarded
/// by whoever owns it.
struct SuiteState {
    /// A key that was set and is not yet stored.
    struct Pending {
        /// nil removes.
        var value: PropertyListValue?
        /// What the storage holds, as last read.
        var stored: PropertyListValue?
        /// The set's number, by which a later set of the same key is told apart.
        var number: UInt64
        /// Of keys that were set in one step, what they have in common: where one can't be stored none is.
        var step: UInt64?
        /// Whether the storage was out of reach when it should have been stored. Then it does not
        /// overwrite what somebody stored meanwhile.
        var isOverdue = false
        /// Whether it was stored before and is to be again, since somebody undid it without knowing.
        var isRestoring = false
        /// Values that may have been stored, since the storage took them and did not answer.
        var attempts: [PropertyListValue?] = []
    }

    private(set) var values = PropertyListEntries()
    private(set) var pending: [String: Pending] = [:]
    /// What is going over from or to another suite.
    var handovers: [Handover] = []
    private(set) var registered: [String: PropertyListValue] = [:]
    /// What the process was started with for keys that it hasn't set.
    private(set) var arguments: [String: PropertyListValue] = [:]
    private(set) var isLoaded = false
    private(set) var contentError: SettingsError? { didSet { hasOutage = contentError?.isOutage == true } }
    private(set) var storingError: SettingsError? { didSet { hasStoringError = storingError != nil } }
    /// Whether the storage was out of reach at the last attempt to use it.
    private(set) var hasOutage = false
    private var hasStoringError = false
    private(set) var exists = false
    /// As the storage last said it.
    var readOnlyReason: String?

    private var turns = CommitTurns()
    /// Whether somebody is on the way to read what others stored.
    var isReadScheduled = false
    /// Failures that nobody has been told of who doesn't observe the suite.
    private var unreported: [SettingsError] = []
    /// How often the storage was read and something found, or written.
    private var uses: UInt64 = 0
    /// What that was when somebody began to wait for the storage to be at rest.
    private var usesBeforeRest: UInt64?
    /// Why a pending key was taken back, until somebody is thrown it.
    private var refusal: SettingsError?
    /// Whether what is pending is kept where it outlives the process.
    var isKept = false
    /// Whether somebody is on the way to keep it.
    var isKeepScheduled = false
    /// Keeps the storage watched; nil before anybody observes or writes.
    private(set) var watch: StorageWatch?
    /// Whether the watch is to begin in a while, and whether that has passed.
    private var isWatchScheduled = false
    private var isWatchTime = false

    private var lastNumber: UInt64 = 0
    private var telling = Telling()
    private var toldStatus = SuiteStatus()
}

// MARK: - Values

extension SuiteState {
    /// Nil before there is anything to compare with.
    var knownValues: PropertyListEntries? { !isLoaded && values.isEmpty && pending.isEmpty ? nil : values }

    /// The value that an argument gives, else the stored one, else the registered one.
    mutating func value(forKey key: String) -> PropertyListValue? {
        if !arguments.isEmpty, let argument = arguments[key] { return argument }
        return values.valueAskedFor(key) ?? registered[key]
    }

    mutating func storedValue(forKey key: String) -> PropertyListValue? { values.valueAskedFor(key) }

    /// Whether the end of the process is to wait for something.
    var hasUnfinished: Bool { !pending.isEmpty || !handovers.isEmpty }

    mutating func take(arguments: [String: PropertyListValue]) { self.arguments = arguments }

    /// Sets several keys in one step.
    mutating func set(_ values: [(key: String, value: PropertyListValue?)], origin: ChangeOrigin) {
        let step = values.count > 1 ? lastNumber + 1 : nil
        for (key, value) in values {
            set(value, forKey: key, origin: origin)
            pending[key]?.step = step
        }
    }

    mutating func set(_ value: PropertyListValue?, forKey key: String, origin: ChangeOrigin) {
        lastNumber += 1
        let old = values[key]
        var entry = pending[key] ?? Pending(value: nil, stored: old, number: 0, isOverdue: hasOutage)
        entry.value = value
        entry.number = lastNumber
        entry.step = nil
        entry.isRestoring = false
        pending[key] = entry
        values[key] = value
        if !arguments.isEmpty { arguments[key] = nil }
        telling.add(key, old: old, new: value, origin)
    }

    /// The first registration of a key wins; a later one that differs is returned.
    mutating func register(_ defaults: [String: PropertyListValue]) -> [String] {
        var differing: [String] = []
        for (key, value) in defaults {
            if let first = registered[key] {
                if first != value { differing.append(key) }
            } else {
                registered[key] = value
            }
        }
        return differing.sorted()
    }

    /// Takes over what the storage holds. Keys that are pending keep their values.
    ///
    /// - Parameter differences: between all that it holds and the values, where somebody has compared them.
    mutating func merge(_ reading: StorageReading, differences: [String: PropertyListValue?]? = nil) {
        exists = reading.exists
        if let outage = reading.outage, outage != contentError {
            mustReport(outage)
            telling.add(.failed(outage))
        }
        contentError = reading.outage
        switch reading.difference {
        case .none:
            break
        case .all(let all):
            if knownValues == nil {
                values = all
            } else {
                var changes = differences ?? all.differences(from: values)
                for key in pending.keys { changes.updateValue(all[key], forKey: key) }
                for (key, value) in changes.sorted(by: { $0.key < $1.key }) { takeOver(value, forKey: key) }
            }
        case .some(let changes):
            for (key, value) in changes.sorted(by: { $0.key < $1.key }) { takeOver(value, forKey: key) }
        }
        for (key, value) in reading.undone {
            if pending[key] == nil {
                makePending(key)
                pending[key]?.isRestoring = true
            }
            pending[key]?.stored = value
        }
        takeUp(reading.left, leaving: reading.leftOver, isCertain: reading.outage == nil)
        isLoaded = true
        tellStatusIfChanged()
    }

    /// Goes on with what a process has left that is no more, unless somebody has stored something else since.
    ///
    /// - Parameters:
    ///   - leftOver: where something else is given up, which is told with the value that the key has now.
    ///   - isCertain: whether `values` are what the storage holds, and not an old copy.
    private mutating func takeUp(
        _ left: [String: PendingWrite],
        leaving leftOver: Set<String>,
        isCertain: Bool
    ) {
        var changed: [String: PropertyListValue?] = [:]
        for (key, write) in left.sorted(by: { $0.key < $1.key }) where pending[key] == nil {
            let old = values[key]
            if isCertain, old == write.value { continue }
            guard !isCertain || write.bases.contains(old) else {
                changed.updateValue(old, forKey: key)
                continue
            }
            lastNumber += 1
            var entry = Pending(value: write.value, stored: old, number: lastNumber, isOverdue: true)
            if !isCertain, let base = write.bases.first { entry.stored = base }
            entry.attempts = Array(write.bases.dropFirst())
            pending[key] = entry
            values[key] = write.value
            telling.add(key, old: old, new: write.value, .otherProcess)
        }
        for key in leftOver { changed.updateValue(values[key], forKey: key) }
        if changed.isEmpty { return }
        let error = SettingsError.conflict(current: changed)
        mustReport(error)
        telling.add(.failed(error))
    }

    /// What is pending, for whoever keeps it.
    var pendingWrites: [String: PendingWrite] {
        pending.mapValues { PendingWrite(value: $0.value, bases: [$0.stored] + $0.attempts) }
    }

    private mutating func takeOver(_ value: PropertyListValue?, forKey key: String) {
        // What somebody has set since stands.
        if let entry = pending[key], entry.isRestoring, value != entry.stored { pending[key] = nil }
        if let entry = pending[key] {
            pending[key]?.stored = value
            let isOwn = value == entry.value || entry.attempts.contains(value)
            if entry.isOverdue, value != entry.stored, !isOwn {
                let error = SettingsError.conflict(current: [key: value])
                // Of an outage each key is decided for itself: the others are nobody else's.
                refusal = refusal ?? error
                takeBack([key], because: error)
                mustReport(error)
            }
        } else if values[key] != value {
            let old = values[key]
            values[key] = value
            telling.add(key, old: old, new: value, .otherProcess)
        }
    }

    mutating func rightsFound(_ reason: String?) {
        readOnlyReason = reason
        tellStatusIfChanged()
    }

    mutating func readingFailed(_ error: SettingsError) {
        let isKnown = contentError?.isTheSame(as: error) == true
        contentError = error
        isLoaded = true
        tellStatusIfChanged()
        if isKnown { return }
        mustReport(error)
        telling.add(.failed(error))
    }
}

// MARK: - Storing

extension SuiteState {
    /// What was handed over to be stored is stored.
    mutating func stored(_ taken: [String: Pending]) {
        for (key, entry) in taken {
            if pending[key]?.number == entry.number {
                pending[key] = nil
            } else {
                pending[key]?.stored = entry.value
            }
            if entry.value != nil { exists = true }
        }
        storingError = nil
        turns.succeeded()
        tellStatusIfChanged()
    }

    /// What the storage holds, as last read, under keys that other values are to be stored for.
    func stored(replacedBy changes: [String: PropertyListValue?]) -> [String: PropertyListValue] {
        var replaced: [String: PropertyListValue] = [:]
        for (key, new) in changes {
            let old = if let entry = pending[key] { entry.stored } else { values[key] }
            if let old, old != new { replaced[key] = old }
        }
        return replaced
    }

    /// A conditional write went through; a set that came after it wins.
    mutating func stored(_ write: ConditionalWrite) {
        for (key, value) in write.changes.sorted(by: { $0.key < $1.key }) {
            if pending[key] != nil {
                pending[key]?.stored = value
            } else {
                let old = values[key]
                values[key] = value
                if !arguments.isEmpty { arguments[key] = nil }
                telling.add(key, old: old, new: value, write.origin)
            }
            if value != nil { exists = true }
        }
        switch write.whole {
        case .stays: break
        case .made: exists = true
        case .removed: exists = !values.isEmpty
        }
        tellStatusIfChanged()
    }

    /// Whether what is pending may stay so for long.
    var mustKeep: Bool { hasOutage || hasStoringError }

    /// - Parameter taken: what was to be stored, as far as it came to that.
    mutating func storingFailed(_ error: SettingsError, _ taken: [String: Pending]) {
        let known = error.isUnfinished ? [storingError, contentError] : [storingError]
        let isKnown = known.contains { $0?.isTheSame(as: error) == true }
        if !pending.isEmpty, !isKnown { mustReport(error) }
        storingError = pending.isEmpty ? nil : error
        turns.failed()
        switch error {
        case .unreadable, .notAFile: contentError = error
        case .unreachable, .unconfirmed, .unfinished:
            contentError = error
            for key in pending.keys { pending[key]?.isOverdue = true }
            for (key, entry) in taken where pending[key]?.attempts.contains(entry.value) == false {
                pending[key]?.attempts.append(entry.value)
                // More are told of as if others had set them, which is reported.
                if let count = pending[key]?.attempts.count, count > 100 {
                    pending[key]?.attempts.removeFirst()
                }
            }
        default: break
        }
        tellStatusIfChanged()
        telling.add(.failed(error))
    }

    /// Whether the caller has to see to it that what was set is stored; else somebody does already.
    mutating func beginCommit() -> Bool { turns.begin() }

    /// Begins a turn that was waited for, and tells whether there is still something to do in it.
    mutating func endWaiting(_ turn: CommitTurns.Turn) -> Bool { turns.end(turn) && !pending.isEmpty }

    /// Takes over what the storage holds, and tells whether the caller has to store something at once:
    /// what would have been tried again later and can be stored now, or what somebody undid.
    mutating func mergeFound(_ reading: StorageReading, differences: [String: PropertyListValue?]?) -> Bool {
        let wasUnreadable = contentError != nil
        merge(reading, differences: differences)
        let hasMore = wasUnreadable || !reading.undone.isEmpty || !reading.left.isEmpty
        return hasMore && !pending.isEmpty && turns.beginAtOnce()
    }

    /// Takes a turn to try again in a while, where that is needed.
    mutating func beginRetry() -> (turn: CommitTurns.Turn, seconds: Double)? {
        pending.isEmpty ? nil : turns.beginRetry()
    }

    /// Whether the caller has to see to it that the storage rests once it is not used any more; else
    /// somebody does already.
    mutating func beginWaitingForRest() -> Bool {
        uses += 1
        guard usesBeforeRest == nil else { return false }
        usesBeforeRest = uses
        return true
    }

    /// Whether the storage has not been used since, and may rest.
    mutating func endWaitingForRest() -> Bool {
        defer { usesBeforeRest = nil }
        return usesBeforeRest == uses
    }

    /// Gives up a pending key that was refused, and what was set in one step with it. A set that came later
    /// stays.
    mutating func withdraw(_ key: String, _ refused: Pending, because error: SettingsError) {
        guard pending[key]?.number == refused.number else { return }
        let keys = refused.step.map { step in pending.filter { $0.value.step == step }.keys.sorted() }
        refusal = refusal ?? error
        takeBack(keys ?? [key], because: error)
    }

    /// Shows the stored values of pending keys again.
    private mutating func takeBack(_ keys: [String], because error: SettingsError) {
        for key in keys {
            guard let entry = pending.removeValue(forKey: key) else { continue }
            let old = values[key]
            values[key] = entry.stored
            telling.add(key, old: old, new: entry.stored, .refused)
        }
        telling.add(.failed(error))
    }

    /// Gives up all that is pending, since the storage is out of reach. Whoever waits for it is thrown that
    /// now; whoever does not is told which keys they were.
    mutating func withdrawAll(because error: SettingsError) {
        let keys = pending.keys.sorted()
        if keys.isEmpty { return }
        takeBack(keys, because: error)
        mustReport(error.takingBack(keys))
    }

    /// Why a key was taken back since this was last asked: the first of several.
    mutating func takeRefusal() -> SettingsError? {
        defer { refusal = nil }
        return refusal
    }

    /// Others may have stored what is pending, or something newer.
    mutating func haveForked() { for key in pending.keys { pending[key]?.isOverdue = true } }

    /// All values are stored in the place of what could not be read, those that were pending among them.
    mutating func recovered(with taken: [String: Pending], exists: Bool) {
        contentError = nil
        self.exists = exists
        isLoaded = true
        stored(taken)
    }

    private mutating func makePending(_ key: String) {
        lastNumber += 1
        pending[key] = Pending(value: values[key], stored: nil, number: lastNumber)
    }
}

// MARK: - Watching and telling

extension SuiteState {
    var status: SuiteStatus {
        SuiteStatus(
            content: contentError.map { $0.content } ?? (exists ? .stored : .absent),
            watching: watch?.watching ?? .off,
            pendingKeys: pending.count,
            storingError: storingError.map { "\($0)" },
            readOnlyReason: readOnlyReason
        )
    }

    private mutating func tellStatusIfChanged() {
        var status = status
        status.pendingKeys = toldStatus.pendingKeys
        if status != toldStatus {
            toldStatus = status
            telling.add(.status(self.status))
        }
    }

    /// Whether the storage is watched, or will be in a moment.
    var willBeWatched: Bool { watch != nil || isWatchScheduled }

    /// Whether the caller has to see to it that the storage is watched in a while.
    mutating func beginWatchingLater() -> Bool {
        if willBeWatched { return false }
        isWatchScheduled = true
        return true
    }

    /// Whether whoever has the storage next is to watch it.
    var isWatchDue: Bool { isWatchTime && watch == nil }

    mutating func watchTimeHasCome() { isWatchTime = true }

    mutating func watchStarted(_ watch: StorageWatch) {
        self.watch = watch
        tellStatusIfChanged()
    }

    private mutating func mustReport(_ error: SettingsError) {
        if !unreported.contains(error) { unreported.append(error) }
    }

    /// The failures to report, which are reported with that.
    mutating func takeUnreported() -> [SettingsError] {
        defer { unreported = [] }
        return unreported
    }

    /// Whether the caller has to deliver: there is something to tell and nobody is telling it.
    mutating func beginDelivering() -> Bool { telling.begin() }

    var hasMoreToTell: Bool { telling.hasMore }

    /// The next event and who is to hear it; nil ends the delivery.
    mutating func nextDelivery() -> (event: SuiteEvent, observers: [Observer])? { telling.next() }

    /// Adds an observer, who hears of everything after the value that is returned, which the store's may be
    /// ahead of.
    mutating func add(_ observer: Observer) -> PropertyListValue? {
        telling.join(observer, observer.key.flatMap { values[$0] })
    }

    mutating func remove(_ observer: Observer) { telling.remove(observer) }
}
