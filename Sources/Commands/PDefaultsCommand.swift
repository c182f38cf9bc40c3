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
        let folder = line.word(of: .directory).map { SettingsFolder(path: $0) } ?? .standard
        func domain(_ index: Int = 0) throws -> Domain { try Domain(line.words[index], in: folder) }
        switch line.command {
        case .edit:
            try edit(line, in: folder)
        case .domains: try listDomains(line, in: folder)
        case .read: try read(line, in: folder)
        case .readType:
            try printType(of: line[1] ?? "", in: domain(), at: line.pointer, asJSON: line.has(.json))
        case .write, .rename, .delete: try change(domain(), line)
        case .find: try find(line, in: folder)
        case .import: try importFile(line.words[1], into: domain())
        case .export: try export(domain(), to: line.words[1], asJSON: line.has(.json))
        case .watch: try Watch.run(line, in: folder)
        case .diff: try printDifferences(domain(0), domain(1), line)
        case .check: try check(line, in: folder)
        case .schema: try printSchema(of: domain())
        case .recover: try recover(domain())
        case .demo: try demonstrate()
        case .help: try help(line)
        case .complete: complete(line)
        case .demoChanges: try changeDemo(in: folder)
        }
    }
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
