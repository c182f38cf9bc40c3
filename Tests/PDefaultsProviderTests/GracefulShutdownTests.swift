#if Configuration
import Foundation
import PDefaultsProvider
import ProgramHarness
import SettingsStoreTesting
import Testing

@Suite("Graceful shutdown of a service")
struct GracefulShutdownTests {
    @Test("SIGTERM under load loses no acknowledged setting")
    func sigterm() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<(isLong ? 1000 : 20) {
            let folder = try TemporaryFolder()
            let path = folder.file("Service.plist")
            let service = try RunningProgram(builtProgram(named: "GracefulService"), [path])
            // The service is under load when its first settings are in the file.
            #expect(eventually { FileManager.default.fileExists(atPath: path) })
            usleep(.random(in: 0...20_000, using: &generator))
            service.send(SIGTERM)
            let result = try service.end()
            #expect(result.ending == .exit(0), "\(result.errors)")
            let lines = result.output.split(separator: "\n")
            #expect(lines.last == "Pending: 0")
            let acknowledged = try #require(lines.dropLast().last.flatMap { Int($0) })
            let stored = SettingsSuite(file: path).storedValue(forKey: "count")
            #expect(stored == .integer(PropertyListInteger(acknowledged)))
        }
    }
}
#endif
