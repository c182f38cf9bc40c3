import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Secrets")
struct SecretsTests {
    private static let schema = SuiteSchema([
        "token": SettingDeclaration(.string(), isSecret: true),
        "login": SettingDeclaration(.anything, isSecret: true),
    ])

    private func desk(_ keys: String = "", columns: Int = 100) -> Desk {
        Desk(
            [
                "a": ["other": 1],
                "b": ["token": "hunter2", "login": ["pass phrase": "hunter3"], "plain": "hunter0"],
            ],
            columns: columns,
            schemas: ["b": Self.schema],
            keys: keys
        )
    }

    private func hides(_ desk: Desk) -> Bool {
        !desk.text.contains("hunter2") && !desk.text.contains("hunter3") && !desk.text.contains("pass phrase")
    }

    @Test(
        "Of a suite that was not looked at the finder shows none, and finds nothing in them",
        arguments: [
            ("ftoken", 1, true), ("flogin", 1, true), ("Fhunter", 1, false), ("Fpass phrase", 0, false),
            ("Ftoken", 1, true), ("Fhunter2", 0, false),
        ]
    )
    func finder(keys: String, count: Int, isHidden: Bool) {
        let desk = desk(keys)
        guard case .finding(let finder)? = desk.state.input else {
            Issue.record("The finder is not open.")
            return
        }
        #expect(finder.hits.count == count)
        #expect(!desk.screen.dropLast().joined().contains("hunter2"))
        #expect(!desk.screen.dropLast().joined().contains("hunter3"))
        #expect(desk.text.contains("••••••") == isHidden)
    }

    @Test(
        "A second one, one with another name, and one in another suite stay secret until they are asked for",
        arguments: ["jjD⏎", "jjrx⏎", "jjM1", "jjc1p⏎"]
    )
    func otherNames(keys: String) {
        var desk = desk("j⏎" + keys)
        let stored = desk.files.values.flatMap(\.values).filter { $0 == "hunter2" }.count
        #expect(stored == (keys.hasPrefix("jjr") || keys.hasPrefix("jjM") ? 1 : 2))
        #expect(hides(desk))
        desk.type("⇥g⏎")
        #expect(hides(desk))
        desk.type("H")
        #expect(hides(desk))
    }

    @Test("A search and a filter find no hidden value, and nothing opens one until it is asked for")
    func closed() {
        var desk = desk("j⏎")
        #expect(desk.outline == ["[login]", "plain", "token"])
        desk.type("/hunter2⏎")
        #expect(desk.selectedKey == "login")
        #expect(hides(desk) || desk.text.contains("Not found: “hunter2”"))
        desk.type("&hunter⏎")
        #expect(desk.outline == ["[plain]"])
        desk.type("⎋gz3ll⏎")
        #expect(desk.outline.count == 3)
        desk.type("g⏎")
        #expect(desk.screen.last?.contains("It is secret; v shows it.") == true)
        desk.type("eE")
        #expect(desk.state.input == nil)
        #expect(desk.effects.allSatisfy { if case .edit = $0 { false } else { true } })
        desk.type("v⏎")
        #expect(desk.text.contains("pass phrase") && desk.text.contains("hunter3"))
        desk.type("hv")
        #expect(hides(desk))
        #expect(desk.outline == ["[login]", "plain", "token"])
    }

    @Test(
        "What was secret stays hidden in history and changes when its declaration, file and suite have gone"
    )
    func gone() {
        var desk = desk("j⏎w")
        desk.outside("b", "token", "hunter22")
        desk.outside("b", "login", nil)
        #expect(hides(desk))
        desk.act(.declared("b", SuiteSchema()))
        #expect(hides(desk))
        desk.type("H")
        #expect(hides(desk) && desk.text.contains("a secret → a secret"))
        desk.type("⎋")
        for key in ["token", "login", "plain"] { desk.outside("b", key, nil) }
        (desk.files["b"], desk.schemas["b"]) = (nil, nil)
        desk.list()
        desk.wait(60)
        desk.type("⎋y")
        desk.list()
        #expect(desk.state.suites.map(\.id) == ["a"])
        #expect(hides(desk))
        desk.type("H")
        #expect(hides(desk) && desk.text.contains("a secret → a secret"))
    }

    @Test("Copying, duplicating and putting in names no secret")
    func copying() {
        var desk = desk("j⏎G")
        #expect(desk.selectedKey == "token")
        desk.type("c")
        #expect(hides(desk))
        desk.type("1")
        #expect(hides(desk) && desk.screen.last == "Copied the value of “token”.")
        desk.type("p")
        #expect(hides(desk) && desk.text.contains("A name for a secret"))
        desk.type("⎋D")
        #expect(hides(desk) && desk.text.contains("A name for a secret"))
        desk.type("⎋t")
        #expect(hides(desk))
    }

    @Test("A conflict shows neither side of it")
    func conflict() {
        var desk = desk("j⏎G⏎new")
        desk.outside("b", "token", "hunter22")
        desk.type("⏎")
        #expect(desk.state.mode == .conflict)
        #expect(hides(desk))
        #expect(desk.text.contains("The file holds a new secret, another one than yours (v shows both)"))
        #expect(desk.text.contains("v show"))
        desk.type("v")
        #expect(desk.text.contains("hunter22"))
        desk.type("v")
        #expect(hides(desk))
        desk.outside("b", "token", "new")
        #expect(desk.text.contains("The file holds the same secret as you have typed"))
    }
}
