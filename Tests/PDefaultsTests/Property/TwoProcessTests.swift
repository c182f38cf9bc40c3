import Foundation
import PDefaults
import Testing

/// A second process that replaces a suite's file, as an editor or a script does.
@Suite("Two processes use one file", .enabled(if: python != nil), .timeLimit(.minutes(60)))
struct TwoProcessTests {
    /// Writes a new file and renames it to the suite's.
    private func replace(_ suite: SettingsSuite, with entries: String) async throws {
        let script = """
            import os, plistlib, sys
            path = sys.argv[1]
            with open(path + ".new", "wb") as file: plistlib.dump(\(entries), file)
            os.rename(path + ".new", path)
            """
        let process = Process()
        process.executableURL = python
        process.arguments = ["-c", script, suite.location]
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in done.resume() }
            do { try process.run() } catch { done.resume(throwing: error) }
        }
        #expect(process.terminationStatus == 0)
    }

    @Test("A foreign change is published by the property with that key")
    func changes() async throws {
        try await withFolder { folder in
            let suite = try SettingsSuite(named: "shared", in: folder)
            @PDefaults("user.name", suite: suite) var name = "Pitt"
            @PDefaults("volume", suite: suite) var volume = 5
            @PDefaults("theme", suite: suite) var theme = Theme.light
            let record = Record<String>()
            let subscriptions = [
                $name.sink { record.add("name \($0)") },
                $volume.sink { record.add("volume \($0)") },
                $theme.sink { record.add("theme \($0)") },
            ]
            try await replace(suite, with: "{'user.name': 'Zoë', 'volume': 7, 'unknown': [1]}")
            await record.wait { $0.count == 5 }
            try await replace(suite, with: "{'volume': 7, 'theme': 'dark'}")
            await record.wait { $0.count == 7 }
            #expect(
                record.entries == [
                    "name Pitt", "volume 5", "theme light", "name Zoë", "volume 7", "theme dark",
                    "name Pitt",
                ]
            )
            withExtendedLifetime(subscriptions) {}
        }
    }

    @Test("A set leaves other keys of another program unchanged")
    func otherKeys() async throws {
        try await withFolder { folder in
            let suite = try SettingsSuite(named: "shared", in: folder)
            @PDefaults("volume", suite: suite) var volume = 5
            #expect(volume == 5)
            try await replace(suite, with: "{'other': 'kept', 'volume': 1}")
            volume = 9
            try suite.synchronize()
            let again = SettingsSuite(FileStorage(path: suite.location))
            #expect(again.storedValues == ["other": "kept", "volume": 9])
        }
    }

    @Test("The next program reads a stored value, and so does Foundation")
    func nextProgram() async throws {
        try await withFolder { folder in
            let suite = try SettingsSuite(named: "shared", in: folder)
            @PDefaults("point", suite: suite) var point = Point(x: 0, y: 0)
            @PDefaults("when", suite: suite) var when: Date?
            point = Point(x: 1, y: 2)
            when = Date(timeIntervalSince1970: 1_000_000)
            try suite.synchronize()
            let next = SettingsSuite(FileStorage(path: suite.location))
            @PDefaults("point", suite: next) var read = Point(x: 0, y: 0)
            #expect(read == Point(x: 1, y: 2))
            let data = try Data(contentsOf: URL(fileURLWithPath: suite.location))
            let plist = try PropertyListSerialization.propertyList(from: data, format: nil)
            #expect((plist as? [String: Any])?["when"] as? Date == when)
        }
    }
}

private let python = ["/usr/bin/python3", "/usr/local/bin/python3"]
    .first(where: FileManager.default.isExecutableFile(atPath:))
    .map(URL.init(fileURLWithPath:))
