import FoundationEssentials
import Glibc
import PropertyList
import SettingsStore
import Synchronization

/// The rules that every ``SuiteStorage`` keeps.
///
/// The first group of rules is about the core of the protocol. The second group is about capabilities that only some
/// backends have (``ValidatesValues``, ``Recoverable`` …). A storage without the capability passes such a rule at once.
/// A test of a backend checks all rules, each with a suite of its own:
///
/// ```swift
/// @Test("A file keeps the rules of every storage", arguments: StorageConformance.allCases)
/// func rule(_ rule: StorageConformance) throws {
///     let folder = try TemporaryFolder()
///     try rule.check { FileStorage(path: folder.path + "/suite.plist") }
/// }
/// ```
public enum StorageConformance: String, Sendable, Hashable, CaseIterable {
    case firstReadingReturnsAllValues
    case nextReadingReturnsNoDifference
    case writtenValuesAreReadUnchanged
    case unusualKeysAreKept
    case ownWritesAreNotReported
    case foreignChangesAreReportedOnce
    case decisionGetsForeignChanges
    case unwrittenKeysStay
    case keyIsRemoved
    case emptyWriteCreatesNothing
    case lastDecisionIsWritten
    case changeBeforeTheWriteIsDecidedAgain
    case writersOfDifferentKeysLoseNothing
    case writersOfOneKeyTakeTurns
    case writeNotifiesWatches
    case releasedWatchEnds
    case suitesNotifyEachOther
    case conditionalWritesExcludeEachOther

    /// ``ValidatesValues``
    case acceptedValuesCanBeWritten
    /// ``ReportsWriteAccess``
    case storageWithWriteAccessCanBeWritten
    /// ``StorageTraits/hasLock``
    case lockAheadExcludesOtherWriters
    /// ``SuiteStorage/releaseCache()``
    case releasedCacheChangesNothing
    /// ``Recoverable``
    case readableContentIsNotRecovered
    /// ``StoresSchema``
    case schemaIsKeptBesideTheSuite
    /// ``ProvidesTemplate``
    case existingSuiteIsATemplate
    /// ``RemovesSuites``
    case suiteIsRemovedCompletely

    /// Makes a storage of the one suite that is being checked, as another process would have one.
    public typealias Maker = @Sendable () -> sending any SuiteStorage

    /// Checks the rule with a suite that does not exist yet.
    ///
    /// - Parameter limit: the longest wait for an event, a notification above all. A rule waits for three events in a
    ///   row, or fewer. It waits a four hundredth of the limit for a writer that a lock may delay.
    /// - Parameter keys: at least 50 keys that can have any value, for a storage that has no other keys. The rules then
    ///   use these keys under names of their own, and the rules about capabilities that are not about values are not checked.
    /// - Throws: ``ConformanceFailure``, or the storage's own error.
    public func check(
        within limit: Duration = .seconds(10),
        keys: [String]? = nil,
        _ makeStorage: @escaping Maker
    ) throws {
        if let keys {
            let names = FixedKeys(keys)
            return try check(within: limit) { FixedKeysStorage(makeStorage(), names) }
        }
        switch self {
        case .firstReadingReturnsAllValues: try checkFirstReading(makeStorage)
        case .nextReadingReturnsNoDifference: try checkNextReading(makeStorage)
        case .writtenValuesAreReadUnchanged: try checkKept(Self.values, makeStorage)
        case .unusualKeysAreKept: try checkKept(Self.unusualKeys, makeStorage)
        case .ownWritesAreNotReported: try checkOwnWrites(makeStorage)
        case .foreignChangesAreReportedOnce: try checkForeignChanges(makeStorage)
        case .decisionGetsForeignChanges: try checkDecision(makeStorage)
        case .unwrittenKeysStay: try checkUnwrittenKeys(makeStorage)
        case .keyIsRemoved: try checkRemoval(makeStorage)
        case .emptyWriteCreatesNothing: try checkEmptyWrite(makeStorage)
        case .lastDecisionIsWritten: try checkLastDecision(makeStorage)
        case .changeBeforeTheWriteIsDecidedAgain: try checkDecidingAgain(limit, makeStorage)
        case .writersOfDifferentKeysLoseNothing: try checkDifferentKeys(makeStorage)
        case .writersOfOneKeyTakeTurns: try checkTurns(makeStorage)
        case .writeNotifiesWatches: try checkNotifications(limit, makeStorage)
        case .releasedWatchEnds: try checkEndOfWatch(limit, makeStorage)
        case .suitesNotifyEachOther: try checkSuites(limit, makeStorage)
        case .conditionalWritesExcludeEachOther: try checkConditionalWrites(makeStorage)
        case .acceptedValuesCanBeWritten: try checkAcceptedValues(makeStorage)
        case .storageWithWriteAccessCanBeWritten: try checkWriteAccess(makeStorage)
        case .lockAheadExcludesOtherWriters: try checkLockAhead(makeStorage)
        case .releasedCacheChangesNothing: try checkReleasedCache(makeStorage)
        case .readableContentIsNotRecovered: try checkRecovery(makeStorage)
        case .schemaIsKeptBesideTheSuite: try checkSchema(makeStorage)
        case .existingSuiteIsATemplate: try checkTemplate(makeStorage)
        case .suiteIsRemovedCompletely: try checkSuiteRemoval(makeStorage)
        }
    }
}

