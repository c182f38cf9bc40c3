import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

/// Some tests run in a short form. The long form, with 8 writers of 1,000 keys each and 1,000 rounds of
/// killing, is run by `PDEFAULTS_TESTS=long swift test --filter SettingsStoreTests`.
let isLong = ProcessInfo.processInfo.environment["PDEFAULTS_TESTS"] == "long"

@Suite("Several processes on one file")
struct ProcessTests {
    let folder: TemporaryFolder
    let writer: String

    init() throws {
        folder = try TemporaryFolder()
        writer = try builtProgram(named: "StoreWriter")
    }

    @Test("Eight processes that set different keys lose no key")
    func distinctKeys() throws {
        let count = isLong ? 1_000 : 125
        let processes = try (0..<8).map {
            try RunningProgram(writer, ["set", folder.suitePath, "writer \($0)", "\(count)"])
        }
        for process in processes {
            let result = try process.end()
            #expect(result.ending == .exit(0), "\(result.errors)")
        }
        let values = try folder.values()
        #expect(values.count == 8 * count)
        for writer in 0..<8 {
            for index in 1...count { #expect(values["writer \(writer)/\(index)"]?.number == index) }
        }
        #expect(try folder.names == ["suite.plist"])
    }

    @Test("Killed processes leave a complete file with every value whose commit has succeeded")
    func killed() throws {
        var acknowledgedInAll = 0
        for round in 0..<(isLong ? 1_000 : 20) {
            try? folder.remove("suite.plist")
            let processes = try (0..<3).map {
                try RunningProgram(writer, ["set", folder.suitePath, "writer \($0)", "100000"])
            }
            try kill(processes, inRound: round)
            let acknowledged = try processes.map { process in
                _ = try process.end()
                return try process.linesWritten
            }
            guard try folder.names.contains("suite.plist") else {
                #expect(acknowledged == [0, 0, 0])
                continue
            }
            acknowledgedInAll += acknowledged.reduce(0, +)
            let values = try folder.values()
            for (writer, count) in acknowledged.enumerated() where count > 0 {
                for index in 1...count {
                    #expect(values["writer \(writer)/\(index)"]?.number == index, "in round \(round)")
                }
            }
        }
        #expect(acknowledgedInAll > 0)
        // The next write removes files that killed processes have left.
        let suite = SettingsSuite(file: folder.suitePath)
        suite.set(true, forKey: "last")
        try suite.synchronize()
        #expect(try folder.names == ["suite.plist"])
    }

    @Test("A change by another process is notified with its origin and the old value")
    func observed() throws {
        try folder.write(["writer/1": "old"])
        let suite = SettingsSuite(file: folder.suitePath)
        let changes = Recorder<Change>()
        let (initial, observation) = suite.observe("writer/1") { changes.note($0) }
        #expect(initial == "old")
        #expect(suite.status.watching == .events)
        #expect(try run(writer, ["set", folder.suitePath, "writer", "1"]).ending == .exit(0))
        #expect(eventually { !changes.all.isEmpty })
        #expect(
            changes.all == [
                Change(key: "writer/1", old: "old", new: 1, origin: .otherProcess, sequence: 1)
            ]
        )
        observation.cancel()
    }

    @Test("A program that truncates and writes in place is noticed, and its half-written files are not read")
    func inPlace() throws {
        let kept = Dictionary(uniqueKeysWithValues: (0..<200).map { ("kept \($0)", PropertyListValue($0)) })
        try folder.write(kept)
        let suite = SettingsSuite(file: folder.suitePath)
        let events = Recorder<SuiteEvent>()
        let observation = suite.observe { events.note($0) }
        let count = isLong ? 5_000 : 200
        let result = try run(
            writer,
            ["in-place", folder.suitePath, "writer", "\(count)"],
            within: .seconds(1_200)
        )
        #expect(result.ending == .exit(0), "\(result.errors)")
        #expect(eventually { suite.value(forKey: "writer/\(count)")?.number == count })
        #expect(suite.storedValues.count == 200 + count)
        for event in events.all {
            guard case .change(let change) = event else { continue }
            #expect(change.new != nil, "\(change.key) was told to be gone")
            #expect(change.key.hasPrefix("writer/"))
        }
        #expect(suite.contentError == nil)
        observation.cancel()
    }

    @Test(
        "A program with Foundation's UserDefaults and a watching program with this library lose no key of each other"
    )
    func userDefaults() throws {
        let count = isLong ? 2_000 : 100
        try folder.write(["kept": 1])
        let environment = ["XDG_CONFIG_HOME": folder.path, "HOME": folder.path]
        let suite = SettingsSuite(file: folder.suitePath)
        let observation = suite.observe { _ in }
        let theirs = try RunningProgram(
            writer,
            ["defaults", "suite", "theirs", "\(count)"],
            environment: environment
        )
        var expected: [String: PropertyListValue] = ["kept": 1]
        for index in 1...count {
            suite.set(PropertyListValue(index), forKey: "ours/\(index)")
            // A value that was overwritten, or that met a half-written file, stays pending. A later commit stores it.
            do throws(SettingsError) {
                try suite.synchronize()
            } catch {
                switch error {
                case .overwritten, .unreadable: break
                default: throw error
                }
            }
            expected["ours/\(index)"] = PropertyListValue(index)
            expected["theirs/\(index)"] = PropertyListValue(index)
        }
        #expect(try theirs.end(within: .seconds(1_200)).ending == .exit(0))
        #expect(eventually { (try? folder.values()) == expected })
        let lost = try Set(expected.keys).subtracting(folder.values().keys)
        #expect(lost.isEmpty)
        #expect(eventually { suite.storedValues == expected })
        observation.cancel()
    }

