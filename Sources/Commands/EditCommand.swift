import ArgumentParser
import Glibc
import SettingsStore

struct EditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Opens the editor: on all suites of the folder, on one suite, or on one file.",
        discussion: "Press ? in the editor for its keys."
    )

    @OptionGroup var folder: FolderOptions

    @Flag(help: "Refuse every change.")
    var readOnly = false

    @Argument(help: "A suite's name, or its file's path (starting with “/”, “./” or “~/”).")
    var domain: Domain?

    func run() throws {
        try requireTerminal()
        if let domain {
            let suite = try domain.suite(in: folder)
            guard try LiveFileSystem().stat(suite.location) != nil else {
                throw CommandError(
                    "There is no suite “\(domain.argument)” (looked for \(suite.location)). "
                        + "“pdefaults write” makes one, and so does “a” in the editor; "
                        + "“pdefaults --help” lists the commands."
                )
            }
            try EditorLoop.run(.suite(title: domain.argument, suite), isReadOnly: readOnly)
        } else {
            try EditorLoop.run(.folder(folder.folder), isReadOnly: readOnly)
        }
    }
}

/// - Throws: a sentence where the editor would have no terminal to show itself on.
func requireTerminal() throws {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
        throw CommandError(
            "The editor needs a terminal, and standard input or output is none. In scripts use "
                + "“pdefaults read”, “write” and “domains”."
        )
    }
}
