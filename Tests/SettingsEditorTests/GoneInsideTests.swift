import PropertyList
import SettingsStore
import Testing

@testable import SettingsEditor

@Suite("What others have deleted inside a value")
struct GoneInsideTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let old: PropertyListValue
        let new: PropertyListValue
        let told: String
        /// What it holds with that put back, if that is not what it held.
        var back: PropertyListValue?
        var testDescription: String { name }
    }

    private static let cases = [
        Case(name: "a dictionary", old: ["p": 1, "q": 2], new: ["q": 2], told: "/p was 1"),
        Case(name: "two entries", old: ["p": 1, "q": 2, "r": 3], new: ["q": 2], told: "/p was 1, 1 more"),
        Case(name: "an array", old: ["x", "y", "z"], new: ["x", "z"], told: "/1 was “y”"),
        Case(
            name: "JSON",
            old: json(#"{"a":[1, 2,  3], "p":  {"k": 1}, "z": true}"#),
            new: json(#"{"a":[1, 2,  3], "z": true}"#),
            told: "/p was {1 member}"
        ),
        Case(
            name: "beside another change",
            old: ["p": 1, "q": 2],
            new: ["q": 3, "n": 1],
            told: "/p was 1",
            back: ["p": 1, "q": 3, "n": 1]
        ),
        Case(
            name: "an array, beside another change",
            old: ["a", "b", "c", "d"],
            new: ["a", "c", "dd"],
            told: "/1 was “b”",
            back: ["a", "b", "c", "dd"]
        ),
        Case(
            name: "two elements, beside one that has come",
            old: [1, 2, 3, 4],
            new: [0, 1, 3],
            told: "/1 was 2, 1 more",
            back: [0, 1, 2, 3, 4]
        ),
        Case(
            name: "a JSON array, with other spaces",
            old: json("[1, 2, 3]"),
            new: json("[1,3]"),
            told: "/1 was 2",
            back: json("[1,2,3]")
        ),
    ]

    @Test("The open row it lay in tells it while it is marked", arguments: cases)
    private func marked(_ change: Case) {
        var desk = Desk(["a": ["k": change.old]], columns: 120, keys: "⏎→")
        desk.outside("a", "k", change.new)
        #expect(desk.screen[1].contains("▾ k") && desk.screen[1].contains(change.told))
        desk.outside("a", "k", change.old)
        #expect(!desk.screen[1].contains(" was "))
    }

    @Test(
        "Among what others have changed its row tells it, open and closed, and R puts it back",
        arguments: cases
    )
    private func puttingBack(_ change: Case) {
        var desk = Desk(["a": ["k": change.old, "l": 1]], columns: 120, keys: "⏎→")
        desk.outside("a", "k", change.new)
        desk.wait(60)
        #expect(!desk.text.contains(change.told))
        desk.type("oo")
        #expect(desk.screen[1].contains("▾ k") && desk.screen[1].contains("− \(change.told)"))
        desk.type("←")
        #expect(desk.screen[1].contains("▸ k") && desk.screen[1].contains("− \(change.told)"))
        desk.type("Rn")
        #expect(desk.writes.isEmpty)
        desk.type("R")
        #expect(desk.screen.last?.contains("Put back what others have deleted in “k”: /") == true)
        desk.type("y")
        #expect(desk.writes.count == 1)
        #expect(!desk.text.contains(" was "))
        let putBack = desk.files["a"]?["k"]
        #expect(putBack == change.back ?? change.old)
        // Once, and not again.
        desk.type("Ry")
        #expect(desk.writes.count == 1)
        // With that taken back it is gone again, and its row tells it as before.
        for _ in 1...2 {
            desk.type("u")
            #expect(desk.files["a"]?["k"] == change.new)
            #expect(desk.screen[1].contains("− \(change.told)"))
            desk.press(.control("r"))
            #expect(desk.files["a"]?["k"] == putBack)
            #expect(!desk.text.contains(" was "))
        }
        desk.type("uRy")
        #expect(desk.files["a"]?["k"] == putBack)
    }

    @Test("Deeper down the row it lay in tells it")
    func deeper() {
        var desk = Desk(["a": ["k": ["in": ["p": 1, "q": 2], "o": 1]]], columns: 120, keys: "⏎→")
        desk.outside("a", "k", ["in": ["q": 2], "o": 1])
        desk.wait(60)
        desk.type("oo")
        #expect(!desk.screen[1].contains(" was "))
        #expect(desk.screen[2].contains("▸ in") && desk.screen[2].contains("− /p was 1"))
        desk.type("j→")
        #expect(desk.screen[2].contains("▾ in") && desk.screen[2].contains("− /p was 1"))
        desk.type("Ry")
        #expect(desk.files["a"]?["k"] == ["in": ["p": 1, "q": 2], "o": 1])
    }

    @Test("What was moved in an array, and what the user deletes, is not among it")
    func notGone() {
        var desk = Desk(["a": ["k": ["x", "y", "z"], "l": ["p": 1, "q": 2]]], columns: 120, keys: "⏎")
        desk.outside("a", "k", ["z", "x", "y"])
        desk.outside("a", "l", ["p": 1, "q": 3])
        desk.wait(60)
        desk.type("j→jdy")
        #expect(desk.files["a"]?["l"] == ["q": 3])
        desk.type("oo")
        #expect(!desk.text.contains(" was "))
        desk.type("gR")
        #expect(desk.screen.last?.contains("Nothing is to be recovered") == true)
    }

    @Test("With others' changes since the question it is asked again")
    func askedAgain() {
        var desk = Desk(["a": ["k": ["p": 1, "q": 2, "r": 3]]], columns: 120, keys: "⏎")
        desk.outside("a", "k", ["q": 2, "r": 3])
        desk.type("R")
        desk.outside("a", "k", ["r": 3])
        desk.type("y")
        #expect(desk.writes.isEmpty && desk.text.contains("It has changed meanwhile."))
        desk.type("y")
        #expect(desk.files["a"]?["k"] == ["p": 1, "q": 2, "r": 3])
    }

    @Test("Of a secret it is not told, nor of a default of which something is not stored")
    func untold() {
        let schema = SuiteSchema([
            "token": SettingDeclaration(.dictionary(of: .integer()), isSecret: true),
            "size": SettingDeclaration(.dictionary(of: .integer()), defaultValue: ["w": 1, "h": 2]),
        ])
        var desk = Desk(
            ["a": ["token": ["p": 1, "q": 2], "size": ["w": 1]]],
            columns: 120,
            schemas: ["a": schema],
            keys: "⏎"
        )
        desk.outside("a", "token", ["q": 2])
        desk.wait(60)
        desk.type("od")
        #expect(desk.text.contains("size") && !desk.text.contains(" was "))
        desk.type("⎋oo")
        #expect(desk.text.contains("token") && !desk.text.contains(" was "))
        desk.type("R")
        #expect(!desk.text.contains("/p"))
    }

    @Test(
        "While writing is staged, what waits to be deleted is not told as others', and what is put back waits"
    )
    func staged() {
        var desk = Desk(["a": ["k": ["p": 1, "q": 2, "r": 3]]], columns: 120, keys: "⏎→S")
        desk.outside("a", "k", ["q": 2, "r": 3])
        desk.wait(60)
        desk.type("oo")
        #expect(desk.text.contains("− /p was 1"))
        desk.type("⎋gjdy")
        #expect(desk.state.pendingChanges.count == 1)
        desk.type("oog")
        #expect(desk.text.contains("− /p was 1") && !desk.text.contains("1 more"))
        desk.type("Ry")
        #expect(!desk.text.contains("− /p was 1"))
        #expect(desk.files["a"]?["k"] == ["q": 2, "r": 3])
        desk.type("⎋Ww")
        #expect(desk.files["a"]?["k"] == ["p": 1, "r": 3])
    }
}
