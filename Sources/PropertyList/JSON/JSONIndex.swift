/// The position of one value of a ``JSONDocument``, in bytes of its text.
struct JSONEntry: Sendable {
    /// The index of the first byte of the value.
    var start: UInt32
    /// The index after the last byte of the value.
    var end: UInt32 = 0
    /// The index of the opening quote of the member's name, or 0 for other values. (An object's brace
    /// precedes every name, so no name begins at 0.)
    var nameStart: UInt32
    /// The index of its first child in ``JSONIndex/children``.
    var firstChild: UInt32 = 0
    var childCount: UInt32 = 0
    /// If members of an object share a name, the number of this one, counted from 1. Otherwise 0.
    var duplicateNumber: UInt32 = 0
}

/// The positions of all values in a JSON text.
struct JSONIndex: Sendable {
    /// All values in the order of the text. The first one is the root.
    var entries: [JSONEntry] = []
    /// Indexes into ``entries``. The children of one container are side by side.
    var children: [UInt32] = []
    /// For each object with many members, finds the first member with a name.
    var members: [Int: KeyIndex] = [:]

    /// The positions after one value that is neither an array nor an object was replaced by another.
    ///
    /// - Parameter growth: How many bytes the new value is longer.
    func replacingLeaf(_ number: Int, growth: Int) -> JSONIndex {
        var index = self
        let end = entries[number].end
        let growth = UInt32(truncatingIfNeeded: growth)
        // In an array of 50,000 entries, the bounds checks would take longer than the additions.
        index.entries.withUnsafeMutableBufferPointer { entries in
            for number in entries.indices {
                if entries[number].start >= end { entries[number].start &+= growth }
                if entries[number].nameStart >= end { entries[number].nameStart &+= growth }
                if entries[number].end >= end { entries[number].end &+= growth }
            }
        }
        return index
    }
}
