import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Values that do not fit their declaration")
struct SchemaViolationTests {
    private static let schema = SuiteSchema([
        "volume": SettingDeclaration(
            .integer(Bounds(PropertyListInteger(0)...PropertyListInteger(11))),
            defaultValue: 5
        ),
        "on": SettingDeclaration(.boolean, cases: [SettingCase(true)]),
        "theme": SettingDeclaration(.string(), cases: [SettingCase("light"), SettingCase("dark")]),
        "window": SettingDeclaration(.record(["width": .init(.integer())])),
        "token": SettingDeclaration(.string(), cases: [SettingCase("right")], isSecret: true),
    ])

    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let values: [String: PropertyListValue]
        /// The key that is selected at first.
        let key: String
        /// The keys typed until the question appears.
        let keys: String
        /// The stored values after the user agreed.
        let after: [String: PropertyListValue]
        /// The values of the other suite.
        var others: [String: PropertyListValue] = [:]
        /// The stored values when the question appears; nil if they are the first ones.
        var before: [String: PropertyListValue]?
        /// The text that the user's own editor saves.
        var outside: String?
        /// The value that another process stores for the key, at the sign ✱.
        var meanwhile: PropertyListValue?

        init(
            _ name: String,
            _ values: [String: PropertyListValue],
            _ key: String,
            _ keys: String,
            after: [String: PropertyListValue]
        ) {
            (testDescription, self.values, self.key, self.keys, self.after) = (name, values, key, keys, after)
        }

