/// Entries one after the other, in chunks: who changes one of many, while somebody else has them too, copies a
/// chunk and not all of them, and as they are read none has to be moved for lack of room.
struct EntryChunks: Sendable {
    typealias Element = PropertyListEntries.Entry

    private struct Slot: Sendable {
        let key: String
        var value: StoredValue
    }

    private struct Chunk: Sendable {
        var slots: [Slot] = []
        /// What of its values is packed.
        var packed = PackedValues()

        func value(at index: Int) -> PropertyListValue {
            switch slots[index].value {
            case .value(let value): value
            case .packed(let place): packed[place]
            }
        }
    }

    private static let shift = 8
    private static let size = 1 << shift

    /// Each of that size.
    private var full: [Chunk] = []
    /// What comes behind them, fewer than that.
    private var tail = Chunk()

    init() {}

    init(_ entries: some Collection<Element>) {
        reserveCapacity(entries.count)
        for entry in entries { append(entry.key, .value(entry.value)) }
    }

    mutating func reserveCapacity(_ count: Int) {
        full.reserveCapacity(count >> Self.shift)
        tail.slots.reserveCapacity(Swift.min(count, Self.size))
    }

    /// Where the value of the next entry can be packed.
    var packed: PackedValues {
        get { tail.packed }
        _modify { yield &tail.packed }
    }

    /// - Parameter value: If it is packed, in ``packed``, since the last entry was added.
    mutating func append(_ key: String, _ value: StoredValue) {
        tail.slots.append(Slot(key: key, value: value))
        guard tail.slots.count == Self.size else { return }
        full.append(Chunk(slots: tail.slots, packed: tail.packed.fitted))
        tail.slots = []
        tail.slots.reserveCapacity(Self.size)
        tail.packed.removeAll()
    }

    mutating func removeLast() -> Element {
        if tail.slots.isEmpty { tail = full.removeLast() }
        let value = tail.value(at: tail.slots.count - 1)
        return Element(key: tail.slots.removeLast().key, value: value)
    }
}

extension EntryChunks: RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { full.count << Self.shift + tail.slots.count }

    subscript(place: Int) -> Element {
        get { Element(key: key(at: place), value: value(at: place)) }
        set {
            let slot = Slot(key: newValue.key, value: .value(newValue.value))
            let chunk = place >> Self.shift
            if chunk < full.count {
                full[chunk].slots[place & (Self.size - 1)] = slot
            } else {
                tail.slots[place & (Self.size - 1)] = slot
            }
        }
    }

    @inline(__always)
    func key(at place: Int) -> String {
        let chunk = place >> Self.shift
        return chunk < full.count
            ? full[chunk].slots[place & (Self.size - 1)].key : tail.slots[place & (Self.size - 1)].key
    }

    /// The keys in their order, with their places.
    @inline(__always)
    func forEachKey(_ body: (Int, String) -> Void) {
        var place = 0
        for number in 0...full.count {
            // Each entry of an array that isn't borrowed so would keep the array alive for itself.
            (number < full.count ? full[number] : tail).slots.withUnsafeBufferPointer { slots in
                for slot in slots.indices {
                    body(place, slots[slot].key)
                    place += 1
                }
            }
        }
    }

    /// Whether a key is greater than all, where the entries stand in the order of their keys.
    @inline(__always)
    func isInOrder(before key: String) -> Bool {
        if !tail.slots.isEmpty { return tail.slots[tail.slots.count - 1].key < key }
        return full.isEmpty || full[full.count - 1].slots[Self.size - 1].key < key
    }

    /// Whether the key at a place is this one.
    @inline(__always)
    func hasKey(_ key: String, at place: Int) -> Bool {
        let chunk = place >> Self.shift
        return chunk < full.count
            ? full[chunk].slots[place & (Self.size - 1)].key == key
            : tail.slots[place & (Self.size - 1)].key == key
    }

    @inline(__always)
    func value(at place: Int) -> PropertyListValue {
        let chunk = place >> Self.shift
        return chunk < full.count
            ? full[chunk].value(at: place & (Self.size - 1)) : tail.value(at: place & (Self.size - 1))
    }

    mutating func setValue(_ value: PropertyListValue, at place: Int) {
        let chunk = place >> Self.shift
        if chunk < full.count {
            full[chunk].slots[place & (Self.size - 1)].value = .value(value)
        } else {
            tail.slots[place & (Self.size - 1)].value = .value(value)
        }
    }

    /// The value at a place, which is not packed from now on.
    @inline(__always)
    mutating func unpackedValue(at place: Int) -> PropertyListValue {
        let chunk = place >> Self.shift
        let stored =
            chunk < full.count
            ? full[chunk].slots[place & (Self.size - 1)].value : tail.slots[place & (Self.size - 1)].value
        if case .value(let value) = stored { return value }
        let value = value(at: place)
        setValue(value, at: place)
        return value
    }
}
