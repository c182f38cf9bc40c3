import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("Completion in a real shell")
struct CompletionTests {
    private static let settings: [String: PropertyListValue] = [
        "user name": 1, "a:bc": 2, "x=yz": 3, "quote\"d": 4, "cash$": 5,
    ]
    private static let words = [
        ("wri", "write"), ("read org", "read org.example.App"), ("suites --js", "suites --json"),
        ("read org.example.App us", "read org.example.App user\\ name"),
        ("read org.example.App user\\ n", "read org.example.App user\\ name"),
        ("read org.example.App \"us", "read org.example.App \"user name\""),
        ("read org.example.App 'us", "read org.example.App 'user name'"),
        ("read org.example.App a:", "read org.example.App a:bc"),
        ("read org.example.App x=", "read org.example.App x=yz"),
        ("read org.example.App quo", "read org.example.App quote\\\"d"),
        ("read org.example.App \"quo", "read org.example.App \"quote\\\"d\""),
        ("write org.example.App new -bool tr", "write org.example.App new -bool true"),
        ("read ~/myf", "read ~/myfile.plist"), ("import new myf", "import new myfile.plist"),
        ("./sett", "./settings.json"), ("check ./sett", "check ./settings.json"),
    ]

    @Test(
        "Words are completed with the shell's quoting",
        arguments: [
            ("bash", ["--norc", "-i"], "PS1='> '"),
            ("zsh", ["-f", "-i"], "PS1='> '; autoload -U compinit; compinit -u -D"),
            ("fish", ["--no-config", "-i"], "function fish_prompt; echo -n '> '; end"),
        ].filter { isInstalled($0.0) }
    )
    func completed(_ shell: String, _ options: [String], _ beginning: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.settings, to: "org.example.App.plist")
        try folder.write([:], to: "myfile.plist")
        try folder.write("{}", to: "settings.json")
        let script = try pdefaults(folder, "help", "--completion", shell)
        try folder.write(script.output, to: "script")
        let program = try builtProgram(named: "pdefaults")
        let tmux = try Tmux(
            // tmux sets the PATH itself, so env sets it again.
            ["env", "PATH=" + (program as NSString).deletingLastPathComponent + ":/usr/bin:/bin", shell]
                + options,
            columns: 100,
            environment: [
                "HOME": folder.path, "XDG_CONFIG_HOME": folder.path, "XDG_DATA_HOME": folder.file("data"),
            ],
            workingFolder: folder.path
        )
        try tmux.type("\(beginning); source ./script; clear; echo ready\n")
        try await tmux.waitUntil("the shell is ready") { try $0.screen().prefix(2) == ["ready", ">"] }
        for (typed, completed) in Self.words {
            try tmux.type("pdefaults " + typed)
            try await tmux.waitFor("> pdefaults " + typed)
            try tmux.send("Tab")
            try await tmux.waitUntil("“\(typed)” is completed to “\(completed)” in \(shell)") { tmux in
                try tmux.screen().contains { row in
                    // A shell might add a space after the completed word.
                    row == "> pdefaults " + completed
                }
            }
            try tmux.send("C-u")
            try await tmux.waitUntil("the line is empty") { try $0.screen().contains(">") }
        }
    }
}
