import TerminalCanvas

/// The editor's own signs, each one column wide. They say what colours say as well.
struct Signs: Sendable {
    let glyphs: Glyphs

    private func sign(_ unicode: Character, _ ascii: Character) -> String {
        String(glyphs == .unicode ? unicode : ascii)
    }

    /// The selected row of the pane that has the focus, and of the other one.
    var selected: String { sign("»", ">") }
    var selectedElsewhere: String { sign("›", "-") }
    /// A row that is acted upon together with others, and the one of them that is selected.
    var marked: String { sign("◇", "x") }
    var markedSelected: String { sign("◆", "X") }
    var changed: String { sign("●", "*") }
    /// Between a suite and its key.
    var inside: String { sign("›", ">") }
    /// A declared setting that nothing is stored for, and one whose value is not the default.
    var byDefault: String { sign("○", "o") }
    var modified: String { sign("≠", "#") }
    /// A line that is not the same in the values beside it.
    var differs: String { modified }
    /// In place of each character of a secret.
    var hidden: String { sign("•", "*") }
    var problem: String { "!" }
    /// What others have deleted.
    var deleted: String { sign("−", "-") }
    /// Not stored yet.
    var pending: String { sign("…", "~") }
    /// To be written when the user says so.
    var staged: String { sign("±", "%") }
    var readOnly: String { "=" }
    var open: String { sign("▾", "-") }
    var closed: String { sign("▸", "+") }
}
