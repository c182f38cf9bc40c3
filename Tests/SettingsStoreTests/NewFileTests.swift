import Glibc
import ProgramHarness
import SettingsStore
import Testing

@Suite("A new file is written beside the old one")
struct NewFileTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(["a": 1])
    }

    @Test("It has no name until it is whole, so that a writer that is killed leaves nothing behind")
    func unnamed() throws {
        let names = Recorder<[String]>()
        let files = InterferingFileSystem()
        files.interfere(after: .makeNewFile) { [folder] in names.note((try? folder.names) ?? []) }
        files.interfere(before: .link) { [folder] in names.note((try? folder.names) ?? []) }
        try change(with: files)
        #expect(names.all == [["suite.plist"], ["suite.plist"]])
    }

    @Test(
        "Where a file must have a name at once, or can be given none later, it has one, and none is left over",
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

    @Test("What a killed writer has left where it had to be named is put out of the way")
    func leftover() throws {
        try folder.write(bytes: [1, 2, 3], to: folder.file(".pdefaults.new"))
        try change(with: InterferingFileSystem())
        #expect(try folder.names == ["suite.plist"])
    }

    private func change(with files: InterferingFileSystem) throws {
        let suite = makeSuite(folder.suitePath, files: files)
        suite.set(2, forKey: "a")
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2])
    }
}
