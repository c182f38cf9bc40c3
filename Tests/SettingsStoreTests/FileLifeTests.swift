import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("What others do to the file and its folder")
struct FileLifeTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A suite that somebody removes while a change is pending is made anew with that change alone")
    func removed() throws {
        try folder.write(["a": 1, "b": 1])
        let suite = makeSuite(folder.suitePath)
        _ = suite.storedValues
        suite.set(2, forKey: "b")
        try folder.remove("suite.plist")
        try suite.synchronize()
        #expect(try folder.values() == ["b": 2])
        #expect(suite.storedValues == ["b": 2])
    }

    @Test("A folder that is removed is made again when there is something to store")
    func folderRemoved() throws {
        let path = folder.file("sub/suite.plist")
        let suite = makeSuite(path)
        suite.set(1, forKey: "a")
        try suite.synchronize()
        try folder.remove("sub")
        try suite.synchronize()
        #expect(suite.storedValues == [:])
        #expect(suite.status.content == .absent)
        #expect(try folder.names == [])
        suite.set(2, forKey: "b")
        try suite.synchronize()
        #expect(try folder.values(at: path) == ["b": 2])
    }

    @Test("A file that is removed or replaced between being read and being written is heeded")
    func changedMeanwhile() throws {
        try folder.write(["a": 1, "b": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues

        suite.set(2, forKey: "a")
        files.interfere(before: .openToReplace) { [folder] in
            try? folder.write(["theirs": 1, "b": 2], to: folder.file("new"))
            try? folder.rename("new", to: "suite.plist")
        }
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "theirs": 1, "b": 2])

        suite.set(3, forKey: "a")
        files.interfere(before: .openToReplace) { [folder] in try? folder.remove("suite.plist") }
        try suite.synchronize()
        #expect(try folder.values() == ["a": 3])
        #expect(suite.storedValues == ["a": 3])
    }

    @Test("What a program wrote into the file that was just replaced is kept, its removals too")
    func lateWrite() throws {
        try folder.write(["a": 1, "b": 1, "c": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        let changes = Recorder<Change>()
        let observation = suite.observe { if case .change(let change) = $0 { changes.note(change) } }
        suite.set(2, forKey: "a")
        let late = open(folder.suitePath, O_WRONLY)
        files.interfere(after: .rename) { [folder] in
            ftruncate(late, 0)
            let bytes = try? PropertyListValue.dictionary(["a": 1, "b": 2, "theirs": 1]).encoded(as: .xml)
            if let bytes { _ = write(late, bytes, bytes.count) }
            close(late)
            _ = folder
        }
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "b": 2, "theirs": 1])
        #expect(suite.storedValues == ["a": 2, "b": 2, "theirs": 1])
        #expect(Set(changes.all.map(\.key)) == ["a", "b", "c", "theirs"])
        #expect(changes.all.count == 4)
        withExtendedLifetime(observation) {}
    }

    @Test("What a late write undoes because its program had read the file before an earlier write stays")
    func lateWriteOfOldContent() throws {
        try folder.write(["a": 1, "b": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        let changes = Recorder<Change>()
        let observation = suite.observe { if case .change(let change) = $0 { changes.note(change) } }
        suite.set(["a": 2, "b": nil, "new": 1])
        try suite.synchronize()
        suite.set(1, forKey: "newer")
        let late = open(folder.suitePath, O_WRONLY)
        files.interfere(after: .rename) {
            ftruncate(late, 0)
            let bytes = try? PropertyListValue.dictionary(["a": 1, "b": 1, "theirs": 1]).encoded(as: .xml)
            if let bytes { _ = write(late, bytes, bytes.count) }
            close(late)
        }
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
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        suite.set(2, forKey: "a")
        let late = open(folder.suitePath, O_WRONLY)
        files.interfere(after: .rename) {
            ftruncate(late, 0)
            let bytes = try? PropertyListValue.dictionary(["a": 1, "late": 1]).encoded(as: .xml)
            if let bytes { _ = write(late, bytes, bytes.count) }
            close(late)
        }
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
        let late = open(folder.suitePath, O_WRONLY)
        files.interfere(after: .rename) {
            ftruncate(late, 0)
            let bytes = try? PropertyListValue.dictionary(["a": 5]).encoded(as: .xml)
            if let bytes { _ = write(late, bytes, bytes.count) }
            close(late)
        }
        #expect(throws: SettingsError.conflict(current: ["a": 5])) {
            try suite.replace(["a": 2], expecting: ["a": 1])
        }
        #expect(try folder.values() == ["a": 5])
        #expect(suite.storedValues == ["a": 5])
    }

    @Test("What a program undoes because it had read the file before is written again, and not told")
    func undone() throws {
        try folder.write(["a": 1, "b": 1])
        let suite = makeSuite(folder.suitePath)
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
        let suite = makeSuite(folder.suitePath)
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

    @Test("What is set back later, or by a file of its own, is a change like any other")
    func setBack() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        suite.set(2, forKey: "a")
        try suite.synchronize()
        try folder.write(["a": 1], to: folder.file("new"))
        try folder.rename("new", to: "suite.plist")
        try suite.synchronize()
        #expect(suite.value(forKey: "a") == 1)

        suite.set(2, forKey: "a")
        try suite.synchronize()
        files.pass(seconds: 5)
        try folder.write(["a": 1])
        try suite.synchronize()
        #expect(suite.value(forKey: "a") == 1)
        #expect(try folder.values() == ["a": 1])
    }

    @Test("A change within the same moment as a reading is seen by the next")
    func sameMoment() throws {
        // As coarse as the kernel's ticks get.
        let suite = makeSuite(folder.suitePath, files: InterferingFileSystem(grain: 10_000_000))
        for number in 1...20 {
            try folder.write(["a": 10])
            try suite.synchronize()
            // In place and of the same size, within one tick of the kernel.
            try folder.write(["a": PropertyListValue(10 + number)])
            try suite.synchronize()
            #expect(suite.value(forKey: "a")?.number == 10 + number)
        }
    }

    @Test("What is written in place during a reading is never seen in part")
    func tornReading() throws {
        try folder.write(["a": 1, "b": 1])
        let interfering = InterferingFileSystem()
        let files = FaultyFileSystem(interfering)
        let suite = makeSuite(folder.suitePath, files: files)
        let changes = Recorder<PropertyListValue?>()
        let observation = suite.observe { if case .change(let change) = $0 { changes.note(change.new) } }
        try folder.write(["a": 2, "b": 2])
        // The first piece is of one version, the rest of the next one, which is as long.
        files.inject(.short(210))
        interfering.interfere(after: .read) { [folder] in try? folder.write(["a": 3, "b": 3]) }
        try suite.synchronize()
        #expect(suite.storedValues == ["a": 3, "b": 3])
        #expect(changes.all == [3, 3])
        withExtendedLifetime(observation) {}
    }

    @Test("A change in place is seen though size and time are what they were")
    func sameSizeAndTime() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        var old = stat()
        stat(folder.suitePath, &old)
        // So late that the time alone would vouch for the file.
        files.pass(seconds: 5)
        try suite.synchronize()
        try folder.write(["a": 2])
        var times = [old.st_atim, old.st_mtim]
        #expect(utimensat(AT_FDCWD, folder.suitePath, &times, 0) == 0)
        try suite.synchronize()
        #expect(suite.value(forKey: "a") == 2)
    }

    @Test("A clock that goes back hides no change")
    func clockGoesBack() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        for (seconds, value) in [(3_600, 2), (-7_200, 3), (0, 4)] {
            files.pass(seconds: Int64(seconds))
            _ = suite.storedValues
            try folder.write(["a": PropertyListValue(value)])
            try suite.synchronize()
            #expect(suite.value(forKey: "a")?.number == value)
            suite.set(PropertyListValue(value), forKey: "b")
            try suite.synchronize()
            #expect(try folder.values()["b"]?.number == value)
        }
    }

    @Test("Two paths to one file behave like two processes")
    func twoPaths() throws {
        try folder.write(["a": 1])
        try folder.link("other.plist", to: "suite.plist")
        let first = SettingsSuite(file: folder.suitePath)
        let second = SettingsSuite(file: folder.file("other.plist"))
        #expect(first != second)
        #expect(first == SettingsSuite(file: folder.path + "/./suite.plist"))
        let changes = Recorder<PropertyListValue?>()
        let observation = second.observe("a") { changes.note($0.new) }.observation
        for number in 2...20 {
            first.set(PropertyListValue(number), forKey: "a")
            second.set(true, forKey: "\(number)")
            try first.synchronize()
        }
        try second.synchronize()
        #expect(try folder.values().count == 20)
        #expect(eventually { changes.all.last == 20 })
        observation.cancel()
    }

    @Test("A path with a NUL is not the path before it")
    func nul() throws {
        var storage = FileStorage(path: folder.suitePath + "\0.plist")
        #expect(throws: SettingsError.self) { try storage.update { _ in StorageWrite(changes: ["a": 1]) } }
        try folder.write(["a": 1])
        #expect(throws: SettingsError.self) { try storage.read() }
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
