import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("The editor's own preferences")
struct PreferencesTests {
    private let schemas = ["pdefaults": EditorPreferences.schema]

    @Test("A command gets the user's keys, and loses the standard ones; hints, help and palette follow")
    func rebinding() {
        var desk = Desk(
            ["s": ["k": 1, "l": 2]],
            columns: 160,
            rows: 40,
            preferences: ["key.delete": "Z ^G"],
            keys: "⏎d"
        )
        #expect(desk.files["s"] == ["k": 1, "l": 2])
        desk.type("⎋")
        #expect(desk.text.contains("Z delete"))
        desk.type("Z")
        #expect(desk.files["s"] == ["l": 2])
        desk.type(":delete")
        #expect(desk.text.contains("Z ^G"))
        desk.type("⎋")
        #expect(
            HelpText.lines(desk.state, in: .keys, columns: 80).contains { $0.keys == "Z ^G" }
        )
        let manual = KeySection.all(of: EditorPreferences(["key.delete": "Z ^G"])).flatMap(\.keys).map(
            \.names
        )
        #expect(manual.contains("Z ^G"))
    }

    @Test("Enter, the arrow keys, h and l can be given to other commands, and the commands other keys")
    func arrows() {
        let preferences: [String: PropertyListValue] = [
            "key.open": "o", "key.only": "", "key.left": "b", "key.right": "w", "key.watch": "",
            "key.up": "h",
            "key.down": "l", "key.add": "Enter Left",
        ]
        #expect(EditorPreferences(preferences).problems == [])
        var desk = Desk(["s": ["d": ["x": 1], "k": 1]], columns: 160, preferences: preferences, keys: "o")
        #expect(desk.state.mode == .keys)
        desk.type("w")
        #expect(desk.outline == ["[d]", "  x", "k"])
        #expect(desk.keyLine.hasPrefix("o collapse"))
        desk.type("bo")
        #expect(desk.outline == ["[d]", "  x", "k"])
        desk.type("l")
        #expect(desk.outline == ["d", "  [x]", "k"])
        desk.type("h⏎")
        #expect(desk.state.mode == .naming)
        desk.type("⎋←")
        #expect(desk.state.mode == .naming)
        // Only the keys of the two lists change.
        desk.type("⎋oo")
        #expect(desk.outline == ["[d]", "  x", "k"])
        desk.type("?l⏎")
        #expect(desk.state.modal == nil)
    }

    @Test("Esc, q and ? always work", arguments: ["open", "left", "up", "palette", "commands"])
    func fixed(name: String) {
        for key in ["Esc", "q", "?"] {
            #expect(EditorPreferences(["key.\(name)": .string(key)]).keys.isEmpty)
        }
    }

    @Test("The preferences explain a command in the words of the list of keys")
    func words() {
        let open = EditorPreferences.schema.declarations["key.open"]
        #expect(open?.title == "Keys of “open”")
        #expect(open?.defaultValue == "Enter")
        #expect(open?.help?.contains("Expand or collapse") == true)
        #expect(open?.help?.contains("Edit the value") == true)
        #expect(EditorPreferences.schema.declarations["key.add"]?.title == "Keys of “add”")
    }

    @Test("A message names the user's key")
    func messages() {
        var desk = Desk(
            ["s": ["k": 1]],
            columns: 140,
            rows: 40,
            preferences: ["key.undo": "Z", "key.staged": "", "key.add": "u"],
            keys: "⏎d"
        )
        #expect(desk.message == "Deleted “k”. Press Z to undo.")
        #expect(desk.text.contains("No keys yet. Press u to add one."))
        desk.type("ZSd")
        #expect(desk.detailWords.contains("Press Z to undo."))
    }

    @Test("A command without keys is still in the palette")
    func unbound() {
        var desk = Desk(["s": ["k": 1]], columns: 100, preferences: ["key.delete": ""], keys: "⏎d")
        #expect(desk.files["s"] == ["k": 1])
        desk.type(":delete⏎")
        #expect(desk.files["s"] == [:])
    }

    @Test(
        "A key that another command has is refused with the name of that command",
        arguments: [
            ("key.delete", "a", "a is already the key of “add”. Choose another key."),
            ("key.delete", "q", "q is already the key of “quit”. Choose another key."),
            ("key.delete", "?", "? is already the key of “help”. Choose another key."),
            ("key.delete", "Esc", "Esc is already the key of “all”. Choose another key."),
            ("key.delete", "5", "5 is already the key of “number”. Choose another key."),
            ("key.delete", "Enter", "Enter is already the key of “open”. Choose another key."),
            ("key.left", "l", "l is already the key of “enter”. Choose another key."),
            ("key.delete", "^I", "Terminals send ^I as Tab. Choose another key."),
            (
                "key.delete", "Hyper-x",
                "There is no key “Hyper-x”. Keys are named like x, ^X, Alt-x, F5, Del or Space."
            ),
        ]
    )
    func conflicts(key: String, text: String, reason: String) {
        #expect(EditorPreferences([key: .string(text)]).problems == ["Preference “\(key)”: \(reason)"])
        var desk = Desk(["pdefaults": [:]], columns: 140, rows: 120, schemas: schemas, keys: "⏎/key.delete⏎⏎")
        desk.press(.control("u"))
        desk.type(text + "⏎")
        #expect(desk.text.contains(reason))
        #expect(desk.files["pdefaults"] == [:])
    }

    @Test("Two commands can exchange their keys one after the other")
    func exchange() {
        let preferences = EditorPreferences(["key.add": "n", "key.nextMatch": "a"])
        #expect(preferences.problems == [])
        #expect(EditorPreferences.problem(with: ["key.nextMatch": "a"], changing: ["key.nextMatch"]) != nil)
    }

    @Test("The running editor follows a change: keys, mouse, staging, theme and width")
    func live() {
        var desk = Desk(["s": ["k": 1]], columns: 100, keys: "⏎")
        desk.act(
            .preferences(
                EditorPreferences([
                    "key.delete": "Z", "editor.mouse": false, "editor.staging": true, "editor.theme": "light",
                    "editor.suitesWidth": 12,
                ])
            )
        )
        #expect(desk.effects.contains(.reportMouse(false)))
        #expect(desk.effects.contains(.useTheme(.light)))
        #expect(desk.state.staging.isOn)
        #expect(
            desk.body[0].firstIndex(of: "│")
                == desk.body[0].index(desk.body[0].startIndex, offsetBy: 12)
        )
        desk.act(.preferences(EditorPreferences([:])))
        #expect(desk.effects.last == .useTheme(.auto))
        #expect(desk.effects.contains(.reportMouse(true)))
        #expect(!desk.state.staging.isOn)
        desk.type("d")
        #expect(desk.files["s"] == [:])
    }

    @Test("One command resets all keys")
    func reset() {
        var desk = Desk(
            ["s": ["k": 1]],
            columns: 100,
            preferences: ["key.delete": "Z"],
            keys: "⏎:reset keys⏎"
        )
        #expect(desk.effects.last == .resetKeys)
        desk = Desk(["s": ["k": 1]], columns: 100, keys: "⏎:reset keys⏎")
        #expect(desk.text.contains("All keys are the standard ones."))
    }

    @Test("A read-only editor does not reset the keys")
    func resetReadOnly() {
        let desk = Desk(
            ["s": ["k": 1]],
            columns: 100,
            readOnly: "--read-only was given",
            preferences: ["key.delete": "Z"],
            keys: "⏎:reset keys⏎"
        )
        #expect(!desk.effects.contains(.resetKeys))
        #expect(desk.text.contains("Read-only: --read-only was given"))
    }

    @Test("The preferences open with a comma, as soon as their suite is listed")
    func opening() {
        var desk = Desk(["s": ["k": 1]], columns: 100, rows: 90, keys: "⏎,")
        #expect(desk.effects.last == .declarePreferences)
        desk.schemas = schemas
        desk.list()
        #expect(desk.selectedSuite == "pdefaults")
        #expect(desk.text.contains("suitesWidth"))
        #expect(desk.text.contains("auto"))
    }

    @Test("A wrong value is ignored, and the editor says so")
    func wrong() {
        let wrong: [String: PropertyListValue] = ["editor.mouse": 5, "editor.theme": "pink"]
        let desk = Desk(["s": ["k": 1]], columns: 100, preferences: wrong)
        #expect(desk.state.display.usesMouse)
        #expect(desk.text.contains("Preference “editor.theme”"))
    }
}
