import ProgramHarness
import Testing

@Suite("What is linked")
struct TraitTests {
    /// Module names as symbols spell them.
    private static let cluster = ["12ClusterStore", "15AsyncHTTPClient", "7NIOCore", "6NIOSSL"]

    @Test(
        "has something of clusters in it where the trait is asked for, and nothing otherwise",
        arguments: ["pdefaults", "LiveDemo"]
    )
    func symbols(program: String) throws {
        let file = try builtProgram(named: program)
        let found = try (Self.cluster + ["13SettingsStore"]).filter { name in
            try run("grep", ["-qF", name, file], within: .seconds(60)).ending == .exit(0)
        }
        #if Cluster
        #expect(found == Self.cluster + ["13SettingsStore"])
        #else
        #expect(found == ["13SettingsStore"])
        #endif
    }
}
