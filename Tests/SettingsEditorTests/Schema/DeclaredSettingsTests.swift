import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Declared settings")
struct DeclaredTests {
    @Test("A declared array or dictionary without a value can be filled; its declaration tells the type")
    func containersWithoutValue() {
        let declared = SuiteSchema([
            "list": SettingDeclaration(.array(of: .integer())),
            "map": SettingDeclaration(.dictionary(of: .string())),
        ])
        var desk = Desk(["s": [:]], columns: 100, schemas: ["s": declared], keys: "⏎⏎")
        #expect(desk.foot == "It is empty. Press A to add inside.")
        desk.type("A5⏎")
        #expect(desk.files["s"] == ["list": [5]])
        desk.type("GAk⏎v⏎")
        #expect(desk.files["s"] == ["list": [5], "map": ["k": "v"]])
    }

    @Test("An outside write to a declared key without a value does not claim an empty text before it")
    func outsideWriteToUnset() {
        let declared = SuiteSchema(["n": SettingDeclaration(.string())])
        var desk = Desk(["s": [:]], columns: 100, schemas: ["s": declared], keys: "⏎")
        desk.outside("s", "n", "new")
        #expect(desk.text.contains("n changed by another program: nothing → “new”"))
        #expect(!desk.text.contains("was \"\""))
        #expect(!desk.text.contains("was “”"))
    }

    private let schema = SuiteSchema([
        "volume": SettingDeclaration(
            .integer(Bounds(PropertyListInteger(0)...PropertyListInteger(11))),
            defaultValue: 5,
            title: "Loudness",
            help: "How loud it plays."
        ),
        "theme": SettingDeclaration(
            .string(),
            cases: [SettingCase("light", title: "Bright"), SettingCase("dark")],
            defaultValue: "dark"
        ),
        "token": SettingDeclaration(.string(), isSecret: true),
        "on": SettingDeclaration(.boolean, defaultValue: true),
        "window": SettingDeclaration(.dictionary(of: .integer()), defaultValue: ["x": 1, "y": 2]),
    ])

    private func desk(
        _ values: [String: PropertyListValue] = [:],
        columns: Int = 100,
        glyphs: Glyphs = .unicode,
        keys: String = ""
    ) -> Desk {
        var desk = Desk(["a": values], columns: columns, glyphs: glyphs, keys: "⏎")
        desk.act(.declared("a", schema))
        desk.type("g" + keys)
        return desk
    }

    /// Selects a key.
    private func select(_ key: String, _ desk: inout Desk) {
        desk.type("g")
        while desk.selectedKey != key, desk.selectedKey != desk.outline.last { desk.type("j") }
    }

    @Test("Settings that were never stored are listed with their default and a symbol")
    func listed() {
        var desk = desk(["other": 1, "volume": 7, "theme": "dark"])
        #expect(desk.outline == ["[on]", "other", "theme", "token", "volume", "window"])
        let symbols = desk.body.prefix(6).map { $0.dropFirst(21).prefix(5) }
        #expect(symbols.map { $0.first { "○≠".contains($0) } } == ["○", nil, nil, "○", "≠", "○"])
        #expect(desk.body[3].contains("not set"))
        #expect(desk.text.contains(" string\n"))
        select("volume", &desk)
        #expect(desk.detailWords.contains("Loudness. How loud it plays. 0 to 11. The default is 5."))
        select("on", &desk)
        #expect(desk.body[0].hasSuffix("on             true  (default)"))
        #expect(desk.writes.isEmpty)
    }

