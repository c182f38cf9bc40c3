import Testing

@testable import CommandLanguage

@Suite("Parsing a command line")
struct ParsedCommandTests {
    @Test(
        "Words fill the declared parameters, whatever they look like",
        arguments: [
            ("read", .read, []), ("READ a", .read, ["a"]), ("read -g k", .read, ["-g", "k"]),
            ("read a -int", .read, ["a", "-int"]), ("read --json a k", .read, ["a", "k"]),
            ("read a k --json", .read, ["a", "k"]), ("read a -- --json", .read, ["a", "--json"]),
            ("remove a", .delete, ["a"]), ("read-type a b", .readType, ["a", "b"]),
            ("write a k -int -5", .write, ["a", "k", "-int", "-5"]),
            ("write a k -string --json", .write, ["a", "k", "-string", "--json"]),
            ("write a k v --if-equals x", .write, ["a", "k", "v"]),
            ("write a k -array --json -int 5", .write, ["a", "k", "-array", "--json", "-int", "5"]),
            ("write a -x -5", .write, ["a", "-x", "-5"]),
            ("write a -- -int -5", .write, ["a", "-int", "-5"]),
            ("write a k -- --v", .write, ["a", "k", "--v"]),
            ("write a -", .write, ["a", "-"]), ("write a {}", .write, ["a", "{}"]),
            ("write a k --at=/x -bool yes", .write, ["a", "k", "-bool", "yes"]),
            ("write a k -bool yes --if-equals -int 5", .write, ["a", "k", "-bool", "yes"]),
            ("", .edit, []), ("org.example", .edit, ["org.example"]), ("--directory /x", .edit, []),
            ("a --staged --theme dark", .edit, ["a"]), ("--read-only a --directory /x", .edit, ["a"]),
            ("--directory /x read a", .read, ["a"]), ("--help", .help, []), ("-h", .help, []),
            ("help write", .help, ["write"]), ("help --man", .help, []),
            ("check a b c", .check, ["a", "b", "c"]), ("why a k", .why, ["a", "k"]),
            ("-currentHost write a k v", .write, ["a", "k", "v"]),
            ("complete bash read --js", .complete, ["bash", "read", "--js"]),
        ] as [(String, CommandName, [String])]
    )
    func words(_ line: String, _ command: CommandName, _ words: [String]) throws {
        let parsed = try ParsedCommand(shellWords(line))
        #expect(parsed.command == command)
        #expect(parsed.words == words)
    }

    @Test("Options may come before and after the words")
    func options() throws {
        let line = try ParsedCommand(["--directory", "/x", "read", "a", "--at", "/k", "b", "--json"])
        #expect(line.word(of: .directory) == "/x")
        #expect(line.word(of: .at) == "/k")
        #expect(line.has(.json))
        #expect(try ParsedCommand(["read", "a", "b", "--at="]).word(of: .at) == "")
    }

    @Test(
        "A layer is named by --layer, and the host's also as on macOS",
        arguments: [
            ("read a", nil), ("read a --layer site", .site), ("write a k v --layer=mandatory", .mandatory),
            ("-currentHost delete a k", .host), ("import a - --layer global", .global),
            ("export a - --layer user", .user),
        ] as [(String, LayerName?)]
    )
    func layers(_ line: String, _ layer: LayerName?) throws {
        #expect(try ParsedCommand(shellWords(line)).layer == layer)
    }

    @Test(
        "A layer that no command can write is refused with advice",
        arguments: [("sites", "Did you mean “site”?"), ("registered", "mandatory, host, user, global, site")]
    )
    func otherLayers(_ word: String, _ advice: String) throws {
        let line = try ParsedCommand(["write", "a", "k", "v", "--layer", word])
        let error = #expect(throws: UsageError.self) { try line.layer }
        #expect(error?.description.contains(advice) == true)
    }

    @Test(
        "A wrong command line is refused with advice",
        arguments: [
            ("-host h read", "Write -currentHost before the command"),
            ("-currentHost suites", "only with commands that have the option --layer"),
            ("-currentHost read --layer site", "--layer or -currentHost once"),
            ("suites --layer site", "no option “--layer”"), ("read a --layer", "needs a layer"),
            ("wriet a b", "no command “wriet”"), ("writ a b", "Did you mean “write”"),
            ("read a b c", "Unexpected argument “c”"), ("read-type a", "key is missing"),
            ("write a", "key is missing"), ("write", "suite is missing"),
            ("rename a b", "new key is missing"),
            ("find", "word is missing"), ("import a", "file is missing"),
            ("read --jsno", "no option “--jsno”"),
            ("domains --at /x", "no option “--at”"), ("read a --at", "needs a pointer"),
            ("read --json=yes", "takes no value"), ("read --directory= a", "after --directory is empty"),
            ("write a k v --if-equals", "needs a value"),
            ("write a k v --if-equals -array 1", "takes one value"),
            ("write a k --v", "write -string before"), ("--read-only read a", "option of the editor"),
            ("delete", "suite is missing"),
            ("write a -int 5", "Write a key before “-int”"), ("write a -array 1 2", "key before “-array”"),
            ("-foo", "no command “-foo”"), ("wriet --help", "no command “wriet”"),
            ("wriet --json", "no command “wriet”"), ("wriet a --staged", "no command “wriet”"),
            ("wriet a k v", "Did you mean “write”?"), ("raed a", "Did you mean “read”?"),
            ("domain a k", "Did you mean “domains”?"), ("launch a -k", "to list the commands"),
            ("write a k v --if-equal 3", "Did you mean “--if-equals”?"),
            ("--json read a", "Write “--json” after the command"),
            ("--foo", "“pdefaults help” to list the options"),
            ("check --jsno", "Did you mean “--json”?"), ("check --nothing-like-it", "no option"),
        ]
    )
    func refusals(_ line: String, _ problem: String) throws {
        let words = try shellWords(line)
        let error = #expect(throws: UsageError.self) { try ParsedCommand(words) }
        #expect(error?.description.contains(problem) == true)
    }

