import CommandLanguage
import Dispatch
import Glibc
import SettingsEditor
import SettingsStore
import TerminalCanvas

/// Runs `edit`: opens the editor on all suites, or on the places that the line names.
func edit(_ line: ParsedCommand, in backend: any SuiteBackend) throws {
    let options = line.commandOptions
    var subjects: [EditorLoop.Subject] = []
    for word in line.words {
        let subject = try EditorLoop.Subject(word, in: backend, options: options)
        if subject.suite == subject.place.preferencesSuite, subject.suite != nil, !line.has(.readOnly) {
            try PreferencesWatcher.declare()
        }
        try subject.check { target in
            if !line.namesCommand { throw UsageError.noCommand(target.name, orSuiteAt: target.location) }
            let problem = MacOSMessage.suiteDoesNotExist(target.name)
            return
                "\(problem) (\(target.absence)). Create it with “pdefaults write”, or press a in the editor."
        }
        // Two suites of one folder are in one place.
        if !subjects.contains(where: { $0.place.id == subject.place.id }) { subjects.append(subject) }
    }
    if subjects.isEmpty {
        subjects = [EditorLoop.Subject(backend, options: options)]
        if PreferencesWatcher.isHome(backend) { subjects += EditorLoop.Subject.ofSite() }
    }
    let preferences = try EditorLoop.Preferences(line)
    try requireTerminal()
    try EditorLoop.run(subjects, preferences)
}

/// Runs `diff --edit`: opens the editor on the comparison of two suites.
func editDifferences(_ line: ParsedCommand, in backend: any SuiteBackend) throws {
    var preferences = try EditorLoop.Preferences(line)
    let options = line.commandOptions
    var subjects = try line.words.map { try EditorLoop.Subject($0, in: backend, options: options) }
    for subject in subjects {
        guard let target = subject.target else {
            throw CommandError("\(subject.place.title) is not a suite. Name two suites.")
        }
        // A new file has nothing to compare.
        if try !target.mayExist { throw target.missing }
    }
    subjects[0].place.isFirst = true
    if subjects[0].place.id == subjects[1].place.id { subjects[1].place = subjects[0].place }
    let ids = subjects.map { $0.place.suiteID($0.suite ?? $0.place.title) }
    if ids[0] == ids[1] { throw CommandError("Both names are the same suite. Name two suites.") }
    preferences.comparedSuites = (ids[0], ids[1])
    try requireTerminal()
    if subjects[0].place.id == subjects[1].place.id { subjects.removeLast() }
    try EditorLoop.run(subjects, preferences)
}

extension EditorLoop.Subject {
    /// Checks that the suite or file that was asked for exists, or is a file that may be created.
    ///
    /// - Throws: ``CommandError`` with a text if it does not exist.
    func check(_ absence: (SuiteTarget) throws -> String) throws {
        if let target, try !target.mayExist, !target.isNewFile { throw CommandError(try absence(target)) }
    }
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
            if kind == .desktop { return schemaPlace?.exists == true }
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
        guard let word = line.word(of: .theme) ?? stored.theme else { return }
        guard let choice = ThemeChoice(rawValue: word) else {
            let names = ThemeChoice.allCases.map(\.rawValue)
            let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
            throw UsageError("“\(word)” is no theme; there are \(list).", of: line.command)
        }
        theme = choice
    }
}
