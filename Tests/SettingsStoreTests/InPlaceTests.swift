import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("Programs that write in place and take no lock")
struct InPlaceTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Has a program that has opened the file write all of it as soon as another one has taken its place.
    private func writeLate(
        _ values: [String: PropertyListValue],
        through files: InterferingFileSystem
    ) {
        let late = open(folder.suitePath, O_WRONLY)
        files.interfere(after: .rename) {
            ftruncate(late, 0)
            let bytes = try? PropertyListValue.dictionary(values).encoded(as: .xml)
            if let bytes { _ = write(late, bytes, bytes.count) }
            close(late)
        }
    }

    @Test("What a program wrote into the file that was just replaced is kept, its removals too")
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
        "What another storage takes away on purpose stays away, even in a file with the number of the old one"
    )
    func numberUsedAgain() throws {
        func number() throws -> UInt64? { try LiveFileSystem().stat(folder.suitePath)?.identity.inode }
        let suite = makeSuite(folder.suitePath)
        suite.set(["a": 1, "b": 1])
        try suite.synchronize()
        let before = try number()
        let other = SettingsSuite(FileStorage(path: folder.suitePath))
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

    @Test("What a late write undoes because its program had read the file before an earlier write stays")
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

    @Test("What was written late stays, though its program read the file before it was put back there")
    func lateWriteReadBeforePutBack() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem()
        files.stopClock()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        suite.set(2, forKey: "a")
        writeLate(["a": 1, "late": 1], through: files)
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "late": 1])
        // It read what replaced its file at first: without what it had written.
        try folder.write(["a": 2, "later": 1])
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "late": 1, "later": 1])
        #expect(suite.storedValues == ["a": 2, "late": 1, "later": 1])
    }

    @Test("A late write that breaks the condition of a conditional write undoes it")
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

    @Test("What a program undoes because it had read the file before is written again, and not told")
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
        // All of it as it was read, and a key of theirs.
        try folder.write(["a": 1, "b": 1, "theirs": 1])
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "new": 2, "theirs": 1])
        #expect(suite.storedValues == ["a": 2, "new": 2, "theirs": 1])
        #expect(changes.all.map(\.key) == ["a", "new", "b", "theirs"])
        withExtendedLifetime(observation) {}
    }

    @Test("What a program undoes by a value that many writes have replaced since is written again")
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

    @Test("Who watches writes again what a program undid, though a third process has built upon its file")
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

    @Test("Who was kept from looking writes again what was undone meanwhile, however long that took")
    func undoneWhileHeldUp() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem.withStoppedClock()
        let suite = makeSuite(folder.suitePath, files: files)
        suite.set(2, forKey: "a")
        try suite.synchronize()
        suite.set(1, forKey: "first")
        files.interfere(before: .flock) { [folder] in
            files.pass(seconds: 5)
            try? folder.write(["a": 1, "theirs": 1])
        }
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "first": 1, "theirs": 1])
        #expect(suite.storedValues == ["a": 2, "first": 1, "theirs": 1])
    }

    @Test("What others have written again for a process it goes on to write again itself")
    func undoneAfterMending() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem.withStoppedClock()
        var owner = FileStorage(path: folder.suitePath, files: files)
        var other = FileStorage(path: folder.suitePath, files: files)
        let watch = owner.watch {}
        try owner.update { _ in StorageWrite(changes: ["a": 2]) }
        for round in 1...3 {
            files.pass(seconds: 1)
            try folder.write(["a": 1, "theirs": PropertyListValue(round)])
            #expect(try owner.read().undone == ["a": 1])
            try other.update { _ in StorageWrite(changes: ["a": 2]) }
            #expect(try owner.read().undone.isEmpty)
        }
        try folder.write(["a": 1, "theirs": 4])
        try other.update { _ in StorageWrite(changes: ["other": 1]) }
        #expect(try owner.read().undone == ["a": 1])
        withExtendedLifetime(watch) {}
    }

    @Test("That holds for as many keys as others write again at once")
    func manyUndoneAfterMending() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem.withStoppedClock()
        var owner = FileStorage(path: folder.suitePath, files: files)
        var other = FileStorage(path: folder.suitePath, files: files)
        let watch = owner.watch {}
        let keys = (1...200).map { "key\($0)" }
        let write = StorageWrite(changes: Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }))
        try owner.update { _ in write }
        for round in 1...2 {
            try folder.write(["a": 1, "theirs": PropertyListValue(round)])
            #expect(try Set(owner.read().undone.keys) == Set(keys))
            try other.update { _ in write }
            #expect(try owner.read().undone.isEmpty)
        }
        withExtendedLifetime(watch) {}
    }

    @Test("What a program undoes late, again and again, is not taken for undone on purpose")
    func undoneLateAgainAndAgain() throws {
        try folder.write(["theirs": 0])
        let files = InterferingFileSystem.withStoppedClock()
        var storage = FileStorage(path: folder.suitePath, files: files)
        let watch = storage.watch {}
        let write = StorageWrite(changes: ["a": 1])
        try storage.update { _ in write }
        try folder.write(["theirs": 0])
        var round = 0
        try storage.update { _ in
            round += 1
            files.pass(seconds: 1)
            if round < 5 { writeLate(["theirs": PropertyListValue(round)], through: files) }
            return write
        }
        #expect(round == 5)
        try folder.write(["theirs": 5])
        #expect(try storage.read().undone == ["a": nil])
        withExtendedLifetime(watch) {}
    }

    @Test("What a process that has ended stored is written again by one that has seen it")
    func undoneOfOthers() throws {
        try folder.write(["a": 1, "gone": 1])
        let files = InterferingFileSystem.withStoppedClock()
        let watcher = makeSuite(folder.suitePath, files: files)
        let observation = watcher.observe { _ in }
        let ended = makeSuite(folder.suitePath, files: files)
        ended.set(["a": 2, "new": 1, "gone": nil])
        try ended.synchronize()
        try watcher.synchronize()
        try folder.write(["a": 1, "gone": 1, "theirs": 1])
        try watcher.synchronize()
        let all: [String: PropertyListValue] = ["a": 2, "new": 1, "theirs": 1]
        #expect(try folder.values() == all)
        #expect(watcher.storedValues == all)
        // Another one that keeps to the lock takes back what it likes.
        ended.set(["a": 1, "new": nil, "gone": 1, "theirs": nil])
        try ended.synchronize()
        try watcher.synchronize()
        #expect(try folder.values() == ["a": 1, "gone": 1])
        #expect(watcher.storedValues == ["a": 1, "gone": 1])
        observation.cancel()
    }

    @Test("What was written late and is older than another process's write does not stand against that")
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

    @Test("What a late write undoes of others they write again, where the writer did not know it")
    func lateWriteOfOldContentByNewcomer() throws {
        let files = InterferingFileSystem.withStoppedClock()
        let watcher = makeSuite(folder.suitePath, files: files)
        let observation = watcher.observe { _ in }
        watcher.set(1, forKey: "a")
        try watcher.synchronize()
        watcher.set(["new": 1, "a": 2])
        try watcher.synchronize()
        // It takes what it finds for what has always been there.
        let newcomer = makeSuite(folder.suitePath, files: files)
        newcomer.set(1, forKey: "first")
        writeLate(["a": 1, "theirs": 1], through: files)
        try newcomer.synchronize()
        let all: [String: PropertyListValue] = ["a": 2, "new": 1, "first": 1, "theirs": 1]
        try watcher.synchronize()
        #expect(try folder.values() == all)
        #expect(watcher.storedValues == all)
        observation.cancel()
    }

    @Test(
        "What is written again for another process stays that one's to take back",
        arguments: [true, false]
    )
    func takenBackByItsOwner(_ hasSeenIt: Bool) throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem.withStoppedClock()
        let owner = makeSuite(folder.suitePath, files: files)
        let observation = owner.observe { _ in }
        var witness = FileStorage(path: folder.suitePath, files: files)
        let watch = witness.watch {}
        _ = try witness.read()
        owner.set(1, forKey: "key")
        try owner.synchronize()
        _ = try witness.read()
        // A program that had read the file before undoes that, and the owner takes it back.
        try folder.write(["a": 1, "theirs": 1])
        #expect(try witness.read().undone == ["key": nil])
        if hasSeenIt { try owner.synchronize() }
        owner.set(nil, forKey: "key")
        try owner.synchronize()
        // The witness does not know, and is disturbed.
        writeLate(["a": 1, "theirs": 2], through: files)
        try witness.update { _ in StorageWrite(changes: ["key": 1]) }
        #expect(try folder.values() == ["a": 1, "theirs": 2, "key": 1])
        try owner.synchronize()
        #expect(try witness.read().undone.isEmpty)
        #expect(try folder.values() == ["a": 1, "theirs": 2])
        withExtendedLifetime((observation, watch)) {}
    }

    @Test("What a program changes that has seen what was stored last it changes on purpose")
    func changedKnowingly() throws {
        try folder.write(["a": 1, "b": 1])
        let files = InterferingFileSystem.withStoppedClock()
        let suite = makeSuite(folder.suitePath, files: files)
        let observation = suite.observe { _ in }
        for changes in [["a": 2], ["b": 2]] as [[String: PropertyListValue]] {
            suite.set(changes)
            try suite.synchronize()
        }
        try folder.write(["a": 1, "b": 2])
        try suite.synchronize()
        #expect(try folder.values() == ["a": 1, "b": 2])
        // It has not seen the last one.
        suite.set(3, forKey: "b")
        try suite.synchronize()
        try folder.write(["a": 5, "b": 2])
        try suite.synchronize()
        #expect(try folder.values() == ["a": 5, "b": 3])
        observation.cancel()
    }

    @Test("What a program adds beside others and removes again is gone, however it was merged")
    func removedByItsOwner() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem()
        files.stopClock()
        let suite = makeSuite(folder.suitePath, files: files)
        let observation = suite.observe { _ in }
        suite.set(2, forKey: "a")
        writeLate(["a": 1, "theirs": 1], through: files)
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "theirs": 1])
        // It has read what was stored after that.
        suite.set(1, forKey: "after")
        try suite.synchronize()
        try folder.write(["a": 2, "after": 1])
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "after": 1])
        observation.cancel()
    }

    @Test("Who has stored something watches from a tenth of a second after, observed or not")
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

    @Test("A program that rewrites the file whenever it is about to be replaced goes first only so often")
    func rewritingAgainAndAgain() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        let rewriter = Rewriter(files, folder)

        rewriter.begin(times: 30)
        suite.set(2, forKey: "a")
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "theirs": 30])

        rewriter.begin(times: .max)
        suite.set(3, forKey: "a")
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(suite.status.pendingKeys == 1)
        rewriter.end()
        try suite.synchronize()
        #expect(try folder.values() == ["a": 3, "theirs": PropertyListValue(rewriter.rounds)])
        #expect(suite.storedValues == ["a": 3, "theirs": PropertyListValue(rewriter.rounds)])
    }

    @Test("Who undoes a change again and again shall have it")
    func undoneAgainAndAgain() throws {
        try folder.write(["a": 1])
        let suite = makeSuite(folder.suitePath, files: InterferingFileSystem.withStoppedClock())
        _ = suite.storedValues
        suite.set(2, forKey: "a")
        try suite.synchronize()
        var rounds = 0
        while rounds < 400, suite.value(forKey: "a") == 2 {
            try folder.write(["a": 1])
            try suite.synchronize()
            rounds += 1
        }
        #expect(suite.value(forKey: "a") == 1)
        #expect(try folder.values() == ["a": 1])
    }

    @Test("What is set back later is a change like any other")
    func setBack() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem()
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

/// Rewrites a suite's file in place while it is about to be replaced: `a` as it was, and a count.
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
            try? self.folder.write(values)
            self.interfere()
        }
    }
}
