import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import Testing

@testable import CommandLanguage
@testable import Commands

@Suite("Desired settings")
struct ApplyCommandTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let file = """
        {
          // What this machine should have
          "org.example.App": {
            "volume": 60,
            "theme": "dark",
            "devices": {"$include": ["Kitchen"]},   // these elements, beside others
            "window": {"$merge": {"width": 800}},   // these members, beside others
            "old.setting": {"$delete": true}
          }
        }

        """
    private static let stored: [String: PropertyListValue] = [
        "volume": 75, "devices": ["Garden"], "window": ["width": 640, "height": 480], "old.setting": 1,
        "other": "mine",
    ]
    private static let wanted: [String: PropertyListValue] = [
        "volume": 60, "theme": "dark", "devices": ["Garden", "Kitchen"],
        "window": ["width": 800, "height": 480],
        "other": "mine",
    ]

    private func values(_ name: String = "org.example.App") throws -> [String: PropertyListValue] {
        let bytes = try [UInt8](folder.bytes(of: name + ".plist"))
        return [String: PropertyListValue](try PropertyListDocument.read(bytes).values)
    }

    private func settings(_ text: String) throws -> String {
        try folder.write(text, to: "settings.jsonc")
        return folder.file("settings.jsonc")
    }

    private var memory: String { folder.file(".local/state/pdefaults/applied") }

    @Test("The session of the article, letter by letter")
    func session() throws {
        try folder.write(Self.stored, to: "org.example.App.plist")
        let file = try settings(Self.file)
        let rehearsal = try pdefaults(folder, "apply", "--dry-run", file)
        #expect(
            rehearsal.output == """
                org.example.App volume: 75 -> 60
                org.example.App theme: (none) -> dark
                org.example.App devices: (Garden) -> (Garden, Kitchen)
                org.example.App window /width: 640 -> 800
                org.example.App old.setting: 1 -> (none)

                """
        )
        #expect(rehearsal.ending == .exit(1))
        #expect(try values() == Self.stored)
        #expect(!FileManager.default.fileExists(atPath: folder.file(".local")))
        let applied = try pdefaults(folder, "apply", "--as", "dotfiles", file)
        #expect(applied.output + applied.errors == "")
        #expect(applied.ending == .exit(0))
        #expect(try values() == Self.wanted)
        let second = try pdefaults(folder, "apply", "--dry-run", "--as", "dotfiles", file)
        #expect(second.output + second.errors == "")
        #expect(second.ending == .exit(0))
        #expect(try pdefaults(folder, "applied").output == "dotfiles\n")
        #expect(try pdefaults(folder, "unapply", "dotfiles").output == "")
        #expect(try values() == Self.stored)
        #expect(try pdefaults(folder, "applied").output == "")
    }

    @Test("What is no longer in the file is put back, and what was changed since is left and reported")
    func takeBack() throws {
        try folder.write(Self.stored, to: "org.example.App.plist")
        _ = try pdefaults(folder, "apply", "--as", "dotfiles", settings(Self.file))
        _ = try pdefaults(folder, "write", "org.example.App", "theme", "light")
        let state = try pdefaults(folder, "applied", "dotfiles")
        #expect(state.ending == .exit(1))
        #expect(
            state.output.contains("org.example.App theme: changed since: dark -> light\n"),
            "\(state.output)"
        )
        #expect(state.output.contains("org.example.App volume: applied\n"))
        let json = try PropertyListValue.read(
            typedJSON: Data(pdefaults(folder, "applied", "dotfiles", "--json").output.utf8)
        )
        guard case .array(let objects) = json else { throw HarnessError("\(json)") }
        #expect(objects.count == 5)
        let result = try pdefaults(
            folder,
            ["apply", "--as", "dotfiles", "-"],
            input: #"{"org.example.App": {"volume": 50}}"#
        )
        #expect(result.ending == .exit(0))
        #expect(
            result.errors
                == "org.example.App theme was left at light, because it is no longer dark as applied.\n"
        )
        var expected = Self.stored
        (expected["volume"], expected["theme"]) = (50, "light")
        #expect(try values() == expected)
        _ = try pdefaults(folder, "unapply", "dotfiles")
        expected["volume"] = 75
        #expect(try values() == expected)
    }

    @Test("Two names cannot set the same key, unless one takes it")
    func owners() throws {
        try folder.write(["a": 1], to: "app.plist")
        func apply(_ words: String...) throws -> ProgramResult {
            try pdefaults(folder, ["apply"] + words + ["-"], input: #"{"app": {"a": 2}}"#)
        }
        #expect(try apply("--as", "base").ending == .exit(0))
        let refused = try apply("--as", "mine")
        #expect(refused.ending == .exit(1))
        #expect(refused.errors.contains("app a is set by “base” already"), "\(refused.errors)")
        #expect(try apply("--as", "mine", "--take").errors == "")
        #expect(try pdefaults(folder, "applied").output == "mine\n")
        _ = try pdefaults(folder, "unapply", "mine")
        #expect(try values("app") == ["a": 1])
    }

    @Test(
        "Bad input says what is wrong and where, and nothing is written",
        arguments: [
            (
                #"{"app": {"a": 1}, "b": {"k": {"$unknown": 1}}}"#,
                ["settings.jsonc: /b/k", "$unknown", "Use $include"]
            ),
            (#"{"app": {"a": 1, "k": {"$include": 5}}}"#, ["/app/k", "an integer under $include"]),
            (#"{"app": {"a": 1}, "./": {"k": 1}}"#, ["./ is a folder", "Name a file in it"]),
            (#"{"app": {"a": 1}, "x/y": {"k": 1}}"#, ["“x/y” contains “/”", "./x/y"]),
            (#"{"app": {"a": 1}"#, ["settings.jsonc", "line 1"]),
            ("[1]", ["an array", "dictionary of suites"]),
        ]
    )
    func badInput(_ text: String, _ parts: [String]) throws {
        for words in [["apply"], ["apply", "--as", "n"], ["apply", "--dry-run"]] {
            let result = try pdefaults(folder, words + [settings(text)])
            #expect(result.ending == .exit(words.contains("--dry-run") ? 2 : 1))
            for part in parts { #expect(result.errors.contains(part), "\(result.errors)") }
            #expect(try folder.names == ["settings.jsonc"])
        }
    }

    @Test("Names and files that cannot be used are refused")
    func badWords() throws {
        for name in ["a/b", ".a", ""] {
            #expect(try pdefaults(folder, "apply", "--as", name, settings("{}")).ending != .exit(0))
        }
        #expect(try pdefaults(folder, "apply", "/no/such/file").errors.contains("/no/such/file"))
        #expect(try pdefaults(folder, "apply", "--dry-run", folder.path).ending == .exit(2))
        #expect(
            try pdefaults(folder, "unapply", "nothing").errors.contains("Nothing is applied as “nothing”")
        )
        #expect(try pdefaults(folder, "apply", "--take", "x").ending == .exit(64))
    }

    @Test("If one suite fails, the others are applied")
    func oneFails() throws {
        try folder.write("<plist>", to: "broken.plist")
        try folder.write(["k": "text"], to: "kind.plist")
        let file = try settings(#"{"broken": {"a": 1}, "kind": {"k": {"$include": [1]}}, "whole": {"a": 1}}"#)
        for words in [["apply"], ["apply", "--as", "n"]] {
            let result = try pdefaults(folder, words + [file])
            #expect(result.ending == .exit(1))
            for part in ["broken", "kind: k is of the kind string"] {
                #expect(result.errors.contains(part), "\(result.errors)")
            }
            #expect(try values("whole") == ["a": 1])
        }
        #expect(try pdefaults(folder, "apply", "--dry-run", file).ending == .exit(2))
    }

    @Test(
        "A locked key is refused with its suite, and a lock shows",
        .enabled(if: LayeredMachine.isPermitted, "\(LayeredMachine.needs)")
    )
    func locks() throws {
        let machine = try LayeredMachine()
        let input = #"{"app": {"a": 1, "b": 2}, "other": {"k": 1}}"#
        #expect(try machine.pdefaults(["apply", "--as", "n", "-"], input: input).ending == .exit(0))
        try machine.write(["a": 5], to: "/etc/pdefaults/mandatory/app.plist")
        let state = try machine.pdefaults("applied", "n")
        #expect(
            state.output.contains("app a: locked by /etc/pdefaults/mandatory/app.plist: 1 -> 5\n"),
            "\(state.output)"
        )
        #expect(state.ending == .exit(1))
        let next = #"{"app": {"a": 3, "b": 4}, "other": {"k": 2}}"#
        #expect(try machine.pdefaults(["apply", "--dry-run", "-"], input: next).ending == .exit(2))
        let refused = try machine.pdefaults(["apply", "--as", "n", "-"], input: next)
        #expect(refused.ending == .exit(1))
        #expect(refused.errors.contains("“a” is locked by"), "\(refused.errors)")
        #expect(try machine.values(of: "~/.config/app.plist") == ["a": 1, "b": 2])
        #expect(try machine.values(of: "~/.config/other.plist") == ["k": 2])
        try machine.remove("/etc/pdefaults/mandatory/app.plist")
        #expect(try machine.pdefaults("unapply", "n").errors == "")
        #expect(try machine.values(of: "~/.config/app.plist") == [:])
    }

    @Test("Secrets are hidden")
    func secrets() throws {
        try folder.write(["password": "old"], to: "app.plist")
        try folder.write(
            #"{"properties": {"password": {"type": "string", "writeOnly": true}}}"#,
            to: "app.schema.json"
        )
        let file = try settings(#"{"app": {"password": "new"}}"#)
        let hidden = try pdefaults(folder, "apply", "--dry-run", file)
        #expect(hidden.output == "app password: •••••• -> ••••••\n")
        #expect(
            try pdefaults(folder, "apply", "--dry-run", "--show-secrets", file).output
                == "app password: old -> new\n"
        )
        _ = try pdefaults(folder, "apply", "--as", "n", file)
        _ = try pdefaults(folder, "write", "app", "password", "other")
        let state = try pdefaults(folder, "applied", "n", "--json")
        #expect(
            !state.output.contains("new") && !state.output.contains("old") && !state.output.contains("other")
        )
    }

    @Test("A file that is applied twice is written once: no file's time of change moves")
    func idempotence() throws {
        var random = SeededGenerator(seed: 5)
        let count = isLong ? 1000 : 100
        for round in 0..<count {
            var suites: [String: PropertyListValue] = [:]
            for suite in ["a", "b", folder.file("c.json")] where Bool.random(using: &random) {
                let isJSON = suite.hasSuffix("json")
                suites[suite] = .dictionary(
                    ["k", "l", "m"].reduce(into: [:]) { $0[$1] = randomValue(&random, isJSON) }
                )
            }
            let file = try settings(PropertyListValue.dictionary(suites).typedJSON())
            func apply() throws {
                let line = try ParsedCommand(["apply", file])
                var run = try ApplyRun(
                    line,
                    as: nil,
                    line.desiredParts(in: SettingsFolder(path: folder.path)),
                    locking: false
                )
                try run.run()
            }
            try apply()
            let before = try times()
            try apply()
            #expect(try times() == before, "round \(round)")
        }
    }

    private func randomValue(_ random: inout SeededGenerator, _ isJSON: Bool) -> PropertyListValue {
        let plain: [PropertyListValue] = [
            1, 2.5, true, "text", ["x"], ["a": [1]], ["$delete": true], ["$include": ["x", 2]],
            ["$dictionary": ["$x": 1]],
        ]
        let typed: [PropertyListValue] = [
            .data(Data([1, 2])), .data(Data("{\"a\": 1}".utf8)),
            .date(Date(timeIntervalSinceReferenceDate: 0.25)),
            .date(Date(timeIntervalSinceReferenceDate: 9)), .real(.infinity), "\u{1B}",
        ]
        let value = (isJSON ? plain : plain + typed).randomElement(using: &random) ?? 0
        // An array, or nothing that $include would refuse.
        return value == ["$include": ["x", 2]] ? ["$merge": [:]] : value
    }

    private func times() throws -> [String: [Int]] {
        try folder.names.reduce(into: [:]) { times, name in
            var info = stat()
            stat(folder.file(name), &info)
            times[name] = [info.st_ctim.tv_sec, info.st_ctim.tv_nsec]
        }
    }

    @Test("In a JSON file nothing is applied twice, whatever JSON cannot tell apart")
    func inJSONFile() throws {
        try folder.write(#"{"f": 1, "l": [1]}"#, to: "s.json")
        let path = folder.file("s.json")
        let file = try settings(
            #"{"\#(path)": {"f": 1.0, "d": {"$date": "2024-05-01T10:20:30.25Z"}, "l": {"$include": [1.0, {"$data": "AQID"}]}}}"#
        )
        #expect(try pdefaults(folder, "apply", "--as", "n", file).errors == "")
        let text = String(decoding: try folder.bytes(of: "s.json"), as: UTF8.self)
        #expect(text.contains(#""f": 1,"#) && text.contains(#"[1, "AQID"]"#), "\(text)")
        #expect(try pdefaults(folder, "apply", "--dry-run", "--as", "n", file).ending == .exit(0))
        #expect(try pdefaults(folder, "applied", "n").ending == .exit(0))
        #expect(try pdefaults(folder, "unapply", "n").errors == "")
        #expect(String(decoding: try folder.bytes(of: "s.json"), as: UTF8.self) == #"{"f": 1, "l": [1]}"#)
    }

    @Test("A container that somebody has replaced is left, and the rest is put back")
    func replacedContainer() throws {
        try folder.write(["o": 1, "d": ["a": 1], "same": 5], to: "app.plist")
        let file = try settings(#"{"app": {"o": 2, "same": 5, "d": {"$merge": {"a": {"$delete": true}}}}}"#)
        #expect(try pdefaults(folder, "apply", "--as", "n", file).errors == "")
        _ = try pdefaults(folder, "write", "app", "d", "-string", "x")
        _ = try pdefaults(folder, "write", "app", "same", "-int", "6")
        let result = try pdefaults(folder, "unapply", "n")
        #expect(
            result.errors.contains("app d /a was left") && result.errors.contains("app same was left at 6")
        )
        #expect(try values("app") == ["o": 1, "d": "x", "same": 6])
        #expect(try pdefaults(folder, "applied").output == "")
    }

    @Test("A dry run tells what a file cannot store, and a directive in a wrong place is refused")
    func refused() throws {
        let file = try settings(#"{"app": {"k": null}}"#)
        #expect(try pdefaults(folder, "apply", "--dry-run", file).ending == .exit(2))
        for text in [#"{"app": {"$delete": true}}"#, #"{"app": {"k": {"$merge": {"$include": [1]}}}}"#] {
            let result = try pdefaults(folder, "apply", settings(text))
            #expect(
                result.errors.contains("Nothing was written") && result.ending == .exit(1),
                "\(result.errors)"
            )
        }
        _ = try pdefaults(folder, "apply", "--as", "bad", settings(#"{"app": {"x": 1}}"#))
        try folder.write("xx", to: ".local/state/pdefaults/applied/bad.plist")
        #expect(try pdefaults(folder, "applied", "bad").errors.contains("Move the file away"))
    }

    @Test("A running editor marks what is applied, and says what was there before")
    func editor() async throws {
        try folder.write(["volume": 75, "other": 1], to: "app.plist")
        let tmux = try Tmux(
            [builtProgram(named: "pdefaults")],
            columns: 200,
            rows: 30,
            environment: ["HOME": folder.path, "XDG_CONFIG_HOME": folder.path]
        )
        try await tmux.waitFor("volume")
        try tmux.send("Tab", "j")
        let file = try settings(#"{"app": {"volume": 60}}"#)
        #expect(try pdefaults(folder, "apply", "--as", "dotfiles", file).errors == "")
        try await tmux.waitFor("(by dotfiles)")
        try await tmux.waitFor("Before, it was 75.")
        _ = try pdefaults(folder, "write", "app", "volume", "-int", "50")
        try await tmux.waitFor("It has been changed since.")
        #expect(try pdefaults(folder, "unapply", "dotfiles").errors.contains("was left at 50"))
        try await tmux.waitUntil("the mark is gone") { try !$0.screen().joined().contains("by dotfiles") }
    }
}

private let isLong = ProcessInfo.processInfo.environment["PDEFAULTS_TESTS"] == "long"

@Suite("Desired settings under stress")
struct ApplyStressTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func start(_ words: [String], input: String = "") throws -> RunningProgram {
        try RunningProgram(
            builtProgram(named: "pdefaults"),
            words,
            environment: ["XDG_CONFIG_HOME": folder.path, "HOME": folder.path, "LC_ALL": "C.UTF-8"],
            input: input
        )
    }

    private func state(_ suites: [String]) throws -> [PropertyListValue] {
        try suites.map { try PropertyListValue.read([UInt8](folder.bytes(of: $0 + ".plist"))).value }
    }

    @Test("A run that is killed at a random moment ends like an undisturbed one when it is repeated")
    func kills() throws {
        let suites = ["a", "b", "c"]
        let stored: [String: PropertyListValue] = ["n": 0, "list": ["own"], "table": ["x": 1], "kept": true]
        func input(_ number: Int) -> String {
            let all = suites.map { suite in
                "\"\(suite)\": {\"n\": \(number), \"list\": {\"$include\": [\"e\(number % 3)\"]}, "
                    + "\"table\": {\"$merge\": {\"m\(number % 2)\": \(number)}}, \"new\(number % 4)\": {\"$merge\": {\"deep\": 1}}}"
            }
            return "{" + all.joined(separator: ",") + "}"
        }
        for suite in suites { try folder.write(stored, to: suite + ".plist") }
        var random = SeededGenerator(seed: UInt64(getpid()))
        // About as long as a run takes, so that kills hit each of its steps.
        let clock = ContinuousClock()
        let longest = try clock.measure { _ = try start(["apply", "--as", "n", "-"], input: input(0)).end() }
        _ = try start(["unapply", "n"]).end()
        for round in 1...(isLong ? 300 : 25) {
            let isTakenBack = round % 3 == 0
            let words = isTakenBack ? ["unapply", "n"] : ["apply", "--as", "n", "-"]
            let killed = try start(words, input: input(round))
            usleep(UInt32.random(in: 0..<UInt32(max(longest / .microseconds(1), 1)), using: &random))
            killed.send(SIGKILL)
            _ = try killed.end()
            let again = try start(words, input: input(round)).end()
            if isTakenBack {
                // The killed run may have finished.
                #expect(again.errors == "" || again.errors.contains("Nothing is applied"), "\(again.errors)")
                #expect(try state(suites) == suites.map { _ in .dictionary(stored) }, "round \(round)")
                continue
            }
            #expect(again.errors == "" && again.ending == .exit(0), "round \(round): \(again.errors)")
            let expected: PropertyListValue = [
                "n": .integer(PropertyListInteger(Int64(round))), "kept": true,
                "list": ["own", .string("e\(round % 3)")],
                "table": ["x": 1, "m\(round % 2)": .integer(PropertyListInteger(Int64(round)))],
                "new\(round % 4)": ["deep": 1],
            ]
            #expect(try state(suites) == suites.map { _ in expected }, "round \(round)")
        }
        _ = try start(["unapply", "n"]).end()
        #expect(try state(suites) == suites.map { _ in .dictionary(stored) })
    }

    @Test("Eight processes apply different names at once while another program writes, and nothing is lost")
    func together() throws {
        try folder.write(["count": 0], to: "app.plist")
        let rounds = 20
        let writer = try start(
            ["write", "app", "-"],
            input: (1...200).map { "own\($0) -int \($0)\n" }.joined()
        )
        func apply(_ number: Int, _ round: Int) throws -> RunningProgram {
            try start(
                ["apply", "--as", "name\(number)", "-"],
                input: "{\"app\": {\"k\(number)\": \(round), \"list\": {\"$include\": [\(number)]}}}"
            )
        }
        // The name that is taken back first makes the array.
        #expect(try apply(1, 0).end().ending == .exit(0))
        for round in 1...rounds {
            let programs = try (1...8).map { try apply($0, round) }
            _ = try pdefaults(folder, "write", "app", "count", "-int", "\(round)")
            for program in programs {
                let result = try program.end()
                // A program that has waited for two seconds says so.
                let waited = "Waiting for another pdefaults that applies settings"
                #expect(result.errors == "" || result.errors.hasPrefix(waited), "\(result.errors)")
                #expect(result.ending == .exit(0))
            }
        }
        #expect(try writer.end().ending == .exit(0))
        let values = [String: PropertyListValue](
            try PropertyListDocument.read([UInt8](folder.bytes(of: "app.plist"))).values
        )
        #expect(values.count == 8 + 200 + 2)
        #expect(values["count"] == .integer(PropertyListInteger(Int64(rounds))))
        guard case .array(let list)? = values["list"] else { throw HarnessError("\(values)") }
        #expect(Set(list) == Set((1...8).map { .integer(PropertyListInteger(Int64($0))) }))
        for number in 1...8 { #expect(try pdefaults(folder, "applied", "name\(number)").ending == .exit(0)) }
        for number in 1...8 { #expect(try pdefaults(folder, "unapply", "name\(number)").errors == "") }
        let rest = try PropertyListDocument.read([UInt8](folder.bytes(of: "app.plist"))).values
        #expect(rest["list"] == [], "A name leaves the array that another one has made")
        #expect(rest.keys.filter { !$0.hasPrefix("own") }.sorted() == ["count", "list"])
    }
}
