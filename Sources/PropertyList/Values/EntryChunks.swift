/// Entries one after the other, in chunks: who changes one of many, while somebody else has them too, copies a
/// chunk and not all of them, and as they are read none has to be moved for lack of room.
struct EntryChunks: Sendable {
    typealias Element = PropertyListEntries.Entry

    private static let shift = 8
    private static let size = 1 << shift

    /// Each of that size.
    private var full: [[Element]] = []
    /// What comes behind them, fewer than that.
    private var tail: [Element] = []

    init() {}

    init(_ entries: some Collection<Element>) {
        reserveCapacity(entries.count)
        for entry in entries { append(entry) }
    }

    mutating func reserveCapacity(_ count: Int) {
        full.reserveCapacity(count >> Self.shift)
        tail.reserveCapacity(Swift.min(count, Self.size))
    }

    mutating func append(_ entry: Element) {
        tail.append(entry)
        guard tail.count == Self.size else { return }
        full.append(tail)
        tail = []
        tail.reserveCapacity(Self.size)
    }

    mutating func removeLast() -> Element {
        if tail.isEmpty { tail = full.removeLast() }
        return tail.removeLast()
    }
}

extension EntryChunks: RandomAccessCollection, MutableCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { full.count << Self.shift + tail.count }

    subscript(place: Int) -> Element {
        @inline(__always)
        get {
            let chunk = place >> Self.shift
            return chunk < full.count ? full[chunk][place & (Self.size - 1)] : tail[place & (Self.size - 1)]
        }
        _modify {
            let chunk = place >> Self.shift
            if chunk < full.count {
                yield &full[chunk][place & (Self.size - 1)]
            } else {
                yield &tail[place & (Self.size - 1)]
            }
        }
    }

    /// Whether the key at a place is this one.
    @inline(__always)
    func hasKey(_ key: String, at place: Int) -> Bool {
        let chunk = place >> Self.shift
        return chunk < full.count
            ? full[chunk][place & (Self.size - 1)].key == key : tail[place & (Self.size - 1)].key == key
    }
}
