extension XMLDocument {
    /// Whether another version is the same up to the first entry of the dictionary at the top.
    func hasSameStart(as newBytes: [UInt8]) -> Bool {
        emptySlash == nil && newBytes.starts(with: bytes[..<bodyStart])
    }

    /// Takes over a newer version of the file and returns what differs, nil for keys that are gone.
    ///
    /// The two versions are compared byte by byte. Entries that lie in what both have at their start
    /// or at their end were read already; of those between, one is read only if its bytes are not
    /// those of the entry that it is compared with. What this can't decide is left to a reading of
    /// both versions.
    mutating func update(
        to newBytes: [UInt8],
        limits: PropertyListLimits
    ) throws(PropertyListError) -> [String: PropertyListValue?] {
        if limits == self.limits, let step = try Step(from: self, to: newBytes),
            let difference = step.difference
        {
            self = step.document
            return difference
        }
        let (document, values) = try XMLDocument.read(newBytes, limits: limits)
        // What was read once can be read again.
        let oldValues = (try? XMLDocument.read(bytes, limits: self.limits).values) ?? PropertyListEntries()
        self = document
        return values.differences(from: oldValues)
    }
}

/// The way from one version of a document to the next one, entry by entry.
private struct Step {
    private let old: XMLDocument
    private(set) var document: XMLDocument
    /// Entries of the old version that the new one does not have byte by byte in the same order.
    private var oldOnly: [Int] = []
    /// Those of the new version.
    private var newOnly: [Int] = []
    private var newValues = PropertyListEntries()

    /// Nil where what is around the entries differs.
    ///
    /// - Throws: What a full reading of the new version throws.
    init?(from old: XMLDocument, to bytes: [UInt8]) throws(PropertyListError) {
        let prefix = commonPrefix(old.bytes, bytes)
        guard old.emptySlash == nil, prefix >= old.bodyStart else { return nil }
        let suffix = commonSuffix(old.bytes, bytes, atMost: min(old.bytes.count, bytes.count) - prefix)
        self.old = old
        // Where the last of them ends may depend on what follows it on its line.
        let read = max(0, old.ends.firstIndexInOrder { Int($0) > prefix } - 1)
        document = XMLDocument(
            bytes: bytes,
            limits: old.limits,
            bodyStart: old.bodyStart,
            ends: Array(old.ends[..<read]),
            emptySlash: nil,
            order: old.order
        )
        try readMiddle(suffixStart: bytes.count - suffix)
    }

    private mutating func readMiddle(suffixStart: Int) throws(PropertyListError) {
        let bytes = document.bytes
        let growth = bytes.count - old.bytes.count
        var reader = XMLReader(bytes, limits: document.limits)
        var oldIndex = document.ends.count
        var oldKeys = KnownKeys()
        func oldKey(_ index: Int) -> String { oldKeys.key(index, reading: old.key(ofEntry:)) }
        reader.move(to: document.start(ofEntry: oldIndex))
        while true {
            // An end of an entry in both: all that follows is the same.
            if reader.position >= suffixStart,
                let same = old.entry(startingAt: reader.position - growth), same >= oldIndex
            {
                oldOnly += oldIndex..<same
                document.ends += old.ends[same...].lazy.map { UInt32(Int($0) + growth) }
                return
            }
            if oldIndex < old.ends.count, let end = sameEntry(oldIndex, at: reader.position) {
                document.ends.append(UInt32(end))
                reader.move(to: end)
                oldIndex += 1
                continue
            }
            guard let key = try reader.readKey() else {
                oldOnly += oldIndex..<old.ends.count
                return try readEnd(from: reader.position)
            }
            // In a sorted file what is below the new key is gone. In another this is a guess, which
            // costs time where it is wrong and nothing else.
            let oldStart = oldIndex
            while oldIndex < old.ends.count, oldKey(oldIndex) < key { oldIndex += 1 }
            oldOnly += oldStart..<oldIndex
            if oldIndex > oldStart,
                let end = sameEntry(oldIndex, at: document.start(ofEntry: document.ends.count))
            {
                document.ends.append(UInt32(end))
                reader.move(to: end)
                oldIndex += 1
                continue
            }
            try reader.skipToValue()
            newValues[key] = try reader.readValue()
            try reader.skipCommentsOfLine()
            newOnly.append(document.ends.count)
            document.ends.append(UInt32(reader.position))
            if oldIndex < old.ends.count, oldKey(oldIndex) == key {
                oldOnly.append(oldIndex)
                oldIndex += 1
            }
        }
    }

    /// What there has to be depends on the start of the file.
    private func readEnd(from position: Int) throws(PropertyListError) {
        var reader = XMLReader(document.bytes, limits: document.limits)
        try reader.readStart()
        reader.move(to: position)
        try reader.readEnd()
    }

    /// The end of an entry of the old version in the new one, if it stands there byte by byte and nothing
    /// that belongs to it follows.
    private func sameEntry(_ index: Int, at position: Int) -> Int? {
        guard index < old.ends.count else { return nil }
        let range = old.range(ofEntry: index)
        guard document.bytes.count - position >= range.count,
            old.bytes[range].elementsEqual(document.bytes[position..<position + range.count])
        else { return nil }
        var reader = XMLReader(document.bytes, limits: document.limits)
        reader.move(to: position + range.count)
        guard (try? reader.skipCommentsOfLine()) != nil, reader.position == position + range.count else {
            return nil
        }
        return reader.position
    }

    /// What differs; nil where a key may be there twice, which the entries in sight can't tell.
    var difference: [String: PropertyListValue?]? {
        guard newOnly.count == newValues.count else { return nil }
        var oldValues = PropertyListEntries()
        for index in oldOnly {
            guard let entry = old.entry(index) else { return nil }
            oldValues[entry.key] = entry.value.value
        }
        guard oldOnly.count == oldValues.count else { return nil }
        switch old.order {
        case .sorted: guard newOnly.allSatisfy(isInOrder) else { return nil }
        case .distinct: guard newValues.keys.allSatisfy({ oldValues[$0] != nil }) else { return nil }
        case .repeated: return nil
        }
        return newValues.differences(from: oldValues)
    }

    /// Whether an entry of the new version is between its neighbours by its key too. The others
    /// follow each other as they did in the old version.
    private func isInOrder(_ index: Int) -> Bool {
        let key = document.key(ofEntry: index)
        if index > 0, !(document.key(ofEntry: index - 1) < key) { return false }
        return index + 1 >= document.ends.count || key < document.key(ofEntry: index + 1)
    }
}

extension XMLDocument {
    /// The entry that begins at a place; the number of entries for the end of the last one.
    fileprivate func entry(startingAt position: Int) -> Int? {
        if position == bodyStart { return 0 }
        let before = ends.firstIndexInOrder { Int($0) >= position }
        return before < ends.count && Int(ends[before]) == position ? before + 1 : nil
    }
}

extension [UInt32] {
    /// The first index for whose element a condition holds that holds for all after it too.
    fileprivate func firstIndexInOrder(where condition: (UInt32) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
