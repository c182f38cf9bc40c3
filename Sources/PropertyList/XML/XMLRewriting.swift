/// Makes the next version of a document in one walk over it: what stays is copied, and what changes is
/// written in between.
///
/// Changes come in the order of their entries.
struct XMLRewriting: XMLEditing {
    private let old: XMLDocument
    private var writer: XMLWriter
    private var ends: [UInt32] = []
    /// Up to where the old bytes were copied or left out.
    private var done = 0
    private var entriesDone = 0
    private let changeCount: Int
    private var order: KeyOrder

    /// - Parameter count: There are so many changes, or fewer.
    init(_ document: XMLDocument, count: Int) {
        old = document
        writer = XMLWriter(limits: document.limits, style: document.style)
        changeCount = count
        order = document.order
    }

    mutating func insert(
        _ key: String,
        _ value: PropertyListValue,
        spelled bytes: [UInt8]?,
        before entry: Int
    ) throws(PropertyListError) {
        copy(to: old.start(ofEntry: entry), entries: entry)
        writer.begin()
        if let bytes {
            writer.append(copy: bytes[...])
        } else {
            try writer.appendEntry(key, value, depth: 1)
        }
        try checkSize(with: 0)
        ends.append(UInt32(writer.output.count))
    }

    /// - Parameter old: The entry's value as it is now.
    mutating func replace(
        _ old: XMLValue,
        ofEntry entry: Int,
        _ key: String,
        with value: PropertyListValue,
        spelled bytes: ArraySlice<UInt8>?
    ) throws(PropertyListError) {
        copy(to: old.range.lowerBound, entries: entry)
        writer.begin()
        if let bytes {
            writer.append(copy: bytes)
        } else {
            do throws(PropertyListError) {
                try writer.append(value, depth: 1, over: old, of: self.old.bytes)
            } catch {
                throw error.below(.key(key))
            }
        }
        // What is behind the value is copied next.
        let rest = Int(self.old.ends[entry]) - old.range.upperBound
        try checkSize(with: rest)
        ends.append(UInt32(writer.output.count + rest))
        (done, entriesDone) = (old.range.upperBound, entry + 1)
    }

    mutating func rename(
        _ entry: Int,
        keyAt range: Range<Int>,
        to key: String,
        spelled bytes: ArraySlice<UInt8>?
    ) throws(PropertyListError) {
        copy(to: range.lowerBound, entries: entry)
        writer.begin()
        if let bytes { writer.append(copy: bytes) } else { try writer.appendKey(key) }
        let rest = Int(old.ends[entry]) - range.upperBound
        try checkSize(with: rest)
        ends.append(UInt32(writer.output.count + rest))
        (done, entriesDone) = (range.upperBound, entry + 1)
        if order == .sorted { order = .distinct }
    }

    mutating func remove(_ entry: Int) {
        copy(to: old.start(ofEntry: entry), entries: entry)
        (done, entriesDone) = (Int(old.ends[entry]), entry + 1)
    }

    consuming func finish() throws(PropertyListError) -> XMLEdit {
        guard done > 0 else { return .none }
        try checkSize(with: old.bytes.count - done)
        copy(to: old.bytes.count, entries: old.ends.count)
        return .whole(
            XMLDocument(
                bytes: writer.output,
                limits: old.limits,
                bodyStart: old.bodyStart,
                ends: ends,
                emptySlash: old.emptySlash,
                order: order
            )
        )
    }

    /// - Parameter rest: So many bytes will follow at least.
    private func checkSize(with rest: Int) throws(PropertyListError) {
        guard writer.output.count + rest <= old.limits.size else {
            throw PropertyListError(
                .path([]),
                .limitExceeded,
                "the file would have more than \(old.limits.size) bytes"
            )
        }
    }

    private mutating func copy(to place: Int, entries: Int) {
        if done == 0 {
            // About the length of an entry with a number.
            writer.reserve(old.bytes.count + 64 * changeCount)
            ends.reserveCapacity(old.ends.count + changeCount)
        }
        // New entries often follow each other.
        if place == done, entries == entriesDone { return }
        let growth = writer.output.count - done
        writer.append(copy: old.bytes[done..<place])
        let copied = ends.count
        ends += old.ends[entriesDone..<entries]
        ends.shift(from: copied, by: growth)
        (done, entriesDone) = (place, entries)
    }
}
