import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import Testing

@Suite("The editor’s options and filters in a terminal")
struct EditorOptionsTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func editor(_ options: String..., environment: [String: String] = [:]) throws -> Tmux {
        try Tmux(
            [builtProgram(named: "pdefaults"), "--directory", folder.path] + options,
            columns: 110,
            rows: 20,
            environment: environment
        )
    }

    @Test("o u shows unreadable values, and o d shows values that differ from their defaults")
    func filters() async throws {
        try folder.write(
            [
                "cut": .data(Data("{\"x\": ".utf8)), "good": .data(Data("{}".utf8)), "once": "now",
                "volume": 7,
            ],
            to: "app.plist"
        )
        let schema = SuiteSchema(["volume": SettingDeclaration(.integer(), defaultValue: 5)])
        try Data(schema.text).write(to: URL(fileURLWithPath: folder.file("app.schema.json")))
        let kept = folder.file(".pdefaults/app")
        try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
        try folder.write(
            ["once": .data(Data("?".utf8))],
            to: ".pdefaults/app/20260101T000000Z-000-once.plist"
        )
        let tmux = try editor()
        try await tmux.waitFor("good")
        try tmux.send("Enter", "o", "u")
        try await tmux.waitUntil("the two") { tmux in
            let rows = try tmux.screen()
            return rows[0].contains("[undecodable]") && !rows.contains { $0.contains("good") }
                && rows.contains { $0.contains("once") } && rows.contains { $0.contains("cut") }
        }
        try tmux.send("g")
        try await tmux.waitFor("! it looks like JSON and is not: line 1")
        try tmux.send("j")
        try await tmux.waitFor("! a program could not read the previous value")
        // Another value is quarantined while the editor is open.
        try folder.write(["good": 1], to: ".pdefaults/app/20260102T000000Z-000-good.plist")
        try folder.write(
            ["cut": .data(Data("{\"x\": ".utf8)), "good": 2, "once": "now", "volume": 7],
            to: "app.plist"
        )
        try await tmux.waitUntil("three") { try $0.screen().contains { $0.contains("good  ") } }
        try tmux.send("o", "d")
        try await tmux.waitUntil("volume alone") { tmux in
            let rows = try tmux.screen()
            return rows[0].contains("[changed from default]") && rows.contains { $0.contains("volume") }
                && !rows.contains { $0.contains("once") }
        }
    }

    @Test("--no-mouse leaves the mouse to the terminal, and F2 takes it", arguments: [true, false])
    func mouse(isOff: Bool) async throws {
        try folder.write(["name": "Pitt"], to: "app.plist")
        let tmux = try isOff ? editor("--no-mouse") : editor()
        try await tmux.waitFor("Pitt")
        #expect(try tmux.value(of: "#{mouse_any_flag}") == (isOff ? "0" : "1"))
        try tmux.send("F2")
        try await tmux.waitUntil("the other way") { tmux in
            try tmux.value(of: "#{mouse_any_flag}") == (isOff ? "1" : "0")
        }
    }

    @Test("--staged stages all changes from the start")
    func staged() async throws {
        try folder.write(["on": true], to: "app.plist")
        let path = folder.file("app.plist")
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let tmux = try editor("--staged")
        try await tmux.waitFor("0 staged")
        try tmux.send("Enter", "Space")
        try await tmux.waitFor("1 staged")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        try tmux.send("W", "w")
        try await tmux.waitUntil("it is written") { _ in try plistlibValue(path, "on") == "False" }
    }

    @Test(
        "--theme chooses the colours, COLORFGBG is the fallback, and NO_COLOR removes them",
        arguments: [
            (["--theme", "light"], [:], "38;5;241m"), (["--theme", "dark"], [:], "38;5;247m"),
            ([], ["COLORFGBG": "0;15"], "38;5;241m"), ([], ["COLORFGBG": "15;0"], "38;5;247m"),
            (["--theme", "dark"], ["COLORFGBG": "0;15"], "38;5;247m"), ([], [:], "2m"),
            (["--theme", "light"], ["NO_COLOR": "1"], nil),
        ] as [([String], [String: String], String?)]
    )
    func theme(options: [String], variables: [String: String], type: String?) async throws {
        try folder.write(["name": "Pitt"], to: "app.plist")
        let tmux = try Tmux(
            [builtProgram(named: "pdefaults"), "--directory", folder.path] + options,
            environment: variables
        )
        try await tmux.waitFor("Pitt")
        let row = try #require(try tmux.styledScreen().first { $0.contains("string") })
        if let type { #expect(row.contains(type)) } else { #expect(!row.contains("38;5")) }
    }

    @Test(
        "Inside tmux, the theme follows the background that tmux reports",
        arguments: [("#ffffff", "38;5;241m"), ("#000000", "38;5;247m")]
    )
    func themeInTmux(background: String, type: String) async throws {
        try folder.write(["name": "Pitt"], to: "app.plist")
        let script = "tmux set -w window-style bg=$0 && exec \"$@\""
        let editor = [try builtProgram(named: "pdefaults"), "--directory", folder.path]
        let tmux = try Tmux(["sh", "-c", script, background] + editor)
        try await tmux.waitUntil("the colour \(type)") { tmux in
            try tmux.styledScreen().contains { $0.contains("string") && $0.contains(type) }
        }
    }

    @Test("T switches to the next theme and names it, and reports if there are no colours")
    func otherTheme() async throws {
        try folder.write(["name": "Pitt"], to: "app.plist")
        let command = [try builtProgram(named: "pdefaults"), "--directory", folder.path, "--theme", "light"]
        let tmux = try Tmux(command)
        try await tmux.waitFor("Pitt")
        for (name, color) in [("gruvbox", "38;5;247m"), ("solarized", "38;5;245m")] {
            try tmux.type("T")
            try await tmux.waitFor("Theme: \(name).")
            try await tmux.waitUntil("the colour \(color)") { tmux in
                try tmux.styledScreen().contains { $0.contains("string") && $0.contains(color) }
            }
        }
        let plain = try Tmux(command, environment: ["NO_COLOR": "1"])
        try await plain.waitFor("Pitt")
        try plain.type("T")
        try await plain.waitFor("This terminal shows no colours.")
    }

    @Test("diff --edit opens the editor on the comparison of two suites, also if a path names one")
    func comparing() async throws {
        try folder.write(["name": "Pitt", "same": 1], to: "a.plist")
        try folder.write(["name": "Dublin", "same": 1], to: "b.plist")
        try folder.write(["name": "Oslo"], to: "c.plist")
        let program = try builtProgram(named: "pdefaults")
        for (words, city) in [(["a", "b"], "Dublin"), (["a", folder.file("c.plist")], "Oslo")] {
            let tmux = try Tmux(
                [program, "--directory", folder.path, "diff", "--edit"] + words,
                columns: 110,
                rows: 20
            )
            try await tmux.waitUntil("both values") { tmux in
                try tmux.screen().contains { $0.contains("“Pitt”") && $0.contains("“\(city)”") }
            }
            try tmux.send("<")
            try await tmux.waitUntil("it is written") { _ in
                try plistlibValue(folder.file("a.plist"), "name") == "'\(city)'"
            }
            try tmux.send("u")
            try await tmux.waitUntil("it is undone") { _ in
                try plistlibValue(folder.file("a.plist"), "name") == "'Pitt'"
            }
        }
        let refused = try run(program, ["--directory", folder.path, "diff", "--edit", "a", "a"])
        #expect(refused.errors.contains("Both names are the same suite."))
        for name in ["none", folder.file("none.json")] {
            let missing = try run(program, ["--directory", folder.path, "diff", "--edit", "a", name])
            #expect(missing.errors.contains("\(name) does not exist"), "\(missing.errors)")
        }
    }

    @Test("An unknown theme is refused, and the manual page contains the editor’s options and keys")
    func help() throws {
        let program = try builtProgram(named: "pdefaults")
        let refused = try run(program, ["--theme", "blue"])
        #expect(refused.ending == .exit(64))
        #expect(refused.errors.contains("there are auto, dark, light, gruvbox, solarized, 16 and mono"))
        #expect(
            try run(program, ["complete", "fish", "--theme", ""]).output
                == "auto\ndark\nlight\ngruvbox\nsolarized\n16\nmono\n"
        )
        #expect(try run(program, ["complete", "fish", "demo", "--sta"]).output.hasPrefix("--staged\t"))
        let page = try run(program, ["help", "--man"]).output.replacing("\\-", with: "-")
        for text in ["--no-mouse", "--staged", "--theme <theme>", "KEYS OF THE EDITOR", "Duplicate the row"] {
            #expect(page.contains(text), "\(text)")
        }
    }
}
