import PropertyList

/// The result of a commit.
enum CommitResult {
    /// Everything is stored.
    case stored
    /// Nothing was written: the program's decoding code has to judge stored values first
    /// (``CommitAttempt/judge(by:)``). The caller releases its locks, judges and begins again.
    case mustJudge
    /// Nothing was written: another process has the lock, and the attempt may not wait.
    case mustWait
    /// The pending writes stay pending if the error is theirs. A conditional write was not stored.
    case failed(SettingsError)
}

/// One attempt to store the pending writes, with the verdicts on the stored values that they replace.
///
/// An unreadable stored value goes into quarantine before it is replaced, and only the program's own decoding code can
/// tell whether it is readable. That code runs before the storage is locked: a commit that finds, under the lock, a
/// value without a verdict writes nothing, releases its locks, has the value judged and begins again. Without this,
/// decoding code that synchronizes the suite would wait for itself. A commit that decoding code asks for puts every
/// value without a verdict into quarantine.
struct CommitAttempt {
    /// Is stored with the pending writes; nil once it is stored or dropped.
    var conditional: ConditionalWrite?
    /// Why the conditional write was dropped. The pending writes are stored without it.
    private(set) var failure: SettingsError?
    /// Whether the attempt gives up instead of waiting for the lock of another process.
    let mayNotWait: Bool

    /// Whether everything was stored before and is stored once more, because an unlocked writer has overwritten it.
    private(set) var isSecondWrite = false
    /// The keys that were stored before they were overwritten.
    private(set) var storedKeys: Set<String> = []

    private struct Verdict {
        let value: PropertyListValue
        let isReadable: Bool
    }

    private var verdicts: [String: Verdict] = [:]
    /// The values that have to be judged before anything can be written.
    private var unjudged: [String: PropertyListValue] = [:]
    /// How often a value may be judged again because another program has changed it meanwhile. After that it goes
    /// into quarantine without a verdict, which loses nothing.
    private var roundsLeft = 8

    init(_ conditional: ConditionalWrite? = nil, mayNotWait: Bool = false) {
        self.conditional = conditional
        self.mayNotWait = mayNotWait
    }

    mutating func drop(because error: SettingsError) {
        failure = error
        conditional = nil
    }

    /// Notes what was stored and then overwritten. From here on, the keys of the conditional write are pending like the
    /// others.
    mutating func noteStored(_ taken: [String: SuiteCommit.Pending], _ conditional: ConditionalWrite?) {
        // The second write also restores keys of other programs. Only keys of this attempt count as its own.
        storedKeys.formUnion(taken.filter { !isSecondWrite || !$0.value.isRestoring }.keys)
        guard let conditional else { return }
        storedKeys.formUnion(conditional.changes.keys)
        self.conditional = nil
    }

    /// - Returns: false if this was the second write.
    mutating func beginSecondWrite() -> Bool {
        if isSecondWrite { return false }
        isSecondWrite = true
        return true
    }

    /// Whether nothing was written, because values have to be judged first.
    var mustJudge: Bool { !unjudged.isEmpty }

    /// Notes the values without a verdict, and returns whether there are any.
    ///
    /// - Parameter replaced: stored values that the program reads and that are about to be replaced.
    mutating func mustJudge(_ replaced: [String: PropertyListValue]) -> Bool {
        unjudged = [:]
        if replaced.isEmpty || SuiteDeclarations.isJudging { return false }
        let open = replaced.filter { verdicts[$0.key]?.value != $0.value }
        if open.isEmpty { return false }
        // A program has a limited number of keys, so only the second verdict on the same key has to be limited.
        if open.keys.contains(where: { verdicts[$0] != nil }) {
            if roundsLeft == 0 { return false }
            roundsLeft -= 1
        }
        unjudged = open
        return true
    }

    /// The values for the quarantine: unreadable ones, and those without a verdict.
    func unreadable(among replaced: [String: PropertyListValue]) -> [String: PropertyListValue] {
        replaced.filter { key, value in
            guard let verdict = verdicts[key], verdict.value == value else { return true }
            return !verdict.isReadable
        }
    }

    /// Has the program's code judge the values without a verdict. No lock may be held.
    ///
    /// - Returns: whether there were any, so that the commit has to begin again.
    @discardableResult
    mutating func judge(by declarations: SuiteDeclarations) -> Bool {
        if unjudged.isEmpty { return false }
        let unreadable = declarations.unreadable(unjudged)
        for (key, value) in unjudged {
            verdicts[key] = Verdict(value: value, isReadable: unreadable[key] == nil)
        }
        unjudged = [:]
        return true
    }
}
