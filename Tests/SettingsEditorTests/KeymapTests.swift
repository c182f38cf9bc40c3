import PropertyList
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("The keymap")
struct KeymapTests {
    @Test("A key has at most one meaning in a mode, but for Enter on what can be opened")
    func unambiguous() {
        for mode in Mode.allCases {
            var seen: [Key: EditorAction] = [:]
            for binding in KeyBinding.all where binding.modes.contains(mode) {
                for key in binding.keys {
                    #expect(seen[key] == nil || seen[key] == binding.action, "\(key) in \(mode)")
                    seen[key] = binding.action
                }
            }
        }
    }

    @Test(
        "Every mode can be left with Esc or q, and names its most useful key first",
        arguments: Mode.allCases
    )
    func leaving(mode: Mode) {
        let bindings = KeyBinding.all.filter { $0.modes.contains(mode) }
        #expect(bindings.contains { $0.keys.contains(.escape) })
        #expect(bindings.contains { $0.isUseful != nil })
    }

    @Test("Where texts are typed no printable key has another meaning, but the space of a boolean")
    func typing() {
        for binding in KeyBinding.all where binding.modes.contains(where: \.isText) {
            for case .character(let character) in binding.keys {
                #expect(character == " " && binding.modes == [.booleanDraft])
            }
        }
    }

    @Test("The help names every key of the keymap, and fits any width", arguments: [10, 20, 40, 80, 200])
    func help(columns: Int) {
        let lines = HelpText.lines(columns: columns, glyphs: .unicode)
        for binding in KeyBinding.all {
            let keys = binding.keys.map { $0.name(.unicode) }.joined(separator: " ")
            #expect(lines.contains { $0.keys == "  " + keys }, "\(keys)")
        }
        for line in lines where columns >= 20 {
            #expect(displayWidth(of: line.text) <= columns - HelpText.keyColumns(columns))
        }
    }

    @Test(
        "The help scrolls as far as it goes, and Esc, q, ? and Enter leave it",
        arguments: ["⎋", "q", "?", "⏎"]
    )
    func scrolling(key: String) {
        var desk = Desk(["a": [:]], columns: 40, rows: 10, keys: "?")
        #expect(desk.screen[1] == "In the list of suites")
        desk.type("j")
        #expect(desk.screen[1] == "  Enter → l")
        desk.type("⇟⇟⇞⇞⇞")
        #expect(desk.screen[1] == "In the list of suites")
        desk.type("G")
        let end = desk.screen
        desk.type("↓⇟")
        #expect(desk.screen == end)
        #expect(end[7] == "    Goes down a line.")
        desk.type("k")
        #expect(desk.screen != end)
        desk.type(key)
        #expect(desk.state.mode == .suites)
    }

    @Test("The help begins with the keys of where one is")
    func helpOfKeys() {
        let desk = Desk(["a": ["k": 1]], keys: "⏎?")
        #expect(desk.screen[1] == "In the keys")
        #expect(desk.screen[2] == "  Enter             Opens an array, a dictionary or JSON, or closes it.")
        let lines = HelpText.lines(columns: 80, glyphs: .unicode, from: .keys)
        #expect(lines.contains { $0.keys == "In the list of suites" })
        #expect(Set(lines.map(\.text)) == Set(HelpText.lines(columns: 80, glyphs: .unicode).map(\.text)))
    }

    @Test(
        "The last line names what is useful with what is selected",
        arguments: [
            (
                "⏎",
                "Enter edit  Space flip  a add  d delete  / search  f go to  : commands  & filter  Tab suites  q quit  ? help"
            ),
            (
                "⏎j",
                "Enter edit  a add  d delete  / search  f go to  : commands  & filter  Tab suites  F search all  o only  q quit  ? help"
            ),
            (
                "⏎jj",
                "Enter open  a add  d delete  / search  f go to  : commands  & filter  Tab suites  F search all  o only  q quit  ? help"
            ),
            (
                "⏎jj⏎",
                "← close  a add  d delete  / search  f go to  : commands  & filter  Tab suites  F search all  o only  q quit  ? help"
            ),
            (
                "⏎  ",
                "Enter edit  Space flip  a add  d delete  u undo  / search  f go to  : commands  & filter  Tab suites  q quit  ? help"
            ),
            (
                "⏎&i⏎",
                "Enter edit  a add  d delete  Esc all  / search  f go to  : commands  & filter  Tab suites  F search all  q quit  ? help"
            ),
            ("⏎⏎", "Enter write  Space flip  Esc leave as it was  F1 help"),
            ("⏎j⏎", "Enter write  Esc leave as it was  F1 help"),
            ("⏎a", "Enter go on  Esc leave as it was  F1 help"),
        ]
    )
    func footer(keys: String, line: String) {
        let desk = Desk(["a": ["b": true, "i": 1, "l": []]], columns: 120, keys: keys)
        #expect(desk.screen.last == line)
    }

    @Test(
        "What one needs first is named on narrow screens too, the help at any width",
        arguments: [
            (80, "Enter edit  a add  d delete  / search  f go to  : commands  q quit  ? help"),
            (60, "Enter edit  a add  d delete  / search  q quit  ? help"),
            (40, "Enter edit  a add  q quit  ? help"),
            (20, "Enter edit  ? help"), (17, "a add  ? help"),
            (6, "? help"),
        ]
    )
    func narrowFooter(columns: Int, line: String) {
        let desk = Desk(["a": ["i": 1, "l": []]], columns: columns, keys: "⏎")
        #expect(desk.screen.last == line)
    }

    @Test(
        "The screen of a terminal without Unicode is ASCII, whatever the mode",
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
