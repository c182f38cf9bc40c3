import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("Other programs change the file and its folder")
struct FileLifeTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "A suite that another program removes while a change is pending is made again with only that change"
    )
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

    @Test("A removed folder is made again when a value has to be stored")
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

    @Test("A write notices that the file was removed or replaced after it was read")
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

    @Test("A reading finds a change in the same tick of the clock as the previous reading")
    func sameMoment() throws {
        // The longest tick of a kernel's clock.
        let suite = makeSuite(folder.suitePath, files: InterferingFileSystem(grain: 10_000_000))
        for number in 1...20 {
            try folder.write(["a": 10])
            try suite.synchronize()
            // The file is written in place, with the same size, within one tick of the kernel's clock.
            try folder.write(["a": PropertyListValue(10 + number)])
            try suite.synchronize()
            #expect(suite.value(forKey: "a")?.number == 10 + number)
        }
    }

    @Test("A reading never returns a part of a file that is written in place meanwhile")
    func tornReading() throws {
        try folder.write(["a": 1, "b": 1])
        let interfering = InterferingFileSystem()
        let files = FaultyFileSystem(interfering)
        let suite = makeSuite(folder.suitePath, files: files)
        let changes = Recorder<PropertyListValue?>()
        let observation = suite.observe { if case .change(let change) = $0 { changes.note(change.new) } }
        try folder.write(["a": 2, "b": 2])
        // The first piece is of one version, and the rest is of the next version, which has the same length.
        files.inject(.short(210))
        interfering.interfere(after: .read) { [folder] in try? folder.write(["a": 3, "b": 3]) }
        try suite.synchronize()
        #expect(suite.storedValues == ["a": 3, "b": 3])
        #expect(changes.all == [3, 3])
        withExtendedLifetime(observation) {}
    }

    @Test("A reading finds a change in place that keeps size and time")
    func sameSizeAndTime() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        // So much later that the time alone proves that the file is unchanged.
        files.pass(seconds: 5)
        try suite.synchronize()
        try folder.writeKeepingTime(["a": 2])
        try suite.synchronize()
        #expect(suite.value(forKey: "a") == 2)
    }

    @Test("A clock that goes back hides no change")
    func clockGoesBack() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        for (seconds, value) in [(3_600, 2), (-7_200, 3), (0, 4)] {
            files.pass(seconds: Double(seconds))
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
