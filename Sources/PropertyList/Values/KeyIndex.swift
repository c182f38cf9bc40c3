/// Finds keys of a list by their hashes: a table of open addresses (linear probing), which holds no
/// keys but their places in the list.
///
/// A slot is 0 where it is free. Otherwise its low bits, as many as it takes to number the slots,
/// are the place plus one, and the bits above are those of the hash, so that few keys have to be
/// compared that are not the one looked for.
struct KeyIndex: Sendable {
    private var slots: [UInt32]

    /// - Parameter capacity: Room for so many places, all below that number.
    init(capacity: Int) {
        var count = capacity == 0 ? 0 : 8
        while Self.capacity(ofSlots: count) < capacity { count *= 2 }
        precondition(count <= 1 << 32, "more keys than an index can number")
        slots = Array(repeating: 0, count: count)
    }

    /// How many places there is room for: four fifths of the slots.
    var capacity: Int { Self.capacity(ofSlots: slots.count) }

    private static func capacity(ofSlots count: Int) -> Int { count / 5 * 4 + count % 5 * 4 / 5 }

    /// The bits of a slot that are a place.
    private var placeMask: UInt32 { UInt32(truncatingIfNeeded: slots.count &- 1) }

    /// The slot where a hash would stand if all were free.
    private func home(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count - 1) }

    private func slot(_ place: Int, _ hash: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: hash >> 32) & ~placeMask | UInt32(truncatingIfNeeded: place + 1)
    }

    private func next(_ index: Int) -> Int { (index + 1) & (slots.count - 1) }
}

extension KeyIndex {
    /// The first place with that hash of which a condition holds.
    @inline(__always)
    func place(_ hash: UInt64, where isFound: (Int) -> Bool) -> Int? {
        if slots.isEmpty { return nil }
        let mask = placeMask
        let mark = UInt32(truncatingIfNeeded: hash >> 32) & ~mask
        var index = home(of: hash)
        // One slot in five is free.
        while slots[index] != 0 {
            if slots[index] & ~mask == mark {
                let place = Int(slots[index] & mask) - 1
                if isFound(place) { return place }
            }
            index = next(index)
        }
        return nil
    }

    /// Adds a place, for which there has to be room.
    mutating func insert(_ place: Int, _ hash: UInt64) {
        var index = home(of: hash)
        while slots[index] != 0 { index = next(index) }
        slots[index] = slot(place, hash)
    }

    /// Gives what is at a place another one.
    mutating func move(_ place: Int, to newPlace: Int, _ hash: UInt64) {
        if let index = index(of: place, hash) { slots[index] = slot(newPlace, hash) }
    }

    /// - Parameter hash: Of what is at a place.
    mutating func remove(_ place: Int, hash: (Int) -> UInt64) {
        guard var gap = index(of: place, hash(place)) else { return }
        var index = next(gap)
        // What stands behind the gap and could not be reached any more moves into it.
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

    private func index(of place: Int, _ hash: UInt64) -> Int? {
        if slots.isEmpty { return nil }
        let sought = slot(place, hash)
        var index = home(of: hash)
        while slots[index] != 0 {
            if slots[index] == sought { return index }
            index = next(index)
        }
        return nil
    }
}
