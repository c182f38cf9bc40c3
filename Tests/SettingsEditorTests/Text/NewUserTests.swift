import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("What a new user reads and types first")
struct NewUserTests {
    @Test("The answer to a key stays until the next key, although other programs go on")
    func answers() {
        var desk = Desk(["s": ["k": 1, "l": 2]], columns: 100, keys: "⏎d")
        desk.outside("s", "l", 3)
        #expect(desk.foot == "Deleted “k”. Press u to undo.")
        desk.wait(30)
        desk.outside("s", "l", 4)
        #expect(desk.foot == "Deleted “k”. Press u to undo.")
        desk.type("g")
        desk.outside("s", "l", 5)
        #expect(desk.message == "l changed by another program: 4 → 5")
        desk.outside("s", "l", 6)
        #expect(desk.message.hasSuffix("→ 6"))
    }

    @Test(
        "The question about an unreadable file says what becomes of it, and the details name the moved file"
    )
    func unreadableFile() {
        let broken = SuiteStatus(content: .unreadable("line 1"))
        var desk = Desk(
            ["a": [:], "b": ["z": 1]],
            columns: 200,
            rows: 40,
            statuses: ["a": broken],
            keys: "R"
        )
        #expect(
            desk.message
                == "Move the unreadable file aside? Its values are not restored: the file stays beside the others as "
                + "“a.plist.broken-…”, where you can repair it."
        )
        desk.type("y")
        desk.outside("b", "z", 2)
        #expect(desk.message.hasPrefix("The unreadable file is kept as /home/u/.config/a.plist.broken-"))
        desk.type("jk")
        #expect(desk.detailWords.contains("The unreadable file is kept as /home/u/.config/a.plist.broken-"))
    }

    @Test("A new suite without a key is reported as not created, also if it was the only one")
    func onlySuite() {
        let desk = Desk([:], columns: 100, keys: "asu⏎n⏎⏎v⎋")
        #expect(desk.state.suiteList.suites.isEmpty)
        #expect(desk.foot == "“su” was not created, because it has no key.")
    }

    @Test(
        "W is the second hint while changes are staged, and its list says how to save them",
        arguments: [60, 100]
    )
    func saving(columns: Int) {
        var desk = Desk(["s": ["k": 1]], columns: columns, keys: "⏎S⏎5⏎")
        #expect(desk.keyLine.hasPrefix("Enter edit  W save 1  "), "\(desk.keyLine)")
        desk.type("W")
        #expect(desk.text.contains("Nothing in this list is saved yet."))
        #expect(desk.keyLine.hasPrefix("w save all  "))
        desk.type("w")
        #expect(desk.foot == "Saved: 1 key.")
    }

    @Test("A prompt says what the typed text is for")
    func prompts() {
        var desk = Desk(["s": ["a/b c.d": 1, "list": [1]]], columns: 100, keys: "a")
        desk.type("new⏎")
        #expect(desk.text.contains("A key for “new”"))
        desk.type("x⏎")
        #expect(desk.text.contains("Type of “x”: a letter, then Enter"))
        desk.type("⎋⇥⎋")
        desk = Desk(["s": ["a/b c.d": 1, "list": [1]]], columns: 100, keys: "⏎r")
        #expect(desk.text.contains("New name for “a/b c.d”"))
        desk.type("⎋jlja")
        #expect(desk.text.contains("A new element of “list”: a letter, then Enter"))
        desk.type("⎋kh")
        desk.send(.paste(#"{"one": 1}"#))
        #expect(desk.text.contains("A key for the copied "), "\(desk.text)")
        #expect(desk.text.contains("(1 key)"), "\(desk.text)")
    }

    @Test("The help explains each sign, and digits that follow each other are one name")
    func help() {
        let symbols = Symbols(glyphs: .unicode)
        let signs = symbols.legend.map(\.sign)
        for sign in ["≠", "○", "●", "±", "!", "−", "»", "›", "…", "◇", "▸", "§", "↓"] {
            #expect(signs.contains(sign), "\(sign)")
        }
        var desk = Desk(["s": ["k": 1]], columns: 100, rows: 200, keys: "⏎?")
        #expect(desk.text.contains(#/ 0–9 +Repeat the next movement/#))
        desk.type("⎋z")
        #expect(desk.text.contains("1–9 level"))
    }

    @Test(
        "A suite with an unreadable file is not opened in another editor, and the answer names the key that helps"
    )
    func unreadableOutside() {
        let broken = SuiteStatus(content: .unreadable("line 3: the file ends"))
        var desk = Desk(["a": [:]], columns: 120, statuses: ["a": broken])
        desk.act(Command.editSuiteExternally)
        #expect(
            desk.foot
                == "Not written, because the stored values are unreadable: line 3: the file ends. "
                + "Press R to recover."
        )
        #expect(desk.state.modal == nil)
    }

    @Test("While a new value is typed, the details are about the suite and not about another row")
    func detailsOfNew() {
        var desk = Desk(["s": ["k": 42]], columns: 120, rows: 30, keys: "⏎anew⏎")
        #expect(!desk.detailWords.contains("42"), "\(desk.detailWords)")
        desk.type("i⏎")
        #expect(!desk.detailWords.contains("42"), "\(desk.detailWords)")
        desk.type("7⏎")
        #expect(desk.detailWords.contains("7"))
        desk.type("g⏎")
        #expect(desk.detailWords.contains("42"))
        desk.outside("s", "k", nil)
        #expect(!desk.detailWords.contains("7"), "\(desk.detailWords)")
    }

    @Test("A screen in place of the panes has no position of a hidden row")
    func position() {
        var desk = Desk(["s": ["k": 1, "l": 2]], columns: 120, rows: 30, keys: "⏎")
        #expect(desk.text.contains("row 1 of 2"))
        desk.type("S⏎7⏎W")
        #expect(!desk.text.contains("row 1 of"))
    }

    @Test("The line above the keys says the whole path of the row, until a message says what was done")
    func path() {
        let key = String(repeating: "k", count: 60)
        var desk = Desk(["s": [key: ["a": 1]]], columns: 100, rows: 30, keys: "⏎lj")
        // The details have the type and the value.
        #expect(desk.status == "/\(key)/a")
        desk.type("d")
        #expect(desk.message == "Deleted “a”. Press u to undo.")
        #expect(desk.status == "")
        desk.type("uG")
        #expect(desk.status == "/\(key)/a")
        desk.size.rows = 12
        #expect(desk.status == "/\(key)/a  integer  1")
        desk.type("⇥")
        #expect(desk.status == "s  1 key")
    }

    @Test("Something new has no position while its name, its type and its value are typed")
    func positionOfNew() {
        var desk = Desk(["s": ["k": 1, "l": 2]], columns: 120, rows: 30, keys: "⏎")
        for keys in ["a", "new⏎", "i⏎"] {
            desk.type(keys)
            #expect(desk.lineEnd == "", "\(desk.text)")
        }
        desk.type("7⏎")
        #expect(desk.lineEnd == "row 3 of 3")
        // A value that exists keeps its row while it is edited.
        desk.type("k⏎")
        #expect(desk.lineEnd == "row 2 of 3")
        desk.type("⎋⇥a")
        #expect(desk.lineEnd == "", "\(desk.text)")
        desk.type("⎋")
        #expect(desk.lineEnd == "suite 1 of 1")
    }

    @Test("The preferences start with those that are no keys")
    func preferences() {
        let suite = EditorPreferences.suite
        let desk = Desk(["s": ["k": 1], suite: [:]], schemas: [suite: EditorPreferences.schema], keys: ",")
        #expect(desk.selectedSuite == suite)
        #expect(desk.selectedKey == "editor.mouse")
    }

    @Test("The cursor starts in the first row, although rows of declared settings come after the stored ones")
    func firstRow() {
        let schema = SuiteSchema([
            "b": SettingDeclaration(.string(), defaultValue: "x"), "z": SettingDeclaration(.string()),
        ])
        let desk = Desk(["s": ["k": 1, "z": "y"]], schemas: ["s": schema], keys: "⏎")
        #expect(desk.outline == ["[b]", "k", "z"])
    }

    @Test("The hint of v says what it does next")
    func secrets() {
        let schema = SuiteSchema(["token": SettingDeclaration(.string(), isSecret: true)])
        var desk = Desk(["s": ["token": "x"]], columns: 200, schemas: ["s": schema], keys: "⏎")
        #expect(desk.keyLine.contains("v show"))
        desk.type("v")
        #expect(desk.keyLine.contains("v hide"))
    }

    @Test("A staged deletion is announced in the future")
    func stagedDeletion() {
        let desk = Desk(["s": ["k": 1, "l": 2]], columns: 100, keys: "⏎Sd")
        #expect(desk.foot == "“k” will be deleted. Press u to undo.")
    }

    @Test("A change of type to data says which bytes it makes")
    func bytes() {
        let desk = Desk(["s": ["k": 8]], columns: 140, keys: "⏎t")
        #expect(desk.text.contains("the bytes of the text “8”"))
    }
}
