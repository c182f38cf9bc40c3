import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Layers in the editor")
struct OtherLayersTests {
    private static let mandatory = "/etc/pdefaults/mandatory/a.plist"
    private static let host = "/home/u/.config/ByHost/a..plist"
    private static let site = "/etc/xdg/a.plist"

    private static func layers(
        mandatory: [String: PropertyListValue] = [
            "box": ["x": 1, "list": [1, 2]], "on": true, "volume": 40,
        ],
        host: [String: PropertyListValue] = ["theme": "dark"],
        site: [String: PropertyListValue] = ["size": 60, "rows": [1, 2], "volume": 50]
    ) -> OtherLayers {
        let all: [(SettingsLayer, String, [String: PropertyListValue])] = [
            (.mandatory, Self.mandatory, mandatory), (.host, Self.host, host), (.site, Self.site, site),
        ]
        return OtherLayers(
            all.map { OtherLayers.File(layer: $0.0, location: $0.1, values: PropertyListEntries($0.2)) }
        )
    }

    private func desk(
        _ values: [String: PropertyListValue] = ["name": "Pitt", "volume": 80],
        glyphs: Glyphs = .unicode,
        keys: String = ""
    ) -> Desk {
        var desk = Desk(["a": values], columns: 120, glyphs: glyphs, keys: "⏎")
        desk.act(.layers("a", Self.layers()))
        // The highlights of these changes end.
        desk.wait(60)
        desk.type("g" + keys)
        return desk
    }

    private func select(_ key: String, _ desk: inout Desk) {
        desk.type("g")
        while desk.selectedKey != key, desk.selectedKey != desk.outline.last { desk.type("j") }
    }

    private func line(_ key: String, _ desk: Desk) -> String {
        desk.body.first { $0.contains(" \(key) ") } ?? ""
    }

    @Test(
        "A row shows the value that programs see, with a sign of its layer",
        arguments: [Glyphs.unicode, .ascii]
    )
    func signs(_ glyphs: Glyphs) {
        let desk = desk(glyphs: glyphs)
        #expect(desk.outline == ["[box]", "name", "on", "rows", "size", "theme", "volume"])
        let (locked, inherited) = glyphs == .unicode ? ("§", "↓") : ("L", "i")
        #expect(line("volume", desk).contains("40") && line("volume", desk).contains(locked))
        #expect(line("on", desk).contains(locked))
        #expect(line("theme", desk).contains(locked) && line("theme", desk).contains("dark"))
        #expect(line("size", desk).contains(inherited) && line("size", desk).contains("60"))
        if glyphs == .unicode {
            #expect(!line("name", desk).contains(locked) && !line("name", desk).contains(inherited))
        }
    }

    @Test(
        "On a locked row every editing key says which file locks it",
        arguments: ["on", "volume"],
        ["⏎", " ", "e", "E", "X", "r", "t", "d", "M"]
    )
    func locked(_ key: String, _ typed: String) {
        var desk = desk()
        select(key, &desk)
        desk.type(typed)
        #expect(
            desk.message
                == "“\(key)” is locked by /etc/pdefaults/mandatory/a.plist. Only the administrator can change it."
        )
        #expect(desk.state.modal == nil)
        #expect(desk.files["a"] == ["name": "Pitt", "volume": 80])
    }

    @Test(
        "Nothing inside a locked row can be changed",
        arguments: ["A", "a", "d", "r", "t", "⏎", "<", ">", "p"]
    )
    func lockedInside(_ typed: String) {
        var desk = desk(keys: "⏎jj")
        #expect(desk.state.selectedRow?.path == [.key("box"), .key("x")])
        // Something to paste.
        desk.type("c1" + typed)
        #expect(desk.text.contains("“box” is locked by /etc/pdefaults/mandatory/a.plist"), "\(desk.text)")
        #expect(desk.files["a"] == ["name": "Pitt", "volume": 80])
    }

    @Test("A row that this host has a value for says so")
    func host() {
        var desk = desk()
        select("theme", &desk)
        desk.type("⏎")
        #expect(desk.message == "“theme” has a value for this host in \(Self.host), which hides yours.")
    }

    @Test("Editing an inherited value starts from it and writes the user's layer; = removes that again")
    func inherited() {
        var desk = desk()
        select("size", &desk)
        desk.type("⏎")
        #expect(line("size", desk).contains("60"))
        desk.type("↘1⏎")
        #expect(desk.files["a"]?["size"] == 601)
        #expect(!line("size", desk).contains("↓"))
        desk.type("=")
        #expect(desk.files["a"] == ["name": "Pitt", "volume": 80])
        #expect(desk.message == "Reset: “size” is 60 now, from \(Self.site).")
        #expect(line("size", desk).contains("↓"))
        desk.type("=")
        #expect(desk.message == "No value of yours is stored, so there is nothing to remove.")
        desk.type("d")
        #expect(desk.message == "No value of yours is stored. The row shows the value in \(Self.site).")
    }

    @Test("Editing inside an inherited array stores the whole array")
    func inheritedInside() {
        var desk = desk()
        select("rows", &desk)
        desk.type("⏎j⏎5⏎")
        #expect(desk.files["a"]?["rows"] == [5, 2])
    }

    @Test("= removes the user's value of a locked key, and the row stays")
    func resetLocked() {
        var desk = desk()
        select("volume", &desk)
        desk.type("=")
        #expect(desk.files["a"] == ["name": "Pitt"])
        #expect(line("volume", desk).contains("40"))
        desk.type("=")
        #expect(desk.message.contains("is locked by"))
    }

    @Test("A change in a layer is shown and reported if programs see it")
    func changes() {
        var desk = desk()
        desk.act(.layers("a", Self.layers(mandatory: ["name": "Locked"], site: ["size": 61, "volume": 51])))
        #expect(desk.outline == ["[name]", "size", "theme", "volume"])
        #expect(line("volume", desk).contains("80") && line("name", desk).contains("Locked"))
        #expect(desk.text.contains("keys changed by another program"))
        select("name", &desk)
        desk.type("⏎")
        #expect(desk.message.contains("“name” is locked by"))
        desk.act(.layers("a", OtherLayers()))
        #expect(desk.outline == ["[name]", "volume"])
        #expect(line("name", desk).contains("Pitt"))
    }

    @Test("A layer's file that does not count is reported once, and stays in the details")
    func problem() {
        var desk = desk()
        let problem = LayerProblem(
            layer: .mandatory,
            location: Self.mandatory,
            reason: "users other than root may write it",
            keepsLastValues: false
        )
        let layers = OtherLayers(Self.layers(mandatory: [:]).files, problems: [problem])
        desk.act(.layers("a", layers))
        let text = "\(Self.mandatory): the mandatory file is ignored: users other than root may write it."
        #expect(desk.text.contains(text))
        desk.type("g")
        desk.act(.layers("a", layers))
        #expect(!desk.text.contains(text))
        desk.type("i")
        #expect(desk.text.contains("the mandatory file is ignored"))
    }

    @Test("A foreign change of a hidden value changes no row")
    func hiddenChange() {
        var desk = desk()
        desk.outside("a", "volume", 90)
        #expect(line("volume", desk).contains("40") && !line("volume", desk).contains("●"))
        desk.act(.layers("a", OtherLayers()))
        #expect(line("volume", desk).contains("90"))
    }
}
