/// An event from a terminal: a key, a paste, the mouse or a new size.
public enum InputEvent: Sendable, Hashable {
    case key(Key)
    /// Text that was pasted. Never treat it as keys. It contains no escape characters.
    case paste(String)
    /// The number of control characters that were left out of the previous paste.
    case pasteLacks(Int)
    /// The number of invalid UTF-8 sequences in the typed input. They are left out.
    case undecodable(Int)
    case resize(Size)
    /// A mouse action at a cell, sent only while mouse reports are on.
    case mouse(MouseAction, Point)
}

/// An action of the mouse.
public enum MouseAction: Sendable, Hashable {
    /// The first button was pressed.
    case press
    case wheelUp, wheelDown
}

/// A key with the modifiers that terminals report.
public enum Key: Sendable, Hashable {
    /// A printable character or a space.
    case character(Character)
    /// A letter from `a` to `z` or `_`, with Control. Combinations that equal a key of their own (Tab, Enter,
    /// Backspace, Escape) are reported as that key.
    case control(Character)
    /// A character with Alt or Meta, sent as an Escape directly before the character.
    case alt(Character)
    case enter, escape, tab, backTab, backspace, delete, insert
    case up, down, left, right
    /// The left and right keys with Control or Alt.
    case wordLeft, wordRight
    case home, end, pageUp, pageDown
    /// A function key, F1 to F12.
    case function(Int)
}
