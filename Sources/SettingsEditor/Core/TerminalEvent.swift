import TerminalCanvas

/// An event of the terminal that is no command, or the result of something that the editor asked the terminal for.
public enum TerminalEvent: Sendable, Equatable {
    /// The number of control characters that were left out of the pasted text.
    case pasteLacked(Int)
    /// The number of typed characters that are not UTF-8.
    case undecodable(Int)
    case mouse(MouseAction, Point)
    /// A key without a meaning in the current mode.
    case meaningless(Key)
    case resized(Size)
    /// The terminal has no colours, or the user turned them off.
    case noColors
    /// The copied text is too long for the terminal's clipboard, and there is no other clipboard.
    case copyTooLong
    /// The paths that begin with a text.
    case completedPaths(String, [String])
    /// An effect failed, as a sentence.
    case failed(String)
    /// The user's own editor has ended.
    case edited(ExternalEditResult)
}
