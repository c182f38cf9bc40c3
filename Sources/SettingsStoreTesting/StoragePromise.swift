import FoundationEssentials
import Glibc
import PropertyList
import SettingsStore
import Synchronization

/// What every ``SuiteStorage`` promises.
///
/// A test of a storage goes through all of them, each with a place of its own:
///
/// ```swift
/// @Test("A file keeps what storages promise", arguments: StoragePromise.allCases)
/// func promise(_ promise: StoragePromise) throws {
///     let folder = try TemporaryFolder()
///     try promise.check { FileStorage(path: folder.path + "/suite.plist") }
/// }
/// ```
public enum StoragePromise: String, Sendable, Hashable, CaseIterable {
    case theFirstReadingTellsEverything
    case theNextReadingTellsNothingNew
    case whatWasWrittenIsReadAsItWas
    case keysOfAllSpellingsAreKept
    case ownWritesAreNotTold
    case changesOfOthersAreToldOnce
    case aDecisionKnowsWhatOthersChanged
    case keysThatAreNotWrittenStay
    case aKeyIsRemoved
    case nothingToWriteMakesNothing
    case theWriteFollowsTheLastDecision
    case whatChangesBeforeTheWriteIsDecidedUponAnew
    case writersOfDifferentKeysLoseNothing
    case writersOfOneKeyTakeTurns
    case aWriteIsHintedToOthers
    case aWatchEndsWhenNobodyHoldsIt
    case recoveringWhatCanBeReadDoesNothing
    case whatIsNotRefusedCanBeWritten
    case suitesOnOnePlaceTellEachOther
    case conditionalWritesExcludeEachOther

    /// Makes a storage on the one place that is being checked, as another process would have one.
    public typealias Maker = @Sendable () -> sending any SuiteStorage

    /// Checks the promise on a place that nobody has written to.
    ///
    /// - Parameter limit: how long to wait at the most for whatever has to come, a hint above all. A promise
    ///   waits for three things in a row, or fewer. For what a lock may hold up it waits a fortieth of that.
    /// - Throws: ``BrokenPromise``, or the storage's own error.
    public func check(within limit: Duration = .seconds(10), _ makeStorage: @escaping Maker) throws {
        switch self {
        case .theFirstReadingTellsEverything: try checkFirstReading(makeStorage)
        case .theNextReadingTellsNothingNew: try checkNextReading(makeStorage)
        case .whatWasWrittenIsReadAsItWas: try checkKept(Self.values, makeStorage)
        case .keysOfAllSpellingsAreKept: try checkKept(Self.spellings, makeStorage)
        case .ownWritesAreNotTold: try checkOwnWrites(makeStorage)
        case .changesOfOthersAreToldOnce: try checkChangesOfOthers(makeStorage)
        case .aDecisionKnowsWhatOthersChanged: try checkDecision(makeStorage)
        case .keysThatAreNotWrittenStay: try checkUnwrittenKeys(makeStorage)
        case .aKeyIsRemoved: try checkRemoval(makeStorage)
        case .nothingToWriteMakesNothing: try checkNothingToWrite(makeStorage)
        case .theWriteFollowsTheLastDecision: try checkLastDecision(makeStorage)
        case .whatChangesBeforeTheWriteIsDecidedUponAnew: try checkDecidingAnew(limit, makeStorage)
        case .writersOfDifferentKeysLoseNothing: try checkDifferentKeys(makeStorage)
        case .writersOfOneKeyTakeTurns: try checkTurns(makeStorage)
        case .aWriteIsHintedToOthers: try checkHints(limit, makeStorage)
        case .aWatchEndsWhenNobodyHoldsIt: try checkEndOfWatch(limit, makeStorage)
        case .recoveringWhatCanBeReadDoesNothing: try checkRecovery(makeStorage)
        case .whatIsNotRefusedCanBeWritten: try checkRefusals(makeStorage)
        case .suitesOnOnePlaceTellEachOther: try checkSuites(limit, makeStorage)
        case .conditionalWritesExcludeEachOther: try checkConditionalWrites(makeStorage)
        }
    }
}

/// A promise that a storage does not keep.
public struct BrokenPromise: Error, CustomStringConvertible {
    public let promise: StoragePromise
    public let problem: String

    public var description: String { "\(promise): \(problem)" }
}

extension StoragePromise {
    func require(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
        if !condition { throw BrokenPromise(promise: self, problem: problem()) }
    }

    /// One value of each kind, and some at the edges.
    private static let values: [String: PropertyListValue] = {
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

    private static let spellings: [String: PropertyListValue] = {
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

    private func checkChangesOfOthers(_ makeStorage: Maker) throws {
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
            // Neither reads before it writes.
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
        try require(seen == ["b": 2], "the other one has \(seen)")
        try requireKept(["b": 2], makeStorage)
    }

    private func checkNothingToWrite(_ makeStorage: Maker) throws {
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

    private func checkRecovery(_ makeStorage: Maker) throws {
        var storage = makeStorage()
        try require(
            try storage.recover(with: StorageWrite(changes: ["c": 3])) == nil,
            "something was set aside where nothing is"
        )
        try write(["a": 1], to: &storage)
        var other = makeStorage()
        try write(["b": 2], to: &other)
        try require(
            try storage.recover(with: StorageWrite(changes: ["c": 3])) == nil,
            "something was set aside that can be read"
        )
        let seen = try applying(try storage.read(), to: ["a": 1])
        try require(seen == ["a": 1, "b": 2], "what others wrote was told as \(seen)")
        try requireKept(["a": 1, "b": 2], makeStorage)
    }

    private func checkRefusals(_ makeStorage: Maker) throws {
        var storage = makeStorage()
        for (key, value) in Self.values where storage.refusal(of: value, forKey: key) == nil {
            try write([key: value], to: &storage)
        }
    }
}

extension StoragePromise {
    // MARK: Small help

    func write(_ changes: [String: PropertyListValue?], to storage: inout any SuiteStorage) throws {
        try storage.update { _ in StorageWrite(changes: changes) }
    }

    func requireKept(_ expected: [String: PropertyListValue], _ makeStorage: Maker) throws {
        var storage = makeStorage()
        try requireAll(expected, exists: true, try storage.read())
    }

    private func requireAll(
        _ expected: [String: PropertyListValue],
        exists: Bool,
        _ reading: StorageReading
    ) throws {
        guard case .all(let values) = reading.difference else {
            throw BrokenPromise(promise: self, problem: "the first reading was \(reading.difference)")
        }
        let differing = Set(values.keys).union(expected.keys).filter { values[$0] != expected[$0] }
        try require(differing.isEmpty, "read other values than were written for \(differing.sorted())")
        try require(reading.exists == exists, "says that \(exists ? "nothing" : "something") is kept")
    }

    private func requireNone(_ reading: StorageReading) throws {
        if case .none = reading.difference { return }
        throw BrokenPromise(promise: self, problem: "told \(reading.difference) once more")
    }

    private func applying(
        _ reading: StorageReading,
        to values: [String: PropertyListValue]
    ) throws -> [String: PropertyListValue] {
        if case .none = reading.difference {
            throw BrokenPromise(promise: self, problem: "nothing was told")
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
