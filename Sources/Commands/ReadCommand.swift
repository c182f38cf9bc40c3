import ArgumentParser
import PropertyList
import SettingsStore

struct ReadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Prints a suite, or the value of one key.",
        discussion: "A lone string is printed as it is; everything else in the old property-list style."
    )

    @OptionGroup var folder: FolderOptions

    @Argument(help: "The suite's name, or its file's path (starting with “/”, “./” or “~/”).")
    var domain: Domain

    @Argument(help: "The key; without one the whole suite is printed.")
    var key: String?

    func run() throws {
        let suite = try domain.suite(in: folder)
        if let error = suite.contentError { throw error }
        guard let key else {
            if suite.status.content == .absent {
                throw CommandError("Domain \(domain.argument) does not exist (looked for \(suite.location)).")
            }
            return Output.line(oldStyle(.dictionary(suite.storedValues)))
        }
        guard let value = suite.storedValue(forKey: key) else {
            throw CommandError(
                "The domain/default pair of (\(domain.argument), \(key)) does not exist (looked in \(suite.location))."
            )
        }
        switch value {
        case .string(let text): Output.line(text)
        case .real(let number): Output.line("\(number)")
        default: Output.line(oldStyle(value))
        }
    }
}
