import PropertyList

/// The place where one suite is kept: a file, memory, or a service on another machine.
///
/// A storage remembers what it last read or wrote, in whatever form suits it, and reports
/// differences from that; values live in the suite alone. It is used by one caller at a time, on
/// any thread, with no lock held that readers or writers of the suite wait for, so every call may
/// block for as long as a disk or a network does.
public protocol SuiteStorage {
    /// Where this is, for people: a path or a URL.
    var location: String { get }

    /// What differs from what this storage last read or wrote; the first time, everything. While a watch
    /// is held, what no hint has been given of yet may be told the next time.
    ///
    /// When it throws, what was last read stays the base of the next comparison.
    mutating func read() throws(SettingsError) -> StorageReading

    /// Changes what is kept, in one step that is durable when this returns.
    ///
    /// `decide` is given what others changed since the last reading and returns what to write. It
    /// may be called again where that changed once more before the write took place: then only the
    /// last answer counts, and what it was given each time counts as read. Keys that are not written
    /// stay as they are, whoever else writes.
    ///
    /// When it throws, nothing was written, or, where only the confirmation failed, everything: the
    /// next reading tells. What `decide` was given counts as read all the same, and the next update
    /// that writes anything confirms this one too.
    mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError)

    /// What has become of the last update, where somebody was at it meanwhile who knows nothing of it and may undo
    /// it: waits until that one has seen it, or for some moments, and reads as soon as there is something else. To
    /// be asked again until it returns nil, which it does at once where nobody was at it.
    ///
    /// - Throws: as ``read()``, and ``SettingsError/overwritten(path:)`` when it has been undone for two seconds, and
    ///   is again.
    mutating func readAfterUpdate() throws(SettingsError) -> StorageReading?

    /// How the suite is written, for another one that is to be written likewise; nil where there is nothing to
    /// tell of that.
    func form() throws(SettingsError) -> SuiteForm?

    /// The suite as it was last read, for the storage of another one in the same place that is to take its place in
    /// one step; nil where there is no such step.
    mutating func ground() throws(SettingsError) -> SuiteGround?

    /// Removes all that is kept, be it what somebody has begun to make and not finished.
    ///
    /// - Parameter onlyPart: only if it is.
    /// - Returns: whether there was anything.
    mutating func removeAll(onlyPart: Bool) throws(SettingsError) -> Bool

    /// Sets aside what can't be read, and stores the changes, which are all that is to be kept, in its place, in
    /// one step: whoever looks finds the one or the other. Without a value nothing is kept then. When it throws,
    /// nothing was done, or only the confirmation failed, as with ``update(_:)``.
    ///
    /// - Returns: where what can't be read lies; nil where all can be read, and nothing was done.
    mutating func recover(with write: StorageWrite) throws(SettingsError) -> String?

    /// Why a value can't be kept under a key, as far as that is known without looking; nil if it can.
    func refusal(of value: PropertyListValue, forKey key: String) -> SettingsError?

    /// Why this process can't write, as far as that is known without trying; nil if it can.
    func readOnlyReason() -> String?

    /// Calls `hint`, from any thread, whenever something may have changed, until the watch that is
    /// returned goes away. A hint too many is harmless.
    func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch

    /// Whether there is something to let go of.
    var holdsSpare: Bool { get }

    /// Gives memory back that only makes reading and writing quicker. It is called when there has been
    /// neither for a while.
    mutating func letGo()

    /// Whether a process that ends takes notably longer for having watched.
    var isWatchDear: Bool { get }

    /// Whether programs that know nothing of this storage's writes may undo them
    /// (``StorageReading/undone``): a suite that has been written to is watched, so that it notices.
    var mayBeUndone: Bool { get }

    /// Whether what is set while the storage is out of reach (``SettingsError/unreachable(path:reason:)``)
    /// is taken back, instead of being kept until it can be stored.
    var refusesWhileUnreachable: Bool { get }

    /// Keeps what is set and can't be stored, since this is out of reach, where it outlives the process, in
    /// place of all that was kept before. A later process is told by its first reading
    /// (``StorageReading/left``).
    ///
    /// - Returns: false where there is no place for that.
    func keep(_ pending: [String: PendingWrite]) -> Bool

    /// Where the declared settings of the suite are told to others; nil where there is no such place.
    var schemaPlace: (any SchemaPlace)? { get }
}

extension SuiteStorage {
    public mutating func readAfterUpdate() throws(SettingsError) -> StorageReading? { nil }

    public func form() throws(SettingsError) -> SuiteForm? { nil }

    public mutating func ground() throws(SettingsError) -> SuiteGround? { nil }

    public mutating func removeAll(onlyPart: Bool) throws(SettingsError) -> Bool {
        if onlyPart { return false }
        var values = PropertyListEntries()
        try update { reading in
            reading.apply(to: &values)
            return StorageWrite(changes: Dictionary(uniqueKeysWithValues: values.map { ($0.key, nil) }))
        }
        return !values.isEmpty
    }

    public var holdsSpare: Bool { false }

    public mutating func letGo() {}

