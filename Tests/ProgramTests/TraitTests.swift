import ProgramHarness
import Testing

@Suite("Linking")
struct TraitTests {
    /// Parts of module names as symbols contain them.
    private static let cluster = ["12ClusterStore", "15AsyncHTTPClient", "7NIOCore", "6NIOSSL"]

    @Test(
        "The program contains cluster code only if the trait is enabled",
        arguments: ["pdefaults", "LiveDemo"]
    )
    func symbols(program: String) throws {
        let file = try builtProgram(named: program)
        let found = try (Self.cluster + ["13SettingsStore"]).filter { name in
            try run("grep", ["-qF", name, file]).ending == .exit(0)
        }
        #if Cluster
        #expect(found == Self.cluster + ["13SettingsStore"])
        #else
        #expect(found == ["13SettingsStore"])
        #endif
    }

    @Test("The program needs GLib only if the trait is enabled", arguments: ["pdefaults", "LiveDemo"])
    func libraries(program: String) throws {
        let needed = try run("ldd", [try builtProgram(named: program)]).output
        #if GSettings
        #expect(needed.contains("libgio"))
        #else
        #expect(!needed.contains("libgio"))
        #endif
    }
}