    @Test(
        "A word names a suite by its name, an alias or a path",
        arguments: [
            ("org.example.App", .suite("org.example.App")), ("-g", .global), ("-globalDomain", .global),
            ("NSGlobalDomain", .global), (".GlobalPreferences", .global), (".x", .suite(".x")),
            ("/a/b", .path("/a/b")), ("./a", .path("./a")), ("~/a", .path("~/a")), ("-x", .suite("-x")),
        ] as [(String, SuiteWord)]
    )
    func suites(_ word: String, _ name: SuiteWord) throws { #expect(try SuiteWord(word) == name) }

    @Test("Applications and hosts do not name domains", arguments: ["-app", "-currentHost", "-host"])
    func refusedDomains(_ word: String) {
        #expect(throws: UsageError.self) { try SuiteWord(word) }
    }
}

@Suite("Texts made from the declarations")
struct DeclarationTests {
    @Test("Help and the manual page contain every command, option and type")
    func complete() {
        let keys = ManualPage.Keys(title: "In the keys", keys: [("d Del", "Deletes, after a question.")])
        let page = ManualPage.text(version: "9.8.7", date: "2026-01-02", keys: [keys])
            .replacing("\\-", with: "-").replacing("...", with: "…")
        #expect(page.contains("9.8.7") && page.contains("2026-01-02"))
        #expect(page.contains(".SS In the keys\n.TP\n\\fBd Del\\fR\nDeletes, after a question.\n"))
        for command in CommandName.shown {
            let help = HelpText.text(on: command)
            for form in command.declaration.forms {
                #expect(HelpText.overview.contains(command.usage(of: form)))
                #expect(page.contains(command.usage(of: form)))
                #expect(help.contains(command.usage(of: form)))
            }
            #expect(HelpText.hint(on: command).contains("pdefaults help \(command.rawValue)”"))
            for option in command.declaration.options { #expect(help.contains(option.usage)) }
        }
        for option in CommandOption.allCases { #expect(page.contains(option.usage)) }
        for layer in LayerName.searchList { #expect(page.contains("\\fB\(layer.name)\\fR\n")) }
        for type in ValueType.allCases {
            #expect(page.contains(type.usage))
            #expect(HelpText.overview.contains(type.usage))
        }
        #expect(!HelpText.overview.contains("demo-changes"))
    }

    @Test("No line of the help is wider than 100 columns")
    func width() {
        let texts = [HelpText.overview] + CommandName.shown.map { HelpText.text(on: $0) }
        for line in texts.joined(separator: "\n").split(separator: "\n") {
            #expect(line.count <= 100, "\(line)")
        }
    }

    private static let source = Completion.Source(
        suites: {
            switch $0 {
            case .standard: ["org.example.App", "org.example.Other", "two\nlines"]
            case .folder: ["elsewhere"]
            case .desktop: ["org.gnome.desktop.interface"]
            }
        },
        keys: { suite, _ in suite == "org.example.App" ? ["name", "size"] : [] }
    )

    @Test(
        "A word is completed with everything that its position allows",
        arguments: [
            ("rea", ["read", "read-type"]), ("read ''", ["org.example.App", "org.example.Other"]),
            ("read org.example.A", ["org.example.App"]), ("read -", ["-g"]),
            ("why org.example.App s", ["size"]), ("write org.example.App size 1 --layer si", ["site"]),
            ("-currentHost read org.example.App s", ["size"]), ("-c", ["-currentHost"]),
            ("read org.example.App ''", ["name", "size"]), ("write org.example.App s", ["size"]),
            ("write org.example.App size -i", ["-int"]), ("write org.example.App -", ["-"]),
            ("write org.example.App size -int ''", []), ("write org.example.App size -bool t", ["true"]),
            ("read --directory /x ''", ["elsewhere"]),
            ("--gsettings read ''", ["org.gnome.desktop.interface"]),
            ("--directory /x read e", ["elsewhere"]), ("read --j", ["--json"]),
            ("read --json org.example.O", ["org.example.Other"]),
            ("help rec", ["recover"]), ("help --completion f", ["fish"]), ("--v", ["--version"]),
            ("diff org.example.App org.example.O", ["org.example.Other"]),
            ("rename org.example.App n", ["name"]),
            ("org.example.App org.example.O", ["org.example.Other"]), ("./a.json --sta", ["--staged"]),
            ("read org.example.App name ''", []), ("import org.example.App -", []), ("nonsense ''", []),
        ]
    )
    func completion(_ line: String, _ words: [String]) throws {
        let offer = Completion.offer(for: try shellWords(line), Self.source)
        if case .candidates(let candidates) = offer {
            #expect(candidates.map(\.word) == words)
        } else {
            #expect(line.hasPrefix("import"))
        }
    }

    @Test(
        "The shell completes paths",
        arguments: [
            "read ./", "read /et", "import a ''", "export a x", "read --directory ''", "check ~/",
            "./a.json ~/",
        ]
    )
    func files(_ line: String) throws {
        #expect(Completion.offer(for: try shellWords(line), Self.source) == .files)
    }

    @Test("Typed words are unquoted, even if a quotation mark is still open")
    func typedWords() {
        #expect(CompletionScript.words(["my\\ app", "'a b", "\"x", "y"]) == ["my app", "a b", "x", "y"])
    }
}
