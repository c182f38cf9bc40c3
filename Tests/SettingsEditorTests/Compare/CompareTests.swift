import PropertyList
import SettingsStore
import TerminalCanvas
import Testing
import ValueDiff

@testable import SettingsEditor

@Suite("Comparing")
struct CompareTests {
    private static let left: [String: PropertyListValue] = [
        "both": "the left text", "dict": ["x": 1, "y": 2], "gone": true, "same": 1,
    ]
    private static let right: [String: PropertyListValue] = [
        "both": "the right text", "dict": ["x": 1, "y": 3], "more": 5, "same": 1,
    ]

    /// The comparison of the suites a and b.
    private func desk(
        _ left: [String: PropertyListValue] = left,
        _ right: [String: PropertyListValue] = right,
        schemas: [String: SuiteSchema] = [:],
        keys: String = ""
    ) -> Desk {
        Desk(["a": left, "b": right], columns: 100, schemas: schemas, keys: "Cb⏎" + keys)
    }

    /// The rows: a sign, the key, and the path inside its value.
    private func rows(_ desk: Desk) -> [String] {
        guard let compared = desk.state.compared else { return [] }
        return compared.rows.map { row in
            let sign =
                switch row.kind {
                case .same: "="
                case .onlyLeft: "<"
                case .onlyRight: ">"
                case .different: "≠"
                }
            return sign + row.id.key + (compared.place(row.id)?.path.description ?? "")
        }
    }

    @Test("C and a name compare two suites: each row says what differs, and o shows equal keys")
    func suites() {
        var desk = desk()
        #expect(rows(desk) == ["≠both", "≠dict", "≠dict/y", "<gone", ">more"])
        #expect(desk.heads.contains("4 differences"))
        #expect(desk.body[0].contains(#/≠ +both +“the left text” +“the right text”/#), "\(desk.body)")
        #expect(desk.status == "both")
        desk.type("o")
        #expect(rows(desk) == ["≠both", "≠dict", "≠dict/y", "<gone", ">more", "=same"])
        desk.type("oG")
        #expect(desk.status.contains("more"))
        desk.type("⎋")
        #expect(desk.state.modal == nil && desk.state.compared == nil)
    }

    @Test("Equal suites say that they are equal")
    func equal() {
        #expect(desk(["k": 1], ["k": 1]).text.contains("Both sides are equal. Press o to show equal keys."))
    }

    @Test("The same suite cannot be chosen, and a folder with one suite has nothing to compare")
    func oneSuite() {
        var desk = Desk(["a": [:], "b": [:]], keys: "C")
        #expect(desk.body.filter { $0.contains("a") }.isEmpty)
        desk = Desk(["a": [:]], keys: "C")
        #expect(desk.message == "There is no other suite to compare with.")
    }

