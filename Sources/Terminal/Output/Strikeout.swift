/// Strikes text out on terminals that can do it (terminfo: `smxx` and `rmxx`).
///
/// ncurses has no attribute for this. No style uses italics, so ncurses gets such text as italics, and the sequences for
/// italics in its output are replaced. Without this, only a word and a dim look would mark a value that will be deleted, as
/// on terminals without these capabilities.
struct Strikeout: Sendable {
    private let start: (italics: [UInt8], strikeout: [UInt8])
    private let end: (italics: [UInt8], strikeout: [UInt8])

    /// Reads the abilities of the current terminal. Nil if it cannot strike text out.
    init?() {
        self.init(
            italics: (capability("sitm") ?? [], capability("ritm") ?? []),
            strikeout: (capability("smxx") ?? [], capability("rmxx") ?? [])
        )
    }

    /// Nil if one of the sequences is missing.
    init?(italics: (start: [UInt8], end: [UInt8]), strikeout: (start: [UInt8], end: [UInt8])) {
        let all = [italics.start, italics.end, strikeout.start, strikeout.end]
        guard !all.contains([]) else { return nil }
        start = (italics.start, strikeout.start)
        end = (italics.end, strikeout.end)
    }

    /// The output of ncurses with strikeouts in place of italics.
    func applied(to frame: [UInt8]) -> [UInt8] {
        // A plain loop, because the standard library's search takes a tenth of the time from a key to its frame.
        let hasItalics = frame.indices.contains {
            frame[$0] == start.italics[0] && frame[$0...].starts(with: start.italics)
        }
        guard hasItalics else { return frame }
        return frame.replacing(start.italics, with: start.strikeout)
            .replacing(end.italics, with: end.strikeout)
    }
}
