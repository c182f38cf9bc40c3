import Foundation
import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Editing a value in its row")
struct EditingTests {
    @Test(
        "The text of a number, a date or JSON is selected at first: typing replaces it, an arrow key edits it",
        arguments: [
            (12, "⏎⏎3⏎", 3), (12, "⏎⏎→3⏎", 123), (12, "⏎⏎←3⏎", 312), (1.5, "⏎⏎2⏎", .real(2)),
            (json("12"), "⏎⏎3⏎", json("3")), (json("[1]"), "⏎e{}⏎", json("{}")), ("text", "⏎⏎s⏎", "texts"),
        ] as [(PropertyListValue, String, PropertyListValue)]
    )
    func selectedText(value: PropertyListValue, keys: String, new: PropertyListValue) {
        let desk = Desk(["a": ["k": value]], keys: keys)
        #expect(desk.files["a"]?["k"] == new)
    }

    @Test("^T keeps typed text that is invalid in this form, and goes to the form in which it is valid")
    func formOfTypedText() {
        var desk = Desk(["a": ["d": .data(Data([0xFF]))]], columns: 100, keys: "⏎⏎⌫⌫hello there")
        desk.press(.control("t"))
        #expect(desk.text.contains("hello there"))
        #expect(desk.text.contains("(as text)"))
        desk.type("⏎")
        #expect(desk.files["a"]?["d"] == .data(Data("hello there".utf8)))
    }

