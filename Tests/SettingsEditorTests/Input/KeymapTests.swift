import PropertyList
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("The keymap")
struct KeymapTests {
    @Test("A key does one thing in a mode, except Enter on a container")
    func unambiguous() {
        for mode in Mode.allCases {
            var seen: [Key: Command] = [:]
            for binding in KeyBinding.all where binding.modes.contains(mode) {
                for key in binding.keys {
                    #expect(seen[key] == nil || seen[key] == binding.command, "\(key) in \(mode)")
                    seen[key] = binding.command
                }
            }
        }
    }

    @Test("The keymap names a key in the same way as the help does, and an unknown name gives no key")
    func keyNames() {
        for key in KeyBinding.all.flatMap(\.keys) {
            #expect(Key(named: Substring(key.name(.ascii))) == key)
        }
        #expect(Key(named: "^E") == .control("e"))
        #expect(Key(named: "Alt-Backspace") == .alt("\u{7F}"))
        #expect(Key(named: "PgUP") == nil)
    }

    @Test(
        "Every mode can be left with Esc, and hints at a key",
        arguments: Mode.allCases
    )
    func leaving(mode: Mode) {
        let bindings = KeyBinding.all.filter { $0.modes.contains(mode) }
        #expect(bindings.contains { $0.keys.contains(.escape) })
        #expect(bindings.contains { $0.isUseful != nil })
    }

    @Test("While text is typed no printable key has a binding, except Space on a boolean")
    func typing() {
        for binding in KeyBinding.all where binding.modes.contains(where: \.isText) {
            for case .character(let character) in binding.keys {
                #expect(character == " " && binding.modes == [.booleanDraft])
            }
        }
    }

