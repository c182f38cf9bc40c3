import CommandLanguage
import DesiredSettings
import PropertyList

// Copying values and changes as text that sets them again: as commands, and as a settings file of `pdefaults apply`.
extension EditorState {
    /// Copies the command that sets the selected value.
    mutating func copyCommand(setting row: Row) throws -> [Effect] {
        guard let suite else { return [] }
        if row.depth == 0, suite.isWithoutValue(row.path.key) { throw Refusal("It has no value.") }
        let command = try ShellCommand(
            options: place.commandOptions,
            suite: place.commandName(suite.name),
            path: row.path,
            node: row.node
        )
        return copy(command.text, "Copied: \(command.text)", secret: secret(row.path.key, of: suite.id))
    }

    /// Copies the commands that make changes, as few as possible.
    mutating func copyCommands(for changes: [TotalChange]) throws -> [Effect] {
        let commands = try changes.flatMap { change in
            let isJSON = suiteIndex(change.suite).map { suiteList.suites[$0].comments != nil } ?? false
            let commands = ChangeCommands(
                options: place(ofSuite: change.suite).commandOptions,
                suite: commandName(change.suite),
                storesJSON: isJSON
            )
            return try commands.commands(for: change.key, from: change.value.old, to: change.value.new)
        }
        let text = commands.map(\.text).joined(separator: "\n")
        let message = commands.count == 1 ? "Copied: \(text)" : "Copied \(commands.count) commands."
        return copy(text, message, secret: secret(in: changes))
    }

    /// Copies the values after changes of the history as a settings file.
    mutating func copySettings(of entries: [Journal.Entry]) throws -> [Effect] {
        let changes = try total(entries)
        var suites: [(name: String, keys: [(key: String, value: PropertyListValue?)])] = []
        for change in changes {
            let name = commandName(change.suite)
            let index = suites.firstIndex { $0.name == name } ?? suites.endIndex
            if index == suites.endIndex { suites.append((name, [])) }
            suites[index].keys.append((change.key, change.value.new))
        }
        let count = changes.count == 1 ? "1 setting" : "\(changes.count) settings"
        return copy(
            SettingsFile.text(suites),
            "Copied a settings file with \(count).",
            secret: secret(in: changes)
        )
    }

    private func place(ofSuite id: String) -> Place {
        suiteList.placeIndex(ofSuite: id).map { suiteList.places[$0] } ?? place
    }

    private func commandName(_ suite: String) -> String {
        let place = place(ofSuite: suite)
        return place.commandName(place.name(ofSuite: suite) ?? suite)
    }

    typealias TotalChange = (suite: String, key: String, value: ValueChange)

    /// What the changes are together, with one change for each key.
    func total(_ entries: [Journal.Entry]) throws -> [TotalChange] {
        var changes: [TotalChange] = []
        for entry in entries {
            guard let change = entry.ofKey else {
                let title = title(ofSuite: entry.suite)
                throw Refusal("Only changes of keys can be copied. “\(title)” has changed as a whole.")
            }
            let known = changes.firstIndex { $0.suite == entry.suite && $0.key == change.key }
            let index = known ?? changes.endIndex
            if known == nil { changes.append((entry.suite, change.key, change.value)) }
            changes[index].value = ValueChange(old: changes[index].value.old, new: change.value.new)
        }
        changes.removeAll { $0.value.old == $0.value.new }
        if changes.isEmpty { throw Refusal("After these changes, everything is as it was before.") }
        return changes
    }

    private func secret(in changes: [TotalChange]) -> String? {
        changes.lazy.compactMap { $0.value.new == nil ? nil : secret($0.key, of: $0.suite) }.first
    }

    /// The key if its value is secret.
    private func secret(_ key: String, of suite: String) -> String? {
        let isSecret = suiteIndex(suite).map { suiteList.suites[$0].secrets.contains(key) }
        return isSecret ?? hides(key, of: suite) ? key : nil
    }

    /// Copies a text, and shows it or says what it is, because the editor cannot know whether the terminal has a clipboard.
    ///
    /// - Parameter secret: A key whose secret value is in the text. Then the user is asked first.
    private mutating func copy(_ text: String, _ message: String, secret: String?) -> [Effect] {
        guard let secret else { return copy(text, message) }
        let what = message.hasPrefix("Copied: ") ? "command" : "text"
        let andShow = what == "command" ? " and show" : ""
        let question = "The \(what) contains the secret “\(secret)”. Copy\(andShow) it?"
        modals.ask(question, .copy(text, message: message))
        return []
    }

    mutating func copy(_ text: String, _ message: String) -> [Effect] {
        say(message)
        return [.copy(text)]
    }
}
