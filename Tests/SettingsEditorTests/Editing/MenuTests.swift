import PropertyList
import SettingsStore
import Testing

@testable import SettingsEditor

@Suite("Menus")
struct MenuTests {
    @Test("t selects the first type that is possible, and JSON as a string shows its text")
    func firstPossible() {
        var desk = Desk(["a": ["t": "hello"]], columns: 100, keys: "⏎t")
        let selected = desk.screen.first { $0.contains("» ") && $0.contains("data") }
        #expect(selected != nil)
        desk = Desk(["a": ["j": json(#"{"a": 1}"#)]], columns: 100, keys: "⏎t")
        #expect(desk.text.contains(#"» 1 string      “{"a": 1}”"#))
    }

    @Test("A menu of types has no numbers, so that the beginning of a value chooses nothing")
    func digitsOfValues() {
        var desk = Desk(["a": ["k": 1]], columns: 100, keys: "⏎an⏎42")
        #expect(desk.state.mode == .menu)
        #expect(desk.text.contains("» string"))
        #expect(desk.status == "Choose the type first: press a letter, then Enter.")
        desk.type("i⏎42⏎")
        #expect(desk.files["a"] == ["k": 1, "n": 42])
    }

    @Test("Ctrl-T changes the chosen type of a new value, and the text stays")
    func changedTypes() {
        var desk = Desk(["a": ["k": 1]], columns: 100, keys: "⏎an⏎⏎42")
        #expect(desk.keyLine.contains("^T next type"))
        var types: [String] = []
        for _ in 0..<9 {
            #expect(desk.state.modal?.line?.text == "42")
            types.append(desk.status.split(separator: "  ").dropFirst().joined(separator: " "))
            desk.press(.control("t"))
        }
        let hint = "(such as 2024-05-01 10:20 +02, tomorrow, +3d, or now)"
        #expect(
            types == [
                "string", "integer", "real (such as 0.5, 1e-3, inf)", "boolean", "date \(hint)",
                "data (in hexadecimal)", "data (in Base64)", "data (as text)", "JSON",
            ]
        )
        desk.press(.control("t"))
        desk.type("⏎")
        #expect(desk.files["a"] == ["k": 1, "n": 42])
    }

    @Test("The type of a stored value does not change while it is typed")
    func storedType() {
        var desk = Desk(["a": ["k": 1]], columns: 100, keys: "⏎⏎")
        #expect(!desk.keyLine.contains("^T"))
        desk.press(.control("t"))
        #expect(desk.foot == "Only data has several forms.")
    }

    private func desk(_ keys: String) -> Desk {
        let schema = SuiteSchema([
            "theme": SettingDeclaration(
                .string(),
                cases: ["system", "dark", "light", "lilac", "jade"].map { SettingCase(.string($0)) },
                defaultValue: "system"
            )
        ])
        return Desk(["a": ["theme": "system"]], columns: 100, schemas: ["a": schema], keys: "⏎⏎" + keys)
    }

    @Test(
        "A letter selects the next item that begins with it, and Enter takes the item",
        arguments: [
            ("l", "light"), ("LL", "lilac"), ("lll", "light"), ("d", "dark"), ("l↑", "dark"), ("j", "dark"),
            ("lx", "light"),
        ]
    )
    func letters(typed: String, chosen: String) {
        var desk = desk(typed)
        if typed.hasSuffix("x") { #expect(desk.text.contains("x does nothing here")) }
        desk.type("⏎")
        #expect(desk.files["a"]?["theme"] == .string(chosen))
    }
}