    public var isWatchDear: Bool { false }

    public var mayBeUndone: Bool { false }

    public var refusesWhileUnreachable: Bool { false }

    public func keep(_ pending: [String: PendingWrite]) -> Bool { false }

    public var schemaPlace: (any SchemaPlace)? { nil }
}

/// What a storage found when it looked.
public struct StorageReading: Sendable {
    public enum Difference: Sendable {
        case none
        /// All that is kept, where that is easier to tell than what differs.
        case all(PropertyListEntries)
        /// Keys with their new values; nil for those that are gone.
        case some([String: PropertyListValue?])
    }

    public var difference: Difference
    /// Whether anything is kept at all, be it an empty suite.
    public var exists: Bool
    /// Keys that this storage wrote and that somebody undid without knowing, with the values that are
    /// kept now: they are to be written again, and are no part of the difference.
    public var undone: [String: PropertyListValue?]
    /// Why this is an old copy and not what is kept now; nil where it is.
    public var outage: SettingsError?
    /// What a process that is no more has set and could not store.
    public var left: [String: PendingWrite] = [:]
    /// Of these the keys for which another such process had left something else, which is given up.
    public var leftOver: Set<String> = []
    /// What others have put where it is kept and is none of its keys, as a sentence can have it.
    public var strangers: [String] = []

    var isNone: Bool { if case .none = difference { true } else { false } }

    /// Brings values that were read before up to this reading.
    public func apply(to values: inout PropertyListEntries) {
        switch difference {
        case .none: break
        case .all(let all): values = all
        case .some(let changes): for (key, value) in changes { values[key] = value }
        }
    }

    public init(
        _ difference: Difference,
        exists: Bool,
        undone: [String: PropertyListValue?] = [:],
        outage: SettingsError? = nil,
        strangers: [String] = []
    ) {
        self.difference = difference
        self.exists = exists
        self.undone = undone
        self.outage = outage
        self.strangers = strangers
    }
}

/// A suite as a storage has last read it.
public struct SuiteGround: Sendable, Hashable {
    public let suite: SuiteName
    /// The place's own number of the last change that was read.
    public let revision: Int64

    public init(suite: SuiteName, revision: Int64) {
        self.suite = suite
        self.revision = revision
    }
}

/// A key that was set while the storage was out of reach.
public struct PendingWrite: Sendable, Hashable {
    /// nil removes.
    public let value: PropertyListValue?
    /// What the storage held then (nil: nothing), and behind it what may have been stored since, unconfirmed.
    /// It is not stored over anything else.
    public let bases: [PropertyListValue?]

    public init(value: PropertyListValue?, bases: [PropertyListValue?]) {
        self.value = value
        self.bases = bases
    }
}

/// What a suite wants written.
public struct StorageWrite: Sendable {
    /// Keys with their new values; nil removes. Nothing to change writes nothing.
    public var changes: [String: PropertyListValue?]
    /// The keys whose values the decision was based on, be it to write nothing: a storage without a lock
    /// over its update makes the write depend on them being unchanged, and decides anew otherwise.
    public var basis: Set<String>
    /// Those of the changed keys that are written only if nobody has stored anything under them since they
    /// were last read, each by itself: what was set while the storage was out of reach. A storage without a
    /// lock over its update decides anew otherwise.
    public var unlessChanged: Set<String> = []
    /// What is stored under keys that are to change and that nobody here can read: a storage that has a
    /// place for it keeps it aside, durably, before it writes, and does not write where it can't.
    public var keeping: [String: PropertyListValue]
    /// What becomes of the suite as a whole. Where a suite without keys is none, there is nothing to do for it.
    public var whole = Whole.stays

    public enum Whole: Sendable {
        case stays
        /// It is made, be it without a key, and written like another one, or as it was before this storage
        /// has removed it. What it takes the place of goes in the same step, if that is as it was; else that is
        /// a conflict without a key.
        case made(like: SuiteForm?, inPlaceOf: SuiteGround? = nil)
        /// Nothing is left of it: all of its keys are among the changes.
        case removed
    }

    public init(
        changes: [String: PropertyListValue?],
        basis: Set<String> = [],
        keeping: [String: PropertyListValue] = [:]
    ) {
        self.changes = changes
        self.basis = basis
        self.keeping = keeping
    }
}

extension StorageWrite {
    /// Whether there is nothing to write.
    var isNone: Bool { if case .stays = whole { changes.isEmpty } else { false } }
}

/// A watch that is kept up for as long as somebody holds this.
public struct StorageWatch: Sendable {
    private let state: @Sendable () -> SuiteStatus.Watching

    /// - Parameters:
    ///   - holder: what ends the watch when it is released.
    ///   - state: how others' changes are noticed at present. It must not wait for anything.
    public init<Holder: AnyObject & Sendable>(
        heldBy holder: Holder,
        _ state: @escaping @Sendable (Holder) -> SuiteStatus.Watching
    ) {
        self.state = { state(holder) }
    }

    /// How others' changes are noticed at present.
    public var watching: SuiteStatus.Watching { state() }
}
