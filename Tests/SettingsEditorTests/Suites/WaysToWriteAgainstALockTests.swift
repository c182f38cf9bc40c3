import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

// The ways of the editor to write a locked key. SettingsStoreTests says which modules have such a table.

private let mandatory = "/etc/pdefaults/mandatory/a.plist"

/// A way that begins at another row, or before the lock. It must end with the sentence about the lock.
private struct WayToWrite: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let write: @Sendable (inout Desk) -> Void

    init(_ name: String, _ write: @escaping @Sendable (inout Desk) -> Void) {
        testDescription = name
        self.write = write
    }

    static let all = [
        WayToWrite("rename another key to the name") {
            $0.lock("new")
            $0.select("name")
            $0.type("r⌫⌫⌫⌫new⏎")
        },
        WayToWrite("add the key") {
            $0.lock("new")
            $0.select("name")
            $0.type("anew⏎⏎x⏎")
        },
        WayToWrite("duplicate a row under the name") {
            $0.lock("name copy")
            $0.select("name")
            $0.type("D⏎")
        },
        WayToWrite("move the key from another suite") {
            $0.lock("size")
            $0.type("⇥j⏎")
            $0.select("size")
            $0.type("M1")
        },
        WayToWrite("paste a value under the name") {
            $0.lock("new")
            $0.act(.paste(#"{"volume": 7}"#))
            $0.type("new⏎")
        },
        WayToWrite("import a file") {
            $0.lock()
            $0.act(.file("a", path: "~/new.plist", .imported(["volume": 7])))
        },
        WayToWrite("edit the whole suite outside") {
            $0.lock()
            $0.outsideAnswers = [
                { .text($0.text.replacing("80", with: "81").replacing("40", with: "41")) }
            ]
            $0.act(.editSuiteExternally)
        },
        WayToWrite("end an edit that was begun before the lock") {
            $0.select("volume")
            $0.type("⏎↘1")
            $0.lock()
            $0.type("⏎")
        },
        WayToWrite("undo a change that was made before the lock") {
            $0.select("volume")
            $0.type("⏎79⏎")
            $0.lock()
            $0.type("u")
        },
        WayToWrite("redo a change that was undone before the lock") {
            $0.select("volume")
            $0.type("⏎79⏎u")
            $0.lock()
            $0.act(.redo)
        },
        WayToWrite("restore a value from the history") {
            $0.select("volume")
            $0.type("⏎79⏎")
            $0.lock()
            $0.type("Hj⏎")
        },
        WayToWrite("write a change that was staged before the lock") {
            $0.type("S")
            $0.select("volume")
            $0.type("⏎79⏎")
            $0.lock()
            $0.type("W")
            $0.act(.writeAll)
        },
    ]
}

@Suite("No command of the editor writes a locked key")
struct WaysToWriteAgainstALockTests {
    private static let files: [String: [String: PropertyListValue]] = [
        "a": ["name": "Pitt", "volume": 80], "b": ["size": 1],
    ]

    /// A command with the keys that answer its question.
    struct Typed: CustomTestStringConvertible, Sendable {
        let command: Command
        let answer: String

        var testDescription: String { "\(command) \(answer)" }
    }

    /// All commands of the panes, so a new one is in this table as soon as the keymap has it. Each of them gets several
    /// answers to its question.
    static let commands = (KeyBinding.inSuites + KeyBinding.inKeys + KeyBinding.inPanes).map(\.command)
        .reduce(into: [Command]()) { if !$0.contains($1) { $0.append($1) } }
        .flatMap { command in
            ["⏎", "y", "1", "2⏎", "x⏎", "7⏎⏎", "⌫⌫⌫⌫⌫⌫volume⏎", "↘1⏎y"].map {
                Typed(command: command, answer: $0)
            }
        }

    @Test("On a locked row no command changes the user's value, except by removing it", arguments: commands)
    func everyCommand(_ typed: Typed) {
        for isInSuites in [false, true] {
            var desk = Desk(Self.files, columns: 120, keys: "⏎")
            desk.lock()
            desk.select("volume")
            if isInSuites { desk.act(.switchPane) }
            desk.outsideAnswers = [{ .text($0.text.replacing("80", with: "81").replacing("40", with: "41")) }]
            desk.act(typed.command)
            desk.type(typed.answer)
            desk.idle()
            let value = desk.files["a"]?["volume"]
            #expect(value == nil || value == 80, "\(desk.text)")
        }
    }

    @Test("A lock is named, and nothing is written", arguments: WayToWrite.all)
    private func refused(_ way: WayToWrite) {
        var desk = Desk(Self.files, columns: 120, keys: "⏎")
        way.write(&desk)
        #expect(desk.text.contains("is locked by"), "\(desk.text)")
        var files = desk.files
        // Some ways write 79 before the lock exists.
        if files["a"]?["volume"] == 79 { files["a"]?["volume"] = 80 }
        #expect(files == Self.files)
    }
}

extension Desk {
    /// An administrator locks a key of the suite `a`.
    fileprivate mutating func lock(_ key: String = "volume") {
        let file = OtherLayers.File(
            layer: .mandatory,
            location: mandatory,
            values: PropertyListEntries([key: 40])
        )
        act(.layers("a", OtherLayers([file])))
    }

    fileprivate mutating func select(_ key: String) {
        type("g")
        while selectedKey != key, selectedKey != outline.last { type("j") }
    }
}
