import Foundation
import ProgramHarness
import Testing

@testable import Terminal

@Suite("Asking the terminal about itself", .timeLimit(.minutes(60)))
struct TerminalQueriesTests {
    private static let kind = "\u{1B}[?62;4c"
    private static let synchronized = "\u{1B}[?2026;2$y"

    private func terminal(_ variables: [String: String] = [:], theme: String = "auto") throws
        -> PseudoTerminal
    {
        var environment = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
        environment.merge(variables) { $1 }
        let terminal = try PseudoTerminal(
            [builtProgram(named: "TerminalProbe"), theme],
            environment: environment
        )
        try terminal.waitUntil("a screen") { $0.contains("probe ") }
        return terminal
    }

    /// Returns the output after the first `length` bytes.
    private func rest(of terminal: PseudoTerminal, behind length: Int) -> String {
        String(decoding: terminal.output.utf8.dropFirst(length), as: UTF8.self)
    }

    @Test("The queries are sent once, before the first screen, which does not wait for answers")
    func asking() throws {
        let terminal = try terminal()
        let parts = terminal.output.components(
            separatedBy: "\u{1B}]11;?\u{1B}\\\u{1B}[?2026$p\u{1B}[c"
        )
        #expect(parts.count == 2)
        #expect(!parts[0].contains("probe "))
        // If a terminal shows a part of the queries, this clears it.
        #expect(parts[1].contains("\u{1B}[2J"))
        terminal.send(Self.kind + "q")
        #expect(try terminal.waitForEnd() == 0)
    }

    @Test(
        "Frames are synchronized updates only after the terminal has reported mode 2026",
        arguments: [
            (synchronized, true), ("\u{1B}[?2026;1$y", true), ("\u{1B}[?2026;0$y", false), ("", false),
        ]
    )
    func synchronizedUpdates(answer: String, isKnown: Bool) throws {
        let terminal = try terminal()
        #expect(!terminal.output.contains("\u{1B}[?2026h"))
        // One byte at a time, as on a slow link.
        for byte in answer { terminal.send(String(byte)) }
        terminal.send(Self.kind + "x")
        try terminal.waitUntil("the key") { $0.contains("x") }
        terminal.send("y")
        try terminal.waitUntil("the whole frame of the next key") {
            $0.components(separatedBy: "character").count > 2 && (!isKnown || $0.hasSuffix("\u{1B}[?2026l"))
        }
        let length = terminal.output.utf8.count
        terminal.send("z")
        try terminal.waitUntil("the third key") { $0.components(separatedBy: "character").count > 3 }
        try terminal.waitUntil("its end") { _ in
            !isKnown || self.rest(of: terminal, behind: length).contains("\u{1B}[?2026l")
        }
        let frame = rest(of: terminal, behind: length)
        #expect(frame.hasPrefix("\u{1B}[?2026h") == isKnown)
        #expect(frame.components(separatedBy: "\u{1B}[?2026h").count == (isKnown ? 2 : 1))
        // No part of the answers was reported as a key.
        #expect(!terminal.output.contains("2026;"))
        terminal.send("q")
        #expect(try terminal.waitForEnd() == 0)
    }

    @Test(
        "The theme follows the reported background unless the user chose a theme",
        arguments: [
            ("auto", "rgb:ffff/ffff/ffff", "38;5;124"), ("auto", "rgb:1d1d/1f1f/2121", "38;5;210"),
            ("auto", "rgba:fa/fa/f0/ff", "38;5;124"), ("auto", "nonsense", "31"),
            ("light", "rgb:0/0/0", "38;5;124"), ("dark", "rgb:f/f/f", "38;5;210"),
        ]
    )
    func background(choice: String, color: String, problem: String) throws {
        let terminal = try terminal(theme: choice)
        #expect(terminal.output.contains("\u{1B}]11;?") == (choice == "auto"))
        terminal.send("\u{1B}]11;\(color)\u{1B}\\" + Self.kind + "x")
        try terminal.waitUntil("the key") { $0.contains("character") }
        // The key may come before the rest of its frame.
        try terminal.waitUntil("the colour \(problem)") { $0.contains("[\(problem)m") }
        #expect(!terminal.output.contains("\(color.suffix(4))"))
        terminal.send("q")
        #expect(try terminal.waitForEnd() == 0)
    }

