import ArgumentParser
import SettingsStore

struct DomainsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domains",
        abstract: "Lists the names of all suites, one a line."
    )

    @OptionGroup var folder: FolderOptions

    func run() throws {
        for name in try folder.folder.suiteNames() { Output.line(name.rawValue) }
    }
}
