import ArgumentParser

@main
struct PDefaultsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pdefaults",
        abstract: "Shows and changes the settings of programs, in a terminal and in scripts.",
        discussion: """
            Without a command it opens the editor on the folder of the user's settings: \
            $XDG_CONFIG_HOME, or ~/.config.
            """,
        subcommands: [
            EditCommand.self, DomainsCommand.self, ReadCommand.self, WriteCommand.self, DemoCommand.self,
            DemoChangesCommand.self,
        ],
        defaultSubcommand: EditCommand.self
    )

    /// As `ParsableCommand` has it, but what an error quotes reaches no terminal raw.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            let code = exitCode(for: error)
            let message = fullMessage(for: error)
            if !message.isEmpty { code.isSuccess ? Output.line(message) : Output.error(message) }
            exit(withError: code)
        }
    }
}
