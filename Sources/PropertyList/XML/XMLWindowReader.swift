extension XMLDocument {
    /// Returns the document with other bytes. Without any, it is an outline.
    func with(bytes: [UInt8]) -> XMLDocument {
        var document = self
        document.bytes = bytes
        return document
    }
}

/// Reads a suite's file in UTF-8 XML through a window that moves over the file.
///
/// A process that only reads settings should not hold a large file in memory beside its values. So only
/// a window of the file is in memory, and the entries in it are read one by one. Without it, the first
/// read of a 100 MB file would need the file's size in memory in addition to the values.
///
/// This is possible because an entry is complete by itself: every tag and text has its own end, except
/// for the comments that may follow a value on its line. An entry that does not fit into the window,
/// with the bytes that had to be examined after it, is read again in a window that begins with the
/// entry and is longer.
struct XMLWindowReader {
    /// Returns the given number of the next bytes of the file, or fewer at its end.
    typealias Source = (Int) throws -> [UInt8]

    typealias Reading = (outline: XMLDocument, values: PropertyListEntries, fingerprint: Fingerprint)

    private enum Found {
        case entry(String, StoredValue)
        case end
    }

    /// The number of bytes that one step adds to the window. It is a multiple of 16, as ``Fingerprint``
    /// requires.
    private let length: Int
    private var window: [UInt8] = []
    /// The position of the window in the file.
    private var base = 0
    /// Whether the window ends at the end of the file.
    private var isAtEnd = false
    private var fingerprint = Fingerprint()
    private var reader: XMLReader
    private let limits: PropertyListLimits

    private init(_ limits: PropertyListLimits, _ length: Int) {
        self.length = length
        reader = XMLReader([], limits: limits)
        self.limits = limits
    }

    /// Reads a file.
    ///
    /// - Returns: Nil if the file cannot be read this way or is invalid.
    static func read(
        expecting size: Int,
        limits: PropertyListLimits,
        length: Int = 1 << 17,
        _ source: Source
    ) throws -> Reading? {
        var pieces = XMLWindowReader(limits, length)
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
        let values = entries.entries(keeping: .last)
        let order: KeyOrder = isSorted ? .sorted : values.count < ends.count ? .repeated : .distinct
        let outline = XMLDocument(
            bytes: [],
            limits: limits,
            bodyStart: bodyStart,
            ends: ends,
            emptySlash: nil,
            order: order
        )
        return (outline, values, fingerprint)
    }

    private var isTooLong: Bool { fingerprint.count > limits.size }

    /// Reads the next entry. Returns nil if it is invalid.
    private mutating func readNext(_ packed: inout PackedValues, _ source: Source) throws -> Found? {
        // Move the window before it is used up, so that few entries are read twice.
        if !isAtEnd, window.count - reader.position < length / 32 { try move(to: reader.position, source) }
        var start = reader.position
        while true {
            if isTooLong { return nil }
            let end = packed.end
            if let found = readEntry(&packed) { return found }
            packed.truncate(to: end)
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
            // Whether a comment follows the value can be seen from the next four bytes.
            guard isAtEnd || looked + 4 <= window.count else { return nil }
            return .entry(key, value)
        } catch {
            return nil
        }
    }

    /// Moves the start of the window to a position in it and reads more of the file.
    private mutating func move(to start: Int, _ source: Source) throws {
        let rest = window[start...]
        // A long entry doubles the window with each step.
        let count = max(length, (rest.count + 15) / 16 * 16)
        let piece = try source(count)
        isAtEnd = piece.count < count
        fingerprint.add(piece)
        base += start
        window = rest.isEmpty ? piece : Array(rest) + piece
        reader.restart(with: window)
    }
}
