import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("Typing faster than the editor draws", .timeLimit(.minutes(60)))
struct FastTypingTests {
    private let folder: TemporaryFolder
    private let terminal: PseudoTerminal

    /// Starts an editor with the keys k0000 to k1999, in a terminal that supports synchronized updates.
    init() throws {
        folder = try TemporaryFolder()
        let file = folder.path + "/s.plist"
        let values = (0..<2000).map {
            ("k" + String(String(10000 + $0).dropFirst()), PropertyListValue.integer(1))
        }
        let bytes = try PropertyListValue.dictionary(Dictionary(uniqueKeysWithValues: values)).encoded(
            as: .xml
        )
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        terminal = try PseudoTerminal(
            [builtProgram(named: "pdefaults"), file],
            environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
        )
        try wait("the first row") { $0.contains("k0000") }
        terminal.send("\u{1B}[?2026;2$y\u{1B}[?62;4c")
        // After the answers, the editor marks the frames.
        var keys = ["j", "k"]
        while frames == 0 {
            terminal.send(keys[0])
            keys.swapAt(0, 1)
            let length = terminal.output.utf8.count
            try wait("a frame") { $0.utf8.count > length }
        }
        terminal.send("g\u{C}")
        try wait("the first row again") { $0.contains("row 1 of ") }
    }

    private func count(_ text: String) -> Int { terminal.output.components(separatedBy: text).count - 1 }

    private var frames: Int { count("\u{1B}[?2026h") }

    private func wait(_ what: String, _ holds: (String) -> Bool) throws {
        try terminal.waitUntil(what, holds)
    }

    @Test("Keys that have piled up are all applied and drawn once")
    func piledUp() throws {
        let before = frames
        terminal.send(String(repeating: "j", count: 600))
        // Ctrl-L draws the whole screen, so the path is sent in one piece.
        terminal.send("\u{C}")
        try wait("the 600th row") { $0.contains("row 601 of ") }
        // The system might deliver the keys in several pieces.
        #expect(frames - before < 30)
        terminal.send("q")
        #expect(try terminal.waitForEnd() == 0)
    }

    @Test("Keys typed directly after a search act on its result")
    func typedAhead() throws {
        terminal.send("/k1990\rd")
        try wait("the message") { $0.contains("Deleted “k19") }
        terminal.send("\u{C}")
        try wait("all of it") { $0.contains("Deleted “k1990”") }
        #expect(!terminal.output.contains("Deleted “k0000”"))
        terminal.send("q")
        #expect(try terminal.waitForEnd() == 0)
    }
}
