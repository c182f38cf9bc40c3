import Glibc
import SettingsStore

/// Opens the editor on all domains of the folder, or on one.
func edit(_ domain: Domain?, in folder: SettingsFolder, isReadOnly: Bool) throws {
    try requireTerminal()
    guard let domain else { return try EditorLoop.run(.folder(folder), isReadOnly: isReadOnly) }
    guard try LiveFileSystem().stat(domain.path) != nil else {
        throw CommandError(
            "There is no domain or command “\(domain.name)” (looked for \(domain.path)). "
                + "“pdefaults write” makes a domain, and so does “a” in the editor; "
                + "“pdefaults help” lists the commands."
        )
    }
    try EditorLoop.run(.suite(title: domain.name, domain.suite), isReadOnly: isReadOnly)
}

/// - Throws: a sentence where the editor would have no terminal to show itself on.
func requireTerminal() throws {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
        throw CommandError(
            "The editor needs a terminal, and standard input or output is none. In scripts use "
                + "“pdefaults read”, “write” and the others that “pdefaults help” lists."
        )
    }
}
