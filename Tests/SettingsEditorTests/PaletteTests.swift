import PropertyList
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("The command palette")
struct PaletteTests {
    @Test(
        "It has every command of the keymap with its keys and its sentence, wherever it is called",
        arguments: [Mode.suites, .keys, .history, .pending]
    )
    func complete(mode: Mode) {
        let desk = Desk(["a": ["k": 1]])
        let palette = Palette(mode: mode, beneath: nil)
        let commands = desk.state.commands(of: palette)
        for binding in KeyBinding.all where binding.modes.contains(mode) {
            switch binding.action {
            // These need a number, or are the palette itself.
            case .count, .level, .palette: continue
            default: #expect(commands.contains { $0.action == binding.action }, "\(binding.name)")
            }
        }
        for command in commands { #expect(!command.name.isEmpty && !command.help.isEmpty) }
    }

    @Test("A few letters find a command by its name, Enter does it, and its keys stand beside it")
    func running() {
        var desk = Desk(["a": ["k": 1]], columns: 100, keys: "⏎:dupl")
        #expect(desk.screen[1].hasPrefix("» duplicate"))
        #expect(desk.screen[1].contains(" D "))
        #expect(desk.screen[1].contains("Makes a second one beside it."))
        #expect(desk.screen.last == ":dupl")
        desk.type("⏎")
        #expect(desk.state.mode == .naming)
        desk.type("2⏎")
        #expect(desk.files["a"]?.count == 2)
    }

    @Test(
        "What has a use with the selected row comes first, and a key that does several things does that one"
    )
    func useful() {
        var desk = Desk(["a": ["k": [1], "l": 2]], columns: 100, keys: "⏎:")
        #expect(desk.screen[1].contains("open"))
        desk.type("⎋j:")
        #expect(desk.screen[1].contains("edit"))
        #expect(!desk.text.contains("Opens an array, a dictionary or JSON, or closes it."))
        desk.type("⏎")
        #expect(desk.state.mode == .draft)
    }

    @Test(
        "Words of a name come first, then beginnings, initials and letters of one word; sentences give words alone",
        arguments: [
            ("delete", ["delete"]), ("del", ["delete"]), ("dlt", ["delete"]),
            ("eo", ["edit outside", "edit suite outside"]), ("edout", ["edit outside"]),
            ("xml", ["edit outside as XML"]), ("un", ["undo"]), ("se", ["search", "search all"]),
            ("all", ["all", "search all"]), ("^R", ["redo"]), ("d", ["delete"]), ("network", []),
            ("rmv", []),
            // What people call it too.
            ("staged", ["stage changes"]), ("save", ["not written", "stage changes"]), ("pane", ["watch"]),
            ("theme", ["theme"]), ("colours", ["theme"]),
            ("remove", ["delete"]), ("clone", ["duplicate"]), ("exit", ["quit"]), ("toggle", ["flip"]),
            ("clipboard", ["copy", "paste"]), ("convert", ["change type"]),
            ("turns", ["flip"]), ("suite edit", ["edit suite outside"]),
        ]
    )
    func ranking(typed: String, first: [String]) {
        let desk = Desk(["a": ["k": true]], keys: "⏎")
        let palette = Palette(mode: .keys, beneath: nil, line: LineEditor(typed))
        let names = desk.state.commands(of: palette).map(\.name)
        #expect(Array(names.prefix(first.count)) == first)
        if first.isEmpty { #expect(names.isEmpty) }
    }

    @Test("Esc goes back and does nothing, also to the list that it was called from")
    func leaving() {
        var desk = Desk(["a": ["k": 1]], keys: "⏎:del⎋")
        #expect(desk.state.mode == .keys)
        desk.outside("a", "k", 2)
        desk.type("H:")
        #expect(desk.state.mode == .palette)
        #expect(desk.text.contains("put back"))
        desk.type("⎋")
        #expect(desk.state.mode == .history)
        desk.type(":put back⏎")
        #expect(desk.files["a"] == ["k": 1])
        #expect(desk.writes.count == 1)
    }

    @Test("What no command is called says so, and Enter stays; at any size the selected one is on the screen")
    func nothingFound() {
        var desk = Desk(["a": ["k": 1]], columns: 30, rows: 6, keys: "⏎:qqq")
        #expect(desk.text.contains("No command has such a name."))
        desk.type("⏎")
        #expect(desk.state.mode == .palette)
        desk.type("⌫⌫⌫" + String(repeating: "↓", count: 30))
        #expect(desk.screen.contains { $0.hasPrefix("»") })
        desk.type("⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟⇟")
        #expect(desk.screen.contains { $0.hasPrefix("»") })
    }

    @Test("Typed over the list the number of a movement is gone, and the movement is done once")
    func movement() {
        let desk = Desk(["a": ["k": 1, "l": 2, "m": 3]], keys: "⏎:last⏎")
        #expect(desk.selectedKey == "m")
    }
}
