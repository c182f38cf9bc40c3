import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("Unlocked writers that write in place")
struct InPlaceTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Has a program that has opened the file write all of it as soon as a new file has taken its place.
    ///
    /// - Parameter waits: whether it writes only after our write has begun to wait for it.
    private func writeLate(
        _ values: [String: PropertyListValue],
        through files: InterferingFileSystem,
        waits: Bool = false,
        then afterwards: @escaping @Sendable () -> Void = {}
    ) {
        let late = open(folder.suitePath, O_WRONLY)
        let writing: @Sendable () -> Void = {
            ftruncate(late, 0)
            let bytes = try? PropertyListValue.dictionary(values).encoded(as: .xml)
            if let bytes { _ = write(late, bytes, bytes.count) }
            close(late)
            afterwards()
        }
        files.interfere(after: .rename) {
            if waits { files.interfere(before: .pause, writing) } else { writing() }
        }
    }

    @Test("A late write into the replaced file is kept, with its removals")
    func lateWrite() throws {
        try folder.write(["a": 1, "b": 1, "c": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        let changes = Recorder<Change>()
        let observation = suite.observe { if case .change(let change) = $0 { changes.note(change) } }
        suite.set(2, forKey: "a")
        writeLate(["a": 1, "b": 2, "theirs": 1], through: files)
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "b": 2, "theirs": 1])
        #expect(suite.storedValues == ["a": 2, "b": 2, "theirs": 1])
        #expect(Set(changes.all.map(\.key)) == ["a", "b", "c", "theirs"])
        #expect(changes.all.count == 4)
        withExtendedLifetime(observation) {}
    }

    @Test(
        "A key that another process of ours removes stays removed, even in a file with the old one's inode"
    )
    func numberUsedAgain() throws {
        func number() throws -> UInt64? { try LiveFileSystem().stat(folder.suitePath)?.identity.inode }
        let suite = makeSuite(folder.suitePath)
        suite.set(["a": 1, "b": 1])
        try suite.synchronize()
        let before = try number()
        let other = makeSuite(folder.suitePath)
        other.set(nil, forKey: "a")
        try other.synchronize()
        for round in 0..<8 where try number() != before {
            other.set(.integer(PropertyListInteger(round)), forKey: "round")
            try other.synchronize()
        }
        try suite.synchronize()
        #expect(suite.storedValue(forKey: "a") == nil)
        #expect(try folder.values()["a"] == nil)
    }

    @Test("Our values stay if a late write was based on an older version of the file")
    func lateWriteOfOldContent() throws {
        try folder.write(["a": 1, "b": 1])
        let files = InterferingFileSystem.withStoppedClock()
        let suite = makeSuite(folder.suitePath, files: files)
        let changes = Recorder<Change>()
        let observation = suite.observe { if case .change(let change) = $0 { changes.note(change) } }
        suite.set(["a": 2, "b": nil, "new": 1])
        try suite.synchronize()
        suite.set(1, forKey: "newer")
        writeLate(["a": 1, "b": 1, "theirs": 1], through: files)
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "new": 1, "newer": 1, "theirs": 1])
        #expect(suite.storedValues == ["a": 2, "new": 1, "newer": 1, "theirs": 1])
        #expect(changes.all.map(\.key) == ["a", "b", "new", "newer", "theirs"])
        withExtendedLifetime(observation) {}
    }

    @Test("A late change stays even if its program has read the file before the change was merged")
    func lateWriteReadBeforePutBack() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem.withStoppedClock()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        suite.set(2, forKey: "a")
        writeLate(["a": 1, "late": 1], through: files, waits: true)
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "late": 1])
        // The program had read the first new file, without its own late change.
        try folder.write(["a": 2, "later": 1])
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "late": 1, "later": 1])
        #expect(suite.storedValues == ["a": 2, "late": 1, "later": 1])
    }

    @Test("A late write that breaks the condition of a conditional write undoes that")
    func lateConflict() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        writeLate(["a": 5], through: files)
        #expect(throws: SettingsError.conflict(current: ["a": 5])) {
            try suite.replace(["a": 2], expecting: ["a": 1])
        }
        #expect(try folder.values() == ["a": 5])
        #expect(suite.storedValues == ["a": 5])
    }

    @Test(
        "Keys that a program overwrites without having read them are written again, and observers are not notified"
    )
    func undone() throws {
        try folder.write(["a": 1, "b": 1])
        let files = InterferingFileSystem.withStoppedClock()
        let suite = makeSuite(folder.suitePath, files: files)
        let changes = Recorder<Change>()
        let observation = suite.observe { if case .change(let change) = $0 { changes.note(change) } }
        suite.set(2, forKey: "a")
        suite.set(2, forKey: "new")
        suite.set(nil, forKey: "b")
        try suite.synchronize()
        // The whole file as the program read it, with one more key.
        try folder.write(["a": 1, "b": 1, "theirs": 1])
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "new": 2, "theirs": 1])
        #expect(suite.storedValues == ["a": 2, "new": 2, "theirs": 1])
        #expect(changes.all.map(\.key) == ["a", "new", "b", "theirs"])
        withExtendedLifetime(observation) {}
    }

    @Test("A key that is overwritten with a much older value is written again")
    func undoneByAnOlderValue() throws {
        try folder.write(["a": 0])
        let files = InterferingFileSystem()
        files.stopClock()
        let suite = makeSuite(folder.suitePath, files: files)
        for value in 1...100 {
            suite.set(PropertyListValue(value), forKey: "a")
            try suite.synchronize()
        }
        for old in [0, 50, 99] {
            try folder.write(["a": PropertyListValue(old)])
            try suite.synchronize()
            #expect(try folder.values() == ["a": 100])
        }
        try folder.write(["a": 101])
        try suite.synchronize()
        #expect(suite.storedValues == ["a": 101])
    }

    @Test("A watching process writes its keys again even after a third process has written the file")
    func undoneAndBuiltUpon() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem.withStoppedClock()
        let (first, second) = (
            makeSuite(folder.suitePath, files: files), makeSuite(folder.suitePath, files: files)
        )
        let observation = first.observe { _ in }
        _ = second.storedValues
        first.set(["a": 2, "first": 1])
        try first.synchronize()
        try folder.write(["a": 1, "theirs": 1])
        second.set(1, forKey: "second")
        try second.synchronize()
        try first.synchronize()
        #expect(try folder.values() == ["a": 2, "first": 1, "second": 1, "theirs": 1])
        #expect(first.storedValues == ["a": 2, "first": 1, "second": 1, "theirs": 1])
        observation.cancel()
    }

    @Test("A process that waits long for the lock writes again what was overwritten just before")
    func undoneWhileHeldUp() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem.withStoppedClock()
        let suite = makeSuite(folder.suitePath, files: files)
        suite.set(2, forKey: "a")
        try suite.synchronize()
        suite.set(1, forKey: "first")
        files.interfere(before: .flock) { [folder] in
            try? folder.write(["a": 1, "theirs": 1])
            _ = try? files.stat(folder.suitePath)
            files.pass(seconds: 5)
        }
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "first": 1, "theirs": 1])
        #expect(suite.storedValues == ["a": 2, "first": 1, "theirs": 1])
    }

    @Test("The second of two large writes is remembered like the first")
    func manyKeysTwice() throws {
        func values(_ value: Int) -> [String: PropertyListValue] {
            Dictionary(uniqueKeysWithValues: (1...6_000).map { ("key\($0)", PropertyListValue(value)) })
        }
        try folder.write(["key1": 0])
        var storage = FileStorage(path: folder.suitePath, files: InterferingFileSystem.withStoppedClock())
        for value in 1...2 {
            try storage.update { _ in StorageWrite(changes: values(value).mapValues { $0 }) }
        }
        try folder.write(values(1))
        #expect(try storage.read().overwritten.count == 6_000)
    }

    @Test("A key that late writes overwrite again and again is written again")
    func undoneLateAgainAndAgain() throws {
        try folder.write(["theirs": 0])
        let files = InterferingFileSystem.withStoppedClock()
        var storage = FileStorage(path: folder.suitePath, files: files)
        let watch = storage.watch {}
        let write = StorageWrite(changes: ["a": 1])
        try storage.update { _ in write }
        try folder.write(["theirs": 0])
        var late = 0
        try storage.update { _ in
            if late < 4 {
                late += 1
                files.pass(seconds: 1)
                writeLate(["theirs": PropertyListValue(late)], through: files)
            }
            return write
        }
        #expect(try folder.values() == ["theirs": 4, "a": 1])
        try folder.write(["theirs": 5])
        #expect(try storage.read().overwritten == ["a": nil])
        withExtendedLifetime(watch) {}
    }

    @Test("A late write is kept even if the write has waited for as long as it may")
    func lateAfterTheWaits() throws {
        try folder.write(["theirs": 0])
        let files = InterferingFileSystem.withStoppedClock()
        var storage = FileStorage(path: folder.suitePath, files: files)
        // Four waits take all the time. The fifth write does not need one.
        @Sendable func write(_ number: Int) {
            writeLate(["theirs": PropertyListValue(number)], through: files, waits: number < 5) {
                files.pass(seconds: 0.24)
                if number < 5 { write(number + 1) }
            }
        }
        write(1)
        try storage.update { _ in StorageWrite(changes: ["a": 1]) }
        #expect(try folder.values() == ["theirs": 5, "a": 1])
    }

    @Test("A late write that is older than another process's write does not last")
    func lateWriteOfOldContentOfOthers() throws {
        try folder.write(["a": 1, "changed": 1, "removed": 1])
        let files = InterferingFileSystem.withStoppedClock()
        let (first, second) = (
            makeSuite(folder.suitePath, files: files), makeSuite(folder.suitePath, files: files)
        )
        let observations = [first, second].map { $0.observe { _ in } }
        second.set(["new": 1, "changed": 2, "removed": nil])
        try second.synchronize()
        first.set(1, forKey: "first")
        writeLate(["a": 1, "changed": 1, "theirs": 1], through: files)
        try first.synchronize()
        let all: [String: PropertyListValue] = ["a": 1, "new": 1, "changed": 2, "first": 1, "theirs": 1]
        // Each process writes its own values again.
        try second.synchronize()
        #expect(try folder.values() == all)
        for _ in 0..<3 {
            for suite in [first, second] {
                try suite.synchronize()
                #expect(suite.storedValues == all)
            }
        }
        #expect(try folder.values() == all)
        for observation in observations { observation.cancel() }
    }

    @Test("A late write overwrites even if the clock is behind the time of the write before that")
    func lateWriteWithClockBehind() throws {
        let files = InterferingFileSystem.withStoppedClock(behind: 4_000_000)
        let (watcher, other) = (
            makeSuite(folder.suitePath, files: files), makeSuite(folder.suitePath, files: files)
        )
        let observation = watcher.observe { _ in }
        watcher.set(1, forKey: "a")
        try watcher.synchronize()
        try folder.write(["a": 1, "theirs": 1])
        watcher.set(1, forKey: "new")
        try watcher.synchronize()
        other.set(1, forKey: "other")
        writeLate(["a": 1, "theirs": 2], through: files, waits: true)
        try other.synchronize()
        try watcher.synchronize()
        #expect(try folder.values() == ["a": 1, "new": 1, "other": 1, "theirs": 2])
        observation.cancel()
    }

    @Test("A command keeps a late write that is overwritten at once")
    func lateWriteOverwrittenBesideCommand() throws {
        try folder.write(["a": 1, "theirs": 1])
        let files = InterferingFileSystem.withStoppedClock()
        var storage = FileStorage(path: folder.suitePath, files: files)
        writeLate(["a": 1, "late": 1], through: files, waits: true) {
            files.interfere(before: .pause) { try? folder.write(["a": 2, "theirs": 2]) }
        }
        try storage.updateAlone { _, _ in StorageWrite(changes: ["a": 2]) }
        #expect(try folder.values() == ["a": 2, "theirs": 2, "late": 1])
    }

    @Test("A process watches from a tenth of a second after its first write, with or without observers")
    func undoneAndBuiltUponUnobserved() throws {
        try folder.write(["a": 1])
        let scheduler = ManualScheduler()
        let first = SettingsSuite(FileStorage(path: folder.suitePath), scheduler: scheduler)
        let second = makeSuite(folder.suitePath)
        _ = (first.storedValues, second.storedValues)
        scheduler.advance(by: 1)
        #expect(first.status.watching == .off)
        first.set(2, forKey: "a")
        try first.synchronize()
        scheduler.advance(by: 0.09)
        #expect(first.status.watching == .off)
        scheduler.advance(by: 0.01)
        #expect(first.status.watching == .events)

        first.set(1, forKey: "first")
        try first.synchronize()
        try folder.write(["a": 2, "theirs": 1])
        second.set(1, forKey: "second")
        try second.synchronize()
        #expect(
            eventually {
                scheduler.advance()
                return (try? folder.values()) == ["a": 2, "first": 1, "second": 1, "theirs": 1]
            }
        )
        #expect(first.storedValues == ["a": 2, "first": 1, "second": 1, "theirs": 1])
    }

    @Test("A program that rewrites the file before each replacement goes first a limited number of times")
    func rewritingAgainAndAgain() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        let rewriter = Rewriter(files, folder)

        rewriter.begin(times: 10)
        suite.set(2, forKey: "a")
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "theirs": 10])

        // A program that never pauses does not prevent a write.
        rewriter.begin(times: .max)
        suite.set(3, forKey: "a")
        try suite.synchronize()
        rewriter.end()
        #expect(rewriter.rounds < 10 + 24)
        #expect(suite.status.pendingKeys == 0)
        #expect(try folder.values()["a"] == 3)
        #expect(files.paused <= 0.2)
        try suite.synchronize()
        #expect(suite.storedValues == (try folder.values()))
        suite.losePendingChanges()
    }

    @Test("A write that goes first still waits for a program that is writing the file")
    func writingWhileOursGoesFirst() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem()
        let fileInWait = Mutex<[String: PropertyListValue]?>(nil)
        /// The program rewrites the file in three rounds. Then it opens the file, and writes it when our write waits.
        @Sendable func rewrite(_ round: Int) {
            files.pass(seconds: 0.03)
            try? folder.write(["a": 1, "theirs": PropertyListValue(round)])
            if round < 3 { return files.interfere(before: .makeNewFile) { rewrite(round + 1) } }
            files.interfere(before: .flock) {
                let file = open(folder.suitePath, O_WRONLY | O_CLOEXEC)
                files.interfere(before: .pause) {
                    fileInWait.withLock { $0 = try? folder.values() }
                    ftruncate(file, 0)
                    SettingsStoreTests.write(["a": 1, "theirs": 4], to: file)
                }
            }
        }
        files.interfere(before: .makeNewFile) { rewrite(1) }
        var storage = FileStorage(path: folder.suitePath, files: files)
        try storage.updateAlone { _, _ in StorageWrite(changes: ["a": 2]) }
        #expect(fileInWait.withLock(\.self) == ["a": 1, "theirs": 3])
        #expect(try folder.values() == ["a": 2, "theirs": 4])
    }

    @Test("A key that is set back later is an ordinary change")
    func setBack() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem.withStoppedClock()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        suite.set(2, forKey: "a")
        try suite.synchronize()
        files.pass(seconds: 5)
        try folder.write(["a": 1])
        try suite.synchronize()
        #expect(suite.value(forKey: "a") == 1)
        #expect(try folder.values() == ["a": 1])
    }
}

