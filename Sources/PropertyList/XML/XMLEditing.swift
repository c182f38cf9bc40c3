/// A change to a document that is worked out but not yet applied.
enum XMLEdit: Sendable {
    case none
    /// A few ranges of bytes to replace.
    case splices(XMLSplices)
    /// The new version of the document.
    case whole(XMLDocument)
}

extension XMLDocument {
    /// Sets keys, or removes the keys whose value is nil.
    ///
    /// Only changed entries are written, and every entry stays where it is. A new entry is inserted
    /// after the last entry whose key is less than its own, so a sorted file stays sorted. If a removed
    /// key and a new key have the same value, the entry is renamed and keeps the comments around it.
    mutating func apply(_ changes: [String: PropertyListValue?]) throws(PropertyListError) {
        make(try edit(changes))
    }

    /// Works out a change.
    ///
    /// - Parameter spellings: How keys were written before.
    func edit(
        _ changes: [String: PropertyListValue?],
        _ spellings: Spellings? = nil
    ) throws(PropertyListError) -> XMLEdit {
        if emptySlash != nil {
            guard changes.values.contains(where: { $0 != nil }) else { return .none }
            var document = self
            document.open()
            return .whole(document.applying(try document.splices(changes, spellings)))
        }
        let splices = try splices(changes, spellings)
        if splices.isEmpty { return .none }
        // Each splice that is made in place moves all bytes after it. For many changes, a new version is
        // faster.
        return changes.count <= 8 ? .splices(splices) : .whole(applying(splices))
    }

    mutating func make(_ edit: XMLEdit) {
        switch edit {
        case .none: break
        case .splices(let splices): make(splices)
        case .whole(let document): self = document
        }
    }

    private func splices(
        _ changes: [String: PropertyListValue?],
        _ spellings: Spellings?
    ) throws(PropertyListError) -> XMLSplices {
        var splices = XMLSplices(self, count: changes.count)
        // Without removed keys nothing can be a rename. There may be many changes, so each is handled
        // at once instead of being collected.
        if order == .sorted, spellings == nil, changes.values.allSatisfy({ $0 != nil }) {
            try forEachTargetInOrder(of: changes) { target throws(PropertyListError) in
                try collect(target, nil) { entry, change throws(PropertyListError) in
                    try add(change, at: entry, nil, to: &splices)
                }
            }
        } else {
            for (entry, change) in entryChanges(for: changes, spellings) {
                try add(change, at: entry, spellings, to: &splices)
            }
        }
        try splices.checkSize(bytes.count + splices.growth)
        return splices
    }

    @inline(__always)
    private func add(
        _ change: EntryChange,
        at entry: Int,
        _ spellings: Spellings?,
        to splices: inout XMLSplices
    ) throws(PropertyListError) {
        let start = start(ofEntry: entry)
        switch change {
        case .insert(let key, let value):
            try splices.writer.appendEntry(key, value, depth: 1)
            try splices.add(start..<start, entry, .entryInserted)
        case .restore(let spelling):
            splices.writer.append(copy: spelling.entry[...])
            try splices.add(start..<start, entry, .entryInserted)
        case .replace(let old, let key, let value):
            if let spelling = spellings?.spelling(of: key, value) {
                splices.writer.append(copy: spelling.value)
            } else {
                do throws(PropertyListError) {
                    try splices.writer.append(value, depth: 1, over: old, of: bytes)
                } catch {
                    throw error.inside(.key(key))
                }
            }
            try splices.add(old.range, entry, .valueChanged)
        case .rename(let keyRange, let key, let spelling):
            if let spelling {
                splices.writer.append(copy: spelling)
            } else {
                try splices.writer.appendKey(key)
            }
            try splices.add(keyRange, entry, .keyChanged)
        case .remove: try splices.add(start..<Int(ends[entry]), entry, .entryRemoved)
        }
    }

    private enum EntryChange {
        case insert(String, PropertyListValue)
        /// Indirect, because this case is rare and large.
        indirect case restore(Spelling)
        case replace(XMLValue, key: String, with: PropertyListValue)
        indirect case rename(Range<Int>, to: String, ArraySlice<UInt8>?)
        case remove
    }

