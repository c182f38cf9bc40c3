import Glibc
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("A new file is written beside the old one")
struct NewFileTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(["a": 1])
    }

    @Test("A new file has no name until it is complete, so that a killed writer leaves nothing behind")
    func unnamed() throws {
        let names = Recorder<[String]>()
        let files = InterferingFileSystem()
        files.interfere(after: .makeNewFile) { [folder] in names.note((try? folder.names) ?? []) }
        files.interfere(before: .link) { [folder] in names.note((try? folder.names) ?? []) }
        try change(with: files)
        #expect(names.all == [["suite.plist"], ["suite.plist"]])
    }

    @Test(
        "On file systems without unnamed files, a write leaves no file behind either",
        arguments: [
            InterferingFileSystem(unnamedRefusal: EOPNOTSUPP), InterferingFileSystem(unnamedRefusal: EISDIR),
            InterferingFileSystem(linkRefusal: ENOENT), InterferingFileSystem(linkRefusal: EPERM),
            InterferingFileSystem(linkRefusal: EXDEV),
        ]
    )
    func named(_ files: InterferingFileSystem) throws {
        try change(with: files)
        #expect(try folder.names == ["suite.plist"])
    }

    @Test("A foreign file that a killed writer had replaced before reading it is kept")
    func rescued() throws {
        let theirs: [String: PropertyListValue] = ["a": 1, "theirs": 1]
        try folder.write(theirs, to: folder.file(".pdefaults.new"))
        try change(with: InterferingFileSystem())
        let names = try folder.names.sorted()
        #expect(names.count == 2)
        #expect(
            names.first?.hasPrefix("pdefaults-rescued-") == true && names.first?.hasSuffix(".plist") == true
        )
        #expect(try names.first.map { try folder.values(at: folder.file($0)) } == theirs)
    }

    @Test("A write removes an old version of our own files, like an unfinished file")
    func leftoverOfOurs() throws {
        try change(with: InterferingFileSystem(stopsClock: false))
        try folder.rename("suite.plist", to: ".pdefaults.new")
        try change(with: InterferingFileSystem(stopsClock: false))
        #expect(try folder.names == ["suite.plist"])
    }

    @Test("A write that fails before its file has a name removes no other file")
    func failsBefore() throws {
        try folder.write(["theirs": 1], to: folder.file(".pdefaults.new"))
        let files = FaultyFileSystem(LiveFileSystem())
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        suite.set(2, forKey: "a")
        var call = 1
        while true {
            files.inject(.once(call: call, EIO))
            if (try? suite.synchronize()) != nil { break }
            let isThere = try folder.names.contains(".pdefaults.new")
            let isRescued = try folder.names.contains { $0.hasPrefix("pdefaults-rescued-") }
            #expect(isThere || isRescued, "call \(call)")
            call += 1
        }
        #expect(call > 5)
    }

    private func change(with files: InterferingFileSystem) throws {
        let suite = makeSuite(folder.suitePath, files: files)
        suite.set(2, forKey: "a")
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2])
    }
}
