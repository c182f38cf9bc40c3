import CommandLanguage
import Glibc
import SettingsStore

// The program's entry point. It parses the command line, runs one command, and turns errors into messages and
// exit statuses.

/// The version of the program and of its package.
let version = "1.0.0"
let versionDate = "2026-11-21"

@main
enum PDefaultsCommand {
    static func main() {
        // The arguments of this program are commands, not settings.
        SettingsSuite.usesArguments = false
        do {
            try run(ParsedCommand(ProgramArguments.words()))
        } catch let code as ExitCode {
            exit(code.status)
        } catch let error as UsageError {
            Output.error(error.description)
            if let command = error.command { Output.error(HelpText.hint(on: command)) }
            exit(ExitStatus.usage)
        } catch let refusal as EditRefusal {
            Output.error(refusal.description)
            exit(refusal.isConflict ? ExitStatus.conflict : ExitStatus.failure)
        } catch {
            Output.error(message(for: error))
            exit(ExitStatus.failure)
        }
        for problem in UnconfirmingFileSystems.problems { Output.error("\(problem)") }
        // exit(3) also runs the handlers that store pending values (atexit(3)).
        exit(0)
    }

    private static func run(_ line: ParsedCommand) throws {
        if line.has(.version) { return Output.line("pdefaults \(version)") }
        if line.has(.help), line.command != .help { return Output.text(HelpText.text(on: line.command)) }
        let backend = try backend(line)
        func target(_ index: Int = 0) throws -> SuiteTarget {
            try SuiteTarget(line.words[index], layer: line.layer, in: backend)
        }
        switch line.command {
        case .edit: try edit(line, in: backend)
        case .suites: try listSuites(line, in: backend)
        case .read: try read(line, in: backend)
        case .readType: try printType(line, in: backend)
        case .why: try explain(target(), line)
        case .write, .rename, .delete: try change(target(), line)
        case .find: try find(line, in: backend)
        case .import where line.has(.all): try importAll(line, in: backend)
        case .import: try importFile(line.words[1], into: target())
        case .export where line.has(.all): try exportAll(line, in: backend)
        case .export where line.has(.commands): try exportCommands(target(), line)
        case .export: try export(target(), line)
        case .apply: try apply(line, in: backend)
        case .unapply: try unapply(line, in: backend)
        case .applied: try listApplied(line, in: backend)
        case .watch: try Watch.run(line, in: backend)
        case .history: try history(target(), line)
        case .diff where line.has(.edit): try editDifferences(line, in: backend)
        case .diff: try printDifferences(target(0), target(1), line)
        case .check: try check(line, in: backend)
        case .schema: try printSchema(of: target())
        case .recover: try recover(target())
        case .demo: try demonstrate(EditorLoop.Preferences(line))
        case .help: try help(line)
        case .complete: complete(line)
        case .demoChanges: try changeDemo(in: folder(line))
        }
    }
}

/// Returns the folder that the command line names, or the user's default folder.
private func folder(_ line: ParsedCommand) -> SettingsFolder {
    line.word(of: .directory).map { SettingsFolder(path: $0) } ?? .standard
}

/// Returns the folder, cluster or desktop that the command line names.
private func backend(_ line: ParsedCommand) throws -> any SuiteBackend {
    let options = CommandOption.ofPlaces.filter(line.has)
    if options.count > 1 {
        let names = options.map(\.spelling).joined(separator: " or ")
        throw UsageError("Use either \(names).", of: line.command)
    }
    if line.has(.gsettings) { return try desktopSettings() }
    guard let urls = line.word(of: .cluster) else { return folder(line) }
    return try cluster(urls, showsCopies: line.command == .edit)
}

/// Ends the program with a status, without a message.
struct ExitCode: Error {
    let status: Int32

    init(_ status: Int32) { self.status = status }
}

/// Ends a command with a message on standard error.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
