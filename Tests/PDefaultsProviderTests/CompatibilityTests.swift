#if Configuration
import Configuration
import ConfigurationTesting
import PDefaultsProvider
import ProgramHarness
import Testing

@Suite("swift-configuration's own tests of a provider")
struct CompatibilityTests {
    @Test("They pass for a suite in a file", arguments: CompatibilityValues.Form.allCases)
    func file(form: CompatibilityValues.Form) async throws {
        let folder = try TemporaryFolder()
        let suite = SettingsSuite(file: folder.file("App.plist"))
        suite.set(CompatibilityValues.values(form).mapValues { $0 })
        try suite.synchronize()
        try await ProviderCompatTest(provider: PDefaultsProvider(suite: suite)).runTest()
    }

    @Test("They pass for a suite in memory", arguments: CompatibilityValues.Form.allCases)
    func memory(form: CompatibilityValues.Form) async throws {
        let provider = PDefaultsProvider(suite: .inMemory(CompatibilityValues.values(form)))
        try await ProviderCompatTest(provider: provider).runTest()
    }
}
#endif
