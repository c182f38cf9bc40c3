import CommandLanguage
import Dispatch
import Glibc
import SettingsStore
import Synchronization
import TerminalCanvas

/// Opens the editor on all domains of the place, or on one.
func edit(_ line: CommandWords, in place: any SuitePlace) throws {
    let domain = try line[0].map { try Domain($0, in: place) }
    if let domain, try !domain.mayExist {
        if !line.namesCommand { throw UsageError.noCommand(domain.name, orDomainAt: domain.location) }
        throw CommandError(
            "Domain \(domain.name) does not exist (\(domain.absence)). “pdefaults write” makes a "
                + "domain, and so does “a” in the editor."
        )
    }
    let wishes = try EditorLoop.Wishes(line)
    try requireTerminal()
    guard let domain else { return try EditorLoop.run(.place(place), wishes) }
    try EditorLoop.run(.domain(domain), wishes)
}

extension Domain {
    /// Whether there is such a domain; also while no server answers, or not soon: the editor waits for one.
    fileprivate var mayExist: Bool {
        get throws {
            if path != nil { return try exists }
            let (answer, domain) = (LateAnswer(), self)
            DispatchQueue.global().async { answer.give(Result { try domain.exists }) }
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

    /// Nil where it does not come in time.
    func wait(seconds: Double) -> Result<Bool, any Error>? {
        _ = hasCome.wait(timeout: .now() + seconds)
        return answer.withLock { $0 }
    }
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

extension EditorLoop.Wishes {
    /// - Throws: ``UsageError`` where a word is none that its option takes.
    init(_ line: CommandWords) throws(UsageError) {
        isReadOnly = line.has(.readOnly)
        isStaging = line.has(.staged)
        usesMouse = !line.has(.noMouse)
        guard let word = line.word(of: .theme) else { return }
        guard let choice = ThemeChoice(rawValue: word) else {
            throw UsageError("“\(word)” is no theme; there are auto, dark and light.", of: line.command)
        }
        theme = choice
    }
}
