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
        "In suites that were never selected the finder shows no secret and finds nothing in secrets",
        arguments: [
            ("ftoken", 1, true), ("flogin", 1, true), ("Fhunter", 1, false), ("Fpass phrase", 0, false),
            ("Ftoken", 1, true), ("Fhunter2", 0, false),
        ]
    )
    func finder(keys: String, count: Int, isHidden: Bool) {
        let desk = desk(keys)
        guard case .finding(let finder)? = desk.state.modal else {
            Issue.record("The finder is not open.")
            return
        }
        #expect(finder.hits.count == count)
        #expect(!desk.body.joined().contains("hunter2"))
        #expect(!desk.body.joined().contains("hunter3"))
        #expect(desk.text.contains("••••••") == isHidden)
    }

    @Test(
        "A duplicated, renamed or moved secret stays hidden until the user asks for it",
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

    @Test("A search and a filter find no hidden value and never reveal one")
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
        #expect(desk.foot.contains("The value is a secret. Press v to show it.") == true)
        desk.type("eE")
        #expect(desk.state.modal == nil)
        #expect(desk.effects.allSatisfy { if case .edit = $0 { false } else { true } })
        desk.type("v⏎")
        #expect(desk.text.contains("pass phrase") && desk.text.contains("hunter3"))
        desk.type("hv")
        #expect(hides(desk))
        #expect(desk.outline == ["[login]", "plain", "token"])
    }

    @Test(
        "A secret stays hidden in history and messages after its declaration, file and suite are gone"
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
        #expect(desk.state.suiteList.suites.map(\.id) == ["a"])
        #expect(hides(desk))
        desk.type("H")
        #expect(hides(desk) && desk.text.contains("a secret → a secret"))
    }

    @Test("Messages about copying, duplicating and pasting contain no secret")
    func copying() {
        var desk = desk("j⏎G")
        #expect(desk.selectedKey == "token")
        desk.type("c")
        #expect(hides(desk))
        desk.type("1")
        #expect(hides(desk) && desk.foot == "Copied the value of “token”.")
        desk.type("p")
        #expect(hides(desk) && desk.text.contains("A key for the copied secret"))
        desk.type("⎋D")
        #expect(hides(desk) && desk.text.contains("A key for the copied secret"))
        desk.type("⎋t")
        #expect(hides(desk))
    }

    @Test("A conflict shows neither of two secret values")
    func conflict() {
        var desk = desk("j⏎G⏎new")
        desk.outside("b", "token", "hunter22")
        desk.type("⏎")
        #expect(desk.state.mode == .conflict)
        #expect(hides(desk))
        #expect(desk.text.contains("Another program stored a secret other than yours. Press v to see both."))
        #expect(desk.text.contains("v show"))
        desk.type("v")
        #expect(desk.text.contains("hunter22"))
        desk.type("v")
        #expect(hides(desk))
        desk.outside("b", "token", "new")
        #expect(desk.text.contains("Another program stored the same secret as yours"))
    }
}