/// A rule that a storage does not keep.
public struct ConformanceFailure: Error, CustomStringConvertible {
    public let rule: StorageConformance
    public let problem: String

    public var description: String { "\(rule): \(problem)" }
}

extension StorageConformance {
    func require(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
        if !condition { throw ConformanceFailure(rule: self, problem: problem()) }
    }

    /// Values of each kind, also the smallest and largest.
    static let values: [String: PropertyListValue] = {
        var values: [String: PropertyListValue] = ["true": true, "false": false, "one": 1, "0": 0]
        values["least"] = .integer(PropertyListInteger(Int64.min))
        values["most"] = .integer(PropertyListInteger(UInt64.max))
        for number in [0.1, 1, -0.0, .nan, -.infinity, .leastNonzeroMagnitude] {
            values["real \(number)"] = .real(number)
        }
        for string in ["", "ä <&> 😀\n", " x "] { values["string \(string)"] = .string(string) }
        values["date"] = .date(Date(timeIntervalSinceReferenceDate: 86_400))
        values["data"] = .data(Data([0, 255, 10]))
        values["empty data"] = .data(Data())
        values["array"] = [1, "two", .array([3.0, false])]
        values["empty array"] = .array([])
        values["dictionary"] = ["a": .dictionary(["b": "deep"]), "": "no name"]
        values["empty dictionary"] = .dictionary([:])
        return values
    }()

    private static let unusualKeys: [String: PropertyListValue] = {
        let keys = [
            "", " ", ".", "user.name", "/", "ключ", "名前", "😀", "a&b<c>\"d'", "tab\t", "line\nbreak",
            String(repeating: "long", count: 1_000),
        ]
        return Dictionary(uniqueKeysWithValues: keys.map { ($0, .string($0)) })
    }()

    // MARK: Reading and writing

    private func checkFirstReading(_ makeStorage: Maker) throws {
        var first = makeStorage()
        try requireAll([:], exists: false, try first.read())
        try write(["a": 1, "b": "two"], to: &first)
        var second = makeStorage()
        try requireAll(["a": 1, "b": "two"], exists: true, try second.read())
    }

    private func checkNextReading(_ makeStorage: Maker) throws {
        var storage = makeStorage()
        _ = try storage.read()
        try requireNone(try storage.read())
        try write(["a": 1], to: &storage)
        var other = makeStorage()
        _ = try other.read()
        try requireNone(try other.read())
    }

    private func checkKept(_ values: [String: PropertyListValue], _ makeStorage: Maker) throws {
        var writer = makeStorage()
        var values = values
        if writer.traits.storesJSON {
            // JSON has no dates, no data, and no infinite numbers. It has null, and numbers of any size.
            values = values.compactMapValues { try? $0.inJSON }
            values["null"] = .null
            values["number"] = .number("18446744073709551616")
        }
        if let validating = writer as? any ValidatesValues {
            values = values.filter { validating.refusal(of: $0.value, forKey: $0.key) == nil }
            try require(!values.isEmpty, "accepts no value")
        }
        try write(values, to: &writer)
        var reader = makeStorage()
        try requireAll(values, exists: true, try reader.read())
    }

    private func checkOwnWrites(_ makeStorage: Maker) throws {
        var storage = makeStorage()
        _ = try storage.read()
        for round in 1...3 {
            try write(["a": .integer(PropertyListInteger(Int64(round))), "b": true], to: &storage)
            try requireNone(try storage.read())
        }
    }