    @Test("A terminal that would show the queries, or that has no colours, is not asked")
    func notAsked() throws {
        for variables in [["TERM": "linux"], ["TERM": "vt52"]] {
            let terminal = try terminal(variables)
            #expect(!terminal.output.contains("2026") && !terminal.output.contains("]11"))
        }
        let monochrome = try terminal(["NO_COLOR": "1"])
        #expect(!monochrome.output.contains("]11"))
    }

    @Test("Late answers do not reach the shell, and missing ones do not delay the end for long")
    func leaving() throws {
        // The key arrives first, so the program quits before it reads an answer. It waits for answers for a second, so
        // the test repeats if the machine has paused it between the key and the answers.
        var answering: PseudoTerminal
        var start: ContinuousClock.Instant
        repeat {
            answering = try terminal()
            start = ContinuousClock.now
            answering.send("q")
            answering.send("\u{1B}]11;rgb:0000/0000/0000\u{7}" + Self.synchronized + Self.kind)
        } while ContinuousClock.now - start > .milliseconds(500)
        #expect(try answering.waitForEnd() == 0)
        #expect(answering.output.contains("left by q"))
        #expect(!answering.output.contains("rgb:"))
        let silent = try terminal()
        silent.send("q")
        #expect(try silent.waitForEnd() == 0)
    }

    @Test(
        "Answers are not mistaken for keys, in whatever pieces they arrive",
        arguments: [
            ("\u{1B}]11;rgb:ffff/ffff/ffff\u{7}a", [TerminalReply.background(lightness: 1)]),
            ("\u{1B}]11;rgb:00/00/00\u{1B}\\a", [.background(lightness: 0)]),
            ("\u{1B}[?2026;2$ya", [.synchronizedUpdates(true)]),
            ("\u{1B}[?2026;0$ya", [.synchronizedUpdates(false)]),
            ("\u{1B}[1na", []), ("\u{1B}[?1;2ca", [.kind]), ("\u{1B}]11;?\u{7}a", []),
            ("\u{1B}[?2027;2$ya", []),
        ]
    )
    func parsing(text: String, replies: [TerminalReply]) {
        var whole = InputParser()
        #expect(whole.feed(Array(text.utf8)) == [.key(.character("a"))])
        #expect(whole.takeReplies() == replies)
        #expect(whole.takeReplies() == [])
        var pieces = InputParser()
        #expect(text.utf8.flatMap { pieces.feed([$0]) } == [.key(.character("a"))])
        #expect(pieces.takeReplies() == replies)
    }

    @Test("Alt+] is a key, even before typed digits")
    func bracket() {
        var parser = InputParser()
        #expect(parser.feed(Array("\u{1B}]x".utf8)) == [.key(.alt("]")), .key(.character("x"))])
        #expect(parser.feed(Array("\u{1B}]11".utf8)) == [])
        #expect(parser.isWaitingForMore)
        #expect(parser.flush() == [.key(.alt("]")), .key(.character("1")), .key(.character("1"))])
    }

    @Test(
        "The last part of COLORFGBG is the background",
        arguments: [
            ("15;0", false), ("0;15", true), ("0;default;7", true), ("7;8", false), ("12;default", nil),
            ("", nil),
            ("0;99", nil), (nil, nil),
        ] as [(String?, Bool?)]
    )
    func variable(colors: String?, isLight: Bool?) {
        #expect(TerminalQueries.isLight(colors) == isLight)
    }
}
