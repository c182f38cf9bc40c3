import CommandLanguage
import PropertyList
import SettingsEditor
import SettingsStore

// The commands that print texts made from the command declarations: `help` and `complete`.

/// Runs `help`: prints the overview, the help on one command, the manual page or a completion script.
func help(_ line: ParsedCommand) throws {
    if line.has(.man) {
        return Output.text(ManualPage.text(version: version, date: versionDate, keys: manualKeys))
    }
    if let shell = line.word(of: .completion) {
        guard let script = CompletionScript(rawValue: shell) else {
            throw UsageError("There is no completion for “\(shell)”. Choose bash, zsh or fish.", of: .help)
        }
        return Output.text(script.text)
    }
    guard let word = line[0] else { return Output.text(HelpText.overview) }
    guard let command = CommandName(word: word), CommandName.shown.contains(command) else {
        throw UsageError("There is no command “\(word)”. Run “pdefaults help” to list the commands.")
    }
    Output.text(HelpText.text(on: command))
}

/// The editor's keys for the manual page, from its keymap and the user's preferences.
private var manualKeys: [ManualPage.Keys] {
    KeySection.all(of: PreferencesWatcher.read()).map {
        ManualPage.Keys(title: $0.title, keys: $0.keys.map { ($0.names, $0.help) })
    }
}

/// Runs `complete`: prints the completions of a word. If anything fails, it prints none.
func complete(_ line: ParsedCommand) {
    guard line[0].flatMap(CompletionScript.init(rawValue:)) != nil else { return }
    let words = CompletionScript.words(Array(line.words.dropFirst()))
    let source = Completion.Source(
        suites: { place in
            guard let backend = try? backend(place) else { return [] }
            return ((try? backend.suiteNamesOfAllLayers()) ?? []).map { SuiteTarget($0, in: backend).name }
        },
        keys: { word, place in
            guard let target = try? SuiteTarget(word, in: backend(place)) else { return [] }
            let declared =
                (try? target.schemaPlace?.read())?.declarations.keys.map(\.self) ?? []
            let stored = (try? target.values())?.keys.map(\.self) ?? []
            return target.otherLayers().keys.union(stored + declared).sorted()
        },
        appliedNames: { (try? AppliedFolder.standard.names()) ?? [] }
    )
    for line in Completion.offer(for: words, source).lines {
        Output.line(line)
    }
}

private func backend(_ place: Completion.Place) throws -> any SuiteBackend {
    switch place {
    case .standard: SettingsFolder.standard
    case .folder(let path): SettingsFolder(path: path)
    case .desktop: try desktopSettings()
    }
}