    private func checkForeignChanges(_ makeStorage: Maker) throws {
        var reader = makeStorage()
        var writer = makeStorage()
        try write(["kept": 1, "changed": 1, "removed": 1], to: &writer)
        var seen = try applying(try reader.read(), to: [:])
        try write(["changed": 2, "removed": nil, "new": 2], to: &writer)
        seen = try applying(try reader.read(), to: seen)
        try require(seen == ["kept": 1, "changed": 2, "new": 2], "the reader has \(seen)")
        try requireNone(try reader.read())
    }

    private func checkDecision(_ makeStorage: Maker) throws {
        var first = makeStorage()
        _ = try first.read()
        var second = makeStorage()
        try write(["a": 1], to: &second)
        var seen: [String: PropertyListValue] = [:]
        try first.update { reading in
            seen = seen.applying(reading)
            return StorageWrite(changes: ["b": 2])
        }
        try require(seen == ["a": 1], "the decision was given \(seen)")
        try requireNone(try first.read())
    }

    private func checkUnwrittenKeys(_ makeStorage: Maker) throws {
        var storages = [makeStorage(), makeStorage()]
        var expected: [String: PropertyListValue] = [:]
        for number in 0..<10 {
            // Neither storage reads before it writes.
            try write(["key \(number)": "value"], to: &storages[number % 2])
            expected["key \(number)"] = "value"
        }
        try requireKept(expected, makeStorage)
    }

    private func checkRemoval(_ makeStorage: Maker) throws {
        var storage = makeStorage()
        try write(["a": 1, "b": 2], to: &storage)
        var other = makeStorage()
        _ = try other.read()
        try write(["a": nil, "never there": nil], to: &storage)
        let seen = try applying(try other.read(), to: ["a": 1, "b": 2])
        try require(seen == ["b": 2], "the other storage has \(seen)")
        try requireKept(["b": 2], makeStorage)
    }

    private func checkEmptyWrite(_ makeStorage: Maker) throws {
        var storage = makeStorage()
        try write([:], to: &storage)
        try write(["never there": nil], to: &storage)
        var other = makeStorage()
        try requireAll([:], exists: false, try other.read())
    }

    private func checkLastDecision(_ makeStorage: Maker) throws {
        var storage = makeStorage()
        var last = 0
        try storage.update { _ in
            last += 1
            return StorageWrite(changes: ["decisions": .integer(PropertyListInteger(Int64(last)))])
        }
        try requireKept(["decisions": .integer(PropertyListInteger(Int64(last)))], makeStorage)
    }
}

extension StorageConformance {
    // MARK: Helpers

    func write(_ changes: [String: PropertyListValue?], to storage: inout any SuiteStorage) throws {
        try storage.update { _ in StorageWrite(changes: changes) }
    }

    func requireKept(_ expected: [String: PropertyListValue], _ makeStorage: Maker) throws {
        var storage = makeStorage()
        try requireAll(expected, exists: true, try storage.read())
    }

    func requireAll(
        _ expected: [String: PropertyListValue],
        exists: Bool,
        _ reading: StorageReading
    ) throws {
        guard case .all(let values) = reading.difference else {
            throw ConformanceFailure(rule: self, problem: "the first reading was \(reading.difference)")
        }
        let differing = Set(values.keys).union(expected.keys).filter { values[$0] != expected[$0] }
        try require(differing.isEmpty, "read other values than were written for \(differing.sorted())")
        try require(reading.exists == exists, "says that \(exists ? "nothing" : "something") is kept")
    }

    func requireNone(_ reading: StorageReading) throws {
        if case .none = reading.difference { return }
        throw ConformanceFailure(rule: self, problem: "reported \(reading.difference) once more")
    }

    func applying(
        _ reading: StorageReading,
        to values: [String: PropertyListValue]
    ) throws -> [String: PropertyListValue] {
        if case .none = reading.difference {
            throw ConformanceFailure(rule: self, problem: "nothing was reported")
        }
        return values.applying(reading)
    }
}

extension [String: PropertyListValue] {
    func applying(_ reading: StorageReading) -> Self {
        switch reading.difference {
        case .none: return self
        case .all(let all): return Self(all)
        case .some(let changes):
            var values = self
            for (key, value) in changes { values[key] = value }
            return values
        }
    }
}
