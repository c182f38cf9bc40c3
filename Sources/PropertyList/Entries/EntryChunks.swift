/// A list of entries, stored in chunks of 256.
///
/// A suite's entries are copied often: a snapshot is kept while a commit or an observer uses it. With
/// one array, the next change of a single value would copy all entries. With chunks it copies one
/// chunk, and a growing list never moves the entries that it has. For comparison, copying a
/// `Dictionary` of 50,000 keys takes about a millisecond.
struct EntryChunks: Sendable {
    typealias Element = PropertyListEntries.Entry

    private struct Slot: Sendable {
        let key: String
        var value: StoredValue
    }

    private struct Chunk: Sendable {
        var slots: [Slot] = []
        /// The packed ones among the values of this chunk.
        var packed = PackedValues()

        func value(at index: Int) -> PropertyListValue {
            switch slots[index].value {
            case .value(let value): value
            case .packed(let position): packed[position]
            }
        }
    }

    private static let shift = 8
    private static let size = 1 << shift

    /// Chunks of exactly `size` entries.
    private var full: [Chunk] = []
    /// The entries after the full chunks, fewer than `size`.
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

    /// Where a reader packs the value of the next entry.
    var packed: PackedValues {
        get { tail.packed }
        _modify { yield &tail.packed }
    }

    /// Appends an entry.
    ///
    /// - Parameter value: If it is packed, the caller packed it into ``packed`` after the previous
    ///   entry was appended.
    mutating func append(_ key: String, _ value: StoredValue) {
        tail.slots.append(Slot(key: key, value: value))
        guard tail.slots.count == Self.size else { return }
        full.append(Chunk(slots: tail.slots, packed: tail.packed.withoutSpareCapacity))
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

    subscript(position: Int) -> Element {
        get { Element(key: key(at: position), value: value(at: position)) }
        set {
            let slot = Slot(key: newValue.key, value: .value(newValue.value))
            let chunk = position >> Self.shift
            if chunk < full.count {
                full[chunk].slots[position & (Self.size - 1)] = slot
            } else {
                tail.slots[position & (Self.size - 1)] = slot
            }
        }
    }

    @inline(__always)
    func key(at position: Int) -> String {
        let chunk = position >> Self.shift
        return chunk < full.count
            ? full[chunk].slots[position & (Self.size - 1)].key : tail.slots[position & (Self.size - 1)].key
    }

    /// Calls a closure with each index and key, in order.
    @inline(__always)
    func forEachKey(_ body: (Int, String) -> Void) {
        var position = 0
        for number in 0...full.count {
            // Without the buffer pointer, each access would retain and release the array.
            (number < full.count ? full[number] : tail).slots.withUnsafeBufferPointer { slots in
                for slot in slots.indices {
                    body(position, slots[slot].key)
                    position += 1
                }
            }
        }
    }

    /// Whether a key is greater than all others, if the entries are sorted by key.
    @inline(__always)
    func isInOrder(before key: String) -> Bool {
        if !tail.slots.isEmpty { return tail.slots[tail.slots.count - 1].key < key }
        return full.isEmpty || full[full.count - 1].slots[Self.size - 1].key < key
    }

    /// Whether the key at an index equals the given one.
    @inline(__always)
    func hasKey(_ key: String, at position: Int) -> Bool {
        let chunk = position >> Self.shift
        return chunk < full.count
            ? full[chunk].slots[position & (Self.size - 1)].key == key
            : tail.slots[position & (Self.size - 1)].key == key
    }

    @inline(__always)
    func value(at position: Int) -> PropertyListValue {
        let chunk = position >> Self.shift
        return chunk < full.count
            ? full[chunk].value(at: position & (Self.size - 1)) : tail.value(at: position & (Self.size - 1))
    }

    mutating func setValue(_ value: PropertyListValue, at position: Int) {
        let chunk = position >> Self.shift
        if chunk < full.count {
            full[chunk].slots[position & (Self.size - 1)].value = .value(value)
        } else {
            tail.slots[position & (Self.size - 1)].value = .value(value)
        }
    }

    /// Returns the value at an index and stores it decoded.
    @inline(__always)
    mutating func unpackedValue(at position: Int) -> PropertyListValue {
        let chunk = position >> Self.shift
        let stored =
            chunk < full.count
            ? full[chunk].slots[position & (Self.size - 1)].value
            : tail.slots[position & (Self.size - 1)].value
        if case .value(let value) = stored { return value }
        let value = value(at: position)
        setValue(value, at: position)
        return value
    }
}
