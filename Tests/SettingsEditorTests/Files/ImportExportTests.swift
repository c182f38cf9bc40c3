import PropertyList
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Importing and exporting")
struct ImportExportTests {
    @Test("An import asks for a path, adds the keys of the file, and is undone as a whole")
    func importing() {
        var desk = Desk(["s": ["k": 1, "l": 2]], columns: 100, keys: "⏎:import⏎")
        #expect(desk.status == "Import from")
        #expect(desk.typed == "~/")
        desk.type("new.plist⏎")
        #expect(desk.effects.last == .importFile("s", path: "~/new.plist"))
        desk.act(.file("s", path: "~/new.plist", .imported(["k": 5, "m": 6])))
        #expect(desk.files["s"] == ["k": 5, "l": 2, "m": 6])
        #expect(desk.text.contains("Imported 2 keys. Press u to undo."))
        desk.type("u")
        #expect(desk.files["s"] == ["k": 1, "l": 2])
        desk.act(.file("s", path: "x", .failed("Could not read x: No such file or directory.")))
        #expect(desk.text.contains("Could not read x"))
    }

    @Test("Tab completes a path as far as it is clear, and lists the rest")
    func completion() {
        var desk = Desk(["s": ["k": 1]], columns: 100, keys: "⏎:import⏎b⇥")
        #expect(desk.effects.last == .completePath("~/b"))
        desk.act(.completedPaths("~/b", ["~/backup1.plist", "~/backups/"]))
        #expect(desk.typed == "~/backup")
        #expect(desk.text.contains("backup1.plist, backups/"))
        desk.type("s⇥")
        desk.act(.completedPaths("~/backups", ["~/backups/"]))
        #expect(desk.typed == "~/backups/")
        desk.type("z⇥")
        desk.act(.completedPaths("~/backups/z", []))
        #expect(desk.text.contains("No file begins with this."))
        // An answer to an older text is ignored.
        desk.act(.completedPaths("~/b", ["~/bad"]))
        #expect(desk.typed == "~/backups/z")
    }

    @Test("On a small screen the path is typed below the rows")
    func small() {
        let desk = Desk(["s": ["k": 1]], columns: 20, rows: 5, keys: "⏎:import⏎b")
        #expect(desk.typed == nil)
        #expect(desk.foot.hasPrefix("Import from: "))
        #expect(desk.cursor?.row == 3)
    }

    @Test("An export replaces an existing file after a question only")
    func exporting() {
        var desk = Desk(["s": ["k": 1]], columns: 100, keys: "⏎:export⏎⏎")
        #expect(desk.effects.last == .exportSuite("s", path: "~/s.plist", replaces: false))
        desk.act(.file("s", path: "~/s.plist", .exists))
        #expect(desk.text.contains("~/s.plist exists. Replace it?"))
        desk.type("y")
        #expect(desk.effects.last == .exportSuite("s", path: "~/s.plist", replaces: true))
        desk.act(.file("s", path: "~/s.plist", .exported(keys: 1)))
        #expect(desk.text.contains("Exported 1 key to ~/s.plist."))
    }
}
