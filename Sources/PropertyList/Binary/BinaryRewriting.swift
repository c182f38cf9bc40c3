/// Writes the next version of a binary file: unchanged objects are copied and changed entries are encoded.
extension BinaryDocument {
    /// Sets keys, or removes the keys whose value is nil. Returns whether that changed anything.
    mutating func apply(_ changes: [String: PropertyListValue?]) throws(PropertyListError) -> Bool {
        let present = try sortedEntries()
        let sorted = sortedByKey(changes)
        guard let plan = try plan(sorted, present) else { return false }
        let (changed, newBytes) = try rewrite(plan, sorted, present)
        var cost = cost
        cost += BinaryCost(values: plan.newObjectCount, bytes: newBytes)
        if cost.isWithin(.maximum(limits, fileSize: changed.bytes.count)) {
            let order: KeyOrder = plan.variantCount > 0 ? .repeated : .sorted
            self = BinaryDocument(file: changed, limits: limits, order: order, cost: cost)
        } else {
            self = try readable(changed, changes)
        }
        return true
    }

    private typealias Change = (key: String, value: PropertyListValue?)

    /// The entries of the present file in sorted order.
    private struct SortedEntries {
        let top: BinaryObject
        /// The indexes of the entries in the top dictionary, or nil if these are sorted.
        var indexes: [Int]?
        /// How many entries have a key equal to that of the previous entry.
        var variantCount = 0
        /// The number of entries in the top dictionary, including repeated ones.
        let countInFile: Int

        var count: Int { indexes?.count ?? countInFile }

        func index(_ position: Int) -> Int { indexes?[position] ?? position }
    }

    /// The content of the next version.
    private struct Plan {
        enum Part {
            /// Positions of present entries that are copied.
            case kept(Range<Int>)
            /// Indexes of changes that are written. If the present key has other Unicode forms, `key` is
            /// the entry whose form is kept.
            case set(Range<Int>, key: Int?)
        }

        var parts: [Part] = []
        var entryCount: Int
        /// How many entries have a key equal to that of the previous entry.
        var variantCount: Int
        var newObjectCount = 0
    }

    /// Works out the content of the next version, or returns nil if nothing changes.
    private func plan(_ changes: [Change], _ present: SortedEntries) throws(PropertyListError) -> Plan? {
        var plan = Plan(entryCount: present.count, variantCount: present.variantCount)
        var from = 0
        var known = KeyCache()
        var reader = BinaryReader(file, limits: limits)
        // Changes after the last key of the file need no search.
        var rest = changes.indices
        while from < present.count, let number = rest.popFirst() {
            let (key, value) = changes[number]
            func knownKey(_ position: Int) -> String {
                known.key(position) { file.key(present.index($0), of: present.top) }
            }
            let position = indexNotBelow(key, from: from, count: present.count, keyAt: knownKey)
            let isPresent = position < present.count && knownKey(position) == key
            // Each entry is read at most once, so the limits that the file kept before hold now too.
            let old = isPresent ? try read(present.index(position), present, &reader) : nil
            if old == value { continue }
            if from < position || plan.parts.isEmpty { plan.parts.append(.kept(from..<position)) }
            // Removing a key removes all its Unicode forms. Setting it changes the form that counts.
            let hasVariants = isPresent && present.variantCount > 0
            from = isPresent ? position + 1 : position
            while hasVariants, value == nil, from < present.count, knownKey(from) == key { from += 1 }
            plan.entryCount -= from - position
            plan.variantCount -= max(0, from - position - 1)
            guard let value else { continue }
            let form = hasVariants ? present.index(position) : nil
            plan.parts.append(.set(number..<number + 1, key: form))
            plan.entryCount += 1
            plan.newObjectCount += try objectCount(of: value, forKey: key)
        }
        var isChange = !plan.parts.isEmpty
        for case (let key, let value?) in changes[rest] {
            isChange = true
            plan.entryCount += 1
            plan.newObjectCount += try objectCount(of: value, forKey: key)
        }
        guard isChange else { return nil }
        plan.parts += [.kept(from..<present.count), .set(rest, key: nil)]
        return plan
    }

    private func read(
        _ entry: Int,
        _ present: SortedEntries,
        _ reader: inout BinaryReader
    ) throws(PropertyListError) -> PropertyListValue {
        try reader.readEntry(entry, of: present.top, count: present.countInFile, depth: 1).value
    }

