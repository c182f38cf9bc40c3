// Compares two versions of a file and reads only the entries that differ. So after a foreign change of
// one key, the time grows with the comparison of bytes and not with parsing.
extension XMLDocument {
    /// Whether another version is identical up to the first entry.
    func hasSameStart(as newBytes: [UInt8]) -> Bool {
        emptySlash == nil && newBytes.starts(with: bytes[..<bodyStart])
    }

    /// Replaces the document by a newer version and returns the differences. A value of nil means that
    /// the key was removed. If the versions cannot be compared entry by entry, the result is nil and the
    /// document is unchanged.
    ///
    /// Entries inside the common start or the common end of both versions are not read again. An entry
    /// in between is read only if its bytes differ from the entry that it is compared with. This cannot
    /// decide, for example, if keys repeat.
    mutating func update(
        to newBytes: [UInt8],
        limits: PropertyListLimits
    ) throws(PropertyListError) -> [String: PropertyListValue?]? {
        guard limits == self.limits, let diff = try XMLVersionDiff(from: self, to: newBytes),
            let difference = diff.difference
        else { return nil }
        self = diff.document
        return difference
    }
}

/// Compares one version of a document with the next, entry by entry.
private struct XMLVersionDiff {
    private let old: XMLDocument
    private(set) var document: XMLDocument
    /// Entries of the old version that the new one does not have byte for byte in the same order.
    private var oldOnly: [Int] = []
    /// Entries of the new version that the old one does not have.
    private var newOnly: [Int] = []
    private var newValues = PropertyListEntries()

    /// Compares two versions. The result is nil if they differ before the first entry.
    ///
    /// - Throws: The error of reading the whole new version.
    init?(from old: XMLDocument, to bytes: [UInt8]) throws(PropertyListError) {
        let prefix = commonPrefix(old.bytes, bytes)
        guard old.emptySlash == nil, prefix >= old.bodyStart else { return nil }
        let suffix = commonSuffix(old.bytes, bytes, atMost: min(old.bytes.count, bytes.count) - prefix)
        self.old = old
        // The end of the last common entry might depend on what follows on its line, so that entry is
        // read again.
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
        var oldKeys = KeyCache()
        func oldKey(_ index: Int) -> String { oldKeys.key(index, reading: old.key(ofEntry:)) }
        reader.move(to: document.start(ofEntry: oldIndex))
        while true {
            // An entry ends here in both versions, and everything after it is identical.
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
            // In a sorted file, the entries with lower keys were removed. In another order this is a
            // guess, which costs time if it is wrong but cannot change the result.
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

    /// Reads the end of the file. What is allowed there depends on its start.
    private func readEnd(from position: Int) throws(PropertyListError) {
        var reader = XMLReader(document.bytes, limits: document.limits)
        try reader.readStart()
        reader.move(to: position)
        try reader.readEnd()
    }

    /// Returns where an entry of the old version ends in the new one. The result is nil unless it is
    /// there byte for byte and no comment that belongs to it follows.
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

    /// The differences, or nil if a key might repeat in a part of the file that was not read.
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

    /// Whether the key of a new entry is between the keys of its neighbors. The other entries are in
    /// the same order as in the old version.
    private func isInOrder(_ index: Int) -> Bool {
        let key = document.key(ofEntry: index)
        if index > 0, !(document.key(ofEntry: index - 1) < key) { return false }
        return index + 1 >= document.ends.count || key < document.key(ofEntry: index + 1)
    }
}

extension XMLDocument {
    /// Returns the entry that begins at a position. At the end of the last entry, this is the number of
    /// entries.
    fileprivate func entry(startingAt position: Int) -> Int? {
        if position == bodyStart { return 0 }
        let before = ends.firstIndexInOrder { Int($0) >= position }
        return before < ends.count && Int(ends[before]) == position ? before + 1 : nil
    }
}

extension [UInt32] {
    /// Returns the first index whose element satisfies a condition. The condition must hold for all
    /// later elements too.
    fileprivate func firstIndexInOrder(where condition: (UInt32) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
