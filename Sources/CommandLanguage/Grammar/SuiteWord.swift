/// A suite as it is named on the command line.
public enum SuiteWord: Sendable, Hashable {
    /// The name of a suite.
    case suite(String)
    /// The path of a file, with or without `.plist`. It starts with `/`, `./` or `~/`.
    case path(String)

    /// The name of the suite that applies to all programs.
    public static let global = "NSGlobalDomain"

    public init(_ word: String) throws(UsageError) {
        switch word {
        case "-g", "-globalDomain", Self.global, "Apple Global Domain": self = .suite(Self.global)
        case "-app":
            throw UsageError(
                "-app: there are no application bundles on Linux. Write the suite’s name; “pdefaults suites” lists all names."
            )
        case "-currentHost", "-host":
            throw UsageError(
                "\(word): a suite has the same settings on every host. Leave \(word) out, or use a suite for each host."
            )
        default: self = ["/", "./", "~/"].contains(where: word.hasPrefix) ? .path(word) : .suite(word)
        }
    }
}