    @Test(
        "> and < copy a row to the other side: a key that is missing is added or deleted",
        arguments: [
            (">", ["both": "the left text"]), ("<", ["both": "the right text"]),
            ("j>", ["dict": ["x": 1, "y": 2]]), ("j<", ["dict": ["x": 1, "y": 3]]),
            ("jj>", ["dict": ["x": 1, "y": 2]]), ("jj<", ["dict": ["x": 1, "y": 3]]),
            ("jjj>", ["gone": true]), ("jjj<", ["gone": nil]), ("G>", ["more": nil]), ("G<", ["more": 5]),
            ("mjjm>", ["both": "the left text", "gone": true]),
        ] as [(String, [String: PropertyListValue?])]
    )
    func copying(keys: String, expected: [String: PropertyListValue?]) {
        var desk = desk()
        let before = desk.files
        desk.type(keys)
        let target = keys.hasSuffix(">") ? "b" : "a"
        #expect(desk.files[keys.hasSuffix(">") ? "a" : "b"] == before[keys.hasSuffix(">") ? "a" : "b"])
        let changed = Set(Self.left.keys).union(Self.right.keys)
            .filter { desk.files[target]?[$0] != before[target]?[$0] }
        #expect(changed == Set(expected.keys))
        for (key, value) in expected { #expect(desk.files[target]?[key] == value) }
        #expect(!rows(desk).contains { row in expected.keys.contains { row.hasPrefix("≠\($0)") } })
        desk.type("u")
        #expect(desk.files == before)
        #expect(rows(desk) == ["≠both", "≠dict", "≠dict/y", "<gone", ">more"])
    }

    @Test(
        "All differences inside a value can be copied one by one, in both directions",
        arguments: [
            (["a", "b", "c"], ["a", "x", "c", "d"]), (["n", "a", "b"], ["a", "b"]),
            ([1, 2, 3, 4], [4, 1, 3]),
            (["k": ["l": [1, 2]], "m": 1], ["k": ["l": [2]], "n": 2]), (["a/b": 1, "": 2], ["a/b": 2]),
            (json(#"{"a": [1, {"b": 2}], "c": 3}"#), json(#"{"a": [{"b": 3}, 4]}"#)),
            ([["a": 1, "b": 1], ["a": 2]], [["a": 1, "b": 2], ["a": 2], 5]),
        ] as [(PropertyListValue, PropertyListValue)]
    )
    func parts(left: PropertyListValue, right: PropertyListValue) {
        for key in [">", "<"] {
            for isValue in [false, true] {
                var desk = Desk(["a": ["k/1": left], "b": ["k/1": right]], columns: 100)
                desk.type(isValue ? "⏎Cb⏎" : "Cb⏎j")
                let former = desk.state.compared?.differences
                #expect(former != 0)
                for _ in 0..<10 { desk.type(key + (isValue ? "" : "gj")) }
                let expected = key == ">" ? left : right
                for suite in ["a", "b"] {
                    let value = desk.files[suite]?["k/1"].map(ValueNode.init)
                    let difference = value.map { TreeDiffer.areEqual($0, ValueNode(expected)) }
                    #expect(difference == true, "\(key) \(isValue): \(String(describing: value))")
                }
                #expect(rows(desk) == [])
            }
        }
    }

    @Test("A value is compared with the value at the same path in the chosen key, even of another type")
    func values() {
        let files: [String: [String: PropertyListValue]] = [
            "a": ["server": ["port": 1, "on": true]], "b": ["server": ["port": [1]], "text": "t"],
        ]
        var desk = Desk(files, columns: 100, keys: "⏎⏎jjC")
        desk.idle()
        desk.type("b server⏎")
        #expect(rows(desk) == ["≠"])
        #expect(desk.heads.contains("a › /server/port") && desk.heads.contains("b › /server/port"))
        desk.type("<")
        #expect(desk.files["a"]?["server"] == ["port": [1], "on": true])
        desk.type("⎋gCtext⏎>")
        #expect(desk.files["b"]?["text"] == ["port": [1], "on": true])
    }

    @Test("A change of either side shows at once, and the selection stays on its row")
    func live() {
        var desk = desk(keys: "G")
        desk.outside("a", "before", 1)
        desk.outside("b", "both", "the left text")
        desk.outside("a", "more", 4)
        #expect(rows(desk) == ["<before", "≠dict", "≠dict/y", "<gone", "≠more"])
        #expect(desk.status.contains("more"))
        desk.type("n")
        #expect(desk.status.contains("before"))
        desk.type("N")
        #expect(desk.status.contains("more"))
    }

    @Test("A side that is deleted or becomes unreadable stays on the screen with a note")
    func gone() {
        var desk = desk()
        desk.act(.status("b", SuiteStatus(content: .unreadable("line 3"))))
        #expect(desk.heads.contains("b (unreadable)"))
        #expect(desk.text.contains("unreadable: line 3"))
        desk.type(">")
        #expect(desk.message.contains("Not written, because the stored values are unreadable"))
        desk.act(.status("b", SuiteStatus(content: .stored)))
        for key in Self.right.keys.sorted() { desk.outside("b", key, nil) }
        desk.files["b"] = nil
        desk.act(.status("b", SuiteStatus(content: .absent)))
        desk.list()
        #expect(desk.heads.contains("b (not stored)"))
        #expect(rows(desk) == ["<both", "<dict", "<gone", "<same"])
    }

    @Test("A secret stays hidden on both sides, and its copy is a secret too")
    func secrets() {
        let schema = SuiteSchema(["k": SettingDeclaration(.string(), isSecret: true)])
        var desk = desk(["k": "hush"], ["k": "quiet"], schemas: ["a": schema])
        #expect(rows(desk) == ["≠k"])
        #expect(!desk.text.contains("hush") && !desk.text.contains("quiet"))
        desk.type("Y")
        #expect(desk.message.contains("The command contains the secret “k”."))
        desk.type("n>")
        #expect(desk.files["b"] == ["k": "hush"])
        desk.type("⎋j")
        #expect(!desk.text.contains("hush"))
    }

    @Test("A locked key is refused with its reason")
    func locked() {
        var desk = desk(["k": 1], ["k": 2])
        let file = OtherLayers.File(
            layer: .mandatory,
            location: "/etc/xdg/b.plist",
            values: PropertyListEntries(["k": 3])
        )
        desk.act(.layers("b", OtherLayers([file])))
        desk.type(">")
        #expect(desk.files["b"] == ["k": 2])
        #expect(desk.message.contains("/etc/xdg/b.plist"), "\(desk.message)")
        desk.type("<")
        #expect(desk.files["a"] == ["k": 2])
    }

    @Test("Staged copies are compared, and are not saved before the user does so")
    func staged() {
        var desk = desk()
        desk.type("⎋SCb⏎>")
        #expect(rows(desk) == ["≠dict", "≠dict/y", "<gone", ">more"])
        #expect(desk.files["b"] == Self.right)
        desk.type("⎋Ww")
        #expect(desk.files["b"]?["both"] == "the left text")
    }

    @Test("Y copies the commands that make the left side equal to the right one")
    func commands() {
        let desk = desk(keys: "Y")
        #expect(
            desk.effects.last
                == .copy(
                    """
                    pdefaults write a both -string 'the right text'
                    pdefaults write --at /y a dict -int 3
                    pdefaults delete a gone
                    pdefaults write a more -int 5
                    """
                )
        )
    }

    @Test("A suite is compared with its defaults, and copying a default removes the stored value")
    func defaults() {
        let schema = SuiteSchema([
            "unset": SettingDeclaration(.integer(), defaultValue: 1),
            "volume": SettingDeclaration(.integer(), defaultValue: 5),
        ])
        var desk = Desk(["a": ["volume": 7, "other": 1]], columns: 100, schemas: ["a": schema])
        desk.type(":compare defaults⏎")
        #expect(rows(desk) == ["<other", "≠volume"])
        desk.type(">")
        #expect(desk.message == "“defaults of a” cannot be changed.")
        desk.type("G<")
        #expect(desk.files["a"] == ["other": 1])
        #expect(rows(desk) == ["<other"])
    }

    @Test("A suite is compared with what it had at the start, whoever changed it")
    func start() {
        var desk = Desk(["a": ["b": true, "k": 1, "l": 2]], columns: 100, keys: "⏎ ")
        desk.outside("a", "k", 5)
        desk.outside("a", "l", nil)
        desk.outside("a", "new", 1)
        desk.type(":compare start⏎")
        desk.idle()
        #expect(rows(desk) == ["≠b", "≠k", ">l", "<new"])
        for _ in 0..<4 { desk.type("<") }
        #expect(desk.files["a"] == ["b": true, "k": 1, "l": 2])
        #expect(rows(desk) == [])
        desk.outside("a", "late", 1)
        #expect(rows(desk) == ["<late"])
    }

    @Test("In the history m on two changes and C compare the values after them")
    func history() {
        var desk = Desk(["a": ["k": [1, 2]]], columns: 100, keys: "⏎")
        desk.outside("a", "k", [1, 3])
        desk.outside("a", "k", [1, 3, 4])
        desk.type("HmjmC")
        #expect(rows(desk) == [">/2"])
        desk.type("<")
        #expect(desk.message.contains("cannot be changed."))
        desk.type("⎋HjC")
        #expect(rows(desk) == [">/2"])
        desk.outside("a", "k", [1, 3])
        #expect(rows(desk) == [])
    }

    @Test("Large suites are compared a little at a time, the first rows first, and a change shows at once")
    func large() {
        var files: [String: [String: PropertyListValue]] = ["a": [:], "b": [:]]
        for number in 0..<50_000 {
            let key = "key.\(number)"
            files["a"]?[key] = .integer(PropertyListInteger(number))
            files["b"]?[key] = .integer(PropertyListInteger(number % 10 == 0 ? -number - 1 : number))
        }
        var desk = Desk(files, columns: 100, keys: "Cb⏎")
        #expect(desk.state.hasWork)
        #expect(desk.body[0].contains("key.0"))
        desk.outside("a", "key.0", -1)
        desk.idle()
        #expect(desk.heads.contains("4999 differences"))
        desk.outside("a", "key.0", 0)
        #expect(desk.heads.contains("5000 differences"))
        #expect(!desk.state.hasWork)
    }
}

private enum TreeDiffer {
    /// Whether two values mean the same, even if they are written otherwise.
    static func areEqual(_ a: ValueNode, _ b: ValueNode) -> Bool { a == b || a.isWrittenOtherwise(in: b) }
}
