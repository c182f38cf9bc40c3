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
