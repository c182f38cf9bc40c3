/// A suite as it is named on the command line.
public enum SuiteWord: Sendable, Hashable {
    /// The settings of all programs.
    case global
    /// The name of a suite.
    case suite(String)
    /// The path of a file, with or without `.plist`. It starts with `/`, `./` or `~/`.
    case path(String)

    /// The name of the settings of all programs, on macOS and in messages.
    public static let globalName = "NSGlobalDomain"
    /// The name of their file, without `.plist`.
    public static let globalFile = ".GlobalPreferences"

    public init(_ word: String) throws(UsageError) {
        switch word {
        case "-g", "-globalDomain", Self.globalName, "Apple Global Domain", Self.globalFile: self = .global
        case "-app":
            throw UsageError(
                "-app: there are no application bundles on Linux. Write the suite’s name; “pdefaults suites” lists all names."
            )
        case "-currentHost": throw UsageError("Write -currentHost before the command.")
        case "-host": throw Self.hostRefusal
        default: self = ["/", "./", "~/"].contains(where: word.hasPrefix) ? .path(word) : .suite(word)
        }
    }

    /// The error for settings of another host, which are not on this machine.
    static let hostRefusal = UsageError(
        "-host: only the settings of this host are on this machine. Write -currentHost before the command."
    )
}
