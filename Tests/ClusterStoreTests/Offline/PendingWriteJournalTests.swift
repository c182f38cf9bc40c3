#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite(
    "Pending writes that were not stored before their process ended",
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct PendingWriteJournalTests {
    let cluster: SettingsCluster
    let proxy: Proxy
    let folder: TemporaryFolder
    let others: SettingsSuite

    init() throws {
        cluster = try .ofItsOwn()
        proxy = try Proxy(to: EtcdServer.shared.get().url)
        folder = try TemporaryFolder()
        others = try .separate("App", in: cluster)
        others.set(["a": "1", "gone": "1"])
        try others.synchronize()
        // This makes a cache on the disk.
        #expect(try client("show").output == "has a=1 gone=1\n")
    }

    private func words(_ mode: String, _ words: [String] = [], url: String? = nil) -> [String] {
        [mode, url ?? proxy.url, cluster.prefix, folder.path] + words
    }

    private func client(_ mode: String, _ list: [String] = [], url: String? = nil) throws -> ProgramResult {
        let program = try builtProgram(named: "ClusterClient")
        return try run(program, words(mode, list, url: url), input: "end\n")
    }

    /// Starts a process that sets keys while no server answers, and keeps running.
    private func process(setting list: String...) throws -> RunningProgram {
        proxy.cut()
        let process = try RunningProgram(builtProgram(named: "ClusterClient"), words("set", list))
        #expect(try eventually { try process.output.contains("set\n") })
        #expect(eventually { kept == list.count })
        return process
    }

    private var files: [String] { files(in: ".pending") }

    private func files(in pending: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.file(pending))
        return (names ?? []).map { folder.file("\(pending)/\($0)") }
    }

    /// The number of keys in the journal.
    private var kept: Int { kept(in: files) }

    private func kept(in files: [String]) -> Int {
        files.filter { $0.hasSuffix(".plist") }.map { SettingsSuite(file: $0).storedValues.count }.max() ?? 0
    }

    @Test("The next process stores them, even if a process in between found no server")
    func goesOn() throws {
        defer { proxy.end() }
        let first = try process(setting: "a=2", "b=3", "gone=")
        first.send(SIGKILL)
        _ = try first.end()
        let second = try client("show")
        // Retries may be reported too.
        #expect(second.output.split(separator: "\n").contains("has a=2 b=3"))
        #expect(second.errors.contains("The next start of this program stores them"))
        #expect(others.storedValues == ["a": "1", "gone": "1"])
        proxy.mend()
        let third = try client("show")
        #expect(third.output == "has a=2 b=3\n")
        #expect(third.errors == "")
        try others.synchronize()
        #expect(others.storedValues == ["a": "2", "b": "3"])
        #expect(files == [])
    }

    @Test("A damaged journal is reported and set aside")
    func damaged() throws {
        defer { proxy.end() }
        let first = try process(setting: "a=2")
        first.send(SIGKILL)
        _ = try first.end()
        let file = try #require(files.first { $0.hasSuffix(".plist") })
        try Data("bplist00 and no more".utf8).write(to: URL(fileURLWithPath: file))
        proxy.mend()
        let second = try RunningProgram(builtProgram(named: "ClusterClient"), words("set"))
        #expect(
            try eventually { try second.output.contains("reported \(file)") }
        )
        #expect(eventually { files.contains { $0.hasPrefix("\(file).broken") } })
        second.send(SIGKILL)
        _ = try second.end()
        #expect(try client("show").output == "has a=1 gone=1\n")
        let aside = try #require(files.first { $0.contains(".broken") })
        #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == Data("bplist00 and no more".utf8))
    }

    @Test("A conflict with another program is reported without secrets, and the other program's value stays")
    func conflict() throws {
        defer { proxy.end() }
        let first = try process(setting: "a=2", "b=3", "secret=mine")
        first.send(SIGKILL)
        _ = try first.end()
        try others.store("9", forKey: "a")
        try others.store("hunter2", forKey: "secret")
        proxy.mend()
        let second = try client("show")
        #expect(
            second.output == """
                reported Another process changed these keys, so nothing was written: a, secret
                found a=9
                has a=9 b=3 gone=1 secret=hunter2

                """
        )
        try others.synchronize()
        #expect(others.storedValues == ["a": "9", "b": "3", "gone": "1", "secret": "hunter2"])
        #expect(files == [])
    }

    @Test("The newer of two journals wins, and the older value is reported as a conflict")
    func two() throws {
        defer { proxy.end() }
        let first = try process(setting: "a=first")
        let second = try RunningProgram(builtProgram(named: "ClusterClient"), words("set", ["a=second"]))
        #expect(eventually { files.filter { $0.hasSuffix(".plist") }.count == 2 })
        for process in [first, second] {
            process.send(SIGKILL)
            _ = try process.end()
        }
        proxy.mend()
        #expect(
            try client("show").output == """
                reported Another process changed these keys, so nothing was written: a
                found a=second
                has a=second gone=1

                """
        )
        try others.synchronize()
        #expect(others.storedValues["a"] == "second")
        #expect(files == [])
    }

    @Test("A journal is stored after the cluster has granted the permission")
    func refused() throws {
        defer { proxy.end() }
        let server = try EtcdServer()
        try server.start()
        try server.wait()
        for words in [
            ["user", "add", "root:top"], ["user", "grant-role", "root", "root"],
            ["user", "add", "app:secret"],
            ["role", "add", "one"],
            ["role", "grant-permission", "--prefix=true", "one", "read", "/pdefaults/"],
            ["user", "grant-role", "app", "one"], ["auth", "enable"],
        ] {
            try server.control(options: words)
        }
        let program = try builtProgram(named: "ClusterClient")
        let environment = ProcessInfo.processInfo.environment.merging([
            "PDEFAULTS_CLUSTER_USER": "app", "PDEFAULTS_CLUSTER_PASSWORD": "secret",
        ]) { $1 }
        let place = [server.url, "/pdefaults/", folder.path]
        let process = try RunningProgram(program, ["set"] + place + ["a=2"], environment: environment)
        #expect(eventually { kept(in: files(in: ".user-app/.pending")) == 1 })
        process.send(SIGKILL)
        _ = try process.end()
        let root = ["--user", "root:top"]
        let grant = ["role", "grant-permission", "--prefix=true", "one", "readwrite", "/pdefaults/"]
        try server.control(options: root + grant)
        let shown = try run(
            program,
            ["show"] + place,
            environment: environment
        )
        #expect(shown.output == "has a=2\n")
        #expect(try server.control("get", "/pdefaults/App/a", options: root).contains("/App/a"))
        #expect(files(in: ".user-app/.pending") == [])
    }

    @Test("A running process keeps its journal, and stores it itself")
    func alive() throws {
        defer { proxy.end() }
        let first = try process(setting: "a=2")
        #expect(try client("show", url: EtcdServer.shared.get().url).output == "has a=1 gone=1\n")
        proxy.mend()
        #expect(eventually { files == [] })
        try others.synchronize()
        #expect(others.storedValues["a"] == "2")
        first.send(SIGKILL)
        _ = try first.end()
    }

    @Test("The cache contains the last writes of a process")
    func storedAtTheEnd() throws {
        defer { proxy.end() }
        for value in 2..<5 {
            #expect(try client("set", ["a=\(value)", "b=\(value)", "gone="]).errors == "")
            proxy.cut()
            #expect(try client("show").output.hasSuffix("has a=\(value) b=\(value)\n"))
            proxy.mend()
        }
    }

    @Test("The message at the end of a process says that the next start continues")
    func ending() throws {
        defer { proxy.end() }
        proxy.cut()
        let ended = try client("set", ["a=2"])
        #expect(ended.errors.contains("Settings were not stored"))
        #expect(ended.errors.contains("The next start of this program stores them"))
        proxy.mend()
        #expect(try client("show").output == "has a=2 gone=1\n")
    }
}
#endif
