import CommandLanguage
import PropertyList

// Copying a value or a change as the command that repeats it.
extension EditorState {
    /// Copies the command that sets the selected value.
    mutating func copyCommand(setting row: Row) throws -> [Effect] {
        guard let suite else { return [] }
        if row.depth == 0, suite.isWithoutValue(row.path.key) { throw Refusal("It has no value.") }
        return try copyCommand(of: suite.id, row.path, row.node)
    }

    /// Copies the command that repeats a change of the history.
    mutating func copyCommand(repeating entry: Journal.Entry) throws -> [Effect] {
        guard let change = entry.ofKey else {
            throw Refusal("Only a change of a key can be copied as a command.")
        }
        return try copyCommand(of: entry.suite, [.key(change.key)], change.value.new.map(ValueNode.init))
    }

    private mutating func copyCommand(of suite: String, _ path: ValuePath, _ node: ValueNode?) throws
        -> [Effect]
    {
        let command = try ShellCommand(
            options: options.commandOptions,
            suite: options.commandSuite ?? suite,
            path: path,
            node: node
        )
        let isSecret =
            suiteIndex(suite).map { suiteList.suites[$0].secrets.contains(path.key) }
            ?? hides(path.key, of: suite)
        guard isSecret, node != nil else { return copy(command) }
        modals.push(
            .question(
                Confirmation(
                    text: "The command contains the secret “\(path.key)”. Copy and show it?",
                    subject: .copyCommand(command)
                )
            )
        )
        return []
    }

    /// Copies the command and shows it, because the editor cannot know whether the terminal has a clipboard.
    mutating func copy(_ command: ShellCommand) -> [Effect] {
        say("Copied: \(command.text)")
        return [.copy(command.text)]
    }
}
