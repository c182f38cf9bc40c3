import TerminalCanvas

/// The editor's symbols, each one column wide. They say the same as the colours, for terminals and eyes
/// without colour.
struct Symbols: Sendable {
    let glyphs: Glyphs

    private func sign(_ unicode: Character, _ ascii: Character) -> String {
        String(glyphs == .unicode ? unicode : ascii)
    }

    /// The selected row of the focused pane, and of the other pane.
    var selected: String { sign("»", ">") }
    var selectedElsewhere: String { sign("›", "-") }
    /// A row of the multi-selection, and the selected one of these rows.
    var multiSelection: String { sign("◇", "x") }
    var markedSelected: String { sign("◆", "X") }
    var changed: String { sign("●", "*") }
    /// Between a suite and its key.
    var inside: String { sign("›", ">") }
    /// A declared setting without a stored value, and one whose value is not the default.
    var byDefault: String { sign("○", "o") }
    var modified: String { sign("≠", "#") }
    /// A key that has its value from another layer: a lower one, or a higher one that locks it.
    var inherited: String { sign("↓", "i") }
    var locked: String { sign("§", "L") }
    /// A line that differs from the compared values. A sign such as ≠ would look like a part of the value.
    var differs: String { sign("▌", "|") }
    var hidden: String { sign("•", "*") }
    var problem: String { "!" }
    /// A key that another program has deleted.
    var deleted: String { sign("−", "-") }
    /// A change that is being written.
    var pending: String { sign("…", "~") }
    /// A staged change, which is written when the user says so.
    var staged: String { sign("±", "%") }
    var readOnly: String { "=" }
    /// Where a line across begins at a line down.
    var branch: String { sign("├", "|") }
    var scrollbar: Character { glyphs.verticalLine }
    var scrollbarThumb: Character { glyphs == .ascii ? "#" : "█" }
    /// The meaning of each sign, for the help.
    var legend: [(sign: String, meaning: String)] {
        [
            (changed, "changed outside"), (staged, "staged, not saved yet"), (pending, "being saved"),
            (deleted, "deleted"), (problem, "unreadable, or a conflict"), (byDefault, "shows its default"),
            (modified, "not the default"), (hidden, "secret"), (readOnly, "read-only"),
            (inherited, "from another layer"), (locked, "locked"), (multiSelection, "selected with m"),
            (closed, "has something inside"), (selected, "the cursor"),
            (selectedElsewhere, "the cursor of the other pane"), (differs, "this line differs"),
        ]
    }
    var open: String { sign("▾", "-") }
    var closed: String { sign("▸", "+") }
}
