import ArgumentParser
import SettingsStore

/// The folder that suites are looked for in, as every command lets one choose it.
struct FolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the suites, instead of $XDG_CONFIG_HOME or ~/.config.",
            valueName: "folder"
        )
    )
    var directory: String?

    func validate() throws {
        if directory == "" { throw ValidationError("The folder that --directory names is empty.") }
    }

    var folder: SettingsFolder { directory.map { SettingsFolder(path: $0) } ?? .standard }
}

/// A suite as a command line names it: by its name in the folder, or by the path of its file.
struct Domain: ExpressibleByArgument {
    let argument: String

    init?(argument: String) { self.argument = argument }

    /// Whether the argument is a path: it starts with `/`, `./` or `~/`.
    var isPath: Bool { ["/", "./", "~/"].contains { argument.hasPrefix($0) } }

    /// The path, with `.plist` behind it where only that file is there.
    private var filePath: String {
        let files = LiveFileSystem()
        let expanded = SettingsFolder(path: argument).path
        let hasFile = { (path: String) in (try? files.stat(path)) ?? nil != nil }
        return !hasFile(expanded) && hasFile(expanded + ".plist") ? expanded + ".plist" : expanded
    }

    /// - Throws: a sentence where the name can't be a suite's.
    func suite(in options: FolderOptions) throws -> SettingsSuite {
        if isPath { return SettingsSuite(file: filePath) }
        do {
            return try SettingsSuite(named: argument, in: options.folder)
        } catch {
            throw CommandError(
                "\(error) To name a file, start with “/”, “./” or “~/”: ./\(argument)"
            )
        }
    }
}

/// A failure that ends a command: one sentence on standard error, exit code 1.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
