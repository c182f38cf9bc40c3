import PropertyList
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("The history of prompts")
struct PromptHistoryTests {
    private func desk(_ keys: String) -> Desk {
        Desk(["a": ["apple": 1, "pear": 2, "plum": 3], "b": ["cherry": 4]], columns: 100, keys: "⏎" + keys)
    }

    private func line(_ desk: Desk) -> String? { desk.state.modal?.line?.text }

    @Test(
        "Up and Down recall earlier texts, for each prompt separately",
        arguments: [
            ("/pear⏎/plum⏎/↑", "plum"), ("/pear⏎/plum⏎/↑↑", "pear"), ("/pear⏎/plum⏎/↑↑↑", "pear"),
            ("/pear⏎/plum⏎/↑↑↓", "plum"), ("/pear⏎/plum⏎/ch↑↑↓↓", "ch"), ("/pear⏎/plum⏎/ch↑↑↓↓↓", "ch"),
            ("/pear⏎/plum⏎/pear⏎/↑↑↑", "plum"), ("/pear⎋/↑", "pear"), ("/pear⏎&↑", ""), ("&pear⏎&↑", "pear"),
            ("/pear⏎&plum⏎/↑", "pear"), ("/pear⏎/↑s↑", "pear"), ("/pear⏎/↑s↑↓", "pears"),
            ("/⏎/↑", ""), ("fpear⏎f↑", "pear"), ("Fpear⏎F↑", "pear"), ("fpear⎋f↑↑", "pear"),
            ("fpear⎋fplum⎋f↑↑", "pear"), ("Fpear⎋f↑", ""), ("fpear⎋fp↑", "p"),
        ]
    )
    func recall(keys: String, text: String) {
        #expect(line(desk(keys)) == text)
    }

    @Test("^P and ^N do the same in searches, and Alt-p and Alt-n everywhere")
    func otherKeys() {
        for prompt in ["/", "&", "f", "F"] {
            var desk = desk("\(prompt)pear⎋\(prompt)plum⎋\(prompt)x")
            desk.press(.alt("p"))
            #expect(line(desk) == "plum")
            desk.press(.alt("p"))
            #expect(line(desk) == "pear")
            desk.press(.alt("n"))
            desk.press(.alt("n"))
            #expect(line(desk) == "x")
        }
        var desk = desk("/pear⏎/")
        desk.press(.control("p"))
        #expect(line(desk) == "pear")
        desk.press(.control("n"))
        #expect(line(desk) == "")
    }

    @Test("A recalled text is searched as if typed")
    func searching() {
        var desk = desk("/plum⏎gg/↑")
        desk.idle()
        #expect(desk.selectedKey == "plum")
        desk.type("⎋&pe⏎⎋&↑")
        desk.idle()
        #expect(desk.outline == ["[pear]"])
    }

    @Test("In a list of hits Up moves the selection as long as there is a row above")
    func lists() {
        var desk = desk("fpear⎋f")
        desk.idle()
        desk.type("↓↓↑")
        #expect(line(desk) == "")
        desk.type("↑↑")
        #expect(line(desk) == "pear")
    }
}