    /// Returns the changes with the indexes of their entries, sorted by index, and changes at the same
    /// index by key.
    private func entryChanges(
        for changes: [String: PropertyListValue?],
        _ spellings: Spellings?
    ) -> [(entry: Int, change: EntryChange)] {
        let targets = order == .sorted ? targetsInOrder(of: changes) : targets(of: changes)
        let renamed = renamed(targets)
        var result: [(entry: Int, change: EntryChange)] = []
        // Most changes rename nothing and restore nothing.
        if renamed.isEmpty, spellings == nil {
            for target in targets { collect(target, nil) { result.append(($0, $1)) } }
        } else {
            var known = self.spellings(of: targets, spellings)
            var newNames: [String: ArraySlice<UInt8>?] = [:]
            for (_, key) in renamed.values { newNames[key] = .some(known.removeValue(forKey: key)?.keyBytes) }
            let old = order == .sorted ? [] : previousPositions(of: known)
            let placed = Set(old.map(\.key))
            result = old.map { ($0.entry, $0.change) }
            for target in targets {
                if let (range, key) = renamed[target.key] {
                    result.append((target.entries[0], .rename(range, to: key, newNames[key] ?? nil)))
                } else if !placed.contains(target.key), newNames[target.key] == nil {
                    collect(target, known[target.key]) { result.append(($0, $1)) }
                }
            }
        }
        // With sorted keys, the changes are sorted already. A new entry precedes the change of the
        // entry after it.
        return order == .sorted ? result : stablySorted(result)
    }

    /// Passes on the changes for one key and the entries that they concern.
    @inline(__always)
    private func collect<Failure>(
        _ target: Target,
        _ spelling: Spelling?,
        _ body: (_ entry: Int, EntryChange) throws(Failure) -> Void
    ) throws(Failure) {
        switch (target.entries.last, target.value) {
        case (nil, nil): break
        case (nil, let value?):
            let change = spelling.map { EntryChange.restore($0) } ?? .insert(target.key, value)
            try body(target.insertionIndex, change)
        case (let last?, let value?):
            guard let entry = entry(last), entry.value.value != value else { break }
            // A duplicate in another Unicode form stays, because programs that compare bytes see it as
            // a different key.
            if target.entries.count > 1 {
                let name = key(ofEntry: last)
                for other in target.entries.dropLast() where key(ofEntry: other).hasSameBytes(as: name) {
                    try body(other, .remove)
                }
            }
            try body(last, .replace(entry.value, key: target.key, with: value))
        case (_?, nil): for entry in target.entries { try body(entry, .remove) }
        }
    }

    /// Returns how the new entries were written before, if their keys are byte-identical.
    private func spellings(of targets: [Target], _ spellings: Spellings?) -> [String: Spelling] {
        guard let spellings else { return [:] }
        var known: [String: Spelling] = [:]
        for target in targets where target.entries.isEmpty {
            guard let value = target.value, let spelling = spellings.spelling(of: target.key, value),
                spelling.key.utf8.elementsEqual(target.key.utf8)
            else { continue }
            known[target.key] = spelling
        }
        return known
    }

    /// Returns the former positions of restored entries. The entry before one of them may be restored
    /// too; then both keep their order.
    private func previousPositions(
        of entries: [String: Spelling]
    ) -> [(key: String, entry: Int, change: EntryChange)] {
        // Each restored entry takes a walk over all entries.
        guard entries.count <= 32 else { return [] }
        var result: [(entry: Int, distance: Int, spelling: Spelling)] = []
        for spelling in entries.values {
            var (previous, distance) = (spelling.previous, 0)
            var position: Int? = 0
            while let key = previous {
                position = index(ofKey: key).map { $0 + 1 }
                guard position == nil, distance < entries.count, let other = entries[key] else { break }
                (previous, distance, position) = (other.previous, distance + 1, 0)
            }
            if let position { result.append((position, distance, spelling)) }
        }
        return result.sorted { ($0.entry, $0.distance) < ($1.entry, $1.distance) }.map {
            ($0.spelling.key, $0.entry, .restore($0.spelling))
        }
    }

