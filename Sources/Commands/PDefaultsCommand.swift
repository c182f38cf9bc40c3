import CommandLanguage
import Glibc
import SettingsStore

/// The version of the program and of its package.
let version = "1.0.0"
/// The day on which it was named so.
let versionDate = "2026-11-21"

@main
enum PDefaultsCommand {
    static func main() {
        do {
            try run(CommandWords(ProgramArguments.words()))
        } catch let code as ExitCode {
            exit(code.status)
        } catch let error as UsageError {
            Output.error(error.description)
            if let command = error.command { Output.error(HelpText.usage(of: command)) }
            exit(ExitStatus.usage)
        } catch let refusal as EditRefusal {
            Output.error(refusal.description)
            exit(refusal.isConflict ? ExitStatus.conflict : ExitStatus.failure)
        } catch {
            Output.error("\(error)")
            exit(ExitStatus.failure)
        }
        // What is pending is waited for (atexit(3)).
        exit(0)
    }

    private static func run(_ line: CommandWords) throws {
        if line.has(.version) { return Output.line("pdefaults \(version)") }
        if line.has(.help), line.command != .help { return Output.text(HelpText.text(on: line.command)) }
        // Who only looks on writes nothing that its user did not ask for.
        SettingsSuite.mendsWritesOfOthers = false
        let place = try place(line)
        func domain(_ index: Int = 0) throws -> Domain { try Domain(line.words[index], in: place) }
        switch line.command {
        case .edit:
            try edit(line, in: place)
        case .domains: try listDomains(line, in: place)
        case .read: try read(line, in: place)
        case .readType:
            try printType(of: line[1] ?? "", in: domain(), at: line.pointer, asJSON: line.has(.json))
        case .write, .rename, .delete: try change(domain(), line)
        case .find: try find(line, in: place)
        case .import: try importFile(line.words[1], into: domain())
        case .export: try export(domain(), to: line.words[1], asJSON: line.has(.json))
        case .watch: try Watch.run(line, in: place)
        case .history: try history(domain(), line)
        case .diff: try printDifferences(domain(0), domain(1), line)
        case .check: try check(line, in: place)
        case .schema: try printSchema(of: domain())
        case .recover: try recover(domain())
        case .demo: try demonstrate(EditorLoop.Wishes(line))
        case .help: try help(line)
        case .complete: complete(line)
        case .demoChanges: try changeDemo(in: folder(line))
        }
    }
}

/// The folder that a command line names, or the user's.
private func folder(_ line: CommandWords) -> SettingsFolder {
    line.word(of: .directory).map { SettingsFolder(path: $0) } ?? .standard
}

/// Where the suites are that a command line is about.
private func place(_ line: CommandWords) throws -> any SuitePlace {
    guard let urls = line.word(of: .cluster) else { return folder(line) }
    if line.has(.directory) {
        throw UsageError(
            "Suites are in a folder or on a cluster: --directory or --cluster.",
            of: line.command
        )
    }
    return try cluster(urls, showsCopies: line.command == .edit)
}

/// Ends the program with a status and no words.
struct ExitCode: Error {
    let status: Int32

    init(_ status: Int32) { self.status = status }
}

/// A failure that ends a command: a sentence on standard error.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
