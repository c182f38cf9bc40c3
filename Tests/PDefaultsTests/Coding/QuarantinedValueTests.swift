import Foundation
import PDefaults
import ProgramHarness
import Testing

@Suite("Unreadable values go to quarantine before they are overwritten")
struct QuarantinedValueTests {
    let folder: TemporaryFolder
    let path: String
    let keptFolder: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("app.plist")
        keptFolder = folder.file(".pdefaults/app")
    }

    private func write(_ values: [String: PropertyListValue], mode: UInt32 = 0o600) throws {
        try Data(PropertyListValue.dictionary(values).encoded(as: .xml)).write(to: URL(fileURLWithPath: path))
        chmod(path, mode)
    }

    private func values(in file: String) throws -> [String: PropertyListValue] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        guard case .dictionary(let values) = try PropertyListValue.read(bytes).value else { return [:] }
        return Dictionary(uniqueKeysWithValues: values.map { ($0.key, $0.value) })
    }

    /// The values in quarantine, by name.
    private func kept() throws -> [[String: PropertyListValue]] {
        guard FileManager.default.fileExists(atPath: keptFolder) else { return [] }
        // A process that was killed may have left a new one without its name.
        return try FileManager.default.contentsOfDirectory(atPath: keptFolder).sorted()
            .filter { !$0.hasPrefix(".") }
            .map { try values(in: keptFolder + "/" + $0) }
    }

    private func mode(_ path: String) throws -> UInt32? { try LiveFileSystem().stat(path)?.mode }

    @Test("A set, a reset and the suite's methods quarantine the value, with suite, time and key")
    func verbs() throws {
        try write(["a/b": "many", "b": [1], "c": .data(Data("{".utf8)), "d": "text"])
        let suite = SettingsSuite(file: path)
        @PDefaults("a/b", suite: suite) var a = 1
        @PDefaults("b", suite: suite) var b = "x"
        @PDefaults("c", suite: suite) var c = Point(x: 0, y: 0)
        @PDefaults("d", suite: suite) var d = "readable"
        a = 2
        try suite.synchronize()
        _b.reset()
        try suite.synchronize()
        #expect(c == Point(x: 0, y: 0))
        suite.removeObject(forKey: "c")
        try suite.synchronize()
        d = "new"
        try suite.synchronize()
        #expect(try Set(kept()) == [["a/b": "many"], ["b": [1]], ["c": .data(Data("{".utf8))]])
        let names = try FileManager.default.contentsOfDirectory(atPath: keptFolder)
        #expect(names.allSatisfy { $0.wholeMatch(of: /\d{8}T\d{6}Z-\d{3}-(a_b|b|c)\.plist/) != nil })
        #expect(Set(names.map { $0.prefix(20) }).count == names.count, "no two have time and number")
        #expect(try values(in: path) == ["a/b": 2, "d": "new"])
    }

    @Test("Only the owner of the suite's file can read the quarantine", arguments: [0o600, 0o640, 0o664])
    func rights(_ mode: UInt32) throws {
        try write(["a": "many"], mode: mode)
        let suite = SettingsSuite(file: path)
        @PDefaults("a", suite: suite) var a = 1
        a = 2
        try suite.synchronize()
        #expect(try self.mode(folder.file(".pdefaults")) == 0o700 && self.mode(keptFolder) == 0o700)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: keptFolder).first)
        #expect(try self.mode(keptFolder + "/" + name) == 0o600)
    }

    @Test("There is no folder while the quarantine is empty")
    func nothing() throws {
        try write(["a": 1])
        let suite = SettingsSuite(file: path)
        @PDefaults("a", suite: suite) var a = 0
        a = 2
        try suite.synchronize()
        _a.reset()
        try suite.synchronize()
        #expect(try !folder.names.contains(".pdefaults"))
    }

    @Test("If the file becomes unreadable, the value goes to quarantine when the suite is recovered")
    func recovered() throws {
        try write(["a": "many"])
        let suite = SettingsSuite(FileStorage(path: path), scheduler: NoScheduler())
        @PDefaults("a", suite: suite) var a = 1
        a = 2
        try folder.write("broken", to: "app.plist")
        #expect(try suite.recover() != nil)
        #expect(try kept() == [["a": "many"]])
        #expect(try values(in: path) == ["a": 2])
    }

    @Test("A value goes to quarantine once, even if the write is retried")
    func once() throws {
        try write(["a": "many"])
        try blockWrites(in: folder.path)
        let suite = SettingsSuite(FileStorage(path: path), scheduler: NoScheduler())
        @PDefaults("a", suite: suite) var a = 1
        a = 2
        for _ in 0..<3 { #expect(throws: SettingsError.self) { try suite.synchronize() } }
        #expect(try kept() == [["a": "many"]])
        try unblockWrites(in: folder.path)
        try suite.synchronize()
        #expect(try kept() == [["a": "many"]])
        #expect(try values(in: path) == ["a": 2])
    }

    @Test("If the quarantine fails, the new value stays pending and nothing is overwritten")
    func noRoom() throws {
        try write(["a": "many"])
        // No file can be created in it, not even by root.
        try folder.write("", to: ".pdefaults")
        let suite = SettingsSuite(FileStorage(path: path), scheduler: NoScheduler())
        @PDefaults("a", suite: suite) var a = 1
        a = 2
        let error = #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(error.map { "\($0)" }?.contains("the stored value of “a” can't be read") == true)
        #expect(try values(in: path) == ["a": "many"])
        #expect(a == 2 && suite.status.pendingKeys == 1)
        try FileManager.default.removeItem(atPath: folder.file(".pdefaults"))
        try suite.synchronize()
        #expect(try kept() == [["a": "many"]])
    }

    @Test("The quarantine has the newest hundred values of a suite")
    func bounded() throws {
        let suite = SettingsSuite(FileStorage(path: path), scheduler: NoScheduler())
        @PDefaults("a", suite: suite) var a = 0
        for round in 1...103 {
            try write(["a": .string("text \(round)")])
            try suite.synchronize()
            a = round
            try suite.synchronize()
        }
        #expect(try kept().map { $0["a"] } == (4...103).map { .string("text \($0)") })
    }

    @Test("The quarantine has ten megabytes of a suite, and always the newest value")
    func boundedInSize() throws {
        let suite = SettingsSuite(FileStorage(path: path), scheduler: NoScheduler())
        @PDefaults("a", suite: suite) var a = 0
        for (round, megabytes) in [2, 2, 9, 12].enumerated() {
            let text = String(repeating: "x", count: megabytes << 20)
            try write(["a": .string("\(round)" + text)])
            try suite.synchronize()
            a = round + 1
            try suite.synchronize()
            let rounds = try kept().map { entry -> String in
                guard case .string(let text)? = entry["a"] else { return "" }
                return String(text.prefix(1))
            }
            #expect(rounds == [["0"], ["0", "1"], ["2"], ["3"]][round])
        }
    }

    @Test("Two processes quarantine every value, even if one is killed at any time", .timeLimit(.minutes(60)))
    func killed() throws {
        let program = try builtProgram(named: "PropertyProgram")
        for round in 0..<12 {
            try write(["a": .string("text \(round)"), "b": .string("other \(round)")])
            let killed = try RunningProgram(program, ["overwrite", path, "a", "1"])
            let other = try RunningProgram(program, ["overwrite", path, "b", "1"])
            usleep(.random(in: 0..<30_000))
            killed.send(SIGKILL)
            _ = try killed.end()
            #expect(try other.end().ending == .exit(0))
            let stored = try values(in: path)
            let kept = try kept()
            #expect(stored["b"] == 1 && kept.contains(["b": .string("other \(round)")]))
            // Each value is in quarantine, or is not overwritten.
            let text = PropertyListValue.string("text \(round)")
            #expect(stored["a"] == text || kept.contains(["a": text]), "\(stored)")
        }
    }
}
