import TerminalCanvas

/// What the terminal reports beside commands, and the end of what the editor asked it for.
public enum TerminalEvent: Sendable, Equatable {
    /// What of the text that was pasted before could not be kept.
    case pasteLacked(PasteLoss)
    /// So much that was typed is no UTF-8.
    case undecodable(Int)
    case mouse(MouseAction, Point)
    /// A key that has no meaning where it was pressed.
    case meaningless(Key)
    case resized(Size)
    /// The terminal has no colours, or the user wants none, so that none are changed.
    case noColors
    /// What was copied is too long for the terminal's clipboard, and there is no other.
    case copyTooLong
    /// The user's own editor has ended.
    case edited(ExternalEditResult)
}
