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
        "A letter selects the item that begins with it, even if the letter is a command elsewhere, and Enter takes the item",
        arguments: [
            ("li", "light"), ("LIL", "lilac"), ("d", "dark"), ("lil↑", "light"), ("lij", "lilac"),
            ("j", "dark"),
            ("lx⎋⏎light", "light"), ("lx", "light"),
        ]
    )
    func letters(typed: String, chosen: String) {
        var desk = desk(typed)
        desk.type("⏎")
        #expect(desk.files["a"]?["theme"] == .string(chosen))
    }

    @Test("A letter without an item is reported, and the next Enter takes the selected item")
    func noMatch() {
        var desk = desk("lilx")
        #expect(desk.text.contains("Nothing begins with “lilx”"))
        #expect(desk.writes.isEmpty)
        desk.type("⏎")
        #expect(desk.files["a"]?["theme"] == "lilac")
    }
}
