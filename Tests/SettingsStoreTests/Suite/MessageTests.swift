import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("Messages have no control characters and no very long keys")
struct MessageTests {
    private static let bad = "\u{1B}[2J\u{202E}\u{2066}\u{200F}\u{61C}\u{2028}\u{2029}\u{85}\u{9B}\u{7F}\n"
    private static let key = bad + String(repeating: "k", count: 5_000)
    private static let path = "/tmp/\(bad)/" + String(repeating: "p", count: 250) + "/s.plist"

    private static let errors: [any Error] = [
        SettingsError.unreadable(path: path, PropertyListError(.path([.key(key)]), .malformed, bad)),
        SettingsError.notAFile(path: path), SettingsError.notWritable(path: path, reason: bad),
        SettingsError.unrepresentable(path: path, key: key, PropertyListError(.offset(1), .unsupported, bad)),
        SettingsError.invalid(path: path, InvalidValueError(key: key, problem: bad)),
        SettingsError.unreadableSchema(path: path, PropertyListError(.line(1, column: 1), .malformed, bad)),
        SettingsError.unreachable(path: path, reason: bad),
        SettingsError.unconfirmed(path: path, reason: bad),
        SettingsError.conflict(current: [key: 1, key + "x": nil]),
        SettingsError.overwritten(path: path), SettingsError.notDurable(path: path),
        SettingsError.locked(key: key, by: path),
        SettingsError.unusableLayer(
            LayerProblem(layer: .site, location: path, reason: bad, keepsLastValues: false)
        ),
        SettingsError.system(SystemError("open", path, EIO)),
    ]

    private func expectSafe(_ text: String) {
        let actedUpon = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
        #expect(actedUpon.isEmpty, "\(text.debugDescription)")
        #expect(text.count < 900 && !text.contains(String(repeating: "k", count: 100)))
    }

    @Test("The description of every error is safe")
    func descriptions() throws {
        for error in Self.errors { expectSafe("\(error)") }
        let error = #expect(throws: SuiteNameError.self) { try SuiteName("/" + Self.key) }
        expectSafe("\(try #require(error))")
    }

    @Test("A program that exits with values that could not be stored prints one safe line")
    func end() throws {
        let folder = try TemporaryFolder()
        let name = "a\u{1B}[2J\u{202E}\u{2028}\u{9B}b.plist"
        try folder.write("broken", to: name)
        let path = folder.file(name)
        let result = try run(builtProgram(named: "StoreWriter"), ["set-each", Self.bad, path])
        #expect(result.errors.contains("Settings were not stored: "), "\(result.errors)")
        #expect(result.errors.contains("\\u{202E}"))
        expectSafe(result.errors.replacing("\n", with: ""))
    }
}
