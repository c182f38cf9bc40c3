/// What a ``JSONDocument`` knows about one value; positions are bytes of its text.
struct JSONEntry: Sendable {
    /// The first byte of the value.
    var start: UInt32
    /// After its last byte.
    var end: UInt32 = 0
    /// The opening quote of the member's name; 0 for what is no member (an object's brace comes
    /// before any name, so that none starts at 0).
    var nameStart: UInt32
    /// Where its children's numbers begin in ``JSONIndex/children``.
    var firstChild: UInt32 = 0
    var childCount: UInt32 = 0
    /// Of members of one object that share a name which one it is, from 1; 0 for a name of its own.
    var twin: UInt32 = 0
}

/// Where everything lies in a JSON text.
struct JSONIndex: Sendable {
    /// In the order of the text; the first is the root.
    var entries: [JSONEntry] = []
    /// The entries' numbers, those of one container side by side.
    var children: [UInt32] = []
    /// Where among its children each name of an object is first, for the objects that have more than a few.
    var members: [Int: KeyIndex] = [:]
}
