#if Configuration
import Configuration
import PDefaults
import PDefaultsProvider
import ProgramHarness
import SettingsStoreTesting
import Testing

@Suite("Secrets in swift-configuration", .timeLimit(.minutes(60)))
struct SecretTests {
    private struct Settings {
        @PDefaults var token: String

        init(_ suite: SettingsSuite) {
            _token = PDefaults(wrappedValue: "", "token", .secret, suite: suite)
        }
    }

    private func isSecret(_ key: String, in provider: PDefaultsProvider) throws -> Bool? {
        try provider.value(forKey: AbsoluteConfigKey(ConfigKey(key)), type: .string).value?.isSecret
    }

    @Test("A setting that is declared as secret is redacted for access logs")
    func declared() throws {
        let suite = SettingsSuite.inMemory(["name": "Pitt"])
        let settings = Settings(suite)
        settings.token = "hidden"
        let log = AccessLog()
        let reader = ConfigReader(provider: PDefaultsProvider(suite: suite), accessReporter: log)
        #expect(reader.string(forKey: "token") == "hidden")
        #expect(reader.string(forKey: "name") == "Pitt")
        #expect(log.events.map { try? $0.result.get()?.isSecret } == [true, false])
        #expect(!"\(log.events.map(\.result))".contains("hidden"))
    }

    @Test("A declaration by another program counts, also one that is made later")
    func otherProgram() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("App.plist")
        let suite = SettingsSuite(file: path)
        suite.set(["token": "hidden", "old": "hidden", "database": ["password": "hidden"], "name": "Pitt"])
        try suite.synchronize()
        let provider = PDefaultsProvider(suite: suite)
        #expect(try isSecret("token", in: provider) == false)
        let schema = SuiteSchema([
            "token": SettingDeclaration(.string(), isSecret: true, oldKeys: ["old"]),
            "database": SettingDeclaration(.anything, isSecret: true),
        ])
        try SchemaFile(besideSuite: path).merge(schema)
        #expect(try eventually { try isSecret("token", in: provider) == true })
        #expect(try isSecret("old", in: provider) == true)
        #expect(try isSecret("database.password", in: provider) == true)
        #expect(try isSecret("name", in: provider) == false)
        let snapshot = provider.snapshot()
        #expect(try snapshot.value(forKey: "token", type: .string).value?.isSecret == true)
    }

    @Test("If the declarations can't be read, every value is secret")
    func unreadableSchema() throws {
        let folder = try TemporaryFolder()
        try folder.write("oops", to: "App.schema.json")
        let suite = SettingsSuite(file: folder.file("App.plist"))
        suite.set("Pitt", forKey: "name")
        #expect(try isSecret("name", in: PDefaultsProvider(suite: suite)) == true)
    }
}
#endif