    @Test(
        "Enter edits and Enter writes the new value, for every type",
        arguments: [
            ("red", "⏎ish⏎", "reddish"), ("red", "⏎⌫⌫⌫⏎", ""), (8080, "⏎→⌫1⏎", 8081),
            (
                .integer(PropertyListInteger(UInt64.max)), "⏎→⌫4⏎",
                .integer(PropertyListInteger(UInt64.max - 1))
            ),
            (0.5, "⏎→5⏎", 0.55), (true, "⏎⌫⌫⌫⌫no⏎", false), (true, "⏎ ⏎", false), (false, "⏎ ⏎", true),
            (.data(Data([0xFF])), "⏎00⏎", .data(Data([0xFF, 0]))), (.uid(3), "⏎→0⏎", .uid(30)),
            (
                .date(Date(timeIntervalSinceReferenceDate: 0)), "⏎→⌫+01:00⏎",
                .date(Date(timeIntervalSinceReferenceDate: -3600))
            ),
            (json("17"), "⏎→0⏎", json("170")), (json(" \"a\" "), "⏎\"⏎", json(#" "a\"" "#)),
        ] as [(PropertyListValue, String, PropertyListValue)]
    )
    func types(old: PropertyListValue, keys: String, new: PropertyListValue) {
        let keys = old == "red" ? keys.replacingOccurrences(of: "ish", with: "dish") : keys
        let desk = Desk(["a": ["k": old]], keys: "⏎" + keys)
        #expect(desk.files["a"] == ["k": new])
        #expect(desk.writes.map(\.expecting) == [old])
        #expect(desk.state.modal == nil)
    }

    @Test(
        "A text that differs only in its Unicode form is written",
        arguments: ["⏎!\u{E9}⏎", "E"]
    )
    func unicodeForms(keys: String) {
        let old = "e\u{301}"
        let cases: [(PropertyListValue, PropertyListValue, String)] = [
            (.string(old), .string("\u{E9}"), ""),
            (.array([.string(old)]), .array([.string("\u{E9}")]), "lj"),
            (["d": .string(old)], ["d": .string("\u{E9}")], "lj"),
            (json(#"{"a":"\#(old)"}"#), json(#"{"a":"\#("\u{E9}")"}"#), "lj"),
        ]
        for (stored, new, way) in cases {
            var desk = Desk(["a": ["k": stored]], keys: "⏎" + way)
            desk.outsideAnswers = [{ _ in .text("\u{E9}\n") }]
            for character in keys {
                if character == "!" { desk.press(.control("u")) } else { desk.type(String(character)) }
            }
            #expect(desk.files["a"]?["k"] == new)
            #expect(desk.writes.count == 1)
        }
        // The very same is not.
        let desk = Desk(["a": ["k": .string(old)]], keys: "⏎⏎⏎")
        #expect(desk.writes.isEmpty)
    }

    @Test("Dates in lists of hits and in messages use the local time zone too")
    func datesElsewhere() {
        let date = PropertyListValue.date(Date(timeIntervalSinceReferenceDate: 0))
        for keys in ["fk", "Fk"] {
            var desk = Desk(["a": ["k": date]], columns: 110, zone: 7200, keys: keys)
            desk.idle()
            #expect(desk.body[0].contains("2001-01-01 02:00:00 +02"))
        }
        var desk = Desk(["a": ["k": date]], columns: 110, zone: 7200, keys: "⏎⏎")
        desk.outside("a", "k", .date(Date(timeIntervalSinceReferenceDate: 86400)))
        #expect(desk.text.contains("2001-01-02 02:00:00 +02."))
    }

    @Test(
        "Dates are shown and typed in the local time zone, and “now” is the time of the clock",
        arguments: [
            (7200, "⏎→⌫⌫⌫⌫⌫⌫⌫⌫⌫⌫⌫⌫10:30⏎", 30_600), (7200, "⏎→⌫⌫⌫Z⏎", 7200), (7200, "⏎→⌫⌫⌫+05:00⏎", -10800),
            (-3600, "⏎→⌫⌫⌫⏎", nil), (7200, "⏎!now ⏎", 795_193_766), (0, "⏎!NOW⏎", 795_193_766),
            // A day begins when it does here.
            (7200, "⏎!2024-06-01⏎", 738_885_600), (-3600, "⏎!2024-06-01⏎", 738_896_400),
            (0, "⏎!2024-06-01⏎", 738_892_800), (7200, "⏎!2024-06-01T00:00:00Z⏎", 738_892_800),
        ] as [(Int, String, Double?)]
    )
    func dates(zone: Int, keys: String, result: Double?) {
        let old = PropertyListValue.date(Date(timeIntervalSinceReferenceDate: 0))
        var desk = Desk(["a": ["k": old]], zone: zone, keys: "⏎")
        let shown = [7200: "2001-01-01 02:00:00 +02", -3600: "2000-12-31 23:00:00 -01"]
        #expect(desk.body[0].hasSuffix("k              " + (shown[zone] ?? "2001-01-01 00:00:00 UTC")))
        for key in keys {
            if key == "!" { desk.press(.control("u")) } else { desk.type(String(key)) }
        }
        #expect(desk.state.modal == nil)
        let new = result.map { PropertyListValue.date(Date(timeIntervalSinceReferenceDate: $0)) }
        #expect(desk.files["a"] == ["k": new ?? old])
        #expect(desk.writes.count == (new == nil ? 0 : 1))
    }

    @Test(
        "Data is typed in hexadecimal, in Base64 or as text, and formats that cannot spell the data are skipped"
    )
    func dataForms() {
        var desk = Desk(["a": ["k": .data(Data("Hi".utf8)), "l": .data(Data([0xFF]))]], keys: "⏎⏎")
        let form = Key.control("t")
        #expect(desk.state.modal?.line?.text == "4869")
        desk.press(form)
        #expect(desk.state.modal?.line?.text == "SGk=")
        desk.type("⏎")
        #expect(desk.writes.isEmpty)
        desk.type("⏎")
        desk.press(form)
        desk.press(form)
        #expect(desk.status == "/k  data  2 bytes  4869  (as text)")
        desk.type("!⏎")
        #expect(desk.files["a"]?["k"] == .data(Data("Hi!".utf8)))
        desk.type("j⏎")
        desk.press(form)
        desk.press(form)
        #expect(desk.state.modal?.line?.text == "ff")
        desk.press(form)
        desk.type("⌫⌫?⏎")
        #expect(desk.foot.hasPrefix("“/?”") == true || desk.foot.contains("Base64") == true)
        #expect(desk.writes.count == 1)
    }

    @Test("While a value is typed, the status line says what can be typed, but no limits that nobody has set")
    func hints() {
        let date = Desk(
            ["a": ["k": .date(Date(timeIntervalSinceReferenceDate: 0))]],
            columns: 110,
            keys: "⏎⏎"
        )
        #expect(date.status.hasSuffix("(such as 2024-05-01 10:20 +02, tomorrow, +3d, or now)"))
        let desk = Desk(["a": ["k": 5]], columns: 100, keys: "⏎⏎")
        #expect(desk.status == "/k  integer  5")
    }

    @Test("A nested value is written as part of its key, and its neighbours do not change")
    func nested() {
        let window: PropertyListValue = ["size": [80, 24], "title": "x"]
        let desk = Desk(["a": ["other": 1, "window": window]], keys: "⏎jljlj⏎→⌫1⏎")
        #expect(desk.files["a"] == ["other": 1, "window": ["size": [81, 24], "title": "x"]])
        #expect(desk.outline == ["other", "window", "  size", "    [0]", "    1", "  title"])
    }

    @Test(
        "A value inside JSON can be edited, and the rest of the text stays byte for byte",
        arguments: [
            ("⏎jj⏎!⏎", #"{ "n" : 1.50, "s":"h\u00e9!" ,"l":[ ] }"#),
            ("⏎j⏎→0⏎", #"{ "n" : 1.500, "s":"h\u00e9" ,"l":[ ] }"#),
        ]
    )
    func insideJSON(keys: String, text: String) {
        // The whole string is spelled anew, as plainly as JSON allows.
        let desk = Desk(["a": ["k": json(#"{ "n" : 1.50, "s":"h\u00e9" ,"l":[ ] }"#)]], keys: "⏎" + keys)
        #expect(jsonText(desk.files["a"]?["k"]) == text.replacing("\\u00e9!", with: "é!"))
    }

    @Test(
        "Esc changes nothing, and neither does Enter on an unchanged text",
        arguments: ["⏎x1⎋", "⏎x⌫⏎", "⏎⏎"]
    )
    func leaving(keys: String) {
        let file: [String: [String: PropertyListValue]] = ["a": ["k": "v", "j": json(#""\u00e9""#)]]
        for row in ["", "j"] {
            let desk = Desk(file, keys: "⏎" + row + keys)
            #expect(desk.writes.isEmpty)
            #expect(desk.files == file)
            #expect(desk.state.mode == .keys)
        }
    }

    @Test(
        "A text that does not fit the type is refused, the reason is in the status line, and the draft stays"
    )
    func refusal() {
        var desk = Desk(["a": ["port": 8080]], columns: 110, keys: "⏎⏎→x⏎")
        #expect(desk.writes.isEmpty)
        #expect(desk.body[0].contains("!"))
        #expect(desk.body[0].contains("8080x"))
        #expect(desk.text.ranges(of: "whole number").count == 1)
        #expect(desk.foot == "“8080x” is not a whole number.")
        desk.type("⌫")
        #expect(!desk.text.contains("whole number"))
        desk.type("⌫1⏎")
        #expect(desk.files["a"] == ["port": 8081])
    }

    @Test("On a narrow screen the complete reason is below the row")
    func narrowRefusal() {
        let desk = Desk(["a": ["port": 8080]], columns: 20, rows: 5, keys: "⏎⏎→x⏎")
        #expect(desk.body[0].contains("!"))
        #expect(desk.message == "“8080x” is not a whole number.")
    }

    @Test("Space toggles a boolean, also inside JSON, and nothing else")
    func flipping() {
        var desk = Desk(
            ["a": ["b": true, "j": json(#"{"on": false}"#), "s": "x", "z": json("true")]],
            keys: "⏎ "
        )
        #expect(desk.files["a"]?["b"] == false)
        desk.type(" jlj ")
        #expect(desk.files["a"]?["b"] == true)
        #expect(jsonText(desk.files["a"]?["j"]) == #"{"on": true}"#)
        desk.type("G ")
        #expect(jsonText(desk.files["a"]?["z"]) == "false")
        desk.type("k ")
        #expect(desk.writes.count == 4)
        #expect(desk.foot == "Only true and false can be toggled.")
    }

    @Test("A null in JSON asks for the type of its replacement")
    func null() {
        var desk = Desk(["a": ["k": json(#"{"x":null}"#)]], keys: "⏎lj⏎")
        #expect(desk.state.mode == .menu)
        desk.type("n⏎77⏎")
        #expect(jsonText(desk.files["a"]?["k"]) == #"{"x":77}"#)
    }

    @Test("A new value is shown at once, with a symbol until it is stored")
    func optimism() {
        var desk = Desk(["a": ["k": "old"]], keys: "⏎")
        desk.holdsWrites = true
        desk.type("⏎er⏎")
        #expect(desk.files["a"] == ["k": "old"])
        #expect(desk.body[0].hasSuffix("»…  k              older"))
        desk.finishWrites()
        #expect(desk.files["a"] == ["k": "older"])
        #expect(desk.body[0].hasSuffix("»   k              older"))
    }

    @Test("Consecutive writes build on each other, and no older value shows through")
    func chain() {
        var desk = Desk(["a": ["k": 1]], keys: "⏎")
        desk.holdsWrites = true
        desk.type("⏎→2⏎⏎→3⏎")
        #expect(desk.writes.map(\.expecting) == [1, 12])
        let first = desk.writes[0]
        desk.act(.changed("a", [Change(key: "k", old: 1, new: 12, origin: .set(by: nil), sequence: 1)]))
        #expect(desk.body[0].hasSuffix("123"))
        desk.act(.wrote(first.id, .done))
        #expect(desk.body[0].hasSuffix("123"))
    }

    @Test("A failed write keeps the draft in its row and says why, and Esc shows the old value")
    func failure() {
        var desk = Desk(["a": ["k": "old"]], keys: "⏎")
        desk.holdsWrites = true
        desk.type("⏎er⏎")
        desk.finishWrites(failing: "the disk is full")
        #expect(desk.body[0].hasSuffix("k              older"))
        #expect(desk.foot == "Not written: the disk is full. Press Enter to retry.")
        desk.holdsWrites = false
        desk.type("⎋")
        #expect(desk.body[0].hasSuffix("»   k              old"))
        desk.type("u")
        #expect(desk.foot == "Nothing to undo.")
    }

    @Test("Enter expands containers; a JSON string that no text can hold is not edited")
    func untypable() {
        var desk = Desk(["a": ["k": json(#"{"x":"\ud800"}"#)]], keys: "⏎⏎j⏎")
        #expect(desk.state.mode == .keys)
        #expect(desk.foot == "This value cannot be edited in one line. Press E to edit it outside.")
        desk.type("k⏎")
        #expect(desk.outline == ["[k]"])
    }

    @Test("A pasted text is inserted with its line ends, and its characters are never keys")
    func pasting() {
        var desk = Desk(["a": ["k": ""]], columns: 120, keys: "⏎⏎")
        desk.send(.paste("q\r\nx\ry\t\u{1B}[2J"))
        #expect(desk.text.contains("q␊x␊y␉␛[2J"))
        desk.send(.pasteLacks(2))
        #expect(desk.foot == "Pasted with changes: 2 control characters removed.")
        desk.send(.pasteLacks(1))
        #expect(desk.text.contains("1 control character removed"))
        desk.type("⏎")
        #expect(desk.files["a"]?["k"] == "q\nx\ny\t\u{1B}[2J")
    }

    @Test("Bytes that are not UTF-8 are dropped, and a message says so")
    func undecodable() {
        var desk = Desk(["a": ["k": "x"]], columns: 120, keys: "⏎⏎")
        desk.send(.undecodable(1))
        #expect(desk.foot == "Ignored a character that is not UTF-8. Set your terminal to UTF-8.")
        desk.type("y⏎")
        #expect(desk.files["a"]?["k"] == "xy")
    }

    @Test(
        "A typed local time has the offset that clocks have at that time",
        arguments: [
            ("2024-03-31 01:30", "2024-03-31 00:30 +00"), ("2024-03-31 03:30", "2024-03-31 01:30 +00"),
        ]
    )
    func changedClocks(local: String, exact: String) throws {
        // Berlin's time in 2024.
        let summer = 1_711_846_800.0..<1_729_990_800.0
        let zone: @Sendable (Date) -> Int = { summer.contains($0.timeIntervalSince1970) ? 7200 : 3600 }
        let format = ValueFormat(date: nil, zone: zone)
        let typed = try format.value(local, as: .propertyList(.date))
        #expect(try typed == format.value(exact, as: .propertyList(.date)))
    }
}