    /// Writes the next version.
    ///
    /// - Returns: The file, and the number of bytes of its new objects.
    private func rewrite(
        _ plan: Plan,
        _ changes: [Change],
        _ present: SortedEntries
    ) throws(PropertyListError) -> (file: BinaryFile, newBytes: Int) {
        let top = present.top
        var writer = BinaryWriter(objectCount: file.objectCount + plan.newObjectCount, limits: limits)
        writer.reserve(min(limits.size, file.bytes.count + 16 * plan.newObjectCount + 64))
        var copies = [Int32](repeating: -1, count: file.objectCount)
        let (_, references) = try writer.openDictionary(count: plan.entryCount)
        var next = 0
        var newBytes = 0
        for part in plan.parts {
            switch part {
            case .kept(let range):
                for position in range {
                    let entry = present.index(position)
                    let key = try file.reference(entry, of: top)
                    writer.fill(references, next, try writer.copy(key, from: file, &copies))
                    let value = try file.reference(present.countInFile + entry, of: top)
                    let copy = try writer.copy(value, from: file, &copies)
                    writer.fill(references, plan.entryCount + next, copy)
                    next += 1
                }
            case .set(let numbers, let form):
                let start = writer.output.count
                for case (let key, let value?) in changes[numbers] {
                    do {
                        let name =
                            if let form {
                                try writer.copy(try file.reference(form, of: top), from: file, &copies)
                            } else {
                                try writer.append(key: key, depth: 0)
                            }
                        writer.fill(references, next, name)
                        let object = try writer.append(value, depth: 1)
                        writer.fill(references, plan.entryCount + next, object)
                    } catch {
                        throw error.inside(.key(key))
                    }
                    next += 1
                }
                newBytes += writer.output.count - start
            }
        }
        return (try BinaryFile(try writer.finish()), newBytes)
    }

    /// The number of objects that an entry takes.
    private func objectCount(
        of value: PropertyListValue,
        forKey key: String
    ) throws(PropertyListError) -> Int {
        do {
            return 1 + (try BinaryWriter.objectCount(of: value, depth: 1, limits: limits))
        } catch {
            throw error.inside(.key(key))
        }
    }

    /// Makes sure that the changed file can be read again.
    ///
    /// Without the objects that were left out, the file might be too small for the cost of its shared
    /// objects. Then it is written without sharing.
    private func readable(
        _ changed: BinaryFile,
        _ changes: [String: PropertyListValue?]
    ) throws(PropertyListError) -> BinaryDocument {
        if let document = try? BinaryDocument.read(changed.bytes, limits: limits).document { return document }
        var values = try BinaryDocument.read(bytes, limits: limits).values
        for (key, value) in changes { values[key] = value }
        let bytes = try BinaryWriter.write(.dictionary([String: PropertyListValue](values)), limits: limits)
        return try BinaryDocument.read(bytes, limits: limits).document
    }

    /// Returns the entries in sorted order.
    ///
    /// Of byte-identical keys, only the first entry is returned. Keys that are only canonically
    /// equivalent are all returned, because other programs may see them as different keys.
    private func sortedEntries() throws(PropertyListError) -> SortedEntries {
        let top = try file.topDictionary()
        var result = SortedEntries(top: top, countInFile: file.count(of: top))
        if order == .sorted { return result }
        let first = firstEntries(of: top)
        let keys = first.map { file.key($0, of: top) }
        let sorted = keys.indices.sorted { keys[$0] == keys[$1] ? $0 < $1 : keys[$0] < keys[$1] }
        var indexes: [Int] = []
        // The forms of the current key that were seen.
        var forms: Set<[UInt8]> = []
        for (position, index) in sorted.enumerated() {
            let isVariant = position > 0 && keys[sorted[position - 1]] == keys[index]
            let isNext = position + 1 < sorted.count && keys[sorted[position + 1]] == keys[index]
            if !isVariant { forms = [] }
            // Most keys have one form only.
            if isVariant || isNext, !forms.insert(Array(keys[index].utf8)).inserted { continue }
            result.variantCount += isVariant ? 1 : 0
            indexes.append(first[index])
        }
        result.indexes = indexes
        return result
    }
}
