import ArgumentParser
import PropertyList
import SettingsStore

struct WriteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write",
        abstract: "Stores the value of one key.",
        discussion: "Returns once the value is on the disk; every other key stays as it is."
    )

    @OptionGroup var folder: FolderOptions

    @Argument(help: "The suite's name, or its file's path (starting with “/”, “./” or “~/”).")
    var domain: Domain

    @Argument(help: "The key.")
    var key: String

    @Option(
        name: .customLong("string", withSingleDash: true),
        parsing: .unconditional,
        help: ArgumentHelp("A string.", valueName: "text")
    )
    var string: String?

    @Option(
        name: .customLong("int", withSingleDash: true),
        parsing: .unconditional,
        help: ArgumentHelp("A whole number.", valueName: "number")
    )
    var int: String?

    @Option(
        name: .customLong("float", withSingleDash: true),
        parsing: .unconditional,
        help: ArgumentHelp("A floating-point number.", valueName: "number")
    )
    var float: String?

    @Option(
        name: .customLong("bool", withSingleDash: true),
        parsing: .unconditional,
        help: ArgumentHelp("true or false, yes or no.", valueName: "truth")
    )
    var bool: String?

    func run() throws {
        let given: [(PropertyListValue.Kind, String?)] = [
            (.string, string), (.integer, int), (.real, float), (.boolean, bool),
        ]
        let values = given.compactMap { kind, text in text.map { (kind, $0) } }
        guard values.count == 1, let (kind, text) = values.first else {
            throw ValidationError("Give the value with one of -string, -int, -float and -bool.")
        }
        let value = try PropertyListValue.parse(text, as: kind)
        let suite = try domain.suite(in: folder)
        // Durable when it returns, and given up when it fails.
        try suite.replace([key: value], expecting: [:])
    }
}