    @Test(
        "Two watching programs with this library and one with Foundation's UserDefaults lose no key of each other",
        arguments: ["watch-and-set", "write-and-set"]
    )
    func severalBesideUserDefaults(_ way: String) throws {
        let count = isLong ? 1_000 : 60
        try folder.write(["kept": 1])
        let environment = ["XDG_CONFIG_HOME": folder.path, "HOME": folder.path]
        let names = ["first", "second"]
        let ours = try names.map { name in
            try RunningProgram(writer, [way, folder.suitePath, name, "\(count)"])
        }
        defer { for program in ours { program.send(SIGKILL) } }
        for program in ours { #expect(try eventually { try program.linesWritten > 0 }) }
        let theirs = try RunningProgram(
            writer,
            ["defaults", "suite", "theirs", "\(count)"],
            environment: environment
        )
        #expect(try theirs.end(within: .seconds(1_200)).ending == .exit(0))
        for program in ours {
            let isDone = try eventually(within: .seconds(1_200)) { try program.linesWritten == count }
            let (output, errors) = (try program.output, try program.errors)
            #expect(isDone, "\(output.suffix(10)) \(errors.suffix(1000))")
        }
        var expected: Set<String> = ["kept"]
        for name in names + ["theirs"] { for index in 1...count { expected.insert("\(name)/\(index)") } }
        var lost: Set<String> { expected.subtracting((try? folder.values().keys).map(Set.init) ?? []) }
        #expect(eventually { lost.isEmpty }, "lost: \(lost.sorted())")
    }

    @Test(
        "The process's limit on file sizes is an error like a full disk, and does not end the process",
        .enabled(
            if: ProcessInfo.processInfo.environment["PDEFAULTS_SANITIZER"] == nil,
            "a sanitizer needs files of its own that are larger than that"
        )
    )
    func fileSizeLimit() throws {
        let text = String(repeating: "x", count: 5_000)
        try folder.write(["text": .string(text)])
        let limited = "ulimit -f 1; exec \"$0\" \"$@\""
        let result = try run("/bin/bash", ["-c", limited, writer, "set", folder.suitePath, "a", "1"])
        #expect(result.ending == .exit(1))
        #expect(result.errors.contains("File too large"), "\(result.errors)")
        #expect(try folder.values() == ["text": .string(text)])
        #expect(try folder.names == ["suite.plist"])
    }

    @Test("A relative path in a removed working directory is an error, and is not used as another path")
    func removedWorkingDirectory() throws {
        let here =
            "mkdir '\(folder.file("gone"))' && cd '\(folder.file("gone"))' && rmdir '\(folder.file("gone"))'"
        let name = "pdefaults-test-\(UUID()).plist"
        let result = try run("/bin/bash", ["-c", here + " && exec \"$0\" set \(name) a 1", writer])
        #expect(result.ending == .exit(1))
        #expect(result.errors.contains("cwd (removed)/\(name)"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: "/" + name))
        #expect(try folder.names == [])
    }

    @Test("Pending values are stored when the process exits", arguments: [("return", 0), ("exit", 3)])
    func atExit(_ command: String, code: Int32) throws {
        let result = try run(writer, [command, folder.suitePath, "key", "value"])
        #expect(result.ending == .exit(code))
        #expect(result.errors == "")
        #expect(try folder.values() == ["key": "value"])
    }

    @Test("A process that exits and can't store its values prints that")
    func atExitFailing() throws {
        try folder.write(bytes: Array("<plist".utf8))
        let result = try run(writer, ["return", folder.suitePath, "key", "value"])
        #expect(result.ending == .exit(0))
        #expect(result.errors.contains("not stored"))
        #expect(result.errors.contains("suite.plist"))
    }
}

/// Kills processes one after the other: in every second round right after their start, in the other rounds after the
/// first of them has printed a line.
func kill(_ processes: [RunningProgram], inRound round: Int) throws {
    if !round.isMultiple(of: 2) {
        #expect(try eventually { try processes[0].linesWritten > 0 })
    }
    for process in processes {
        usleep(.random(in: 0..<50_000))
        process.send(SIGKILL)
    }
}

extension RunningProgram {
    /// The complete lines that the process has printed so far.
    var linesWritten: Int {
        get throws { try output.utf8.count { $0 == UInt8(ascii: "\n") } }
    }
}
