import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("Unlocked writers that replace the file")
struct RenamingProgramsTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func put(_ values: [String: PropertyListValue]) throws {
        try folder.write(values, to: folder.file("new"))
        try folder.rename("new", to: "suite.plist")
    }

    @Test("A file that a program puts in place in the moment of a write is kept")
    func inTheMomentOfAWrite() throws {
        try folder.write(["a": 1, "gone": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        suite.set(2, forKey: "a")
        files.interfere(before: .rename) { try? put(["a": 1, "theirs": 1]) }
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "theirs": 1])
        #expect(suite.storedValues == ["a": 2, "theirs": 1])
        #expect(try folder.names == ["suite.plist"])
    }

    @Test("If that file can't be put back, it is kept with another name, and the error names it")
    func notPutBack() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem(exchangeBackRefusal: EIO)
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        suite.set(2, forKey: "a")
        files.interfere(before: .rename) { try? put(["a": 1, "theirs": 1]) }
        let error = #expect(throws: SettingsError.self) { try suite.synchronize() }
        let rescued = try #require(try folder.names.first { $0.hasPrefix("pdefaults-rescued-") })
        #expect(error?.description.contains("it is \(folder.file(rescued)) (") == true)
        #expect(try folder.values(at: folder.file(rescued)) == ["a": 1, "theirs": 1])
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2])
        #expect(try folder.names.sorted() == [rescued, "suite.plist"])
    }

    @Test("A file that a program makes in the moment of the first write is kept")
    func inTheMomentOfTheFirstWrite() throws {
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        suite.set(2, forKey: "a")
        files.interfere(before: .rename) { try? put(["theirs": 1]) }
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "theirs": 1])
    }

    @Test("A file that a program removes in the moment of a write does not come back with its other keys")
    func removedInTheMomentOfAWrite() throws {
        try folder.write(["a": 1, "b": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        suite.set(2, forKey: "a")
        files.interfere(before: .rename) { [folder] in try? folder.remove("suite.plist") }
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2])
    }

    @Test("An unreadable file that appears in the moment of a write is not replaced")
    func unreadableInTheMomentOfAWrite() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        suite.set(2, forKey: "a")
        files.interfere(before: .rename) { [folder] in
            try? folder.write(bytes: Array("<broken".utf8), to: folder.file("new"))
            try? folder.rename("new", to: "suite.plist")
        }
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.suitePath)) == Data("<broken".utf8))
        #expect(suite.value(forKey: "a") == 2)
        #expect(try folder.names == ["suite.plist"])
        suite.losePendingChanges()
    }

    @Test(
        "Keys that a program overwrites, which renames the file before it makes a new one, are written again"
    )
    func renamedAway() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem.withStoppedClock()
        let suite = makeSuite(folder.suitePath, files: files)
        let changes = Recorder<Change>()
        let observation = suite.observe { if case .change(let change) = $0 { changes.note(change) } }
        suite.set(2, forKey: "new")
        try suite.synchronize()
        try folder.rename("suite.plist", to: "suite.plist~")
        files.interfere(before: .pause) { [folder] in try? folder.write(["a": 1, "theirs": 1]) }
        try suite.synchronize()
        #expect(try folder.values() == ["a": 1, "new": 2, "theirs": 1])
        #expect(suite.storedValues == ["a": 1, "new": 2, "theirs": 1])
        #expect(changes.all.map(\.key) == ["new", "theirs"])
        withExtendedLifetime(observation) {}
    }

    @Test("A write works on a file system that can't exchange files")
    func withoutExchange() throws {
        try folder.write(["a": 1])
        let suite = makeSuite(folder.suitePath, files: InterferingFileSystem(exchanges: false))
        suite.set(2, forKey: "a")
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2])
    }

    @Test("On a file system with whole seconds, a new version within the same second is found")
    func wholeSeconds() throws {
        try folder.write(["a": 1])
        let suite = makeSuite(folder.suitePath, files: InterferingFileSystem(grain: 1_000_000_000))
        _ = suite.storedValues
        for value in 2...4 {
            try folder.write(["a": PropertyListValue(value)])
            try suite.synchronize()
            #expect(suite.value(forKey: "a") == PropertyListValue(value))
        }
    }

    @Test("On a file system without exact times, our own writes are not taken for an unlocked writer's")
    func coarseTimes() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem(grain: 10_000_000)
        let suite = makeSuite(folder.suitePath, files: files)
        let other = makeSuite(folder.suitePath, files: files)
        // With an old time, the file does not count as just written by an unlocked writer.
        files.pass(seconds: 5)
        suite.set(2, forKey: "a")
        try suite.synchronize()
        other.set(1, forKey: "a")
        try other.synchronize()
        try suite.synchronize()
        #expect(suite.value(forKey: "a") == 1)
        #expect(try folder.values() == ["a": 1])
    }

    @Test("Overwritten keys are written again even if the program's file has the time of the previous one")
    func undoneWithTheSameTime() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem.withStoppedClock()
        let suite = makeSuite(folder.suitePath, files: files)
        suite.set(2, forKey: "new")
        try suite.synchronize()
        let time = try #require(try LiveFileSystem().stat(folder.suitePath)).identity.modified
        try folder.write(["a": 1, "theirs": 1], to: folder.file("new"))
        try LiveFileSystem().setTime(time, of: folder.file("new"))
        try folder.rename("new", to: "suite.plist")
        try suite.synchronize()
        #expect(try folder.values() == ["a": 1, "new": 2, "theirs": 1])
    }

    @Test("Overwritten keys are written again on a file system with whole seconds")
    func undoneInWholeSeconds() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem(grain: 1_000_000_000)
        files.stopClock()
        let suite = makeSuite(folder.suitePath, files: files)
        let other = makeSuite(folder.suitePath, files: files)
        suite.set(2, forKey: "new")
        try suite.synchronize()
        try put(["a": 1, "theirs": 1])
        try suite.synchronize()
        #expect(try folder.values() == ["a": 1, "new": 2, "theirs": 1])
        files.pass(seconds: 5)
        other.set(nil, forKey: "new")
        try other.synchronize()
        try suite.synchronize()
        #expect(try folder.values() == ["a": 1, "theirs": 1])
    }
}

extension LiveFileSystem {
    /// Sets the time as `touch -r` does.
    fileprivate func setTime(_ time: Timestamp, of path: String) throws {
        let part = timespec(
            tv_sec: Int(time.nanoseconds / 1_000_000_000),
            tv_nsec: Int(time.nanoseconds % 1_000_000_000)
        )
        if utimensat(AT_FDCWD, path, [part, part], 0) != 0 { throw SystemError("utimensat", path, errno) }
    }
}