    /// The largest number of renames in one change.
    static let maximumRenameCount = 32

    /// Pairs each removed key with a new key that has the same value.
    ///
    /// In a sorted file, an entry without comments is not renamed; it moves to its new position.
    private func renamed(_ targets: [Target]) -> [String: (range: Range<Int>, key: String)] {
        var renamed: [String: (range: Range<Int>, key: String)] = [:]
        let removed = targets.filter { $0.value == nil && $0.entries.count == 1 }
        // Each removed key is compared with each new one. A person does not rename so many keys at
        // once.
        if removed.isEmpty || removed.count > Self.maximumRenameCount { return renamed }
        var new = targets.filter { $0.value != nil && $0.entries.isEmpty }
        for target in removed {
            if new.isEmpty { break }
            guard let entry = entry(target.entries[0]),
                let index = new.firstIndex(where: { $0.value == entry.value.value }),
                let range = keyRange(ofEntry: target.entries[0]),
                order != .sorted || bytes[self.range(ofEntry: target.entries[0])].contains("<!--".utf8)
            else { continue }
            renamed[target.key] = (range, new.remove(at: index).key)
        }
        return renamed
    }

    private func stablySorted(
        _ result: [(entry: Int, change: EntryChange)]
    ) -> [(entry: Int, change: EntryChange)] {
        func rank(_ change: EntryChange) -> Int { if case .insert = change { 0 } else { 1 } }
        return result.enumerated().sorted {
            let (a, b) = ($0.element, $1.element)
            return (a.entry, rank(a.change), $0.offset) < (b.entry, rank(b.change), $1.offset)
        }.map(\.element)
    }

    /// A key to set or remove.
    private struct Target {
        let key: String
        let value: PropertyListValue?
        /// The indexes of its present entries, of which the last one counts.
        var entries: [Int] = []
        /// The index before which a new entry is inserted.
        var insertionIndex: Int
    }

    /// Finds the entries of the changed keys in a sorted document, in the order of the keys.
    private func targetsInOrder(of changes: [String: PropertyListValue?]) -> [Target] {
        var targets: [Target] = []
        targets.reserveCapacity(changes.count)
        forEachTargetInOrder(of: changes) { targets.append($0) }
        return targets
    }

    @inline(__always)
    private func forEachTargetInOrder<Failure>(
        of changes: [String: PropertyListValue?],
        _ body: (Target) throws(Failure) -> Void
    ) throws(Failure) {
        var known = KeyCache()
        var from = 0
        for (key, value) in sortedByKey(changes) {
            from = indexNotBelow(key, from: from, count: ends.count) {
                known.key($0, reading: self.key(ofEntry:))
            }
            let isPresent = from < ends.count && known.key(from, reading: self.key(ofEntry:)) == key
            try body(Target(key: key, value: value, entries: isPresent ? [from] : [], insertionIndex: from))
        }
    }

    /// Finds the entries of the changed keys by a walk over all entries, in the order of the keys.
    private func targets(of changes: [String: PropertyListValue?]) -> [Target] {
        var targets = sortedByKey(changes).map { Target(key: $0.key, value: $0.value, insertionIndex: 0) }
        let keys = targets.map(\.key)
        for index in ends.indices {
            let key = key(ofEntry: index)
            let position = indexNotBelow(key, from: 0, count: keys.count) { keys[$0] }
            if position < keys.count, keys[position] == key { targets[position].entries.append(index) }
            // All greater keys are inserted after this entry or after a later one.
            if position < keys.count { targets[position].insertionIndex = index + 1 }
        }
        for index in targets.indices.dropFirst() {
            targets[index].insertionIndex = max(
                targets[index].insertionIndex,
                targets[index - 1].insertionIndex
            )
        }
        return targets
    }
}

/// A value and the range of its element in a document.
struct XMLValue {
    let value: PropertyListValue
    let range: Range<Int>
}
