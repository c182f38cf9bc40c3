import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("The schema of a suite is a file beside the suite's file")
struct SchemaFileTests {
    let folder: TemporaryFolder
    let scheduler = ManualScheduler()
    let suite: SettingsSuite
    let volume = SettingDeclaration(.integer(Bounds(0...11)), defaultValue: 5, title: "Volume")

    init() throws {
        folder = try TemporaryFolder()
        suite = SettingsSuite(FileStorage(path: folder.suitePath), scheduler: scheduler)
    }

    private func inode(of name: String) throws -> UInt64? {
        try LiveFileSystem().stat(folder.file(name))?.identity.inode
    }

    @Test("is written a moment after a declaration, without a write of the suite itself")
    func written() throws {
        suite.declare(volume, forKey: "volume")
        suite.declare(SettingDeclaration(.string()), forKey: "name")
        #expect(try folder.names == [])
        scheduler.advance(by: 1)
        #expect(try folder.names == ["suite.schema.json"])
        #expect(try suite.readSchema() == suite.declared)
        #expect(try LiveFileSystem().stat(folder.file("suite.schema.json"))?.mode == 0o600)
        #expect(suite.storedValues.isEmpty)
    }

    @Test(
        "can be another one that a JSON file names",
        arguments: [
            (#"{"$schema": "./x/my.schema.json", "a": 1}"#, true),
            ("\u{FEFF}// a\n{\"b\": {\"$schema\": \"\"}, \"\\u0024schema\": \"x/my.schema.json#\" }", true),
            (#"{"$schema": "https://example.org/x/my.schema.json"}"#, false),
            (#"{"$schema": "./missing.json"}"#, false),
            (#"{"$schema": 7}"#, false),
            (#"{"a": ["$schema", ":", "./x/my.schema.json"]}"#, false),
            (#"{"$schema": "./x/my"#, false),
        ]
    )
    func named(text: String, isNamed: Bool) throws {
        mkdir(folder.file("x"), 0o755)
        try folder.write(text, to: "s.json")
        let named = #"{"properties": {"a": {"title": "Named"}, "b": {"title": "Named"}}}"#
        try folder.write(named, to: "x/my.schema.json")
        let schema = SchemaFile(besideSuite: folder.file("s.json"))
        #expect(try schema.read().declarations["a"]?.title == (isNamed ? "Named" : nil))
        #expect(SchemaFile(besideSuite: folder.file("s.jsonc")).path == folder.file("s.schema.json"))
        let hasProblem = text.contains("missing.json") || text.contains("https:")
        #expect((schema.problemWithNamedSchema != nil) == hasProblem)
        // One that is not understood does not hide the others.
        try folder.write(#"{"properties": {"a": {"title": 7}}}"#, to: "x/my.schema.json")
        #expect(try schema.read().isEmpty)
        #expect((schema.problemWithNamedSchema != nil) == (isNamed || hasProblem))
        try folder.write(named, to: "x/my.schema.json")
        // The file beside the suite counts first.
        try folder.write(#"{"properties": {"a": {"title": "Beside"}}}"#, to: "s.schema.json")
        #expect(try schema.read().declarations["a"]?.title == "Beside")
        #expect(try schema.read().declarations["b"]?.title == (isNamed ? "Named" : nil))
    }

    @Test(
        "is not fetched from the network, and a note says where to save it, until it is there",
        arguments: ["https://example.org/x.json", "http://example.org/x.json", "/etc/x.json"]
    )
    func onNetwork(reference: String) throws {
        for name in ["s.json", "s.JSONC"] {
            try folder.write("{\"$schema\": \"\(reference)\", \"a\": 1}", to: name)
            let schema = SchemaFile(besideSuite: folder.file(name))
            let problem = try #require(schema.problemWithNamedSchema)
            #expect(problem.hasPrefix("$schema is \(reference), which is not read"), "\(problem)")
            #expect(problem.hasSuffix("save it beside the file as s.schema.json"), "\(problem)")
            try folder.write("{}", to: "s.schema.json")
            #expect(schema.problemWithNamedSchema == nil)
            try folder.remove("s.schema.json")
        }
    }

    @Test("has the mode of the suite's file")
    func mode() throws {
        try folder.write(["a": 1])
        chmod(folder.suitePath, 0o640)
        suite.declare(volume, forKey: "volume")
        scheduler.advance(by: 1)
        #expect(try LiveFileSystem().stat(folder.file("suite.schema.json"))?.mode == 0o640)
    }

    @Test("is not written again if it has the declaration already")
    func unchanged() throws {
        suite.declare(volume, forKey: "volume")
        scheduler.advance(by: 1)
        let first = try inode(of: "suite.schema.json")
        let next = SettingsSuite(FileStorage(path: folder.suitePath), scheduler: scheduler)
        next.declare(volume, forKey: "volume")
        scheduler.advance(by: 1)
        #expect(try inode(of: "suite.schema.json") == first)
        var changed = volume
        changed.help = "How loud it is."
        next.declare(changed, forKey: "volume")
        scheduler.advance(by: 1)
        #expect(try inode(of: "suite.schema.json") != first)
        #expect(try suite.readSchema().declarations["volume"] == changed)
    }

    @Test("keeps declarations that another run does not make, and is created again if it is missing")
    func noLongerDeclared() throws {
        suite.declare(volume, forKey: "volume")
        suite.declare(SettingDeclaration(.boolean), forKey: "flag")
        scheduler.advance(by: 1)
        func nextRun() -> SettingsSuite {
            SettingsSuite(FileStorage(path: folder.suitePath), scheduler: scheduler)
        }
        nextRun().declare(volume, forKey: "volume")
        scheduler.advance(by: 1)
        #expect(try Set(suite.readSchema().declarations.keys) == ["volume", "flag"])
        var renamed = SettingDeclaration(.boolean)
        renamed.oldKeys = ["flag"]
        nextRun().declare(renamed, forKey: "isOpen")
        scheduler.advance(by: 1)
        #expect(try Set(suite.readSchema().declarations.keys) == ["volume", "isOpen"])
        try folder.remove("suite.schema.json")
        nextRun().declare(volume, forKey: "volume")
        scheduler.advance(by: 1)
        #expect(try Set(suite.readSchema().declarations.keys) == ["volume"])
    }

    @Test("is written once the folder exists, and does not create it")
    func noFolder() throws {
        let path = folder.file("later/suite.plist")
        let suite = SettingsSuite(FileStorage(path: path), scheduler: scheduler)
        suite.declare(volume, forKey: "volume")
        scheduler.advance(by: 60)
        #expect(try folder.names == [])
        suite.set(3, forKey: "volume")
        scheduler.advance(by: 1)
        #expect(try suite.readSchema() == suite.declared)
    }

    @Test("is beside the target of a linked suite, and links to it stay")
    func links() throws {
        try folder.makeFolder("real")
        try folder.makeFolder("kept")
        try folder.link("suite.plist", to: "real/target.plist")
        try folder.link("real/target.schema.json", to: "../kept/target.json")
        suite.declare(volume, forKey: "volume")
        scheduler.advance(by: 1)
        #expect(folder.target(ofLink: "real/target.schema.json") == "../kept/target.json")
        #expect(FileManager.default.fileExists(atPath: folder.file("kept/target.json")))
        #expect(try suite.readSchema() == suite.declared)
    }

    @Test("is not replaced if it is no JSON Schema, and the suite works without it")
    func broken() throws {
        try folder.write("{\n  \"properties\": {,", to: "suite.schema.json")
        let error = #expect(throws: SettingsError.self) { try suite.readSchema() }
        #expect(
            error.map { "\($0)" }
                == folder.file("suite.schema.json")
                + ": line 2, column 18: found “,” where a name in double quotes is expected"
        )
        suite.declare(volume, forKey: "volume")
        suite.set(3, forKey: "volume")
        scheduler.advance(by: 1)
        #expect(try folder.values() == ["volume": 3])
        #expect(try folder.bytes(of: "suite.schema.json") == Data("{\n  \"properties\": {,".utf8))
    }

    @Test("is refused at once if it is a pipe, a folder or too large")
    func noFile() throws {
        mkfifo(folder.file("suite.schema.json"), 0o600)
        #expect(throws: SettingsError.notAFile(path: folder.file("suite.schema.json"))) {
            try suite.readSchema()
        }
        try folder.remove("suite.schema.json")
        try folder.makeFolder("suite.schema.json")
        #expect(throws: SettingsError.self) { try suite.readSchema() }
        try folder.remove("suite.schema.json")
        try folder.write("", to: "suite.schema.json")
        truncate(folder.file("suite.schema.json"), 9 << 20)
        #expect(throws: SettingsError.self) { try suite.readSchema() }
    }

    @Test("that can't be written is skipped without a report", arguments: [ENOSPC, EACCES, EROFS])
    func notWritable(_ number: Int32) throws {
        let files = FaultyFileSystem()
        let suite = SettingsSuite(
            FileStorage(path: folder.suitePath, files: files),
            scheduler: scheduler
        )
        let failures = Recorder<String>()
        let observation = suite.observe { event in if case .failed = event { failures.note("\(event)") } }
        files.inject(.from(call: 1, number))
        suite.declare(volume, forKey: "volume")
        scheduler.advance(by: 1)
        #expect(files.hasFailed && failures.all.isEmpty && suite.status.storingError == nil)
        #expect(try folder.names == [])
        #expect(files.openDescriptors.isEmpty)
        withExtendedLifetime(observation) {}
    }

    @Test("is complete at every moment, whichever system call fails")
    func faults() throws {
        suite.declare(SettingDeclaration(.boolean), forKey: "flag")
        scheduler.advance(by: 1)
        let old = try folder.bytes(of: "suite.schema.json")
        for call in 1... {
            let files = FaultyFileSystem()
            let file = SchemaFile(besideSuite: folder.suitePath, files: files)
            files.inject(.once(call: call, EIO))
            let isWritten = (try? file.merge(SuiteSchema(["volume": volume]))) != nil
            #expect(files.openDescriptors.isEmpty)
            #expect(try folder.names == ["suite.schema.json"])
            if isWritten {
                #expect(try suite.readSchema().declarations.count == 2)
                if !files.hasFailed { return }
                try old.write(to: URL(fileURLWithPath: folder.file("suite.schema.json")))
            } else {
                #expect(try folder.bytes(of: "suite.schema.json") == old)
            }
        }
    }

    @Test("is written by a program that exits at once, and beside other writers")
    func programs() throws {
        let writer = try builtProgram(named: "StoreWriter")
        let programs = try (0..<6).map {
            try RunningProgram(writer, ["declare", folder.suitePath, "key \($0)"])
        }
        for program in programs { #expect(try program.end().ending == .exit(0)) }
        #expect(try suite.readSchema().declarations.count == 6)
        #expect(try folder.names == ["suite.schema.json"])
    }

    /// The file is written a tenth of a second after the declaration. The process exits before, during and after that.
    @Test("is complete after a program has exited during the write", arguments: 0..<24)
    func endsMeanwhile(_ turn: Int) throws {
        let writer = try builtProgram(named: "StoreWriter")
        let pause = 99_000 + turn * 250
        let program = try RunningProgram(writer, ["declare", folder.suitePath, "key", "\(pause)"])
        #expect(try program.end().ending == .exit(0))
        #expect(try folder.names == ["suite.schema.json"])
        #expect(try suite.readSchema().declarations.count == 1)
    }

    @Test("keeps this process from setting invalid values by any method")
    func validation() throws {
        suite.declare(volume, forKey: "volume")
        let error = InvalidValueError(
            key: "volume",
            problem: "12 is above 11, the largest that is allowed"
        )
        let invalid = SettingsError.invalid(path: suite.location, error)
        suite.set(7, forKey: "volume")
        suite.set(12, forKey: "volume")
        suite.set(["other": 1, "volume": 12])
        #expect(suite.storedValues == ["volume": 7])
        #expect(throws: invalid) { try suite.replace(["volume": 12], expecting: [:]) }
        #expect(throws: error) { try suite.validate(12, forKey: "volume") }
        #expect(throws: Never.self) { try suite.validate(12, forKey: "other") }
        suite.set(nil, forKey: "volume")
        #expect(suite.storedValues.isEmpty)
    }

    @Test("allows a setting to change its type")
    func twoTypes() throws {
        suite.declare(volume, forKey: "volume")
        suite.declare(SettingDeclaration(.string()), forKey: "volume")
        suite.set("loud", forKey: "volume")
        #expect(suite.storedValues == ["volume": "loud"])
        #expect(throws: InvalidValueError.self) { try suite.validate(12, forKey: "volume") }
        #expect(suite.declared.declarations["volume"] == volume)
        scheduler.advance(by: 1)
    }

    @Test("combines two declarations of one key")
    func completed() throws {
        suite.declare(SettingDeclaration(.integer(), defaultValue: 5, title: "First"), forKey: "volume")
        suite.declare(volume, forKey: "volume")
        var both = volume
        both.title = "First"
        #expect(suite.declared.declarations["volume"] == both)
    }
}
