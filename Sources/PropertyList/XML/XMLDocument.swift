/// A suite's file in UTF-8 XML: its bytes, and where in them the entries of the dictionary at the
/// top end.
///
/// An entry ends behind its value, or behind the comments that end the value's line, and begins where the
/// one before it ends, so that the comments and white space in front of it are its own. Nothing else is
/// needed to read an entry by itself: at the end of an entry all that a reader knows is that it is in the
/// dictionary at the top.
struct XMLDocument: Sendable {
    var bytes: [UInt8]
    let limits: PropertyListLimits
    /// Behind the `<dict>` of the dictionary at the top; behind `<dict/>`, where there are no entries.
    var bodyStart: Int
    var ends: [UInt32]
    /// Of a `<dict/>` at the top, where its `/` is.
    var emptySlash: Int?
    var order: KeyOrder
}

extension XMLDocument {
    /// An empty dictionary.
    init(limits: PropertyListLimits) {
        let start = XMLWriter.head + "<dict/>"
        self.init(
            bytes: Array((start + "\n" + XMLWriter.end).utf8),
            limits: limits,
            bodyStart: start.utf8.count,
            ends: [],
            emptySlash: start.utf8.count - 2,
            order: .sorted
        )
    }

    init(writing values: PropertyListEntries, limits: PropertyListLimits) throws(PropertyListError) {
        self.init(limits: limits)
        try apply([String: PropertyListValue](values).mapValues(Optional.some))
    }

    /// About how many entries there are in so many bytes; one is as long as a key with a number.
    static func likelyCount(ofBytes count: Int) -> Int { min(count / 56, 1 << 17) }

    /// Reads a file in UTF-8.
    static func read(
        _ bytes: [UInt8],
        limits: PropertyListLimits
    ) throws(PropertyListError) -> (document: XMLDocument, values: PropertyListEntries) {
        var reader = XMLReader(bytes, limits: limits)
        try reader.readStart()
        let start = try reader.readDictionaryStart()
        var document = XMLDocument(
            bytes: bytes,
            limits: limits,
            bodyStart: reader.position,
            ends: [],
            emptySlash: nil,
            order: .sorted
        )
        var entries = EntryList()
        let likelyCount = likelyCount(ofBytes: bytes.count)
        entries.reserve(likelyCount)
        document.ends.reserveCapacity(likelyCount)
        switch start {
        case .empty(let slash): document.emptySlash = slash
        case .open:
            while let key = try reader.readKey() {
                try reader.skipToValue()
                entries.append(key, try reader.readStoredValue(&entries.packed))
                try reader.skipCommentsOfLine()
                document.ends.append(UInt32(reader.position))
            }
        }
        try reader.readEnd()
        let isSorted = entries.isSorted
        let values = entries.table(of: .last)
        if !isSorted { document.order = values.count < document.ends.count ? .repeated : .distinct }
        return (document, values)
    }
}

extension XMLDocument {
    /// Where an entry begins, or, for the number of entries, where the last one ends.
    func start(ofEntry index: Int) -> Int { index == 0 ? bodyStart : Int(ends[index - 1]) }

    func range(ofEntry index: Int) -> Range<Int> { start(ofEntry: index)..<Int(ends[index]) }

    /// Entries were read once, so that an error here would be a fault of this code.
    func key(ofEntry index: Int) -> String {
        var reader = XMLReader(bytes, limits: limits)
        reader.move(to: start(ofEntry: index))
        return (try? reader.readKey()) ?? ""
    }

    func entry(_ index: Int) -> (key: String, value: XMLValue)? {
        var reader = XMLReader(bytes, limits: limits)
        reader.move(to: start(ofEntry: index))
        guard let key = try? reader.readKey(), (try? reader.skipToValue()) != nil else { return nil }
        let valueStart = reader.position
        guard let value = try? reader.readValue() else { return nil }
        return (key, XMLValue(value: value, range: valueStart..<reader.position))
    }

    /// Where the key's element is.
    func keyRange(ofEntry index: Int) -> Range<Int>? {
        var reader = XMLReader(bytes, limits: limits)
        reader.move(to: start(ofEntry: index))
        guard (try? reader.skipToKey()) != nil else { return nil }
        let start = reader.position
        return (try? reader.readKey()) != nil ? start..<reader.position : nil
    }

    func value(forKey key: String) -> PropertyListValue? {
        index(ofKey: key).flatMap { entry($0)?.value.value }
    }

    /// The last of several entries with equal keys is the one that counts.
    func index(ofKey key: String) -> Int? {
        if order == .sorted {
            let index = firstIndex(notBelow: key, from: 0, count: ends.count) { self.key(ofEntry: $0) }
            return index < ends.count && self.key(ofEntry: index) == key ? index : nil
        }
        return ends.indices.last { self.key(ofEntry: $0) == key }
    }
}

extension XMLDocument {
    /// With `<dict>` and `</dict>` in place of `<dict/>`.
    mutating func open() {
        guard let slash = emptySlash else { return }
        bytes.replaceSubrange(slash..<bodyStart, with: ">\n</dict>".utf8)
        bodyStart = slash + 1
        emptySlash = nil
    }
}
