import CNcurses
import FoundationEssentials
import Glibc

// The control sequences that ncurses does not send, and the terminfo strings that describe a terminal.

func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// Returns a terminfo string of the current terminal without its padding delays (`$<5>`, terminfo(5)).
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

/// The terminal modes that ncurses does not manage, and the queries we send.
///
/// Each mode that is switched on here must be switched off on every exit, also by the crash handler. So all
/// their sequences are in this file.
struct TerminalModes {
    /// Bracketed paste on, and bidirectional support explicit (BDSM, ECMA-48), so that a terminal does not
    /// reorder rows with right-to-left letters.
    private let on: String
    private let off: String
    /// Moves the cursor below the drawn screen, if the terminal has no alternate screen.
    private let below: String

    /// Reads the modes of the terminal that newterm(3) has made the current one. Fails if it cannot move its
    /// cursor.
    init?() {
        guard let move = capability("cup") else { return nil }
        // Other terminals would show such sequences as text.
        let isANSI = move.starts(with: "\u{1B}[".utf8)
        on = isANSI ? "\u{1B}[?2004h\u{1B}[8l" : ""
        off = isANSI ? "\u{1B}[?2004l\u{1B}[8h" : ""
        below = capability("rmcup") == nil ? "\r\n" : ""
    }

    func copy(_ text: String, to output: inout TerminalOutput) {
        // `off` is empty if the terminal would show such sequences as text.
        guard !off.isEmpty else { return }
        let encoded = Data(text.utf8).base64EncodedString()
        output.write("\u{1B}]52;c;\(encoded)\u{7}")
    }

    /// Writes one frame, as a synchronized update (mode 2026) if the terminal supports that.
    func write(frame bytes: [UInt8], isSynchronized: Bool, to output: inout TerminalOutput) {
        var bytes = bytes
        if isSynchronized { bytes = Array("\u{1B}[?2026h".utf8) + bytes + Array("\u{1B}[?2026l".utf8) }
        output.write(bytes)
    }

    /// Asks the terminal about its background, its abilities and its kind. Returns false for a terminal that
    /// would show the queries as text.
    ///
    /// Every terminal answers the last query (DA1), so its answer means that no other answer will come.
    func ask(aboutBackground asksBackground: Bool, _ output: inout TerminalOutput) -> Bool {
        // The Linux console prints the end of the mode query.
        guard !off.isEmpty, variable("TERM")?.hasPrefix("linux") != true else { return false }
        let background = asksBackground ? "\u{1B}]11;?\u{1B}\\" : ""
        output.write(background + "\u{1B}[?2026$p\u{1B}[c")
        return true
    }

    /// Switches mouse reports on or off (modes 1000 and 1006). While they are on, the terminal does not
    /// select text.
    func setMouse(_ isOn: Bool, _ output: inout TerminalOutput) {
        let letter = isOn ? "h" : "l"
        if !off.isEmpty { output.write("\u{1B}[?1000\(letter)\u{1B}[?1006\(letter)") }
    }

    func enter(_ output: inout TerminalOutput) { output.write(on) }
    /// Call this before endwin(3).
    func leave(_ output: inout TerminalOutput) { output.write(off) }
    /// Call this after endwin(3).
    func moveBelow(_ output: inout TerminalOutput) { output.write(below) }

    /// The bytes that restore a terminal after a crash in the middle of anything.
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
