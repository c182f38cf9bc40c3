/// What of an ``XMLDocument`` is left without its bytes.
struct XMLOutline: Sendable {
    let limits: PropertyListLimits
    let bodyStart: Int
    let ends: [UInt32]
    let emptySlash: Int?
    let order: KeyOrder
}

extension XMLDocument {
    var outline: XMLOutline {
        XMLOutline(limits: limits, bodyStart: bodyStart, ends: ends, emptySlash: emptySlash, order: order)
    }

    init(bytes: [UInt8], _ outline: XMLOutline) {
        self.init(
            bytes: bytes,
            limits: outline.limits,
            bodyStart: outline.bodyStart,
            ends: outline.ends,
            emptySlash: outline.emptySlash,
            order: outline.order
        )
    }
}

/// Reads a suite's file in UTF-8 XML through a window that moves over it.
///
/// Nothing that a reader takes for whole depends on what follows it, but for the comments that end a value's
/// line: every tag and text has its own end. So an entry that can be read in the window, with what had to be
/// looked at behind it, is what it is in the file; and one that can't be is read anew in a window that begins
/// with it and reaches further.
struct XMLPieces {
    /// The next so many bytes of the file; fewer at its end.
    typealias Source = (Int) throws -> [UInt8]

    typealias Reading = (outline: XMLOutline, values: PropertyListEntries, fingerprint: Fingerprint)

    private enum Found {
        case entry(String, StoredValue)
        case end
    }

    /// By how much the window reaches further: a multiple of 16, as ``Fingerprint`` wants it.
    private let length: Int
    private var window: [UInt8] = []
    /// Where in the file the window begins.
    private var base = 0
    /// Whether it reaches to the end of the file.
    private var isAtEnd = false
    private var fingerprint = Fingerprint()
    private var reader: XMLReader
    private let limits: PropertyListLimits

    private init(_ limits: PropertyListLimits, _ length: Int) {
        self.length = length
        reader = XMLReader([], limits: limits)
        self.limits = limits
    }

    /// - Returns: Nil where the file can't be read so, or not at all.
    static func read(
        expecting size: Int,
        limits: PropertyListLimits,
        length: Int = 1 << 17,
        _ source: Source
    ) throws -> Reading? {
        var pieces = XMLPieces(limits, length)
        return try pieces.read(expecting: size, source)
    }

    private mutating func read(expecting size: Int, _ source: Source) throws -> Reading? {
        try move(to: 0, source)
        guard (try? FileEncoding(of: window, limits: limits)) == .xml(.utf8),
            (try? reader.readStart()) != nil, case .open? = try? reader.readDictionaryStart()
        else { return nil }
        let bodyStart = reader.position
        var entries = EntryList()
        var ends: [UInt32] = []
        entries.reserve(XMLDocument.likelyCount(ofBytes: size))
        ends.reserveCapacity(XMLDocument.likelyCount(ofBytes: size))
        reading: while true {
            switch try readNext(&entries.packed, source) {
            case .entry(let key, let value):
                entries.append(key, value)
                ends.append(UInt32(base + reader.position))
            case .end: break reading
            case nil: return nil
            }
        }
        while !isAtEnd, !isTooLong { try move(to: reader.position, source) }
        guard !isTooLong, (try? reader.readEnd()) != nil else { return nil }
        let isSorted = entries.isSorted
        let values = entries.table(of: .last)
        let order: KeyOrder = isSorted ? .sorted : values.count < ends.count ? .repeated : .distinct
        let outline = XMLOutline(
            limits: limits,
            bodyStart: bodyStart,
            ends: ends,
            emptySlash: nil,
            order: order
        )
        return (outline, values, fingerprint)
    }

    private var isTooLong: Bool { fingerprint.count > limits.size }

    /// Nil where what follows can't be read.
    private mutating func readNext(_ packed: inout PackedValues, _ source: Source) throws -> Found? {
        // With little left of it the window moves on, so that few entries are read twice.
        if !isAtEnd, window.count - reader.position < length / 32 { try move(to: reader.position, source) }
        var start = reader.position
        while true {
            if isTooLong { return nil }
            let end = packed.end
            if let found = readEntry(&packed) { return found }
            packed.cut(to: end)
            if isAtEnd { return nil }
            try move(to: start, source)
            start = 0
        }
    }

    private mutating func readEntry(_ packed: inout PackedValues) -> Found? {
        do throws(PropertyListError) {
            guard let key = try reader.readKey() else { return .end }
            try reader.skipToValue()
            let value = try reader.readStoredValue(&packed)
            let looked = try reader.skipCommentsOfLine()
            // Only what stands behind the value says whether a comment follows there, which takes four bytes.
            guard isAtEnd || looked + 4 <= window.count else { return nil }
            return .entry(key, value)
        } catch {
            return nil
        }
    }

    /// Has the window begin at a place in it, and reach further than before.
    private mutating func move(to start: Int, _ source: Source) throws {
        let rest = window[start...]
        // What is long is read in few rounds.
        let count = max(length, (rest.count + 15) / 16 * 16)
        let piece = try source(count)
        isAtEnd = piece.count < count
        fingerprint.add(piece)
        base += start
        window = rest.isEmpty ? piece : Array(rest) + piece
        reader.goOn(in: window)
    }
}
