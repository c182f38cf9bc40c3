/// A stretch of a document's bytes to be replaced.
struct XMLSplice: Sendable {
    enum Effect: Sendable { case valueChanged, keyChanged, entryInserted, entryRemoved }

    let range: Range<Int>
    let replacement: [UInt8]
    /// The entry that the effect is on: the one that is there, or, of a new one, the one behind it.
    let entry: Int
    let effect: Effect

    /// What is added to the place of all that is behind it.
    var growth: Int { replacement.count - range.count }
}

/// Works out what a few changes do to the bytes of a document, so that these need not be copied.
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
        if let bytes {
            writer.append(copy: bytes[...])
        } else {
            try writer.appendEntry(key, value, depth: 1)
        }
        let place = document.start(ofEntry: entry)
        append(place..<place, writer.output, entry, .entryInserted)
    }

    mutating func replace(
        _ old: XMLValue,
        ofEntry entry: Int,
        _ key: String,
        with value: PropertyListValue,
        spelled bytes: ArraySlice<UInt8>?
    ) throws(PropertyListError) {
        var writer = XMLWriter(limits: document.limits, style: document.style)
        if let bytes {
            writer.append(copy: bytes)
        } else {
            do throws(PropertyListError) {
                try writer.append(value, depth: 1, over: old, of: document.bytes)
            } catch {
                throw error.below(.key(key))
            }
        }
        append(old.range, writer.output, entry, .valueChanged)
    }

    mutating func rename(
        _ entry: Int,
        keyAt range: Range<Int>,
        to key: String,
        spelled bytes: ArraySlice<UInt8>?
    ) throws(PropertyListError) {
        var writer = XMLWriter(limits: document.limits, style: document.style)
        if let bytes { writer.append(copy: bytes) } else { try writer.appendKey(key) }
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
                "the file would have more than \(document.limits.size) bytes"
            )
        }
        return splices.isEmpty ? .none : .splices(splices)
    }
}

extension XMLDocument {
    /// Replaces a stretch of the bytes in place.
    mutating func make(_ splice: XMLSplice) {
        bytes.replaceSubrange(splice.range, with: splice.replacement)
        var moved = splice.entry
        switch splice.effect {
        case .valueChanged: break
        // The next reading finds out whether they are sorted all the same.
        case .keyChanged: if order == .sorted { order = .distinct }
        case .entryRemoved: ends.remove(at: splice.entry)
        case .entryInserted:
            ends.insert(UInt32(splice.range.lowerBound + splice.replacement.count), at: splice.entry)
            moved += 1
        }
        ends.shift(from: moved, by: splice.growth)
    }

    /// The bytes as they will be, in pieces.
    func pieces(after splices: [XMLSplice]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var done = 0
        for splice in splices {
            pieces.append(bytes[done..<splice.range.lowerBound])
            pieces.append(splice.replacement[...])
            done = splice.range.upperBound
        }
        pieces.append(bytes[done...])
        return pieces.filter { !$0.isEmpty }
    }
}

extension [UInt32] {
    /// Adds the same, which may be negative, to all from one on.
    mutating func shift(from start: Int, by growth: Int) {
        // Modulo 2³².
        let growth = UInt32(truncatingIfNeeded: growth)
        if growth == 0 { return }
        withUnsafeMutableBufferPointer { places in
            for index in start..<places.count { places[index] &+= growth }
        }
    }
}
