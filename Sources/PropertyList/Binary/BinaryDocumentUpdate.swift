extension BinaryDocument {
    /// Takes over a newer version of the file and returns what differs, nil for keys that are gone.
    ///
    /// Entries are compared by the bytes of their objects; arrays, dictionaries and what differs are
    /// read in both versions. Where keys are not in sorted order, both versions are read.
    mutating func update(
        to newBytes: [UInt8],
        limits: PropertyListLimits
    ) throws(PropertyListError) -> [String: PropertyListValue?] {
        if limits == self.limits, order == .sorted {
            var step = try BinaryStep(from: self, to: try BinaryFile(newBytes), limits: limits)
            if let difference = try step.difference() {
                self = BinaryDocument(file: step.new, limits: limits, order: .sorted, cost: step.cost)
                return difference
            }
        }
        let (document, values) = try BinaryDocument.read(newBytes, limits: limits)
        // What was read once can be read again.
        let oldValues = (try? BinaryDocument.read(bytes, limits: self.limits).values) ?? PropertyListEntries()
        self = document
        return values.differences(from: oldValues)
    }
}

/// The way from one version of a sorted document to the next one, entry by entry.
private struct BinaryStep {
    let new: BinaryFile
    private let old: BinaryFile
    private let oldTop: BinaryObject
    private let newTop: BinaryObject
    private var oldReader: BinaryReader
    private var newReader: BinaryReader

    /// Of the new version.
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

    /// What differs; nil where the keys of the new version are not sorted.
    ///
    /// - Throws: What a full reading of the new version throws.
    mutating func difference() throws(PropertyListError) -> [String: PropertyListValue?]? {
        let (oldCount, newCount) = (old.count(of: oldTop), new.count(of: newTop))
        var result: [String: PropertyListValue?] = [:]
        var oldIndex = 0
        // Whether the last key was not the next one of the old version, so that it may be greater than this one.
        var isMoved = false
        var oldKeys = KnownKeys()
        for newIndex in 0..<newCount {
            let keyReference = try new.reference(newIndex, of: newTop)
            let key = try new.object(keyReference)
            if oldIndex < oldCount, try isSame(oldIndex, as: key) {
                try newReader.pass(keyReference, key)
                if isMoved, !isInOrder(newIndex) { return nil }
                isMoved = false
                let reference = try new.reference(newCount + newIndex, of: newTop)
                let value = try new.object(reference)
                if !value.kind.isContainer, try isSame(oldCount + oldIndex, as: value) {
                    try newReader.pass(reference, value)
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
            // Before anything is done with a key that may be long and there many times.
            guard isInOrder(newIndex) else { return nil }
            result.updateValue(newValue, forKey: name)
            // An entry of the old version is compared with many keys and read once.
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

    /// Whether the key of an entry of the new version is greater than the one before it, which have both been read.
    private func isInOrder(_ index: Int) -> Bool {
        index == 0 || new.key(index - 1, of: newTop) < new.key(index, of: newTop)
    }

    /// A value of the old version, which was read once and can be read again.
    private mutating func oldValue(
        _ index: Int,
        count: Int
    ) throws(PropertyListError) -> PropertyListValue {
        try oldReader.readEntry(index, of: oldTop, count: count, depth: 1).value
    }

    private func isSame(_ oldPart: Int, as object: BinaryObject) throws(PropertyListError) -> Bool {
        let oldObject = try old.object(try old.reference(oldPart, of: oldTop))
        return oldObject.kind == object.kind
            && haveSameBytes(old.bytes, oldObject.range, new.bytes, object.range)
    }
}
