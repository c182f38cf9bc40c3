#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

/// A program sets a failure handler that synchronizes the suite. If the handler were called under a lock of the
/// suite, the program would hang. The shell then kills it after 100 seconds.
@Suite(
    "A failure handler may synchronize the suite",
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct FailureHandlerTests {
    let cluster: SettingsCluster
    let proxy: Proxy
    let folder: TemporaryFolder

    init() throws {
        cluster = try .ofItsOwn()
        proxy = try Proxy(to: EtcdServer.shared.get().url)
        folder = try TemporaryFolder()
        proxy.cut()
    }

    /// Runs the program while no server answers. Returns its output and its exit status.
    ///
    /// - Parameter limits: shell commands that run before the program.
    private func handle(_ words: [String], limits: String = "") throws -> String {
        let program = try builtProgram(named: "ClusterClient")
        let arguments = ["handle", proxy.url, cluster.prefix, folder.path] + words
        // The output goes through a pipe, because the limit on file sizes would apply to it too.
        let script = "(\(limits) timeout -s KILL 100 \"$0\" \"$@\"; echo \"ended $?\") 2>&1 | cat"
        return try run("sh", ["-c", script, program] + arguments).output
    }

    @Test("The handler returns after a damaged cache")
    func brokenCopy() throws {
        defer { proxy.end() }
        try folder.write("junk", to: "App.plist")
        let output = try handle([])
        #expect(output.contains("has \n"))
        #expect(output.contains("handled \(folder.file("App.plist"))\n"))
        #expect(output.hasSuffix("ended 0\n"))
    }
}
#endif
