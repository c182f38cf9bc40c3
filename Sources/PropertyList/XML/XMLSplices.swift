/// Ranges of a document's bytes and their replacements, in order.
///
/// A set of one key then needs no copy of the whole file: the store can write the unchanged bytes to
/// the new file directly. Without splices, each set of a key in a large file would build a second copy
/// of it in memory.
struct XMLSplices: Sendable {
    fileprivate struct Splice: Sendable {
        let range: Range<Int>
        /// The range of the replacement in the output of the writer.
        let replacement: Range<Int>
        /// The entry that the change concerns. For a new entry, this is the index at which it is inserted.
        let entry: Int
        let effect: Effect

        /// How far the bytes after the range move.
        var growth: Int { replacement.count - range.count }
    }

    enum Effect: Sendable { case valueChanged, keyChanged, entryInserted, entryRemoved }

    /// Writes the replacements, one after the other.
    var writer: XMLWriter
    fileprivate private(set) var splices: [Splice] = []
    private let limits: PropertyListLimits

    /// Creates an empty list.
    ///
    /// - Parameter count: The number of changes, or more.
    init(_ document: XMLDocument, count: Int) {
        limits = document.limits
        writer = XMLWriter(limits: document.limits, style: document.style)
        // An entry with a number has about this length.
        writer.reserve(64 * count)
        splices.reserveCapacity(count)
    }

    var isEmpty: Bool { splices.isEmpty }

    /// How many bytes longer the document becomes.
    var growth: Int { splices.reduce(0) { $0 + $1.growth } }

    /// Adds the replacement of a range by what was written since the last one.
    mutating func add(_ range: Range<Int>, _ entry: Int, _ effect: Effect) throws(PropertyListError) {
        let replacement = (splices.last?.replacement.upperBound ?? 0)..<writer.output.count
        splices.append(Splice(range: range, replacement: replacement, entry: entry, effect: effect))
        writer.begin()
        try checkSize(writer.output.count)
    }

    /// Checks a number of bytes that the file will have at least.
    func checkSize(_ size: Int) throws(PropertyListError) {
        guard size <= limits.size else {
            throw PropertyListError(.path([]), .limitExceeded, limits.sizeProblem)
        }
    }
}

extension XMLDocument {
    /// Makes a few changes in place.
    mutating func make(_ edit: XMLSplices) {
        for splice in edit.splices.reversed() {
            bytes.replaceSubrange(splice.range, with: edit.writer.output[splice.replacement])
            var moved = splice.entry
            switch splice.effect {
            case .valueChanged: break
            case .keyChanged: noteRename()
            case .entryRemoved: ends.remove(at: splice.entry)
            case .entryInserted:
                ends.insert(UInt32(splice.range.lowerBound + splice.replacement.count), at: splice.entry)
                moved += 1
            }
            ends.shift(from: moved, by: splice.growth)
        }
    }

    /// Returns the document with many changes, which one walk makes.
    func applying(_ edit: XMLSplices) -> XMLDocument {
        var result = self
        (result.bytes, result.ends) = ([], [])
        result.bytes.reserveCapacity(bytes.count + edit.growth)
        result.ends.reserveCapacity(ends.count + edit.splices.count)
        var (copiedEnd, copiedEntries) = (0, 0)
        func copy(to position: Int, entries: Int) {
            result.bytes += bytes[copiedEnd..<position]
            let moved = result.ends.count
            result.ends += ends[copiedEntries..<entries]
            result.ends.shift(from: moved, by: result.bytes.count - position)
            (copiedEnd, copiedEntries) = (position, entries)
        }
        for splice in edit.splices {
            copy(to: splice.range.lowerBound, entries: splice.entry)
            result.bytes += edit.writer.output[splice.replacement]
            copiedEnd = splice.range.upperBound
            switch splice.effect {
            case .valueChanged: break
            case .keyChanged: result.noteRename()
            case .entryRemoved: copiedEntries += 1
            case .entryInserted: result.ends.append(UInt32(result.bytes.count))
            }
        }
        copy(to: bytes.count, entries: ends.count)
        return result
    }

    /// The keys might still be sorted; the next reading finds out.
    private mutating func noteRename() { if order == .sorted { order = .distinct } }

    /// The bytes after the change, as pieces that share memory with the document.
    func pieces(after edit: XMLSplices) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var copiedEnd = 0
        for splice in edit.splices {
            pieces.append(bytes[copiedEnd..<splice.range.lowerBound])
            pieces.append(edit.writer.output[splice.replacement])
            copiedEnd = splice.range.upperBound
        }
        pieces.append(bytes[copiedEnd...])
        return pieces.filter { !$0.isEmpty }
    }
}

extension [UInt32] {
    /// Adds a number, which may be negative, to all elements from an index on.
    fileprivate mutating func shift(from start: Int, by growth: Int) {
        // Modulo 2³², so that adding a negative number works.
        let growth = UInt32(truncatingIfNeeded: growth)
        if growth == 0 { return }
        withUnsafeMutableBufferPointer { positions in
            for index in start..<positions.count { positions[index] &+= growth }
        }
    }
}
