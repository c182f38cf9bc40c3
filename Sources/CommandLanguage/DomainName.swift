/// A domain as a command line names it.
public enum DomainName: Sendable, Hashable {
    /// The name of a suite in the folder.
    case suite(String)
    /// The path of a file, perhaps without its `.plist`: it starts with `/`, `./` or `~/`.
    case path(String)

    public static let global = "NSGlobalDomain"

    public init(_ word: String) throws(UsageError) {
        switch word {
        case "-g", "-globalDomain", Self.global, "Apple Global Domain": self = .suite(Self.global)
        case "-app":
            throw UsageError(
                "-app: there are no application bundles here that could name a domain. Name it yourself; "
                    + "“pdefaults domains” lists them."
            )
        case "-currentHost", "-host":
            throw UsageError(
                "\(word): settings for one host alone do not exist here; a domain is one file, for every host."
            )
        default: self = ["/", "./", "~/"].contains(where: word.hasPrefix) ? .path(word) : .suite(word)
        }
    }
}
