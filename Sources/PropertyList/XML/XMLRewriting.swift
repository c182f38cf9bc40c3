/// Applies many changes in one walk: it copies unchanged bytes and writes changed entries in between.
///
/// The changes must come in the order of their entries.
struct XMLRewriting: XMLEditing {
    private let old: XMLDocument
    private var writer: XMLWriter
    private var ends: [UInt32] = []
    /// The index up to which the old bytes were copied or skipped.
    private var copiedEnd = 0
    private var copiedEntries = 0
    private let changeCount: Int
    private var order: KeyOrder

    /// Creates a rewriting.
    ///
    /// - Parameter count: The number of changes, or more.
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
        try writer.appendEntry(key, value, spelled: bytes)
        try checkSize(with: 0)
        ends.append(UInt32(writer.output.count))
    }

    mutating func replace(
        _ old: XMLValue,
        ofEntry entry: Int,
        _ key: String,
        with value: PropertyListValue,
        spelled bytes: ArraySlice<UInt8>?
    ) throws(PropertyListError) {
        copy(to: old.range.lowerBound, entries: entry)
        writer.begin()
        try writer.appendValue(value, ofKey: key, over: old, of: self.old.bytes, spelled: bytes)
        // The bytes after the value are copied with the next step.
        let rest = Int(self.old.ends[entry]) - old.range.upperBound
        try checkSize(with: rest)
        ends.append(UInt32(writer.output.count + rest))
        (copiedEnd, copiedEntries) = (old.range.upperBound, entry + 1)
    }

    mutating func rename(
        _ entry: Int,
        keyAt range: Range<Int>,
        to key: String,
        spelled bytes: ArraySlice<UInt8>?
    ) throws(PropertyListError) {
        copy(to: range.lowerBound, entries: entry)
        writer.begin()
        try writer.appendKey(key, spelled: bytes)
        let rest = Int(old.ends[entry]) - range.upperBound
        try checkSize(with: rest)
        ends.append(UInt32(writer.output.count + rest))
        (copiedEnd, copiedEntries) = (range.upperBound, entry + 1)
        if order == .sorted { order = .distinct }
    }

    mutating func remove(_ entry: Int) {
        copy(to: old.start(ofEntry: entry), entries: entry)
        (copiedEnd, copiedEntries) = (Int(old.ends[entry]), entry + 1)
    }

    consuming func finish() throws(PropertyListError) -> XMLEdit {
        guard copiedEnd > 0 else { return .none }
        try checkSize(with: old.bytes.count - copiedEnd)
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

    /// Checks the size of the file against the limit.
    ///
    /// - Parameter rest: The number of bytes that will follow at least.
    private func checkSize(with rest: Int) throws(PropertyListError) {
        guard writer.output.count + rest <= old.limits.size else {
            throw PropertyListError(
                .path([]),
                .limitExceeded,
                old.limits.sizeProblem
            )
        }
    }

    private mutating func copy(to position: Int, entries: Int) {
        if copiedEnd == 0 {
            // An entry with a number has about this length.
            writer.reserve(old.bytes.count + 64 * changeCount)
            ends.reserveCapacity(old.ends.count + changeCount)
        }
        // New entries often follow one another.
        if position == copiedEnd, entries == copiedEntries { return }
        let growth = writer.output.count - copiedEnd
        writer.append(copy: old.bytes[copiedEnd..<position])
        let copied = ends.count
        ends += old.ends[copiedEntries..<entries]
        ends.shift(from: copied, by: growth)
        (copiedEnd, copiedEntries) = (position, entries)
    }
}