/// Rewrites a suite's file in place while the file is about to be replaced. `a` stays, and a count increases.
private final class Rewriter: Sendable {
    private let files: InterferingFileSystem
    private let folder: TemporaryFolder
    private let state = Mutex((rounds: 0, left: 0))

    init(_ files: InterferingFileSystem, _ folder: TemporaryFolder) {
        self.files = files
        self.folder = folder
    }

    var rounds: Int { state.withLock(\.rounds) }

    func begin(times: Int) {
        state.withLock { $0.left = times }
        interfere()
    }

    func end() { state.withLock { $0.left = 0 } }

    /// Waits for the end of a lease, as open(2) does.
    private func write(_ values: [String: PropertyListValue]) {
        let flags = O_WRONLY | O_TRUNC | O_CLOEXEC | O_NONBLOCK
        let descriptor = open(folder.suitePath, flags)
        if descriptor >= 0 { return SettingsStoreTests.write(values, to: descriptor) }
        let file = open(folder.suitePath, O_RDONLY | O_CLOEXEC)
        files.interfere(after: .endOfLease) {
            SettingsStoreTests.write(values, to: open("/proc/self/fd/\(file)", flags))
            close(file)
        }
    }

    private func interfere() {
        files.interfere(before: .makeNewFile) {
            let round = self.state.withLock { state -> Int? in
                if state.left == 0 { return nil }
                state.left -= 1
                state.rounds += 1
                return state.rounds
            }
            guard let round else { return }
            var values = (try? self.folder.values()) ?? [:]
            values["theirs"] = PropertyListValue(round)
            self.write(values)
            self.interfere()
        }
    }
}
