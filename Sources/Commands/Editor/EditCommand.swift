import CommandLanguage
import Dispatch
import Glibc
import SettingsEditor
import SettingsStore
import TerminalCanvas

/// Runs `edit`: opens the editor on all suites or on one.
func edit(_ line: ParsedCommand, in place: any SuiteBackend) throws {
    let target = try line[0].map { try SuiteTarget($0, in: place) }
    if target?.name == EditorPreferences.suite, PreferencesWatcher.isHome(place), !line.has(.readOnly) {
        try PreferencesWatcher.declare()
    }
    if let target, try !target.mayExist, !target.isNewFile {
        if !line.namesCommand { throw UsageError.noCommand(target.name, orSuiteAt: target.location) }
        throw CommandError(
            "\(MacOSMessage.suiteDoesNotExist(target.name)) (\(target.absence)). Create it with “pdefaults write”, "
                + "or press a in the editor."
        )
    }
    let preferences = try EditorLoop.Preferences(line)
    try requireTerminal()
    guard let target else { return try EditorLoop.run(.place(place), preferences) }
    try EditorLoop.run(.targets([target]), preferences)
}

/// Runs `diff --edit`: opens the editor on the comparison of two suites.
func editDifferences(_ a: SuiteTarget, _ b: SuiteTarget, _ line: ParsedCommand, in place: any SuiteBackend)
    throws
{
    var preferences = try EditorLoop.Preferences(line)
    for target in [a, b] where try !target.mayExist {
        throw CommandError("\(MacOSMessage.suiteDoesNotExist(target.name)) (\(target.absence)).")
    }
    if a.location == b.location { throw CommandError("Both names are the same suite. Name two suites.") }
    try requireTerminal()
    let isHere = a.backend != nil && b.backend != nil
    preferences.comparedSuites = isHere ? (a.listedName, b.listedName) : (a.name, b.name)
    try EditorLoop.run(isHere ? .place(place) : .targets([a, b]), preferences)
}

extension SuiteTarget {
    /// Whether it is a path whose name says that it is a settings file. The editor creates it with its first key.
    fileprivate var isNewFile: Bool {
        backend == nil && [".json", ".jsonc", ".plist"].contains(where: name.lowercased().hasSuffix)
    }

    /// Whether the suite exists. True if no server answers soon, because the editor can wait for one.
    fileprivate var mayExist: Bool {
        get throws {
            if path != nil { return try exists }
            let (answer, target) = (LateAnswer(), self)
            DispatchQueue.global().async { answer.give(Result { try target.exists }) }
            do {
                return try answer.wait(seconds: 0.3)?.get() ?? true
            } catch let error as SettingsError where error.isOutage {
                return true
            }
        }
    }
}

private final class LateAnswer: Sendable {
    private let answer = Mutex<Result<Bool, any Error>?>(nil)
    private let hasCome = DispatchSemaphore(value: 0)

    func give(_ result: Result<Bool, any Error>) {
        answer.withLock { $0 = result }
        hasCome.signal()
    }

    /// Returns nil if the answer does not arrive in time.
    func wait(seconds: Double) -> Result<Bool, any Error>? {
        _ = hasCome.wait(timeout: .now() + seconds)
        return answer.withLock { $0 }
    }
}

/// Checks that standard input and output are a terminal.
///
/// - Throws: ``CommandError`` if they are not.
func requireTerminal() throws {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
        throw CommandError(
            "The editor needs a terminal as standard input and output. In scripts, use commands such as “pdefaults "
                + "read”. Run “pdefaults help” to list them."
        )
    }
}

extension EditorLoop.Preferences {
    /// Reads the editor's options.
    ///
    /// - Throws: ``UsageError`` if the theme is unknown.
    init(_ line: ParsedCommand) throws(UsageError) {
        stored = PreferencesWatcher.read()
        isReadOnly = line.has(.readOnly)
        isStaging = line.has(.staged) || stored.isStaging == true
        usesMouse = !line.has(.noMouse) && stored.usesMouse != false
        commandOptions = line.commandOptions
        guard let word = line.word(of: .theme) ?? stored.theme else { return }
        guard let choice = ThemeChoice(rawValue: word) else {
            let names = ThemeChoice.allCases.map(\.rawValue)
            let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
            throw UsageError("“\(word)” is no theme; there are \(list).", of: line.command)
        }
        theme = choice
    }
}
