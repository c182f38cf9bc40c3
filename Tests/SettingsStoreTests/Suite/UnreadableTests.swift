import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("An unreadable file is neither treated as empty nor replaced")
struct UnreadableTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "An unparsable file stays as it is",
        arguments: ["", " \n", "<plist", "hello", "<plist><array/></plist>", "bplist00", "{ a = 1;"]
    )
    func unparsable(_ text: String) throws {
        try folder.write(["a": 1])
        let suite = makeSuite(folder.suitePath)
        #expect(suite.value(forKey: "a") == 1)
        try folder.write(text, to: "suite.plist")
        suite.set(2, forKey: "b")
        let error = #expect(throws: SettingsError.self) { try suite.synchronize() }
        guard case .unreadable(folder.suitePath, _)? = error else {
            Issue.record("threw \(String(describing: error))")
            return
        }
        #expect(suite.storedValues == ["a": 1, "b": 2])
        #expect(suite.status.pendingKeys == 1)
        #expect(suite.contentError == error)
        #expect(try folder.bytes(of: "suite.plist") == Data(text.utf8))

        // A suite that reads the file for the first time reports the same.
        let other = makeSuite(folder.suitePath)
        #expect(other.storedValues == [:])
        #expect(other.contentError == error)
        other.set(3, forKey: "c")
        #expect(throws: SettingsError.self) { try other.synchronize() }
        #expect(try folder.bytes(of: "suite.plist") == Data(text.utf8))

        // No set is lost.
        try folder.remove("suite.plist")
        try suite.synchronize()
        try other.synchronize()
        #expect(try folder.values() == ["b": 2, "c": 3])
        #expect(suite.contentError == nil)
        #expect(suite.status.content == .stored)
    }

    enum Secret: CaseIterable { case declared, inTheSchemaFile }

    @Test("No error quotes a file with secrets", arguments: Secret.allCases)
    func secrets(_ place: Secret) throws {
        try folder.write(
            "<plist><dict><key>token</key><integer>hunter2</integer></dict></plist>",
            to: "suite.plist"
        )
        let suite = makeSuite(folder.suitePath)
        #expect("\(try #require(suite.contentError))".contains("“hunter2” is not an integer"))
        let secret = SettingDeclaration(.string(), isSecret: true)
        switch place {
        case .declared: suite.declare(secret, forKey: "token")
        case .inTheSchemaFile:
            try SchemaFile(besideSuite: folder.suitePath).merge(SuiteSchema(["token": secret]))
        }
        let error = #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(error?.description.hasSuffix(": line 1, column 39: the text here is not an integer") == true)
        #expect(suite.contentError == error)
    }

    @Test("A number beyond those of a Double is infinite, and its bytes stay until its key is written")
    func infinity() throws {
        func file(_ a: String, _ b: String) -> String {
            "<plist version=\"1.0\"><dict><key>a</key><real>\(a)</real><key>b</key><integer>\(b)</integer></dict></plist>\n"
        }
        try folder.write(file("-1e400", "1"), to: "suite.plist")
        let suite = makeSuite(folder.suitePath)
        #expect(suite.value(forKey: "a") == .real(-.infinity))
        suite.set(2, forKey: "b")
        try suite.synchronize()
        #expect(try folder.bytes(of: "suite.plist") == Data(file("-1e400", "2").utf8))
        suite.set(.real(.infinity), forKey: "a")
        try suite.synchronize()
        #expect(try folder.bytes(of: "suite.plist") == Data(file("+infinity", "2").utf8))
    }

    enum Obstacle: CaseIterable { case pipe, folder, linkToDevice }

    @Test("A folder, pipe or device in place of the file stays as it is", arguments: Obstacle.allCases)
    func noFile(_ obstacle: Obstacle) throws {
        switch obstacle {
        case .pipe: #expect(mkfifo(folder.suitePath, 0o600) == 0)
        case .folder: try folder.makeFolder("suite.plist")
        case .linkToDevice: try folder.link("suite.plist", to: "/dev/full")
        }
        let files = FaultyFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        #expect(suite.contentError == .notAFile(path: folder.suitePath))
        // The opening of some devices has side effects.
        #expect(!files.calls.contains { $0.name == "open" })
        suite.set(1, forKey: "a")
        #expect(throws: SettingsError.notAFile(path: folder.suitePath)) { try suite.synchronize() }
        #expect(suite.status.pendingKeys == 1)
        #expect(try folder.names == ["suite.plist"])
        try folder.remove("suite.plist")
        try suite.synchronize()
        #expect(try folder.values() == ["a": 1])
    }

    @Test("A file above the size limit stays as it is")
    func tooLarge() throws {
        try folder.write(["a": 1])
        // A sparse file needs no room on the disk.
        #expect(truncate(folder.suitePath, 1 << 40) == 0)
        let suite = makeSuite(folder.suitePath)
        #expect(suite.contentError?.description.contains("larger than") == true)
        suite.set(1, forKey: "b")
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        var info = stat()
        lstat(folder.suitePath, &info)
        #expect(info.st_size == 1 << 40)
        #expect(try suite.recover() != nil)
        #expect(try folder.values() == ["b": 1])
    }

    @Test("Only recover() sets it aside, and stores the last good values in a new file")
    func recover() throws {
        try folder.write(["a": 1, "b": 1])
        let suite = makeSuite(folder.suitePath)
        _ = suite.storedValues
        try folder.write("broken", to: "suite.plist")
        suite.set(2, forKey: "b")
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        let place = try #require(try suite.recover())
        #expect(place.hasPrefix(folder.suitePath + ".broken-2"))
        #expect(place.hasSuffix("Z"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: place)) == Data("broken".utf8))
        #expect(try folder.values() == ["a": 1, "b": 2])
        #expect(suite.contentError == nil)
        #expect(suite.status.pendingKeys == 0)
        #expect(try suite.recover() == nil)
    }

    @Test(
        "recover() leaves a sound file of another kind in its place",
        arguments: [
            ("s.json", "[1, 2]\n"), ("s.json", "7"), ("s.json", "<plist><array/></plist>"),
            ("s.plist", "[1, 2]"),
            ("s.plist", "(a, b)"),
        ]
    )
    func recoverSound(name: String, text: String) throws {
        try folder.write(text, to: name)
        let suite = makeSuite(folder.file(name))
        let error = #expect(throws: SettingsError.self) { try suite.recover() }
        #expect(error?.description.hasSuffix("The file is not damaged, so it stays in its place") == true)
        guard case .unreadable(_, isSound: true) = suite.status.content else {
            return #expect(Bool(false), "\(suite.status.content)")
        }
        #expect(try folder.names == [name])
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file(name))) == Data(text.utf8))
    }

    @Test("recover() does not set the target of a link aside")
    func recoverLink() throws {
        try folder.write(["a": 1])
        let suite = makeSuite(folder.suitePath)
        _ = suite.storedValues
        try folder.remove("suite.plist")
        try folder.makeFolder("elsewhere")
        try folder.link("suite.plist", to: folder.file("elsewhere"))
        #expect(throws: SettingsError.self) { try suite.recover() }
        #expect(FileManager.default.fileExists(atPath: folder.file("elsewhere")))
    }

    @Test("Several files that are set aside in one second get different names, even if the names are long")
    func recoverOften() throws {
        let name = String(repeating: "é", count: 124) + ".plist"
        for number in 1...3 {
            try folder.write("broken \(number)", to: name)
            let suite = makeSuite(folder.file(name))
            #expect(try suite.recover() != nil)
        }
        #expect(try folder.names.count == 3)
    }

    @Test("recover() with a readable file changes nothing and adopts foreign changes")
    func recoverNothing() throws {
        try folder.write(["a": 1])
        let suite = makeSuite(folder.suitePath)
        _ = suite.storedValues
        try folder.write(["a": 2])
        #expect(try suite.recover() == nil)
        try suite.synchronize()
        #expect(suite.storedValues == ["a": 2])
    }
}