    @Test("Members and elements with declarations have titles, limits, menus and checks as keys have")
    func membersWithDeclarations() {
        let size = SettingDeclaration(.integer(Bounds(6...100)), defaultValue: 14, title: "Size of letters")
        let wrap = SettingDeclaration(
            .string(),
            cases: [SettingCase("off"), SettingCase("on", title: "At the edge")]
        )
        let old = SettingDeclaration(.boolean, deprecation: "Use “wrap”.")
        let declared = SuiteSchema([
            "editor": SettingDeclaration(
                .record([
                    "size": .init(.declared(size)), "wrap": .init(.declared(wrap)),
                    "old": .init(.declared(old), isRequired: false),
                ])
            )
        ])
        let value: PropertyListValue = ["old": true, "size": 20, "wrap": "off"]
        var desk = Desk(["s": ["editor": value]], columns: 100, schemas: ["s": declared], keys: "⏎l")
        desk.type("j")
        #expect(desk.text.contains("(deprecated)") && desk.detailWords.contains("Deprecated: Use “wrap”."))
        desk.type("j")
        #expect(desk.detailWords.contains("Size of letters. 6 to 100. The default is 14."))
        desk.type("⏎⌫⌫5⏎")
        #expect(desk.text.contains("“editor” can't have this value: at /size: 5 is below 6"))
        desk.type("⎋⎋j⏎")
        #expect(desk.text.contains("At the edge"))
        desk.type("j⏎")
        #expect(desk.files["s"] == ["editor": ["old": true, "size": 20, "wrap": "on"]])
    }

    @Test("While a value for an unset setting is typed, a changed default does not matter")
    func otherDefault() {
        var desk = desk()
        select("volume", &desk)
        desk.type("⏎⌫7")
        desk.act(.declared("a", SuiteSchema(["volume": SettingDeclaration(.integer(), defaultValue: 9)])))
        desk.type("⏎")
        #expect(desk.files["a"] == ["volume": 7])
        select("volume", &desk)
        desk.type("⏎⌫8")
        desk.outside("a", "volume", nil)
        // A deleted stored value is a conflict, although a default is declared.
        desk.type("⏎")
        #expect(desk.state.mode == .conflict && desk.files["a"] == [:])
    }

    @Test("A setting without a value is offered in all types, and need not fit any")
    func typesOfUnset() {
        var desk = desk()
        select("token", &desk)
        desk.type("t")
        #expect(!desk.text.contains("(“”"))
        #expect(desk.text.contains("integer") && !desk.screen.contains { $0.contains("» string") })
    }

    @Test("A foreign change of a declared setting shows both symbols")
    func bothSigns() {
        var desk = desk(["theme": "dark", "volume": 5])
        desk.outside("a", "volume", 99)
        desk.outside("a", "theme", "light")
        #expect(desk.body[3].contains("●! volume") && desk.body[3].contains("99  was 5"))
        #expect(desk.body[1].contains("●≠ theme"))
        desk.outside("a", "window", ["x": "no number"])
        #expect(desk.body[4].contains("●▸ window") && desk.body[4].contains("!{"))
        desk.wait(60)
        #expect(desk.body[3].contains("!  volume") && desk.body[3].contains(" 99"))
    }

    @Test("A default that is left unchanged is not stored; a changed one is stored, and can be undone")
    func editing() {
        var desk = desk()
        select("volume", &desk)
        desk.type("⏎⏎")
        #expect(desk.writes.isEmpty)
        desk.type("⏎⌫8⏎")
        #expect(desk.files["a"] == ["volume": 8])
        #expect(desk.writes.map(\.expecting) == [nil])
        desk.type("u")
        #expect(desk.files["a"] == [:])
        #expect(desk.text.contains("volume"))
        select("on", &desk)
        desk.type(" ")
        #expect(desk.files["a"] == ["on": false])
    }

