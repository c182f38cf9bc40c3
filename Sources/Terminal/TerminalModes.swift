import CNcurses
import FoundationEssentials
import Glibc

/// A variable of the environment.
func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// A string of the current terminal's terminfo entry, without the delays that some ask for
/// (terminfo(5), `$<5>`).
func capability(_ name: String) -> [UInt8]? {
    guard let value = cncurses_capability(name) else { return nil }
    return withoutDelays(value)
}

private func withoutDelays(_ value: UnsafePointer<CChar>) -> [UInt8] {
    var rest = UnsafeRawBufferPointer(start: value, count: strlen(value))[...]
    var bytes: [UInt8] = []
    while let byte = rest.first {
        if rest.starts(with: "$<".utf8), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
            rest = rest[(end + 1)...]
        } else {
            bytes.append(byte)
            rest.removeFirst()
        }
    }
    return bytes
}

/// What is switched on in the terminal beside what ncurses switches, and how all of it is switched off.
struct TerminalModes {
    /// Bracketed paste on. Bidirectional support explicit, so that no terminal reorders a row that has
    /// right-to-left letters (BDSM of ECMA-48, as the terminal working group's recommendation uses it).
    private let on: String
    private let off: String
    /// Where there is no other screen to go back to: below what was drawn, where ncurses leaves the
    /// cursor.
    private let below: String

    /// For the terminal that newterm(3) has made the current one; nil if it can't place its cursor.
    init?() {
        guard let move = capability("cup") else { return nil }
        // Others would show such sequences.
        let isANSI = move.starts(with: "\u{1B}[".utf8)
        on = isANSI ? "\u{1B}[?2004h\u{1B}[8l" : ""
        off = isANSI ? "\u{1B}[?2004l\u{1B}[8h" : ""
        below = capability("rmcup") == nil ? "\r\n" : ""
    }

    func copy(_ text: String, to output: inout TerminalOutput) {
        // Off is empty where such sequences would be shown.
        guard !off.isEmpty else { return }
        let encoded = Data(text.utf8).base64EncodedString()
        output.write("\u{1B}]52;c;\(encoded)\u{7}")
    }

    /// Writes what makes a screen, for a terminal that shows nothing in between where it can do that
    /// (mode 2026).
    ///
    /// - Parameter asks: Whether it is asked to say when it has come to the end of that.
    func write(frame bytes: [UInt8], isSynchronized: Bool, asks: Bool, to output: inout TerminalOutput) {
        var bytes = bytes
        if isSynchronized { bytes = Array("\u{1B}[?2026h".utf8) + bytes + Array("\u{1B}[?2026l".utf8) }
        if asks { bytes += Self.readiness.utf8 }
        output.write(bytes)
    }

    private static let readiness = "\u{1B}[5n"

    /// Asks the terminal what it is and can do; false for one that would show the questions. The last
    /// question is one that all terminals answer (DA1), so that its answer says that no other will come.
    func ask(aboutBackground asksBackground: Bool, _ output: inout TerminalOutput) -> Bool {
        // The Linux console prints the end of the question about a mode.
        guard !off.isEmpty, variable("TERM")?.hasPrefix("linux") != true else { return false }
        let background = asksBackground ? "\u{1B}]11;?\u{1B}\\" : ""
        output.write(background + "\u{1B}[?2026$p" + Self.readiness + "\u{1B}[c")
        return true
    }

    /// Whether the terminal reports buttons and the wheel, in cells (modes 1000 and 1006), instead of
    /// selecting text.
    func setMouse(_ isOn: Bool, _ output: inout TerminalOutput) {
        let letter = isOn ? "h" : "l"
        if !off.isEmpty { output.write("\u{1B}[?1000\(letter)\u{1B}[?1006\(letter)") }
    }

    func enter(_ output: inout TerminalOutput) { output.write(on) }
    /// Before endwin(3).
    func leave(_ output: inout TerminalOutput) { output.write(off) }
    /// After endwin(3).
    func goBelow(_ output: inout TerminalOutput) { output.write(below) }

    /// What brings any terminal back that a program has left in the middle of something.
    func resetBytes(rows: Int) -> [UInt8] {
        var bytes = Array(off.utf8)
        if !off.isEmpty { bytes += "\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1003l\u{1B}[?1006l\u{1B}[?2026l".utf8 }
        for name in ["sgr0", "op", "rmacs", "rmkx", "cnorm"] { bytes += capability(name) ?? [] }
        if let leave = capability("rmcup") {
            bytes += leave
        } else if let move = cncurses_move_cursor(Int32(max(0, rows - 1)), 0) {
            bytes += withoutDelays(move)
            bytes += below.utf8
        }
        return bytes
    }
}
