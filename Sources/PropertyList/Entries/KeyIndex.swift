/// A hash table that finds keys of a list by position. It stores no keys, only their indexes in the
/// list.
///
/// The table uses open addressing with linear probing. An empty slot is 0. In a used slot, the low bits are
/// the index in the list plus one, with as many bits as are needed to number the slots. The remaining
/// bits come from the hash, so that lookups rarely compare a wrong key. A `Dictionary` from keys to
/// indexes would store every key a second time.
struct KeyIndex: Sendable {
    private var slots: [UInt32]

    /// Creates an empty index.
    ///
    /// - Parameter capacity: The number of list indexes that fit, all of which must be below that
    ///   number.
    init(capacity: Int) {
        var count = capacity == 0 ? 0 : 8
        while Self.capacity(ofSlots: count) < capacity { count *= 2 }
        precondition(count <= 1 << 32, "more keys than an index can number")
        slots = Array(repeating: 0, count: count)
    }

    /// The number of list indexes that fit: four fifths of the slots.
    var capacity: Int { Self.capacity(ofSlots: slots.count) }

    private static func capacity(ofSlots count: Int) -> Int { count / 5 * 4 + count % 5 * 4 / 5 }

    /// Selects the bits of a slot that hold the list index.
    private var placeMask: UInt32 { UInt32(truncatingIfNeeded: slots.count &- 1) }

    /// The slot where a hash belongs if no other entry is in the way.
    private func home(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count - 1) }

    private func slot(_ position: Int, _ hash: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: hash >> 32) & ~placeMask | UInt32(truncatingIfNeeded: position + 1)
    }

    private func next(_ index: Int) -> Int { (index + 1) & (slots.count - 1) }
}

extension KeyIndex {
    /// Returns the first list index with this hash that satisfies a condition.
    @inline(__always)
    func firstPosition(_ hash: UInt64, where isFound: (Int) -> Bool) -> Int? {
        if slots.isEmpty { return nil }
        let mask = placeMask
        let tag = UInt32(truncatingIfNeeded: hash >> 32) & ~mask
        var index = home(of: hash)
        // The loop ends, because one slot in five is empty.
        while slots[index] != 0 {
            if slots[index] & ~mask == tag {
                let position = Int(slots[index] & mask) - 1
                if isFound(position) { return position }
            }
            index = next(index)
        }
        return nil
    }

    /// Adds a list index. The caller makes sure that there is room.
    mutating func insert(_ position: Int, _ hash: UInt64) {
        var index = home(of: hash)
        while slots[index] != 0 { index = next(index) }
        slots[index] = slot(position, hash)
    }

    /// Changes the list index of an entry that moves within the list.
    mutating func move(_ position: Int, to newPlace: Int, _ hash: UInt64) {
        if let index = index(of: position, hash) { slots[index] = slot(newPlace, hash) }
    }

    /// Removes a list index.
    ///
    /// - Parameter hash: Returns the hash of the entry at a list index.
    mutating func remove(_ position: Int, hash: (Int) -> UInt64) {
        guard var gap = index(of: position, hash(position)) else { return }
        var index = next(gap)
        // Later entries that could no longer be found move into the gap.
        while slots[index] != 0 {
            let home = home(of: hash(Int(slots[index] & placeMask) - 1))
            let mask = slots.count - 1
            if (index - home) & mask >= (index - gap) & mask {
                slots[gap] = slots[index]
                gap = index
            }
            index = next(index)
        }
        slots[gap] = 0
    }

    private func index(of position: Int, _ hash: UInt64) -> Int? {
        if slots.isEmpty { return nil }
        let sought = slot(position, hash)
        var index = home(of: hash)
        while slots[index] != 0 {
            if slots[index] == sought { return index }
            index = next(index)
        }
        return nil
    }
}
