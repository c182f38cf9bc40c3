import CommandLanguage
import PropertyList
import SettingsStore

// Writes settings as text that sets them again: as commands, or as one file with all suites. A person who moves to another
// machine would otherwise compare dumps by hand, and lose types.

extension ParsedCommand {
    /// The options that name the folder or cluster again, for a command that is printed.
    var commandOptions: [String] {
        if let folder = word(of: .directory) {
            return [CommandOption.directory.spelling, SettingsFolder(path: folder).path]
        }
        if has(.gsettings) { return [CommandOption.gsettings.spelling] }
        return word(of: .cluster).map { [CommandOption.cluster.spelling, $0] } ?? []
    }

    /// The file of a command that has `--all`.
    fileprivate var fileOfAll: String {
        get throws(UsageError) {
            for option in [CommandOption.layer, .commands] where has(option) {
                throw UsageError("Use either --all or \(option.spelling).", of: command)
            }
            return words[0]
        }
    }
}

extension SuiteTarget {
    /// Makes commands that change this suite.
    func changeCommands(_ line: ParsedCommand) -> ChangeCommands {
        let layer = layer.map { [CommandOption.layer.spelling, $0.rawValue] } ?? []
        return ChangeCommands(
            options: line.commandOptions + layer,
            suite: backend == nil ? location : name,
            storesJSON: usersStorage.traits.storesJSON
        )
    }
}

/// Runs `export --commands`: prints the commands that rebuild a suite.
func exportCommands(_ target: SuiteTarget, _ line: ParsedCommand) throws {
    for option in [CommandOption.json, .asSettings] where line.has(option) {
        throw UsageError("Use either --commands or \(option.spelling).", of: .export)
    }
    let commands = target.changeCommands(line)
    var text = ""
    var hasFailed = false
    // The first command decides the format of a new file. It is XML, unless XML cannot store the value.
    let values = try target.presentValues().map { ($0, isKeptByXML([$0.key: $0.value]) ? 1 : 0) }
    for ((key, value), _) in values.sorted(by: { ($0.1, $0.0.key) < ($1.1, $1.0.key) }) {
        do {
            for command in try commands.commands(for: key, from: nil, to: value) {
                text += command.text + "\n"
            }
        } catch {
            Output.error("\(target.name) \(MessageText.name(key)): \(error)")
            hasFailed = true
        }
    }
    if let path = line[1], path != "-" {
        try replaceFile(path, with: Array(text.utf8))
    } else {
        Output.text(text)
    }
    if hasFailed { throw ExitCode(ExitStatus.failure) }
}

/// Runs `export --all`: writes the user's values of all suites into one file.
func exportAll(_ line: ParsedCommand, in backend: any SuiteBackend) throws {
    let file = try line.fileOfAll
    var all: [String: PropertyListValue] = [:]
    var hasFailed = false
    for target in try line.allTargets(in: backend) {
        do {
            guard let values = try target.values({ Output.error("\($0).") }), !values.isEmpty else {
                continue
            }
            all[target.name] = .dictionary([String: PropertyListValue](values))
        } catch {
            Output.error(message(for: error))
            hasFailed = true
        }
    }
    if line.has(.asSettings) {
        let text = PropertyListValue.dictionary(all).typedJSON(indented: true, openingJSON: true)
        if file == "-" { Output.json(text) } else { try replaceFile(file, with: Array((text + "\n").utf8)) }
    } else {
        try export(.dictionary(all), of: backend.location, to: file, asJSON: line.has(.json))
    }
    if hasFailed { throw ExitCode(ExitStatus.failure) }
}

/// Runs `import --all`: stores the values of all suites of a file. Each suite is one transaction.
func importAll(_ line: ParsedCommand, in backend: any SuiteBackend) throws {
    let file = try line.fileOfAll
    // Everything is checked before anything is written.
    let suites = try importedValues(file).sorted { $0.key < $1.key }.map { name, value in
        guard case .dictionary(let values) = value else {
            throw CommandError(
                "\(file): “\(MessageText.name(name))” is not a dictionary of keys. The file must be one that “pdefaults export "
                    + "--all” has written. \(MacOSMessage.nothingChanged)"
            )
        }
        return (target: try SuiteTarget(name, in: backend), values: values)
    }
    var hasFailed = false
    for (target, values) in suites {
        do {
            try target.change(EditPlan([.setAll(values)]))
        } catch {
            Output.error("\(target.name): \(message(for: error))")
            hasFailed = true
        }
    }
    if hasFailed { throw ExitCode(ExitStatus.failure) }
}
