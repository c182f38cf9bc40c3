import Foundation
import Glibc
import ProgramHarness
import Testing

@testable import Terminal

@Suite("A terminal that accepts no output", .timeLimit(.minutes(60)))
struct TerminalOutputTests {
    private func probe() throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(
            [builtProgram(named: "TerminalProbe")],
            environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
        )
        try terminal.waitUntil("the first screen") { $0.contains("probe ") }
        return terminal
    }

    /// Returns the reading and the writing end of a pipe. Neither blocks.
    private func pipe() throws -> [Int32] {
        var ends: [Int32] = [0, 0]
        try #require(Glibc.pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        return ends
    }

    @Test("A signal still ends the program, and the terminal is restored when it is read again")
    func ending() throws {
        let terminal = try probe()
        terminal.send("F")
        #expect(try terminal.waitForEndUnread() == 0)
        #expect(terminal.output.contains("\u{1B}[?1049l"))
        #expect(terminal.output.contains("left by terminate"))
    }

    @Test("Keys are handled meanwhile, and the screen is complete when it is read again")
    func goingOn() throws {
        let terminal = try probe()
        terminal.send("f")
        terminal.send("xy")
        try terminal.waitUntil("the last key") { $0.contains(#"key character("y")"#) }
        terminal.send("q")
        #expect(try terminal.waitForEnd() == 0)
        #expect(terminal.output.contains("left by q"))
    }

    @Test("Unaccepted output is kept in order and sent once", arguments: [false, true])
    func waiting(mayWait: Bool) throws {
        let ends = try pipe()
        defer { for end in ends { close(end) } }
        if mayWait { _ = fcntl(ends[1], F_SETFL, 0) }
        var output = TerminalOutput(descriptor: ends[1], waits: mayWait)
        let sent = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        output.write(Array(sent[..<200_000]))
        #expect(output.hasPendingOutput)
        let isTaken = output.finish(patience: 1)
        #expect(!isTaken)
        output.write(Array(sent[200_000...]))
        var taken: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 10_000)
        while output.hasPendingOutput || taken.count < sent.count {
            let count = read(ends[0], &piece, piece.count)
            guard count > 0 else { break }
            taken += piece[..<count]
            output.flush()
        }
        #expect(taken == sent)
        let isTakenNow = output.finish(patience: 1)
        #expect(isTakenNow)
    }

    @Test("A closed terminal is not waited for")
    func gone() throws {
        let ends = try pipe()
        signal(SIGPIPE, SIG_IGN)
        close(ends[0])
        defer { close(ends[1]) }
        var output = TerminalOutput(descriptor: ends[1])
        output.write("anything")
        #expect(!output.hasPendingOutput)
    }
}
