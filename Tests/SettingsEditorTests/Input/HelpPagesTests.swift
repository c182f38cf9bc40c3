import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Pages of the help")
struct HelpPagesTests {
    private static let sizes = [(60, 16), (80, 24), (120, 32), (200, 50)]

    /// The pages from the first to the last one.
    private func pages(_ columns: Int, _ rows: Int, keys: String = "⏎?") -> [[String]] {
        var desk = Desk(["s": ["k": 1]], columns: columns, rows: rows, keys: keys)
        var pages = [desk.body]
        while true {
            desk.type("⇟")
            if desk.body == pages.last { return pages }
            pages.append(desk.body)
        }
    }

    @Test("PageDown shows all lines", arguments: sizes)
    func all(columns: Int, rows: Int) {
        let text = pages(columns, rows).joined().joined(separator: "\n")
        for sign in Symbols(glyphs: .unicode).legend {
            for word in sign.meaning.split(separator: " ") { #expect(text.contains(word), "\(sign)") }
        }
        for binding in Desk(["s": ["k": 1]], keys: "⏎").state.commands(in: .keys) {
            for word in binding.sentence.split(separator: " ") {
                #expect(text.contains(word.filter { $0 != "." }), "\(binding.sentence)")
            }
        }
    }

    @Test("The sections are tasks. A command that can do nothing here is at the end, with what it needs")
    func tasks() {
        let desk = Desk(["s": ["k": 1]], keys: "⏎")
        let lines = HelpText.lines(desk.state, in: .keys, columns: 200)
        let tasks = HelpTask.allCases.map(\.rawValue)
        #expect(lines.filter(\.isTitle).map(\.keys) == tasks + ["Not possible now", "Signs"])
        let end = lines.firstIndex { $0.keys == "Not possible now" } ?? 0
        for (keys, text) in [
            ("Enter", "Edit the value in its row."), ("d Del", "Delete the row."), ("q ^C", "Quit."),
            (":import", "Import the keys of a property list or JSON file into this suite."),
        ] {
            #expect(lines[..<end].contains { $0.keys == keys && $0.text == text }, "\(keys)")
        }
        for (keys, text) in [
            ("V", "Show the key’s revisions on the cluster, and restore one (needs a cluster)."),
            ("Space", "Toggle true and false (needs a boolean)."),
            ("u", "Undo your last change (needs a change of yours)."),
            ("<", "Move an array element up (needs an element of an array)."),
            ("W", "List the staged changes, to save or discard them (needs staged changes)."),
        ] {
            #expect(lines[end...].contains { $0.keys == keys && $0.text == text }, "\(keys)")
        }
    }

    @Test(
        "A command moves to its task as soon as it can be run",
        arguments: [
            ("⏎ ", [Command.undo, .flip]), ("⏎ u", [.redo]), ("⏎j⏎j", [.raise, .lower, .changeType]),
            ("⏎jm", [.cancel]), ("⏎/k⏎", [.nextMatch]), ("⏎S ", [.pending]), ("⏎j", [.addInside]),
        ]
    )
    func possible(keys: String, commands: [Command]) {
        let desk = Desk(["s": ["k": true, "list": [1, 2]]], keys: keys)
        for command in commands { #expect(desk.state.need(of: command, in: .keys) == nil, "\(command)") }
        let readOnly = Desk(["s": ["k": true]], readOnly: "why", keys: keys)
        for command in [Command.flip, .add, .delete, .rename] {
            #expect(readOnly.state.need(of: command, in: .keys) != nil, "\(command)")
        }
    }

    @Test("End selects the last sign", arguments: sizes)
    func end(columns: Int, rows: Int) {
        let desk = Desk(["s": ["k": 1]], columns: columns, rows: rows, keys: "⏎?↘")
        #expect(desk.body == pages(columns, rows).last)
        #expect(desk.text.contains("this line differs"))
    }

    @Test("The filter finds signs too")
    func signs() {
        let desk = Desk(["s": ["k": 1]], columns: 80, rows: 24, keys: "⏎?/not saved")
        #expect(desk.body.contains { $0.contains(#/± +staged, not saved yet/#) }, "\(desk.body)")
    }
}
