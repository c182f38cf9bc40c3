/// A range of a document's bytes and its replacement.
struct XMLSplice: Sendable {
    enum Effect: Sendable { case valueChanged, keyChanged, entryInserted, entryRemoved }

    let range: Range<Int>
    let replacement: [UInt8]
    /// The entry that the change concerns. For a new entry, this is the index at which it is inserted.
    let entry: Int
    let effect: Effect

    /// How far the bytes after the range move.
    var growth: Int { replacement.count - range.count }
}

/// Turns a few changes into splices.
///
/// A set of one key then needs no copy of the whole file: the store can write the unchanged bytes to
/// the new file directly. Without splices, each set of a key in a large file would build a second copy
/// of it in memory.
struct XMLSplices: XMLEditing {
    private let document: XMLDocument
    private var splices: [XMLSplice] = []

    init(_ document: XMLDocument) { self.document = document }

    mutating func insert(
        _ key: String,
        _ value: PropertyListValue,
        spelled bytes: [UInt8]?,
        before entry: Int
    ) throws(PropertyListError) {
        var writer = XMLWriter(limits: document.limits, style: document.style)
        try writer.appendEntry(key, value, spelled: bytes)
        let position = document.start(ofEntry: entry)
        append(position..<position, writer.output, entry, .entryInserted)
    }

    mutating func replace(
        _ old: XMLValue,
        ofEntry entry: Int,
        _ key: String,
        with value: PropertyListValue,
        spelled bytes: ArraySlice<UInt8>?
    ) throws(PropertyListError) {
        var writer = XMLWriter(limits: document.limits, style: document.style)
        try writer.appendValue(value, ofKey: key, over: old, of: document.bytes, spelled: bytes)
        append(old.range, writer.output, entry, .valueChanged)
    }

    mutating func rename(
        _ entry: Int,
        keyAt range: Range<Int>,
        to key: String,
        spelled bytes: ArraySlice<UInt8>?
    ) throws(PropertyListError) {
        var writer = XMLWriter(limits: document.limits, style: document.style)
        try writer.appendKey(key, spelled: bytes)
        append(range, writer.output, entry, .keyChanged)
    }

    mutating func remove(_ entry: Int) { append(document.range(ofEntry: entry), [], entry, .entryRemoved) }

    private mutating func append(
        _ range: Range<Int>,
        _ replacement: [UInt8],
        _ entry: Int,
        _ effect: XMLSplice.Effect
    ) {
        splices.append(XMLSplice(range: range, replacement: replacement, entry: entry, effect: effect))
    }

    consuming func finish() throws(PropertyListError) -> XMLEdit {
        let growth = splices.reduce(0) { $0 + $1.growth }
        guard document.bytes.count + growth <= document.limits.size else {
            throw PropertyListError(
                .path([]),
                .limitExceeded,
                document.limits.sizeProblem
            )
        }
        return splices.isEmpty ? .none : .splices(splices)
    }
}

extension XMLDocument {
    /// Replaces a range of the bytes and updates the positions of the entries.
    mutating func make(_ splice: XMLSplice) {
        bytes.replaceSubrange(splice.range, with: splice.replacement)
        var moved = splice.entry
        switch splice.effect {
        case .valueChanged: break
        // The keys might still be sorted; the next reading finds out.
        case .keyChanged: if order == .sorted { order = .distinct }
        case .entryRemoved: ends.remove(at: splice.entry)
        case .entryInserted:
            ends.insert(UInt32(splice.range.lowerBound + splice.replacement.count), at: splice.entry)
            moved += 1
        }
        ends.shift(from: moved, by: splice.growth)
    }

    /// The bytes after the change, as pieces that share memory with the document.
    func pieces(after splices: [XMLSplice]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var copiedEnd = 0
        for splice in splices {
            pieces.append(bytes[copiedEnd..<splice.range.lowerBound])
            pieces.append(splice.replacement[...])
            copiedEnd = splice.range.upperBound
        }
        pieces.append(bytes[copiedEnd...])
        return pieces.filter { !$0.isEmpty }
    }
}

extension [UInt32] {
    /// Adds a number, which may be negative, to all elements from an index on.
    mutating func shift(from start: Int, by growth: Int) {
        // Modulo 2³², so that adding a negative number works.
        let growth = UInt32(truncatingIfNeeded: growth)
        if growth == 0 { return }
        withUnsafeMutableBufferPointer { positions in
            for index in start..<positions.count { positions[index] &+= growth }
        }
    }
}
