#if Configuration
import Foundation
import PDefaultsProvider
import ProgramHarness
import SettingsStoreTesting
import Testing

@Suite("The sample service")
struct GracefulShutdownTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("Service.plist") }

    init() throws { folder = try TemporaryFolder() }

    @Test("SIGTERM under load loses no acknowledged setting")
    func sigterm() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<(isLong ? 1000 : 20) {
            try? FileManager.default.removeItem(atPath: path)
            let service = try start()
            // The service is under load when its first settings are in the file.
            #expect(eventually { FileManager.default.fileExists(atPath: path) })
            usleep(.random(in: 0...20_000, using: &generator))
            service.send(SIGTERM)
            let result = try service.end()
            #expect(result.ending == .exit(0), "\(result.errors)")
            let lines = result.output.split(separator: "\n")
            #expect(lines.last == "Pending: 0")
            let acknowledged = try #require(lines.dropLast().last.flatMap { Int($0) })
            #expect(storedCount == .integer(PropertyListInteger(acknowledged)))
        }
    }

    @Test("An unreadable value is in the log, with its suite, key and location")
    func unreadableValue() throws {
        let suite = SettingsSuite(FileStorage(path: path))
        suite.set("many", forKey: "count")
        try suite.synchronize()
        let service = try start()
        #expect(try eventually { try service.output.contains("1\n") })
        service.send(SIGTERM)
        let log = try service.end().errors
        let line = try #require(log.split(separator: "\n").first { $0.contains("key=count") }, "\(log)")
        #expect(line.contains(" error ") && line.contains("can't be read, so the default is used"), "\(line)")
        #expect(line.contains("suite=Service ") && line.contains("location=\(path)"), "\(line)")
    }

    @Test("If the settings can't be stored, the service ends with the error, and the log has its location")
    func unreadableFile() throws {
        try folder.write("oops", to: "Service.plist")
        let service = try start()
        #expect(try eventually { try service.errors.contains("location=\(path)") })
        service.send(SIGTERM)
        let result = try service.end()
        #expect(result.ending != .exit(0))
        #expect(result.errors.contains("suite=Service"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "oops")
    }

    private func start() throws -> RunningProgram {
        try RunningProgram(builtProgram(named: "GracefulService"), [path])
    }

    /// The value in the file, read as by another process.
    private var storedCount: PropertyListValue? {
        SettingsSuite(FileStorage(path: path)).storedValue(forKey: "count")
    }
}
#endif
