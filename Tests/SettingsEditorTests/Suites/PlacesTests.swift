import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Several places in one list")
struct PlacesTests {
    private static let b = Place("/b", title: "/b")
    private static let file = Place("/c/x.json", title: "/c/x.json", isFile: true)

    /// An editor on a folder with `app` and `web`, a second folder with another `app`, and a file.
    private func desk(rows: Int = 24, preferences: [String: PropertyListValue] = [:], keys: String = "")
        -> Desk
    {
        Desk(
            [
                "app": ["name": "first"], "web": ["port": 80], "/b//app": ["name": "second"],
                "/b//lib": ["depth": 3], "/c/x.json//": ["color": "red"],
            ],
            rows: rows,
            others: [Self.b, Self.file],
            preferences: preferences,
            keys: keys
        )
    }

    /// The left pane, without the blanks at the ends of its lines.
    private func list(_ desk: Desk) -> [String] {
        desk.body.map { line in
            var line = String(line.prefix { $0 != "│" })
            while line.last == " " { line.removeLast() }
            return line
        }.filter { !$0.isEmpty }
    }

    @Test("Each place has a head with its suites below it, and a file is a row of its own")
    func heads() {
        #expect(
            list(desk()) == [
                " ▾ /home/u/.config", "»   app", "    web", " ▾ /b", "    app", "    lib", "   /c/x.json",
            ]
        )
    }

    @Test("A place alone has no head, also after the others were closed")
    func alone() {
        let alone = Desk(["app": ["name": "first"], "web": ["port": 80]])
        #expect(list(alone) == ["» app", "  web"])
        var desk = desk()
        desk.type("Gx")
        #expect(desk.message == "Closed /c/x.json. Press O to open it again.")
        desk.type("Gx")
        #expect(list(desk) == ["» app", "  web"] || list(desk) == ["  app", "» web"])
        #expect(desk.effects.suffix(2).contains(.close("/b")))
        desk.type("x")
        #expect(desk.message.hasPrefix("Only /home/u/.config is open."))
    }

    @Test("A head folds and unfolds its suites with Left, Right and Enter")
    func folding() {
        var desk = desk(keys: "←")
        #expect(desk.selectedSuite == nil)
        #expect(list(desk)[0] == "»▾ /home/u/.config")
        desk.type("←")
        #expect(list(desk).prefix(2) == ["»▸ /home/u/.config", " ▾ /b"])
        desk.type("⏎")
        #expect(list(desk).prefix(2) == ["»▾ /home/u/.config", "    app"])
        desk.type("←→→")
        #expect(desk.selectedSuite == "app")
        // Whatever selects a suite unfolds its place.
        desk.type("←←Flib")
        desk.idle()
        desk.type("⎋/lib⏎")
        #expect(desk.selectedSuite == "/b//lib")
    }

    @Test("A key is edited, undone and redone in the place that it is in")
    func editing() {
        var desk = desk(keys: "jjj⏎⏎!⏎")
        #expect(desk.files["/b//app"] == ["name": "second!"])
        #expect(desk.files["app"] == ["name": "first"])
        desk.type("u")
        #expect(desk.files["/b//app"] == ["name": "second"])
    }

    @Test("Values are copied and moved from place to place")
    func moving() {
        var desk = desk(keys: "jjjj⏎c⏎⇥")
        desk.type("ggj⏎p")
        desk.type("⏎")
        #expect(desk.files["app"]?["depth"] == 3)
        desk = self.desk(keys: "jjjj⏎M")
        #expect(desk.text.contains("app (/home/u/.config)") && desk.text.contains("app (/b)"))
        desk.type("web⏎")
        #expect(desk.files["web"] == ["port": 80, "depth": 3] && desk.files["/b//lib"]?["depth"] == nil)
        desk.type("u")
        #expect(desk.files["web"] == ["port": 80] && desk.files["/b//lib"] == ["depth": 3])
    }

    @Test("Suites of the same name are told apart by their place")
    func names() {
        var desk = desk(keys: "jjjkkFname")
        desk.idle()
        #expect(desk.text.contains("app (/b)") && desk.text.contains("app (/home/u/.config)"))
        desk.type("⎋")
        desk.outside("/b//app", "name", "third")
        #expect(desk.message.hasPrefix("app (/b): "))
    }

    @Test("Staged changes of all places are saved together, and a place with some is not closed")
    func staging() {
        var desk = desk()
        desk.type("S⏎⏎1⏎⇥jjj⏎⏎2⏎⇥x")
        #expect(desk.message == "“app (/b)” has unsaved changes. Press W to save or discard them first.")
        desk.type("Ww")
        #expect(desk.files["app"] == ["name": "first1"] && desk.files["/b//app"] == ["name": "second2"])
        desk.type("x")
        #expect(desk.message == "Closed /b. Press O to open it again.")
    }

    @Test("A change in a closed place cannot be undone until the place is open again")
    func undoAfterClosing() {
        var desk = desk(keys: "⏎⏎?⏎⇥jjj⏎⏎!⏎⇥xu")
        #expect(desk.files["app"] == ["name": "first"] && desk.files["/b//app"] == ["name": "second!"])
        desk.type("u")
        #expect(desk.message == "Nothing to undo.")
        desk.act(.opened(Self.b))
        desk.list()
        desk.type("u")
        #expect(desk.files["/b//app"] == ["name": "second"])
    }

    @Test("A suite is created, renamed and copied in the place of the selected row")
    func creating() {
        var desk = desk(keys: "jj←anew⏎on⏎")
        desk.type("⏎⏎")
        #expect(desk.state.suiteList.suites.contains { $0.id == "/b//new" })
        desk = self.desk(keys: "jjjj⎋r2⏎")
        #expect(desk.files["/b//lib2"] == ["depth": 3] && desk.files["/b//lib"] == nil)
        desk.type("D⏎")
        #expect(desk.files["/b//lib2 copy"] == ["depth": 3])
    }

    @Test("Commands of a place name its folder, and those of a file its path")
    func commands() {
        var place = Place("/b", title: "/b")
        place.commandOptions = ["--directory", "/b"]
        var desk = Desk(
            ["app": ["name": "first"], "/b//app": ["name": "second"], "/c/x.json//": ["color": "red"]],
            others: [place, Self.file],
            keys: "jj⏎Y"
        )
        #expect(desk.effects.contains(.copy("pdefaults --directory /b write app name -string second")))
        desk.type("⇥G⏎Y")
        #expect(desk.effects.contains(.copy("pdefaults write /c/x.json color -string red")))
    }

    @Test("O opens a place, :open with a path does so at once, and the arrow keys recall earlier places")
    func opening() {
        var desk = desk(preferences: ["editor.places": ["~/old", "~/new.json"]], keys: "O↑")
        #expect(desk.typed == "~/new.json")
        desk.type("↑")
        #expect(desk.typed == "~/old")
        desk.type("⏎")
        #expect(desk.effects.contains(.open("~/old")))
        desk.act(.opened(Place("/home/u/old", title: "~/old"), suite: nil))
        #expect(desk.state.modal == nil)
        desk.type(":open /d/e⏎")
        #expect(desk.effects.contains(.open("/d/e")))
        let place = Place("/d", title: "/d")
        desk.files["/d//app"] = ["k": 1]
        desk.act(.opened(place, suite: "app"))
        desk.list()
        #expect(desk.selectedSuite == "/d//app" && desk.state.display.focus == .keys)
        desk.type(":forget⏎")
        #expect(desk.effects.contains(.forgetPlaces))
    }

    @Test(
        "A whole path after the ~/ of the prompt replaces it, and a path of names is in the working directory",
        arguments: [
            ("x", "~/x"), ("/a", "/a"), ("~/a", "~/a"), ("./a", "./a"), ("http://h", "http://h"),
            ("⌫⌫a", "a"), ("⌫⌫a/b", "./a/b"), ("⌫⌫../a", "../a"), ("⌫⌫/a/b", "/a/b"),
        ]
    )
    func typedPath(_ typed: String, _ opened: String) {
        #expect(Desk(["app": ["k": 1]], keys: "O\(typed)⏎").effects.contains(.open(opened)))
    }

    @Test(
        "The prompt stays with the reason if a place cannot be opened, and offers the places that were closed"
    )
    func failing() {
        var desk = desk(keys: "O⌫⌫/x⏎")
        desk.act(TerminalEvent.failed("Not opened: there is no /x."))
        #expect(desk.typed == "/x" && desk.text.contains("Not opened: there is no /x."))
        desk.type("⎋Gx")
        #expect(desk.foot.hasPrefix("Closed"))
        desk.type("O↑")
        #expect(desk.typed == Self.file.title)
    }

    @Test("The places opened before are at most 20, each once, the newest one last")
    func remembering() {
        var places: PropertyListValue?
        for number in 0..<25 { places = EditorPreferences.places(places, adding: "~/\(number)") }
        places = EditorPreferences.places(places, adding: "~/10")
        let texts = EditorPreferences(["editor.places": places ?? .array([])]).places
        #expect(texts.count == 20 && texts.first == "~/5" && texts.suffix(2) == ["~/24", "~/10"])
    }

    @Test("A head with nothing below it shows why, and its place takes a new suite")
    func emptyPlace() {
        var desk = Desk(["app": ["k": 1]], others: [Self.b], keys: "G")
        #expect(desk.selectedSuite == nil && desk.text.contains("0 suites."))
        desk.act(.listingFailed("The folder /b is gone.", in: "/b"))
        #expect(desk.text.contains("The folder /b is gone."))
        desk.act(.rights("this user may not write to the folder", in: "/b"))
        desk.type("a")
        #expect(desk.message == "Read-only: this user may not write to the folder")
    }

    @Test("An editor opened on one suite of a folder shows its keys, and Left shows the list")
    func oneSuite() {
        var options = EditorOptions(places: [Place("/x", title: "/x")])
        options.suite = "web"
        var state = EditorState(options: options)
        let listings = ["app", "web"].map { SuiteListing(id: $0, title: $0) }
        _ = update(&state, .store(.listed(listings)))
        #expect(state.suite?.id == "web" && state.display.focus == .keys)
        _ = update(&state, .command(.left))
        #expect(state.display.focus == .suites && state.suite?.id == "web")
    }
}
