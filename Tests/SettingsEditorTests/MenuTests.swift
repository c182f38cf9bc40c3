import PropertyList
import SettingsStore
import Testing

@testable import SettingsEditor

@Suite("Choices")
struct MenuTests {
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
        "Letters go to what begins with them, also where they are commands; Enter takes it",
        arguments: [
            ("li", "light"), ("LIL", "lilac"), ("d", "dark"), ("lil↑", "light"), ("lij", "lilac"),
            ("j", "dark"),
            ("lx⎋⏎light", "light"), ("lx⏎li", "light"),
        ]
    )
    func letters(typed: String, chosen: String) {
        var desk = desk(typed)
        desk.type("⏎")
        #expect(desk.files["a"]?["theme"] == .string(chosen))
    }

    @Test("Letters with which nothing begins are told, and the next Enter takes nothing")
    func noMatch() {
        var desk = desk("lix")
        #expect(desk.text.contains("Nothing begins with “lix”"))
        desk.type("⏎")
        #expect(desk.writes.isEmpty)
        #expect(desk.state.mode == .menu)
        desk.type("d⏎")
        #expect(desk.files["a"]?["theme"] == "dark")
    }
}
