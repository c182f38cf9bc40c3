#if Configuration
import Configuration
import ConfigurationTesting
import PDefaultsProvider
import ProgramHarness
import Testing

#if Cluster
import EtcdHarness
#endif

@Suite("swift-configuration's own tests of a provider")
struct CompatibilityTests {
    @Test("They pass for a suite in a file", arguments: CompatibilityValues.Form.allCases)
    func file(form: CompatibilityValues.Form) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("App.plist")
        try store(form, in: SettingsSuite(FileStorage(path: path)))
        // This suite shares nothing with the one that stored the values, so the values come from the file.
        try await ProviderCompatTest(provider: PDefaultsProvider(suite: SettingsSuite(file: path))).runTest()
    }

    #if Cluster
    @Test("They pass for a suite on a cluster", arguments: CompatibilityValues.Form.allCases)
    func cluster(form: CompatibilityValues.Form) async throws {
        let cluster = try SettingsCluster.ofItsOwn()
        try store(form, in: SettingsSuite(ClusterStorage(SuiteName("org.example.App"), in: cluster)))
        let suite = try SettingsSuite(named: "org.example.App", in: cluster)
        try await ProviderCompatTest(provider: PDefaultsProvider(suite: suite)).runTest()
    }
    #endif

    private func store(_ form: CompatibilityValues.Form, in suite: SettingsSuite) throws {
        suite.set(CompatibilityValues.values(form).mapValues { $0 })
        try suite.synchronize()
    }
}
#endif
