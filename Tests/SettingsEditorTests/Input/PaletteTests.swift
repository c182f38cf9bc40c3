import PropertyList
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("The command palette")
struct PaletteTests {
    @Test(
        "The palette has every command of the keymap with its keys and help, in every mode",
        arguments: [Mode.suites, .keys, .history, .pending]
    )
    func complete(mode: Mode) {
        let desk = Desk(["a": ["k": 1]])
        let palette = Palette(mode: mode)
        let commands = desk.state.commands(of: palette)
        for binding in KeyBinding.all where binding.modes.contains(mode) {
            switch binding.command {
            // These need a number, or are the palette itself.
            case .count, .level, .palette: continue
            default: #expect(commands.contains { $0.command == binding.command }, "\(binding.name)")
            }
        }
        for command in commands { #expect(!command.name.isEmpty && !command.help.isEmpty) }
    }

    @Test("A few letters find a command by its name, Enter runs the command, and its keys are shown")
    func running() {
        var desk = Desk(["a": ["k": 1]], columns: 100, keys: "⏎:dupl")
        #expect(desk.body[0].hasPrefix("» duplicate"))
        #expect(desk.body[0].contains(" D "))
        #expect(desk.body[0].contains("Duplicate the row."))
        #expect(desk.foot == ":dupl")
        desk.type("⏎")
        #expect(desk.state.mode == .naming)
        desk.type("2⏎")
        #expect(desk.files["a"]?.count == 2)
    }

    @Test(
        "Commands that are useful for the selected row come first, and a key with two commands offers the useful one"
    )
    func useful() {
        var desk = Desk(["a": ["k": [1], "l": 2]], columns: 100, keys: "⏎:")
        #expect(desk.body[0].contains("open"))
        desk.type("⎋j:")
        #expect(desk.body[0].contains("edit"))
        #expect(!desk.text.contains("Expand or collapse an array, a dictionary or JSON."))
        desk.type("⏎")
        #expect(desk.state.mode == .draft)
    }

    @Test(
        "Whole words rank first, then beginnings and letters inside words; the help matches by words only",
        arguments: [
            ("delete", ["delete"]), ("del", ["delete"]), ("lete", ["delete"]), ("dlt", []),
            ("xml", ["edit outside as XML"]), ("un", ["undo"]), ("se", ["search", "search all"]),
            ("all", ["all", "search all"]), ("^R", ["redo"]), ("d", ["delete"]), ("network", []),
            ("rmv", []),
            // Other words for the commands.
            ("staged", ["stage changes"]), ("save", ["save", "stage changes"]), ("pane", ["watch"]),
            ("theme", ["theme"]), ("colours", ["theme"]),
            ("remove", ["delete"]), ("clone", ["duplicate"]), ("exit", ["quit"]), ("flip", ["toggle"]),
            ("clipboard", ["copy", "paste"]), ("convert", ["change type"]),
            ("switch", ["toggle"]), ("suite edit", ["edit suite outside"]),
        ]
    )
    func ranking(typed: String, first: [String]) {
        let desk = Desk(["a": ["k": true]], keys: "⏎")
        let palette = Palette(mode: .keys, line: LineEditor(typed))
        let names = desk.state.commands(of: palette).map(\.name)
        #expect(Array(names.prefix(first.count)) == first)
        if first.isEmpty { #expect(names.isEmpty) }
    }

    @Test("Esc closes the palette and does nothing else, also on top of a list")
    func leaving() {
        var desk = Desk(["a": ["k": 1]], keys: "⏎:del⎋")
        #expect(desk.state.mode == .keys)
        desk.outside("a", "k", 2)
        desk.type("H:")
        #expect(desk.state.mode == .palette)
        #expect(desk.text.contains("restore"))
        desk.type("⎋")
        #expect(desk.state.mode == .history)
        desk.type(":restore⏎")
        #expect(desk.files["a"] == ["k": 1])
        #expect(desk.writes.count == 1)
    }

    @Test(
        "A text without a command is reported and Enter does nothing; at any size the selected command is visible"
    )
    func nothingFound() {
        var desk = Desk(["a": ["k": 1]], columns: 30, rows: 6, keys: "⏎:qqq")
        #expect(desk.text.contains("No command matches."))
        desk.type("⏎")
        #expect(desk.state.mode == .palette)
        desk.type("⌫⌫⌫" + String(repeating: "↓", count: 30))
        #expect(desk.screen.contains { $0.hasPrefix("»") })
        desk.type("⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟")
        #expect(desk.screen.contains { $0.hasPrefix("»") })
    }
}
