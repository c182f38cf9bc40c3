/// A command line that cannot be understood. Nothing was done.
public struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The command that the error is about, or nil if it is about none.
    public var command: CommandName?
    /// A message that tells the user what is wrong and what to do.
    public let description: String

    public init(_ description: String, of command: CommandName? = nil) {
        self.description = description
        self.command = command
    }

    /// Returns the error for an unknown command.
    ///
    /// - Parameter path: The location of a suite with this name. Nil if the word cannot be a suite.
    public static func noCommand(_ word: String, orSuiteAt path: String? = nil) -> UsageError {
        let near = command(near: word)
        let what = path.map { "There is no command or suite “\(word)” (looked for \($0))" }
        return UsageError(
            (what ?? "There is no command “\(word)”")
                + (near.map { ". Did you mean “\($0)”?" } ?? ". Run “pdefaults help” to list the commands.")
        )
    }

    /// The command that a misspelt word probably means.
    static func command(near word: String) -> String? {
        suggestion(for: word, among: CommandName.shown.map(\.rawValue) + CommandName.aliases.keys.sorted())
    }

    /// Returns the error for an unknown type before a value, such as `-foo 3`.
    static func noType(_ word: String) -> UsageError {
        let near = suggestion(for: word, among: ValueType.allCases.flatMap(\.flags))
        let advice = near.map { "Did you mean “\($0)”?" }
        return UsageError(
            "There is no type “\(word)”. "
                + (advice ?? "Use -string, -int, -float, -bool, -date, -data or -json.")
        )
    }
}
