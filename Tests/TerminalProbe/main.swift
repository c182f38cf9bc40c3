// Shows what a terminal sends, and ends in every way a program can end.
//
// It draws sample texts and each event. A key selects the way in which it ends: by itself, by a signal, by a
// crash, or without reading its terminal.
import Glibc
import Terminal
import TerminalCanvas

/// Closes the session, prints the reason in the last line, and exits.
func leave(_ session: TerminalSession, _ reason: String, code: Int32 = 0) -> Never {
    session.close()
    print("left by \(reason)")
    exit(code)
}

func describe(_ event: InputEvent) -> String {
    switch event {
    case .key(let key): "key \(key)"
    case .undecodable(let count): "no UTF-8 \(count)"
    case .pasteLacks(let count): "left out \(count)"
    case .paste(let text): "paste \(text.debugDescription)"
    case .mouse(let action, let point): "mouse \(action) \(point.column),\(point.row)"
    case .resize(let size): "resize \(size.columns)x\(size.rows)"
    }
}

func view(_ events: [String], _ session: TerminalSession) -> Grid {
    var grid = Grid(size: session.size, glyphs: session.glyphs)
    let size = "\(session.size.columns)x\(session.size.rows)"
    grid.write("probe \(getpid()) \(size)", at: Point(column: 0, row: 0), style: .heading)
    let samples: [(String, Style)] = [
        ("漢字", Style.problem), ("😀", .type), ("e\u{301}", .plain),
        ("\u{1B}[2J", .selected), ("♥\u{FE0F}", .plain), ("👨‍👩‍👧", .plain), ("שלום", .plain), ("🇩🇪", .plain),
        ("क्षि", .plain), ("text", .faint), ("gone", .deleted),
    ]
    // The bars must be in column 12 after every sample.
    for (row, sample) in samples.enumerated() {
        grid.write(sample.0, at: Point(column: 0, row: row + 1), style: sample.1)
        grid.write("|", at: Point(column: 12, row: row + 1))
    }
    let room = max(1, session.size.rows - 1)
    for (row, event) in events.suffix(room).enumerated() {
        grid.write(event, at: Point(column: 14, row: row + 1))
    }
    let corner = Point(column: grid.size.columns - 1, row: grid.size.rows - 1)
    grid.write("+", at: corner)
    if events.last != describe(.key(.character("h"))) { grid.cursor = Point(column: 3, row: 0) }
    return grid
}

func act(on event: InputEvent, _ session: TerminalSession, _ events: inout [String]) {
    switch event {
    case .key(.character("q")): leave(session, "q")
    case .key(.control("c")): leave(session, "Ctrl-C")
    case .key(.control("z")): session.suspend()
    case .key(.control("l")): session.redraw()
    case .key(.character("T")): fatalError("a trap")
    case .key(.character("S")): raise(SIGSEGV)
    case .key(.character("A")): abort()
    case .key(.character("X")): exit(5)
    case .key(.character("O")): _ = deeper(1)
    case .key(.character("!")):
        let status = session.withTerminalGivenBack { run("stty -a; echo other program; read line") }
        events.append("other \(status)")
    case .key(.character("F")), .key(.character("f")):
        // Draws until the terminal, which nothing reads, accepts no more.
        while session.timeToDraw == nil {
            session.redraw()
            session.draw(view(events, session))
        }
        if event == .key(.character("F")) { raise(SIGTERM) }
    default: break
    }
}

/// Overflows the stack.
func deeper(_ depth: Int) -> Int { withUnsafePointer(to: depth) { deeper($0.pointee + 1) } + depth }

func run(_ script: String) -> Int32 {
    var process = pid_t()
    let words: [String] = ["sh", "-c", script]
    var pointers = words.map { strdup($0) } + [nil]
    posix_spawnp(&process, "sh", nil, nil, &pointers, environ)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
}

do {
    let session = try TerminalSession(
        TerminalSession.Options(
            program: "The probe",
            theme: CommandLine.arguments.dropFirst().first.flatMap(ThemeChoice.init) ?? .auto
        )
    )
    var events: [String] = []
    while true {
        session.draw(view(events, session))
        var ready = [
            pollfd(fd: session.inputDescriptor, events: session.inputEvents, revents: 0),
            pollfd(fd: session.signalDescriptor, events: Int16(POLLIN), revents: 0),
        ]
        poll(&ready, 2, -1)
        let signals = session.readSignals()
        if signals.contains(.interrupt) { leave(session, "interrupt") }
        if signals.contains(.terminate) { leave(session, "terminate") }
        if signals.contains(.hangUp) { leave(session, "hangUp", code: 3) }
        if signals.contains(.stop) { session.suspend() }
        for event in try session.readEvents() {
            events.append(describe(event))
            act(on: event, session, &events)
        }
    }
} catch {
    var text = "\(error)\n"
    _ = text.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(1)
}