    @Test(
        "A command inside a default acts on the whole value as if stored, and u undoes it",
        arguments: [
            ("tags", "l>", ["tags": ["b", "a"]]),
            ("tags", "lj<", ["tags": ["b", "a"]]),
            ("tags", "ld", ["tags": ["b"]]),
            ("tags", "lmmd", ["tags": []]),
            ("tags", "lD", ["tags": ["a", "a", "b"]]),
            ("tags", "lc1p", ["tags": ["a", "a", "b"]]),
            ("tags", "lmmc1kp", ["tags": ["a", "b", "a", "b"]]),
            ("tags", "lM1first⏎", ["tags": ["b"]]),
            ("window", "l⏎→0⏎", ["window": ["x": 10, "y": 2]]),
            ("window", "lr0⏎", ["window": ["x0": 1, "y": 2]]),
            ("window", "lr⌫y⏎⌫z⏎", ["window": ["z": 1, "y": 2]]),
            ("window", "ld", ["window": ["y": 2]]),
            ("window", "lmmd", ["window": [:]]),
            ("window", "lmmc1lp", nil),
            ("json", "lr0⏎y", ["json": json(#"{"p0": 1.0, "q": [1,  2]}"#)]),
            ("json", "ljlld", ["json": json(#"{"p": 1.0, "q": [2]}"#)]),
        ] as [(String, String, [String: PropertyListValue]?)]
    )
    func insideAnyDefault(key: String, typed: String, stored: [String: PropertyListValue]?) {
        let schema = SuiteSchema([
            "json": SettingDeclaration(.json, defaultValue: json(#"{"p": 1.0, "q": [1,  2]}"#)),
            "tags": SettingDeclaration(.array(of: .string()), defaultValue: ["a", "b"]),
            "window": SettingDeclaration(.dictionary(of: .integer()), defaultValue: ["x": 1, "y": 2]),
        ])
        var desk = Desk(["a": [:], "b": [:]], columns: 100, schemas: ["a": schema], keys: "⏎")
        select(key, &desk)
        desk.type("l" + typed)
        #expect(desk.files["a"] == stored ?? [:], "\(desk.foot)")
        desk.type("u")
        #expect(desk.files == ["a": [:], "b": [:]])
    }

    @Test("Cases are offered as a menu, with the current one selected")
    func cases() {
        var desk = desk()
        select("theme", &desk)
        desk.type("⏎")
        #expect(desk.text.contains("1 Bright"))
        #expect(desk.text.contains("» 2 “dark”"))
        #expect(desk.text.contains("the default"))
        desk.type("1")
        #expect(desk.files["a"] == ["theme": "light"])
    }

    @Test("A value that does not fit the declaration is asked about, and written only if the user says so")
    func ranges() {
        var desk = desk(["volume": 7])
        select("volume", &desk)
        desk.type("⏎→5⏎")
        #expect(desk.state.mode == .question)
        #expect(desk.screen.joined(separator: " ").contains("Write it anyway?"))
        desk.type("n")
        #expect(desk.state.modal?.line?.text == "75")
        #expect(desk.writes.isEmpty)
        desk.type("⏎y")
        #expect(desk.files["a"]?["volume"] == 75)
        #expect(desk.state.modal == nil)
    }

    @Test("= deletes the stored value without a question; d asks and names the default")
    func reset() {
        var desk = desk(["volume": 7, "other": 1])
        select("volume", &desk)
        desk.type("=")
        #expect(desk.files["a"] == ["other": 1])
        #expect(desk.foot == "Reset: “volume” is 5 by default.")
        #expect(desk.selectedKey == "volume")
        desk.type("=")
        #expect(desk.foot == "It already has its default.")
        desk.type("d")
        #expect(desk.foot == "No value is stored. The row shows the default.")
        desk.type("u" + "d")
        #expect(desk.foot == "Deleted “volume”. Press u to undo.")
        #expect(desk.files["a"] == ["other": 1])
        select("other", &desk)
        desk.type("=")
        #expect(desk.foot.hasPrefix("“other” has no default") == true)
    }

    @Test("A secret is hidden wherever values are shown, until the user asks for it")
    func secrets() {
        var desk = desk(["token": "hunter2"])
        select("token", &desk)
        func hides(_ desk: Desk) -> Bool { !desk.text.contains("hunter2") }
        #expect(hides(desk))
        #expect(desk.text.contains("••••••"))
        desk.outside("a", "token", "hunter22")
        #expect(desk.foot == "token changed by another program: a secret → a secret")
        for keys in ["H", "t", "c"] {
            desk.type(keys)
            #expect(hides(desk), "\(keys)")
            desk.type("⎋")
        }
        desk.type("⏎new")
        #expect(desk.text.contains("•••"))
        #expect(!desk.text.contains("new"))
        desk.type("⏎")
        #expect(desk.files["a"]?["token"] == "new")
        desk.type("u")
        #expect(desk.foot == "Undone: “token” has its hidden value again.")
        desk.type("v")
        #expect(desk.text.contains("hunter22"))
        desk.type("v")
        #expect(hides(desk))
    }

    @Test("Without Unicode the symbols are ASCII, and without a schema nothing is declared")
    func ascii() {
        var desk = desk(["volume": 7, "token": "x"], glyphs: .ascii)
        #expect(desk.text.utf8.allSatisfy { $0 < 0x80 })
        #expect(desk.text.contains(" o  theme"))
        #expect(desk.text.contains(" #  volume"))
        desk.act(.declared("a", SuiteSchema()))
        #expect(desk.outline.count == 2)
    }

    @Test(
        "If the declarations cannot be read, all values are hidden as possible secrets, with the reason"
    )
    func unknownSecrets() {
        var desk = desk(["list": [1], "other": "hunter3", "token": "hunter2"], columns: 140)
        desk.act(.declared("a", SuiteSchema(), problem: "line 1: no JSON"))
        func shows(_ desk: Desk) -> [Bool] { ["hunter2", "hunter3"].map { desk.text.contains($0) } }
        #expect(
            desk.foot
                == "The declarations of “a” are unreadable, so all values are hidden. Press v to show one. line 1: no JSON."
        )
        select("list", &desk)
        #expect(
            desk.detailWords.contains("Hidden, because the declarations are unreadable: line 1: no JSON.")
        )
        desk.outside("a", "new", "hunter2 too")
        for keys in ["l", "H", "t", "c", "/hunter⏎", "Fhunter"] {
            desk.type(keys)
            #expect(shows(desk) == [false, false], "\(keys)")
            desk.type("⎋⎋")
        }
        desk.press(.control("e"))
        #expect(
            desk.foot
                == "The declarations are unreadable, so secrets cannot be left out: line 1: no JSON"
        )
        #expect(!desk.outline.contains("  0"))
        select("other", &desk)
        desk.type("v")
        #expect(shows(desk) == [false, true])
        // It can be read again.
        desk.act(.declared("a", schema))
        #expect(shows(desk) == [true, true])
        #expect(!desk.text.contains("hidden, since"))
        desk.outside("a", "new", nil)
        desk.type("g")
        #expect(shows(desk) == [false, true])
    }

    @Test("Values of suites that were never selected are hidden in the same way during a search")
    func unknownSecretsOfOthers() {
        for problem in [nil, "line 1: no JSON"] {
            var desk = Desk(["a": [:], "b": ["token": "hunter2"]], columns: 100)
            desk.schemaProblems["b"] = problem
            desk.type("Fhunt")
            desk.act(.goOn(budget: 1000))
            #expect(desk.text.contains("hunter2") == (problem == nil))
            desk.type("⎋Ftoken")
            desk.act(.goOn(budget: 1000))
            #expect(desk.text.contains("token"))
            #expect(desk.text.contains("hunter2") == (problem == nil))
        }
    }

    @Test("The copy of a suite with unreadable declarations hides its values too")
    func unknownSecretsCopied() {
        var desk = Desk(["a": ["token": "hunter2"]], columns: 100)
        desk.act(.declared("a", SuiteSchema(), problem: "line 1: no JSON"))
        desk.type("D⏎")
        desk.act(.declared("a copy", SuiteSchema()))
        #expect(desk.files["a copy"] == ["token": "hunter2"])
        #expect(desk.text.contains("token  "))
        #expect(!desk.text.contains("hunter2"))
    }
}
