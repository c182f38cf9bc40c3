#if Configuration
import Configuration
import Foundation
import PDefaultsProvider
import ProgramHarness
import SettingsStore
import Testing

@Suite("The provider reads all layers of a suite")
struct ProviderLayerTests {
    let folder: TemporaryFolder
    private let suite: SettingsSuite

    init() throws {
        folder = try TemporaryFolder()
        var storage = FileStorage(path: folder.file("home/app.plist"))
        storage.layerPlaces = .test(root: folder.path, userFolder: folder.file("home"))
        suite = SettingsSuite(storage)
    }

    private func write(_ values: [String: PropertyListValue], to path: String) throws {
        try write(Data(PropertyListValue.dictionary(values).encoded(as: .xml)), to: path)
    }

    private func write(_ data: Data, to path: String) throws {
        let url = URL(fileURLWithPath: folder.file(path))
        let parent = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try data.write(to: url, options: .atomic)
        chmod(url.path, 0o644)
    }

    private let mandatory = "etc/pdefaults/mandatory/app.plist"
    private let site = "etc/xdg/app.plist"

    @Test("A lock comes before the user's value, and the site's value after it")
    func order() throws {
        try write(["http.port": 1], to: mandatory)
        try write(["http.port": 2, "name": "user"], to: "home/app.plist")
        try write(["http.port": 3, "name": "site", "level": "debug"], to: site)
        let provider = PDefaultsProvider(suite: suite)
        #expect(try provider.content("http.port", .int) == .int(1))
        #expect(try provider.content("name", .string) == .string("user"))
        #expect(try provider.content("level", .string) == .string("debug"))
    }

    @Test("A dictionary of a higher layer hides the whole dictionary of a lower one")
    func dictionaries() throws {
        try write(["http": ["port": 1]], to: mandatory)
        try write(["http": ["port": 2, "host": "a"], "http.name": "b"], to: "home/app.plist")
        let provider = PDefaultsProvider(suite: suite)
        #expect(try provider.content("http.port", .int) == .int(1))
        #expect(try provider.content("http.host", .string) == nil)
        #expect(try provider.content("http.name", .string) == .string("b"))
    }

    @Test("A change of another layer is a new value")
    func watched() async throws {
        let provider = PDefaultsProvider(suite: suite)
        try await provider.watchValue(forKey: ["level"], type: .string) { updates in
            var iterator = updates.makeAsyncIterator()
            #expect(try await iterator.next()?.get().value == nil)
            try write(["level": "debug"], to: site)
            #expect(try await iterator.next()?.get().value?.content == .string("debug"))
        }
    }

    @Test("A setting that a package declares as secret is secret")
    func secret() throws {
        var token = SettingDeclaration(.string())
        token.isSecret = true
        try write(SuiteSchema(["token": token]).text, to: "usr/share/pdefaults/schemas/app.schema.json")
        try write(["token": "secret text", "level": "debug"], to: site)
        let provider = PDefaultsProvider(suite: suite)
        #expect(try provider.value(forKey: ["token"], type: .string).value?.isSecret == true)
        #expect(try provider.value(forKey: ["level"], type: .string).value?.isSecret == false)
    }
}
#endif
