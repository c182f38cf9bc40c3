import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("The desktop's clipboard")
struct ClipboardTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Creates a tool on the path, as a shell script.
    private func make(_ tool: String, _ script: String) throws {
        let bin = folder.file("bin")
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
        let path = bin + "/" + tool
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }

    /// Starts the editor on one key and copies that key.
    private func copied(_ environment: [String: String]) async throws -> Tmux {
        try FileManager.default.createDirectory(
            atPath: folder.file("suites"),
            withIntermediateDirectories: true
        )
        try folder.write(["greeting": "Grüß dich 世界", "other": "second"], to: "suites/app.plist")
        var environment = environment
        environment["OUT"] = folder.path
        environment["TMPDIR"] = folder.path
        let tmux = try Tmux(
            // tmux uses the PATH of its caller, so env sets it.
            ["env", "PATH=\(folder.file("bin")):/usr/bin:/bin", builtProgram(named: "pdefaults")]
                + ["--directory", folder.file("suites")],
            columns: 100,
            rows: 20,
            environment: environment
        )
        try await tmux.waitFor("greeting")
        try tmux.send("Enter", "c")
        try await tmux.waitFor("Copy of “greeting”")
        try tmux.send("1")
        try await tmux.waitFor("Copied the value")
        return tmux
    }

    private func content(_ name: String) -> String? {
        try? String(contentsOfFile: folder.file(name), encoding: .utf8)
    }

    /// Returns the child processes of the editor, including those that have ended and were not waited for.
    private func children(of tmux: Tmux) throws -> [String] {
        let parent = try tmux.value(of: "#{pane_pid}")
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { name in
            guard Int(name) != nil,
                let stat = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8)
            else { return false }
            // The state and the parent follow the name, which can contain spaces.
            return stat.split(separator: ")").last?.split(separator: " ").dropFirst().first.map(String.init)
                == parent
        }
    }

    private let takes =
        #"cat >"$OUT/$(basename "$0").part"; echo "$@" >"$OUT/words"; mv "$OUT/$(basename "$0").part" "$OUT/$(basename "$0")""#

    @Test(
        "The first tool that succeeds gets the text, and Wayland's is tried first",
        arguments: [
            (["xclip": true], ["DISPLAY": ":77"], "xclip", "-selection clipboard -in"),
            (["xsel": true], ["DISPLAY": ":77"], "xsel", "--clipboard --input"),
            (["xclip": false, "xsel": true], ["DISPLAY": ":77"], "xsel", "--clipboard --input"),
            (
                ["wl-copy": true, "xclip": true], ["DISPLAY": ":77", "WAYLAND_DISPLAY": "wayland-7"],
                "wl-copy",
                "--type text/plain;charset=utf-8"
            ),
            (
                ["wl-copy": false, "xclip": true], ["DISPLAY": ":77", "WAYLAND_DISPLAY": "wayland-7"],
                "xclip",
                "-selection clipboard -in"
            ),
        ] as [([String: Bool], [String: String], String, String)]
    )
    func tools(tools: [String: Bool], environment: [String: String], taker: String, words: String)
        async throws
    {
        for (tool, works) in tools { try make(tool, works ? takes : "cat >/dev/null; exit 1") }
        let tmux = try await copied(environment)
        try await tmux.waitUntil("\(taker) has the text") { _ in content(taker) == "Grüß dich 世界" }
        #expect(content("words") == words + "\n")
        try await tmux.waitUntil("nothing is left of the tools") { try children(of: $0).isEmpty }
        // The terminal's clipboard has it too, and no file remains.
        try await tmux.waitUntil("OSC 52") { (try? $0.clipboard()) == "Grüß dich 世界" }
        try await tmux.waitUntil("no file is left") { _ in
            try !folder.names.contains { $0.hasPrefix("pdefaults-") }
        }
    }

    @Test("Without a desktop, no tool is run")
    func none() async throws {
        try make("xclip", takes)
        try make("xsel", takes)
        try make("wl-copy", takes)
        let tmux = try await copied([:])
        try tmux.send("q")
        try await tmux.waitUntil("the program has ended") { try $0.ending() == .exit(0) }
        #expect(content("words") == nil)
    }

    @Test("A tool that hangs delays neither keys nor the end, and is killed when the editor ends")
    func hanging() async throws {
        try make("xclip", #"echo $$ >"$OUT/pid.part"; mv "$OUT/pid.part" "$OUT/pid"; exec sleep 600"#)
        let tmux = try await copied(["DISPLAY": ":77"])
        try await tmux.waitUntil("it runs") { _ in content("pid") != nil }
        try tmux.send("j", "c")
        try await tmux.waitFor("Copy of “other”")
        try tmux.send("1")
        try await tmux.waitFor("Copied the value of “other”")
        try await tmux.waitUntil("OSC 52") { (try? $0.clipboard()) == "second" }
        try tmux.send("q")
        try await tmux.waitUntil("the program has ended") { try $0.ending() == .exit(0) }
        let pid = try #require(content("pid")?.trimmingCharacters(in: .newlines))
        try await tmux.waitUntil("the tool has ended") { _ in
            (try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8))?.contains("sleep") != true
        }
    }
}