    @Test(
        "The help of each mode has every command once, in one sentence, with all its keys",
        arguments: Mode.allCases
    )
    func help(mode: Mode) {
        let desk = Desk(["a": [:]])
        let lines = HelpText.lines(desk.state, in: mode, columns: 200)
        let commands = lines.compactMap(\.binding)
        for binding in KeyBinding.all where binding.modes.contains(mode) {
            let same = commands.filter { $0.command == binding.command }
            #expect(same.count == 1 && binding.keys.allSatisfy(same[0].keys.contains), "\(binding.name)")
        }
        for line in lines { #expect(line.text.ranges(of: ". ").isEmpty, "\(line.text)") }
    }

    @Test("The help moves to its end and back, and Esc, q and ? close it", arguments: ["⎋", "q", "?"])
    func scrolling(key: String) {
        var desk = Desk(["a": [:]], columns: 40, rows: 10, keys: "?")
        #expect(desk.body[0] == "Move")
        #expect(desk.body[1] == "» Enter       Go to the keys of the")
        #expect(desk.body[2] == "              suite.")
        let start = desk.screen
        desk.type("⇟⇟⇞⇞⇞")
        #expect(desk.screen == start)
        desk.type("G")
        let end = desk.screen
        desk.type("↓⇟")
        #expect(desk.screen == end)
        desk.type("k")
        #expect(desk.screen != end)
        desk.type(key)
        #expect(desk.state.mode == .suites)
    }

    @Test("The help has the commands of the current mode, in columns, and explains the selected one")
    func helpOfKeys() {
        var desk = Desk(["a": ["k": 1]], columns: 240, rows: 20, keys: "⏎?/del")
        #expect(desk.text.contains("Delete the row. Press u to bring it back."))
        desk.type("⎋")
        #expect(desk.heads.hasSuffix("In the list of keys"))
        #expect(desk.body[0].hasPrefix("Move"))
        // Three columns of 80.
        for column in [80, 160] {
            #expect(desk.body.contains { $0.dropFirst(column).prefix(30).contains { $0 != " " } })
        }
        let first = desk.message + desk.status
        desk.type("j")
        #expect(desk.message + desk.status != first)
    }

    @Test("In the help / filters the commands, and Enter runs the selected one")
    func helpRuns() {
        var desk = Desk(["a": ["k": 1]], columns: 80, keys: "⏎?/duplic")
        #expect(desk.text.contains("Duplicate the row."))
        #expect(!desk.text.contains("Rename"))
        desk.type("⏎")
        #expect(desk.text.contains("k copy"))
        desk.type("⎋?/nothing at all")
        #expect(desk.text.contains("No command matches."))
        desk.type("⎋")
        #expect(desk.state.mode == .help)
        // A command that can do nothing says why.
        desk.type("/revisions⏎")
        #expect(desk.state.mode == .keys)
        #expect(!desk.message.isEmpty)
    }

    @Test(
        "The last line names the keys that are useful for the selected row",
        arguments: [
            (
                "⏎",
                "Enter edit  Space toggle  a add  d delete │ / search  f go to │ q quit  ? help"
            ),
            (
                "⏎j",
                "Enter edit  a add  d delete │ / search  f go to │ : commands  q quit  ? help"
            ),
            (
                "⏎jj",
                "Enter open  a add  A add inside  d delete │ / search  f go to │ q quit  ? help"
            ),
            (
                "⏎jj⏎⎋",
                "Enter collapse  a add  A add inside  d delete │ / search  f go to │ q quit  ? help"
            ),
            (
                "⏎  ",
                "Enter edit  Space toggle  a add  d delete  u undo │ / search │ q quit  ? help"
            ),
            (
                "⏎jmk",
                "Enter edit  a add  d delete  M move to suite  c copy │ / search │ q quit  ? help"
            ),
            (
                "⏎&i⏎",
                "Enter edit  a add  d delete  Esc all │ / search  f go to │ q quit  ? help"
            ),
            ("⏎⏎", "Enter write  Space toggle  Esc cancel │ F1 help"),
            ("⏎j⏎", "Enter write  Esc cancel │ F1 help"),
            ("⏎a", "Enter accept  Esc cancel │ F1 help"),
        ]
    )
    func footer(keys: String, line: String) {
        let desk = Desk(["a": ["b": true, "i": 1, "l": [1]]], columns: 120, keys: keys)
        #expect(desk.foot == line)
    }

    @Test(
        "A narrow screen names the most useful keys, and the help key at any width",
        arguments: [
            (80, "Enter edit  a add  d delete │ / search  f go to │ : commands  q quit  ? help"),
            (60, "Enter edit  a add  d delete │ / search │ q quit  ? help"),
            (40, "Enter edit  a add  d delete │ ? help"),
            (20, "Enter edit │ ? help"), (17, "a add │ ? help"),
            (6, "? help"),
        ]
    )
    func narrowFooter(columns: Int, line: String) {
        let desk = Desk(["a": ["i": 1, "l": []]], columns: columns, keys: "⏎")
        #expect(desk.foot == line)
    }

    @Test(
        "At 60 columns the first four hints and the help are shown, and never more than eight at any width",
        arguments: ["⏎", "⏎j", "⏎jj", "⏎jj⏎", "⏎ ", "⏎S ", "⏎S m", "⏎&i⏎", "⏎/i⏎", "", "⏎S⏎"]
    )
    func mostHints(keys: String) {
        func hints(_ columns: Int) -> [KeyHints.Place] {
            let desk = Desk(["a": ["b": true, "i": 1, "l": []]], columns: columns, keys: keys)
            return KeyHints(desk.state, Layout(desk.state, desk.size)).places
        }
        let (wide, narrow) = (hints(300), hints(60))
        #expect(wide.count <= 8)
        let names = narrow.map(\.name)
        for name in wide.map(\.name).prefix(4) { #expect(names.contains(name), "\(name)") }
        #expect(names.last == "help")
    }

    @Test(
        "Without Unicode the screen is ASCII in every mode",
        arguments: ["", "⏎⏎", "⏎d", "⏎an⏎", "⏎/q", "?", "⏎jj⏎x⏎"]
    )
    func ascii(keys: String) {
        let desk = Desk(
            ["a": ["b": true, "i": [1], "s": .string(String(repeating: "x", count: 99))]],
            glyphs: .ascii,
            keys: keys
        )
        #expect(desk.text.utf8.allSatisfy { $0 < 0x80 })
    }
}
