/// A suite's file in UTF-8 XML: its bytes, and the end of each entry of the top dictionary.
///
/// A change must keep all bytes that it does not concern: comments, white space, order and the spelling
/// of numbers. So the document stores the bytes and the positions of the entries instead of values, and
/// a change replaces only the bytes of its entry. Writing all values again would lose what a person
/// wrote and would take time proportional to the whole file.
///
/// An entry begins where the previous one ends, so the comments and white space before it belong to it.
/// It ends after its value, or after the comments that follow the value on its line. At the end of an
/// entry, a reader has no other state than “inside the top dictionary”, so each entry can be read
/// alone.
struct XMLDocument: Sendable {
    var bytes: [UInt8]
    let limits: PropertyListLimits
    /// The index after the `<dict>` of the top dictionary, or after its `<dict/>` if it is empty.
    var bodyStart: Int
    var ends: [UInt32]
    /// The index of the `/` if the top dictionary is written as `<dict/>`.
    var emptySlash: Int?
    var order: KeyOrder
}

extension XMLDocument {
    /// Creates an empty dictionary.
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

    /// Estimates the number of entries in a file of the given size. One entry has the length of a key
    /// with a number.
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
        let values = entries.entries(keeping: .last)
        if !isSorted { document.order = values.count < document.ends.count ? .repeated : .distinct }
        return (document, values)
    }
}

extension XMLDocument {
    /// Where an entry begins. For the number of entries, this is where the last one ends.
    func start(ofEntry index: Int) -> Int { index == 0 ? bodyStart : Int(ends[index - 1]) }

    func range(ofEntry index: Int) -> Range<Int> { start(ofEntry: index)..<Int(ends[index]) }

    /// The key of an entry. Entries were read before, so an error is not possible here.
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

    /// The range of the `<key>` element.
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

    /// The index of the entry that counts: the last one with an equal key.
    func index(ofKey key: String) -> Int? {
        if order == .sorted {
            let index = indexNotBelow(key, from: 0, count: ends.count) { self.key(ofEntry: $0) }
            return index < ends.count && self.key(ofEntry: index) == key ? index : nil
        }
        return ends.indices.last { self.key(ofEntry: $0) == key }
    }
}

extension XMLDocument {
    /// Replaces `<dict/>` by `<dict>` and `</dict>`, so that entries can be inserted.
    mutating func open() {
        guard let slash = emptySlash else { return }
        bytes.replaceSubrange(slash..<bodyStart, with: ">\n</dict>".utf8)
        bodyStart = slash + 1
        emptySlash = nil
    }
}