        func with(_ change: (inout Way) -> Void) -> Way {
            var way = self
            change(&way)
            return way
        }
    }

    private static let ways: [Way] = [
        Way("typed", ["volume": 1], "volume", "⏎→2⏎", after: ["volume": 12]),
        Way("Space", ["on": true], "on", " ", after: ["on": false]),
        Way("another name", ["x": 99], "x", "r⌫volume⏎", after: ["volume": 99]),
        Way("a second one", ["volum": 99], "volum", "D⌫⌫⌫⌫⌫e⏎", after: ["volum": 99, "volume": 99]),
        Way("put in", ["x": 1], "x", "⇥j⏎mmc1⇥k⏎p", after: ["x": 1, "volume": 99, "theme": "green"])
            .with { $0.others = ["volume": 99, "theme": "green"] },
        Way("undone", ["volume": 99], "volume", "⏎→⌫⏎u", after: ["volume": 99])
            .with { $0.before = ["volume": 9] },
        Way("done again", ["volume": 1], "volume", "⏎→2⏎yu\u{12}", after: ["volume": 12]),
        Way("out of the history", ["volume": 99], "volume", "⏎→⌫⏎H⏎", after: ["volume": 99])
            .with { $0.before = ["volume": 9] },
        Way("over what others have stored", ["volume": 1], "volume", "⏎→2✱⏎y", after: ["volume": 12])
            .with {
                $0.before = ["volume": 3]
                $0.meanwhile = 3
            },
        Way("from the user's own editor", ["volume": 1], "volume", "E", after: ["volume": 12])
            .with { $0.outside = "12" },
    ]

    private func desk(_ way: Way) -> Desk {
        var desk = Desk(["a": way.values, "b": way.others], schemas: ["a": Self.schema], keys: "⏎g")
        while desk.selectedKey != way.key, desk.selectedKey != desk.outline.last { desk.type("j") }
        if let outside = way.outside { desk.outsideAnswers = [{ _ in .text(outside) }] }
        for key in way.keys {
            switch key {
            case "✱": desk.outside("a", way.key, way.meanwhile)
            case "\u{12}": desk.press(.control("r"))
            default: desk.type(String(key))
            }
        }
        return desk
    }

    @Test(
        "Such a value is asked about, wherever it comes from, and written only if the user says so",
        arguments: ways
    )
    func asked(way: Way) {
        var desk = desk(way)
        let before = way.before ?? way.values
        #expect(desk.state.mode == .question)
        #expect(desk.foot.contains("can't have this value"))
        #expect(desk.files["a"] == before)
        var refused = desk
        refused.type("n")
        // Text from the user's own editor is dropped only if the user agrees.
        if refused.state.mode == .question {
            #expect(refused.foot.contains("Edit it again?"))
            refused.type("n")
        }
        #expect(refused.state.mode != .question)
        #expect(refused.files["a"] == before)
        desk.type("y")
        #expect(desk.files["a"] == way.after)
        #expect(desk.state.mode == .keys || desk.state.mode == .history)
    }

    @Test(
        "JSON that a program could not decode is asked about, judged by the default and the schema",
        arguments: [
            ("jtx", nil), ("jjd", "“width” is missing, but its default has it"),
            ("jjrx⏎", "“width” is missing, but its default has it"),
            ("jjt1", "“width” is a string, but its default is a number"), ("jj⏎5⏎", nil), ("jan1x⏎", nil),
            ("jj⏎→.5⏎", "“width” is 70.5, but its default is the whole number 70"), ("jj⏎→.0⏎", nil),
        ] as [(String, String?)]
    )
    func decoding(keys: String, problem: String?) {
        let text = json(#"{"title": "M", "width": 70}"#)
        let schema = SuiteSchema(["window": SettingDeclaration(.json, defaultValue: text)])
        var desk = Desk(["a": ["window": text]], columns: 140, schemas: ["a": schema], keys: "⏎⏎" + keys)
        guard let problem else {
            #expect(desk.state.mode != .question)
            return
        }
        #expect(desk.state.mode == .question)
        #expect(desk.files["a"] == ["window": text])
        #expect(
            desk.foot
                == "Programs might not be able to read “window”: \(problem). Write it anyway?  y yes  n no"
        )
        desk.type("y")
        #expect(desk.writes.count == 1)
        // Once it is there, the row says so.
        desk.type("gg")
        #expect(desk.detailWords.contains("! Programs might not read it: \(problem)."))
        #expect(desk.body[0].contains("! ▾ window") || desk.body[0].contains("!▾ window"))
        // A member that was missing before is no reason to ask.
        desk.type("ggj⏎x⏎")
        #expect(desk.writes.count == 2)
    }

    @Test(
        "A value moved into a suite that was never selected is asked about too, and a fitting value just moves"
    )
    func moving() {
        let files: [String: [String: PropertyListValue]] = ["a": ["on": true, "volume": 99], "b": [:]]
        var desk = Desk(files, schemas: ["b": Self.schema], keys: "⏎jM1")
        #expect(desk.state.mode == .question)
        #expect(desk.files == files)
        var refused = desk
        refused.type("n")
        #expect(refused.files == files)
        desk.type("y")
        #expect(desk.files == ["a": ["on": true], "b": ["volume": 99]])
        desk.type("gM1")
        #expect(desk.files == ["a": [:], "b": ["volume": 99, "on": true]])
    }

    @Test("A value that changed after the question is not written")
    func changed() {
        var desk = Desk(["a": ["on": true]], schemas: ["a": Self.schema], keys: "⏎g ")
        #expect(desk.state.mode == .question)
        desk.outside("a", "on", "theirs")
        desk.type("y")
        #expect(desk.files["a"] == ["on": "theirs"])
    }

    @Test("Text from the external editor is not lost if the answer is no")
    func outsideAgain() {
        var desk = Desk(["a": ["volume": 1]], schemas: ["a": Self.schema], keys: "⏎")
        while desk.selectedKey != "volume" { desk.type("j") }
        desk.outsideAnswers = [{ _ in .text("99") }, { .text($0.text.replacing("99", with: "9")) }]
        desk.type("En")
        #expect(desk.files["a"] == ["volume": 9])
    }

    @Test(
        "Of several problems the first is named with the number of the others, and a secret value is not quoted"
    )
    func wording() {
        var desk = Desk(
            ["a": ["x": 1], "b": ["theme": "green", "token": "hunter2", "volume": 99]],
            schemas: ["a": Self.schema],
            keys: "j⏎mmmc1⇥k⏎p"
        )
        let text = desk.message
        #expect(text.contains("“theme” can't have this value"))
        #expect(text.contains("and 2 more are refused"))
        desk.type("n")
        #expect(desk.files["a"] == ["x": 1])
    }

    @Test("A staged value is not reported as written", arguments: [true, false])
    func waiting(isStaging: Bool) {
        let schemas = ["a": SuiteSchema(["n": SettingDeclaration(.boolean)])]
        var desk = Desk(["a": ["n": true]], columns: 100, schemas: schemas, keys: isStaging ? "⏎S" : "⏎")
        desk.type("t1⏎y")
        #expect(desk.foot == "\(isStaging ? "Staged" : "Written") anyway. Press u to undo.")
        desk.outside("a", "m", 1)
        desk.outside("a", "m", nil)
        desk.type("ooR")
        #expect(desk.foot == "\(isStaging ? "Staged" : "Restored"): “m” is 1.")
    }
}
