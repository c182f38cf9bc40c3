// Compares two versions of a file and decodes only the values that differ, so that a foreign change of
// one key does not cost a full reading.
extension BinaryDocument {
    /// Replaces the document by a newer version and returns the differences. A value of nil means that
    /// the key was removed. If the keys of a version are not sorted, the result is nil and the document
    /// is unchanged.
    ///
    /// Entries are compared by the bytes of their objects. Arrays, dictionaries and changed objects are
    /// read in both versions.
    mutating func update(
        to newBytes: [UInt8],
        limits: PropertyListLimits
    ) throws(PropertyListError) -> [String: PropertyListValue?]? {
        guard limits == self.limits, order == .sorted else { return nil }
        var diff = try BinaryVersionDiff(from: self, to: try BinaryFile(newBytes), limits: limits)
        guard let difference = try diff.difference() else { return nil }
        self = BinaryDocument(file: diff.new, limits: limits, order: .sorted, cost: diff.cost)
        return difference
    }
}

/// Compares one version of a sorted document with the next, entry by entry.
private struct BinaryVersionDiff {
    let new: BinaryFile
    private let old: BinaryFile
    private let oldTop: BinaryObject
    private let newTop: BinaryObject
    private var oldReader: BinaryReader
    private var newReader: BinaryReader

    /// The cost of the new version.
    var cost: BinaryCost { newReader.cost }

    init(
        from document: BinaryDocument,
        to file: BinaryFile,
        limits: PropertyListLimits
    ) throws(PropertyListError) {
        new = file
        old = document.file
        oldReader = BinaryReader(old, limits: limits)
        newReader = BinaryReader(new, limits: limits)
        oldTop = try oldReader.openTop()
        newTop = try newReader.openTop()
    }

    /// The differences, or nil if the keys of the new version are not sorted.
    ///
    /// - Throws: The error of reading the whole new version.
    mutating func difference() throws(PropertyListError) -> [String: PropertyListValue?]? {
        let (oldCount, newCount) = (old.count(of: oldTop), new.count(of: newTop))
        var result: [String: PropertyListValue?] = [:]
        var oldIndex = 0
        // Whether the previous key was added, so that it might be greater than this one.
        var isMoved = false
        var oldKeys = KeyCache()
        for newIndex in 0..<newCount {
            let keyReference = try new.reference(newIndex, of: newTop)
            let key = try new.object(keyReference)
            if oldIndex < oldCount, try isSame(oldIndex, as: key) {
                try newReader.countUnread(keyReference, key)
                if isMoved, !isInOrder(newIndex) { return nil }
                isMoved = false
                let reference = try new.reference(newCount + newIndex, of: newTop)
                let value = try new.object(reference)
                if !value.kind.isContainer, try isSame(oldCount + oldIndex, as: value) {
                    try newReader.countUnread(reference, value)
                } else {
                    let newValue = try newReader.readValue(reference, depth: 1)
                    if try oldValue(oldIndex, count: oldCount) != newValue {
                        result.updateValue(newValue, forKey: old.key(oldIndex, of: oldTop))
                    }
                }
                oldIndex += 1
                continue
            }
            isMoved = true
            let (name, newValue) = try newReader.readEntry(newIndex, of: newTop, count: newCount, depth: 1)
            // Check the order first. Otherwise a long key that occurs many times would be compared many
            // times.
            guard isInOrder(newIndex) else { return nil }
            result.updateValue(newValue, forKey: name)
            // An old key is compared with several new ones but read once.
            while oldIndex < oldCount {
                let oldName = oldKeys.key(oldIndex) { old.key($0, of: oldTop) }
                guard oldName <= name else { break }
                if oldName < name {
                    result.updateValue(nil, forKey: oldName)
                } else if try oldValue(oldIndex, count: oldCount) == newValue {
                    result.removeValue(forKey: name)
                }
                oldIndex += 1
            }
        }
        for index in oldIndex..<oldCount {
            result.updateValue(nil, forKey: old.key(index, of: oldTop))
        }
        return result
    }

    /// Whether the key of a new entry is greater than the previous one. Both were read before.
    private func isInOrder(_ index: Int) -> Bool {
        index == 0 || new.key(index - 1, of: newTop) < new.key(index, of: newTop)
    }

    /// A value of the old version, which was read before.
    private mutating func oldValue(
        _ index: Int,
        count: Int
    ) throws(PropertyListError) -> PropertyListValue {
        try oldReader.readEntry(index, of: oldTop, count: count, depth: 1).value
    }

    private func isSame(_ oldReference: Int, as object: BinaryObject) throws(PropertyListError) -> Bool {
        let oldObject = try old.object(try old.reference(oldReference, of: oldTop))
        return oldObject.kind == object.kind
            && haveSameBytes(old.bytes, oldObject.range, new.bytes, object.range)
    }
}
