import ProgramHarness
import Testing

@Suite("Drawing on a terminal", .timeLimit(.minutes(60)))
struct ScreenTests {
    @Test(
        "Columns are aligned on every kind and size of terminal",
        arguments: ["vt100", "xterm", "xterm-256color", "screen", "tmux-256color", "linux"],
        [(20, 5), (80, 24), (400, 100)]
    )
    func columns(terminal: String, size: (columns: Int, rows: Int)) async throws {
        let probe = try await ProbeTerminal(
            columns: size.columns,
            rows: size.rows,
            environment: ["TERM": terminal]
        )
        #expect(try probe.tmux.screen()[0].hasSuffix(" \(size.columns)x\(size.rows)".prefix(20 - 6)))
        let samples = [
            "漢字        |", "😀          |", "e\u{301}           |", "␛[2J        |", "♥           |",
            "👨‿👩‿👧    |",
            "שלום        |", "<DE>        |", "क्षि         |", "text        |",
        ]
        try await probe.tmux.waitUntil("the samples") { tmux in
            let rows = try tmux.screen().dropFirst()
            return zip(rows, samples).allSatisfy { $0.hasPrefix($1) }
        }
        #expect(try probe.tmux.cursor().map { [$0.column, $0.row] } == [3, 0])
        let last = try probe.tmux.screen().last
        #expect(last?.last == "+")
        #expect(last?.count == size.columns)
        try probe.tmux.send("q")
        try await probe.expectRestored(code: 0)
    }

    @Test("A missing locale whose name contains UTF-8 counts as UTF-8")
    func missingLocale() async throws {
        let probe = try await ProbeTerminal(environment: ["LC_ALL": "", "LANG": "xx_XX.UTF-8"])
        try await probe.tmux.waitUntil("the samples") { try $0.screen()[1].hasPrefix("漢字        |") }
    }

    @Test("Without UTF-8 columns are aligned, and unsupported characters become question marks")
    func ascii() async throws {
        let probe = try await ProbeTerminal(environment: ["LC_ALL": "C"])
        try await probe.tmux.waitUntil("the samples") { tmux in
            try tmux.screen().dropFirst().prefix(4).elementsEqual([
                "? ?         |", "?           |", "?           |", "^[[2J       |",
            ])
        }
    }

    @Test(
        "Colours are used if the terminal has them and NO_COLOR is not set",
        arguments: [
            (["TERM": "tmux-256color"], "\u{1B}[31m", "\u{1B}[2m"),
            (["TERM": "xterm"], "\u{1B}[31m", "\u{1B}[2m"),
            (["TERM": "xterm", "NO_COLOR": ""], "\u{1B}[31m", "\u{1B}[2m"),
            (["TERM": "vt100"], nil, nil),
            (["TERM": "tmux-256color", "NO_COLOR": "1"], nil, "\u{1B}[2m"),
            (["TERM": "tmux-256color", "COLORFGBG": "15;0"], "\u{1B}[38;5;210m", "\u{1B}[38;5;247m"),
            (["TERM": "tmux-256color", "COLORFGBG": "0;15"], "\u{1B}[38;5;124m", "\u{1B}[38;5;241m"),
            (["TERM": "tmux-256color", "NO_COLOR": "1", "COLORFGBG": "15;0"], nil, "\u{1B}[2m"),
        ] as [([String: String], String?, String?)]
    )
    func colors(environment: [String: String], red: String?, grey: String?) async throws {
        let probe = try await ProbeTerminal(environment: environment)
        let screen = try probe.tmux.styledScreen()
        #expect(screen[0].contains("\u{1B}[1m"))
        let wide = try #require(screen.first { $0.contains("漢字") })
        if let red {
            #expect(wide.contains(red))
        } else {
            #expect(!wide.contains("[31m") && !wide.contains("[38"))
        }
        let text = try #require(screen.first { $0.contains("text") })
        if let grey { #expect(text.contains(grey)) } else { #expect(!text.contains("[90m")) }
    }

    @Test(
        "A value that will be deleted is struck out if the terminal can do it",
        arguments: [("tmux-256color", true), ("xterm-256color", true), ("screen", false), ("vt100", false)]
    )
    func strikeout(terminal: String, isStruck: Bool) async throws {
        let probe = try await ProbeTerminal(environment: ["TERM": terminal])
        let line = try #require(try probe.tmux.styledScreen().first { $0.contains("gone") })
        // Attribute 9, alone or beside others.
        #expect(line.contains(/\u{1B}\[([0-9]+;)*9m/) == isStruck, "\(line.debugDescription)")
        #expect(!line.contains(/\u{1B}\[([0-9]+;)*3m/))
    }

    @Test("The cursor is hidden if the grid has none")
    func hiddenCursor() async throws {
        let probe = try await ProbeTerminal()
        try probe.tmux.send("h")
        try await probe.tmux.waitUntil("no cursor") { try $0.cursor() == nil }
        try probe.tmux.send("x")
        try await probe.tmux.waitUntil("the cursor") { tmux in
            try tmux.cursor().map { [$0.column, $0.row] } == [3, 0]
        }
    }

    @Test("A new size is an event, and the screen is drawn again")
    func resizing() async throws {
        let probe = try await ProbeTerminal()
        for (columns, rows) in [(40, 10), (100, 30), (20, 5)] {
            try probe.tmux.resize(columns: columns, rows: rows)
            try await probe.tmux.waitUntil("\(columns)x\(rows)") { tmux in
                let screen = try tmux.screen()
                return screen[0].hasSuffix(" \(columns)x\(rows)") && screen.count == rows
                    && screen[1].hasPrefix("漢字        |")
            }
        }
        try probe.tmux.resize(columns: 60, rows: 20)
        try await probe.tmux.waitFor("resize 60x20")
        try await probe.tmux.waitFor("resize 40x10")
    }
}
