/// A suite's file in UTF-8 XML: its bytes, and where in them the entries of the dictionary at the
/// top end.
///
/// An entry begins where the one before it ends, so that the comments and white space in front of
/// it are its own. Nothing else is needed to read an entry by itself: at the end of an entry all
/// that a reader knows is that it is in the dictionary at the top.
struct XMLDocument: Sendable {
    private(set) var bytes: [UInt8]
    let limits: PropertyListLimits
    /// Behind the `<dict>` of the dictionary at the top; behind `<dict/>`, where there are no entries.
    var bodyStart: Int
    var ends: [Int]
    /// Of a `<dict/>` at the top, where its `/` is.
    var emptySlash: Int?
    var order: KeyOrder
}

extension XMLDocument {
    /// An empty dictionary.
    init(limits: PropertyListLimits) {
        let start = XMLWriter.start + "<dict/>"
        self.init(
            bytes: Array((start + "\n" + XMLWriter.end).utf8),
            limits: limits,
            bodyStart: start.utf8.count,
            ends: [],
            emptySlash: start.utf8.count - 2,
            order: .sorted
        )
    }

    init(
        writing values: [String: PropertyListValue],
        limits: PropertyListLimits
    ) throws(PropertyListError) {
        let (text, bodyStart, ends) = try XMLWriter.write(dictionary: values, limits: limits)
        self.init(
            bytes: text,
            limits: limits,
            bodyStart: bodyStart,
            ends: ends,
            emptySlash: nil,
            order: .sorted
        )
    }

    /// Reads a file in UTF-8.
    static func read(
        _ bytes: [UInt8],
        limits: PropertyListLimits
    ) throws(PropertyListError) -> (document: XMLDocument, values: [String: PropertyListValue]) {
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
        // About the length of a key with a number.
        entries.reserve(bytes.count / 56)
        switch start {
        case .empty(let slash): document.emptySlash = slash
        case .open:
            while let key = try reader.readKey() {
                try reader.skipToValue()
                entries.append(key, try reader.readValue())
                document.ends.append(reader.position)
            }
        }
        try reader.readEnd()
        let isSorted = entries.isSorted
        let values = entries.dictionary(of: .last)
        if !isSorted { document.order = values.count < document.ends.count ? .repeated : .distinct }
        return (document, values)
    }
}

extension XMLDocument {
    /// Where an entry begins, or, for the number of entries, where the last one ends.
    func start(ofEntry index: Int) -> Int { index == 0 ? bodyStart : ends[index - 1] }

    func range(ofEntry index: Int) -> Range<Int> { start(ofEntry: index)..<ends[index] }

    /// Entries were read once, so that an error here would be a fault of this code.
    func key(ofEntry index: Int) -> String {
        var reader = XMLReader(bytes, limits: limits)
        reader.move(to: start(ofEntry: index))
        return (try? reader.readKey()) ?? ""
    }

    /// A key, its value, and where the value is.
    func entry(
        _ index: Int
    ) -> (key: String, value: PropertyListValue, valueRange: Range<Int>)? {
        var reader = XMLReader(bytes, limits: limits)
        reader.move(to: start(ofEntry: index))
        guard let key = try? reader.readKey(), (try? reader.skipToValue()) != nil else { return nil }
        let valueStart = reader.position
        guard let value = try? reader.readValue() else { return nil }
        return (key, value, valueStart..<reader.position)
    }

    func value(forKey key: String) -> PropertyListValue? {
        if order == .sorted {
            let index = firstIndex(notBelow: key, from: 0, count: ends.count) { self.key(ofEntry: $0) }
            guard index < ends.count, let entry = entry(index), entry.key == key else { return nil }
            return entry.value
        }
        // The last of several equal keys is the one that counts.
        guard let index = ends.indices.last(where: { self.key(ofEntry: $0) == key }) else { return nil }
        return entry(index)?.value
    }
}

extension XMLDocument {
    /// A stretch of bytes to be replaced.
    private struct Splice {
        /// The entries that it begins before: those up to here keep their number.
        let entry: Int
        let replaced: Range<Int>
        let replacement: [UInt8]
        /// What becomes of the number of entries.
        let change: Change

        enum Change { case sameEntry, inserted, removed }
    }

