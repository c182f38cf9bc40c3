import FoundationEssentials
import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Filtering by category")
struct RowFilterTests {
    private let schema = SuiteSchema([
        "volume": SettingDeclaration(
            .integer(Bounds(PropertyListInteger(0)...PropertyListInteger(11))),
            defaultValue: 5
        ),
        "theme": SettingDeclaration(.string(), defaultValue: "dark"),
        "count": SettingDeclaration(.integer()),
        "token": SettingDeclaration(.string(), cases: [SettingCase("good")], isSecret: true),
        "window": SettingDeclaration(.json),
    ])

    private func desk(_ values: [String: PropertyListValue], keys: String) -> Desk {
        var desk = Desk(["a": values], columns: 120, keys: "⏎")
        desk.act(.declared("a", schema))
        desk.type("g" + keys)
        return desk
    }

    @Test("o d shows settings that differ from their default, and follows every change")
    func changedFromDefault() {
        var desk = desk(["volume": 7, "theme": "dark", "other": 1], keys: "od")
        #expect(desk.outline == ["[volume]"])
        #expect(desk.title.hasSuffix("› a  [changed from default]"))
        desk.outside("a", "theme", "light")
        #expect(desk.outline == ["theme", "[volume]"])
        desk.outside("a", "count", 0)
        #expect(desk.outline == ["count", "theme", "[volume]"])
        desk.type("=")
        #expect(desk.outline == ["count", "theme", "[volume]"])
        desk.type("k")
        #expect(desk.outline == ["count", "[theme]"])
        desk.type("u")
        #expect(desk.outline.joined().contains("volume"))
        desk.act(.declared("a", SuiteSchema(["other": SettingDeclaration(.integer(), defaultValue: 2)])))
        desk.type("g")
        #expect(desk.outline == ["[other]"])
        desk.type("⎋")
        #expect(desk.outline.count == 4)
        #expect(!desk.title.contains("["))
    }

    @Test("o u shows keys that programs cannot read, and the status line says why")
    func undecodable() {
        var desk = desk(
            [
                "volume": 70, "theme": "dark", "text": "{", "broken": json("{\"x\": 1,"),
                "bytes": json("{abc"),
                "good": json("[1]"), "window": json("nothing"), "token": "bad",
            ],
            keys: "ou"
        )
        #expect(
            desk.outline.joined(separator: " ").filter { !"[]".contains($0) } == "broken token volume window"
        )
        #expect(desk.title.hasSuffix("› a  [undecodable]"))
        desk.type("g")
        #expect(desk.detailWords.contains("! It looks like JSON and is not: line 1"))
        desk.type("j")
        #expect(desk.detailWords.contains("! The setting does not allow it"))
        #expect(!desk.text.contains("bad"))
        desk.type("j")
        #expect(desk.detailWords.contains("! 70 is"))
        // Mended from outside it goes, broken it comes.
        desk.outside("a", "volume", 7)
        desk.outside("a", "theme", 3)
        desk.outside("a", "good", json("[1"))
        #expect(desk.outline.contains("[volume]"))
        desk.type("g")
        #expect(
            desk.outline.joined(separator: " ").filter { !"[]".contains($0) }
                == "broken good theme token window"
        )
    }

    @Test("A key that a program has quarantined is shown, with the file that contains the old value")
    func setAside() {
        var desk = desk(["other": 1], keys: "ou")
        #expect(desk.outline == [])
        #expect(desk.text.contains("Nothing matches the filter."))
        desk.act(.setAside("a", ["other": "/f/.pdefaults/a/other.plist"]))
        #expect(desk.outline == ["[other]"])
        #expect(desk.detailWords.contains("kept in /f/.pdefaults/a/other.plist."))
        desk.act(.setAside("a", [:]))
        #expect(desk.outline == [])
    }

    @Test("A declared setting without a stored value is not undecodable")
    func unset() {
        var desk = desk([:], keys: "ou")
        #expect(desk.outline == [])
        desk.outside("a", "count", "")
        #expect(desk.outline == ["[count]"])
        desk.outside("a", "count", nil)
        #expect(desk.outline == ["[count]"])
        desk.type("⎋ou")
        #expect(desk.outline == [])
    }

    @Test("A filter checks only as many keys before the next key press as time allows")
    func inPieces() {
        var values: [String: PropertyListValue] = [:]
        for number in 0..<3000 { values["k\(number)"] = json("[\(number)") }
        var desk = desk(values, keys: "ou")
        #expect(desk.state.hasWork)
        var rounds = 0
        while desk.state.hasWork, rounds < 100 {
            desk.act(.goOn(budget: 1000))
            rounds += 1
        }
        #expect(rounds > 1)
        #expect(desk.outline.count == 3000)
    }
}
