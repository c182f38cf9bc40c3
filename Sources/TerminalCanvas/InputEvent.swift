/// What a terminal reports.
public enum InputEvent: Sendable, Hashable {
    case key(Key)
    /// Text that was pasted as a whole; never to be taken for keys. Escape characters are gone.
    case paste(String)
    /// What of the paste before could not be handed on as it was.
    case pasteLacks(PasteLoss)
    /// What was typed was no UTF-8 at so many places, and is left out.
    case undecodable(Int)
    case resize(Size)
    /// At a cell, while the mouse is reported.
    case mouse(MouseAction, Point)
}

/// What a pasted text lacks of what was sent.
public struct PasteLoss: Sendable, Hashable {
    /// How many control characters were left out.
    public var controlCharacters: Int
    /// How many places were no UTF-8, and are U+FFFD in the text.
    public var nonUTF8: Int

    public init(controlCharacters: Int = 0, nonUTF8: Int = 0) {
        self.controlCharacters = controlCharacters
        self.nonUTF8 = nonUTF8
    }
}

/// What is done with a mouse.
public enum MouseAction: Sendable, Hashable {
    /// The first button goes down.
    case press
    case wheelUp, wheelDown
}

/// A key as it was struck, modifiers included where terminals tell them.
public enum Key: Sendable, Hashable {
    /// A printable character, a space too.
    case character(Character)
    /// A letter from `a` to `z`, or `_`, with Control held down; what has a key of its own (Tab,
    /// Enter, Backspace, Escape) comes as that key.
    case control(Character)
    /// A character that an Escape preceded at once: Alt or Meta held down.
    case alt(Character)
    case enter, escape, tab, backTab, backspace, delete, insert
    case up, down, left, right
    /// Left and right with Control or Alt held down.
    case wordLeft, wordRight
    case home, end, pageUp, pageDown
    /// F1 to F12.
    case function(Int)
}
