/// A command line that can't be understood. Nothing was done.
public struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The command that it is about; nil where there is none.
    public var command: CommandName?
    /// A sentence for a person that says what to do.
    public let description: String

    public init(_ description: String, of command: CommandName? = nil) {
        self.description = description
        self.command = command
    }

    /// - Parameter path: where a domain of this name would be; nil where the word can't be one.
    public static func noCommand(_ word: String, orDomainAt path: String? = nil) -> UsageError {
        let near = CommandName.shown.map(\.rawValue).first { $0.hasPrefix(word.lowercased()) }
        let what = path.map { "There is no command or domain “\(word)” (looked for \($0))" }
        return UsageError(
            (what ?? "There is no command “\(word)”")
                + (near.map { "; did you mean “\($0)”?" } ?? ". “pdefaults help” lists the commands.")
        )
    }
}
