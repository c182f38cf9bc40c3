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
}