    /// Sets keys, or removes them where the value is nil.
    ///
    /// Only what changes is written. Where the keys are not in sorted order, or one is there twice,
    /// the entries that count are first put in order, each with the bytes that it has.
    mutating func apply(_ changes: [String: PropertyListValue?]) throws(PropertyListError) {
        var document = order == .sorted ? self : sorted()
        if document.emptySlash != nil, changes.values.contains(where: { $0 != nil }) { document.open() }
        let splices = try document.splices(for: changes)
        guard !splices.isEmpty else { return }
        self = try document.spliced(splices)
    }

    private func splices(for changes: [String: PropertyListValue?]) throws(PropertyListError) -> [Splice] {
        var splices: [Splice] = []
        var known = KnownKeys()
        var from = 0
        for (key, value) in changes.sorted(by: { $0.key < $1.key }) {
            let index = firstIndex(notBelow: key, from: from, count: ends.count) {
                known.key($0, reading: self.key(ofEntry:))
            }
            from = index
            let isPresent = index < ends.count && known.key(index, reading: self.key(ofEntry:)) == key
            let present = isPresent ? entry(index) : nil
            switch (present, value) {
            case (nil, nil): break
            case (nil, let value?):
                var writer = XMLWriter(limits: limits)
                try writer.appendEntry(key, value, depth: 1)
                let place = start(ofEntry: index)
                splices.append(
                    Splice(
                        entry: index,
                        replaced: place..<place,
                        replacement: writer.output,
                        change: .inserted
                    )
                )
            case (let present?, let value?):
                guard present.value != value else { break }
                var writer = XMLWriter(limits: limits)
                do {
                    try writer.append(value, depth: 1)
                } catch {
                    throw error.below(.key(key))
                }
                splices.append(
                    Splice(
                        entry: index,
                        replaced: present.valueRange,
                        replacement: writer.output,
                        change: .sameEntry
                    )
                )
            case (_?, nil):
                splices.append(
                    Splice(entry: index, replaced: range(ofEntry: index), replacement: [], change: .removed)
                )
            }
        }
        return splices
    }

    private func spliced(_ splices: [Splice]) throws(PropertyListError) -> XMLDocument {
        var result = self
        result.bytes = []
        result.ends = []
        let growth = splices.reduce(0) { $0 + $1.replacement.count - $1.replaced.count }
        guard bytes.count + growth <= limits.size else {
            throw PropertyListError(
                .path([]),
                .limitExceeded,
                "the file would have more than \(limits.size) bytes"
            )
        }
        result.bytes.reserveCapacity(bytes.count + growth)
        result.ends.reserveCapacity(ends.count + splices.count)
        var copied = 0
        var entriesCopied = 0
        for splice in splices {
            let shift = result.bytes.count - copied
            result.bytes += bytes[copied..<splice.replaced.lowerBound]
            result.bytes += splice.replacement
            copied = splice.replaced.upperBound
            for end in ends[entriesCopied..<splice.entry] { result.ends.append(end + shift) }
            entriesCopied = splice.entry
            switch splice.change {
            case .inserted: result.ends.append(result.bytes.count)
            case .removed: entriesCopied += 1
            // Its end is the value's, or lies where the next stretch is copied.
            case .sameEntry:
                result.ends.append(ends[splice.entry] + result.bytes.count - copied)
                entriesCopied += 1
            }
        }
        let shift = result.bytes.count - copied
        for end in ends[entriesCopied...] { result.ends.append(end + shift) }
        result.bytes += bytes[copied...]
        return result
    }

    /// With `<dict>` and `</dict>` in place of `<dict/>`.
    private mutating func open() {
        guard let slash = emptySlash else { return }
        bytes.replaceSubrange(slash..<bodyStart, with: ">\n</dict>".utf8)
        bodyStart = slash + 1
        emptySlash = nil
    }

    /// With the entries in sorted order, and of equal keys the last one alone.
    private func sorted() -> XMLDocument {
        let keys = ends.indices.map { key(ofEntry: $0) }
        let order = ends.indices.sorted { keys[$0] == keys[$1] ? $0 < $1 : keys[$0] < keys[$1] }
        var result = self
        result.bytes = Array(bytes[..<bodyStart])
        result.bytes.reserveCapacity(bytes.count)
        result.ends = []
        for (place, index) in order.enumerated() {
            if place + 1 < order.count, keys[order[place + 1]] == keys[index] { continue }
            result.bytes += bytes[range(ofEntry: index)]
            result.ends.append(result.bytes.count)
        }
        result.bytes += bytes[start(ofEntry: ends.count)...]
        result.order = .sorted
        return result
    }
}
