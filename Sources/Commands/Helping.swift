import CommandLanguage
import PropertyList
import SettingsEditor
import SettingsStore

/// `help`: what there is, one command, the manual page, or a script for a shell.
func help(_ line: CommandWords) throws {
    if line.has(.man) {
        return Output.text(ManualPage.text(version: version, date: versionDate, keys: manualKeys))
    }
    if let shell = line.word(of: .completion) {
        guard let script = CompletionScript(rawValue: shell) else {
            throw UsageError("“\(shell)” is none of bash, zsh and fish.", of: .help)
        }
        return Output.text(script.text)
    }
    guard let word = line[0] else { return Output.text(HelpText.overview) }
    guard let command = CommandName.shown.first(where: { $0.rawValue == word.lowercased() }) else {
        throw UsageError("There is no command “\(word)”. “pdefaults help” lists them.")
    }
    Output.text(HelpText.text(on: command))
}

/// The keys of the editor, from its keymap.
private var manualKeys: [ManualPage.Keys] {
    KeySection.all.map { ManualPage.Keys(title: $0.title, keys: $0.keys.map { ($0.names, $0.help) }) }
}

/// Prints what the word under the cursor can become. Whatever goes wrong, there is just nothing to offer.
func complete(_ line: CommandWords) {
    guard line[0].flatMap(CompletionScript.init(rawValue:)) != nil else { return }
    let words = CompletionScript.words(Array(line.words.dropFirst()))
    let source = Completion.Source(
        domains: { folder in ((try? settingsFolder(folder).suiteNames()) ?? []).map(\.rawValue) },
        keys: { word, folder in
            guard let domain = try? Domain(word, in: settingsFolder(folder)) else { return [] }
            let declared =
                (try? domain.schemaPlace?.read())?.declarations.keys.map(\.self) ?? []
            let stored = (try? domain.values())?.keys.map(\.self) ?? []
            return Set(stored + declared).sorted()
        }
    )
    for line in Completion.offer(for: words, source).lines {
        Output.line(line)
    }
}

private func settingsFolder(_ path: String?) -> SettingsFolder {
    path.map { SettingsFolder(path: $0) } ?? .standard
}
