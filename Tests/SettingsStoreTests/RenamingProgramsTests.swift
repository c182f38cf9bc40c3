import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("Programs that replace the file by another one and take no lock")
struct RenamingProgramsTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.file("")) }
    }

    private func info(_ name: String) throws -> FileInfo {
        let descriptor = try LiveFileSystem().open(folder.file(name), flags: O_RDONLY)
        defer { close(descriptor) }
        return try LiveFileSystem().fstat(descriptor, name)
    }

    private func put(_ values: [String: PropertyListValue]) throws {
        try folder.write(values, to: folder.file("new"))
        try folder.rename("new", to: "suite.plist")
    }

    @Test("What another puts there in the very moment of a write is kept")
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
        #expect(try names == ["suite.plist"])
    }

    @Test("Where it can't be put back it is kept under another name, and said")
    func notPutBack() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem(exchangeBackRefusal: EIO)
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        suite.set(2, forKey: "a")
        files.interfere(before: .rename) { try? put(["a": 1, "theirs": 1]) }
        let error = #expect(throws: SettingsError.self) { try suite.synchronize() }
        let rescued = try #require(try names.first { $0.hasPrefix("pdefaults-rescued-") })
        #expect(error?.description.contains("it is \(folder.file(rescued)) (") == true)
        #expect(try folder.values(at: folder.file(rescued)) == ["a": 1, "theirs": 1])
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2])
        #expect(try names.sorted() == [rescued, "suite.plist"])
    }

    @Test("A file that another makes in the very moment of the first write is kept")
    func inTheMomentOfTheFirstWrite() throws {
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        suite.set(2, forKey: "a")
        files.interfere(before: .rename) { try? put(["theirs": 1]) }
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "theirs": 1])
    }

    @Test("A file that another removes in the very moment of a write does not come back as it was")
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

    @Test("What can't be read is not replaced, though it came in the very moment of a write")
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
        #expect(try names == ["suite.plist"])
    }

    @Test("What a program that renames the file before it makes a new one undoes is written again")
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

    @Test("What such a program has added another may take away")
    func addedAndRemoved() throws {
        try folder.write(["a": 1])
        let suite = makeSuite(folder.suitePath)
        let observation = suite.observe { _ in }
        suite.set(2, forKey: "a")
        try suite.synchronize()
        for theirs in [["theirs": 1], ["theirs": 2], [:]] as [[String: PropertyListValue]] {
            try put(theirs.merging(["a": 2]) { $1 })
            try suite.synchronize()
            #expect(try folder.values() == theirs.merging(["a": 2]) { $1 })
        }
        observation.cancel()
    }

    @Test("A file system that can't exchange files is written to all the same")
    func withoutExchange() throws {
        try folder.write(["a": 1])
        let suite = makeSuite(folder.suitePath, files: InterferingFileSystem(exchanges: false))
        suite.set(2, forKey: "a")
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2])
    }

    @Test("What a program undoes since it had read the file before is written again, and not told")
    func undone() throws {
        try folder.write(["a": 1, "b": 1])
        let files = InterferingFileSystem.withStoppedClock()
        let suite = makeSuite(folder.suitePath, files: files)
        let changes = Recorder<Change>()
        let observation = suite.observe { if case .change(let change) = $0 { changes.note(change) } }
        suite.set(["a": 2, "new": 2, "b": nil])
        try suite.synchronize()
        try put(["a": 1, "b": 1, "theirs": 1])
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "new": 2, "theirs": 1])
        #expect(changes.all.map(\.key) == ["a", "b", "new", "theirs"])
        withExtendedLifetime(observation) {}
    }

    @Test("It is also written again where somebody who keeps to the lock has built upon what undid it")
    func undoneAndBuiltUpon() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem.withStoppedClock()
        let suite = makeSuite(folder.suitePath, files: files)
        let other = makeSuite(folder.suitePath, files: files)
        suite.set(2, forKey: "a")
        try suite.synchronize()
        try put(["a": 1, "theirs": 1])
        for number in 1...3 {
            other.set(PropertyListValue(number), forKey: "others")
            try other.synchronize()
        }
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "theirs": 1, "others": 3])
    }

    @Test("What was stored longer ago than a moment is theirs to set back")
    func setBackLater() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        suite.set(2, forKey: "a")
        try suite.synchronize()
        files.pass(seconds: 5)
        try put(["a": 1])
        try suite.synchronize()
        #expect(suite.value(forKey: "a") == 1)
        #expect(try folder.values() == ["a": 1])
    }

    @Test("Where a file's times are whole seconds, another version within the same second is seen")
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

    @Test("Where the file system keeps no exact times nobody is taken for another")
    func coarseTimes() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem(grain: 10_000_000)
        let suite = makeSuite(folder.suitePath, files: files)
        let other = makeSuite(folder.suitePath, files: files)
        // So that the file is not one that somebody else has just put there.
        files.pass(seconds: 5)
        suite.set(2, forKey: "a")
        try suite.synchronize()
        other.set(1, forKey: "a")
        try other.synchronize()
        try suite.synchronize()
        #expect(suite.value(forKey: "a") == 1)
        #expect(try folder.values() == ["a": 1])
    }

    @Test("Whoever copies a file's time does not copy its mark")
    func copiedTime() throws {
        try folder.write(["a": 1])
        let suite = makeSuite(folder.suitePath)
        suite.set(2, forKey: "a")
        try suite.synchronize()
        let ours = try info("suite.plist")
        #expect(FileMark(of: ours) != nil)
        let modified = ours.identity.modified
        // By chance one of some 600 copies has a mark.
        let copies = try (0..<4).map { number in
            let copy = folder.file("copy\(number)")
            try folder.write(["a": 3], to: copy)
            try LiveFileSystem().setTime(modified, of: copy)
            return try info("copy\(number)")
        }
        #expect(copies.allSatisfy { $0.identity.modified == modified })
        #expect(copies.contains { FileMark(of: $0) == nil })
    }

    @Test("What such a program undoes is written again, though its file has the time of the one before")
    func undoneWithTheSameTime() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem.withStoppedClock()
        let suite = makeSuite(folder.suitePath, files: files)
        suite.set(2, forKey: "new")
        try suite.synchronize()
        let time = try #require(try LiveFileSystem().stat(folder.suitePath)).identity.modified
        // Not one of the few that have a mark by chance.
        repeat {
            try? folder.remove("new")
            try folder.write(["a": 1, "theirs": 1], to: folder.file("new"))
            try LiveFileSystem().setTime(time, of: folder.file("new"))
        } while FileMark(of: try info("new")) != nil
        try folder.rename("new", to: "suite.plist")
        try suite.synchronize()
        #expect(try folder.values() == ["a": 1, "new": 2, "theirs": 1])
    }

    @Test("On a file system that keeps whole seconds, too, what a program undoes is written again")
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

    @Test("A mark says for two seconds that somebody else's file was replaced")
    func marks() throws {
        try folder.write([:])
        let template = try #require(try LiveFileSystem().stat(folder.suitePath))
        func file(modified: Int64, changed: Int64) -> FileInfo {
            var info = template
            info.identity.modified = Timestamp(nanoseconds: modified)
            info.identity.changed = Timestamp(nanoseconds: changed)
            return info
        }
        let second: Int64 = 1_000_000_000
        var (time, marked) = (100 * second, 0)
        var info = file(modified: 0, changed: time)
        #expect(FileMark(of: info) == nil)
        while marked < 100 {
            time += second / 10
            let mark = FileMark(over: info, at: Timestamp(nanoseconds: time))
            info = file(modified: time + mark.digits(of: info), changed: time)
            let again = try #require(FileMark(of: info))
            #expect(again.isOverOthers == mark.isOverOthers)
            if !mark.isOverOthers { break }
            marked += 1
        }
        #expect((20...23).contains(marked))
        let later = FileMark(over: file(modified: 0, changed: 0), at: Timestamp(nanoseconds: 3 * second))
        #expect(!later.isOverOthers)
        #expect(!FileMark(over: nil, at: Timestamp(nanoseconds: time)).isOverOthers)
        let ahead = file(modified: 0, changed: time + second)
        #expect(FileMark(over: ahead, at: Timestamp(nanoseconds: time)).isOverOthers)
    }
}

extension LiveFileSystem {
    /// As `touch -r` does.
    fileprivate func setTime(_ time: Timestamp, of path: String) throws {
        let part = timespec(
            tv_sec: Int(time.nanoseconds / 1_000_000_000),
            tv_nsec: Int(time.nanoseconds % 1_000_000_000)
        )
        if utimensat(AT_FDCWD, path, [part, part], 0) != 0 { throw SystemError("utimensat", path, errno) }
    }
}
