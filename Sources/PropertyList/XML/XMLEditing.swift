/// Takes down what a change does to the entries of a document, in their order.
protocol XMLEditing {
    /// - Parameter bytes: The entry, where it is known how it was written before.
    mutating func insert(
        _ key: String,
        _ value: PropertyListValue,
        spelled bytes: [UInt8]?,
        before entry: Int
    ) throws(PropertyListError)

    /// - Parameters:
    ///   - old: The entry's value as it is now.
    ///   - bytes: The new value, where it is known how it was written before.
    mutating func replace(
        _ old: XMLValue,
        ofEntry entry: Int,
        _ key: String,
        with value: PropertyListValue,
        spelled bytes: ArraySlice<UInt8>?
    ) throws(PropertyListError)

    /// - Parameters:
    ///   - range: Where the entry's key is.
    ///   - bytes: The new one, where it is known how it was written before.
    mutating func rename(
        _ entry: Int,
        keyAt range: Range<Int>,
        to key: String,
        spelled bytes: ArraySlice<UInt8>?
    ) throws(PropertyListError)

    mutating func remove(_ entry: Int) throws(PropertyListError)
}

/// A change to a document, worked out and not yet made.
enum XMLEdit: Sendable {
    case none
    /// Stretches of bytes to be replaced, in their order.
    case splices([XMLSplice])
    /// The next version.
    case whole(XMLDocument)
}

extension XMLDocument {
    /// Sets keys, or removes them where the value is nil.
    ///
    /// Only what changes is written, and each entry stays in its place. A new one is put behind the last of
    /// those whose keys come before its own, which keeps a sorted file sorted. A new key with the value of one
    /// that goes is that entry with another name, and keeps what a person has written around it.
    mutating func apply(_ changes: [String: PropertyListValue?]) throws(PropertyListError) {
        make(try edit(changes))
    }

    /// - Parameter spellings: How keys were written before.
    func edit(
        _ changes: [String: PropertyListValue?],
        _ spellings: Spellings? = nil
    ) throws(PropertyListError) -> XMLEdit {
        // Each splice moves what is behind it: for many of them the next version is made in one walk.
        if emptySlash == nil, changes.count <= 8 {
            var splices = XMLSplices(self)
            try take(changes, spellings, into: &splices)
            return try splices.finish()
        }
        var document = self
        if document.emptySlash != nil, changes.values.contains(where: { $0 != nil }) { document.open() }
        var rewriting = XMLRewriting(document, count: changes.count)
        try document.take(changes, spellings, into: &rewriting)
        return try rewriting.finish()
    }

    mutating func make(_ edit: XMLEdit) {
        switch edit {
        case .none: break
        case .splices(let splices): for splice in splices.reversed() { make(splice) }
        case .whole(let document): self = document
        }
    }

    private func take(
        _ changes: [String: PropertyListValue?],
        _ spellings: Spellings?,
        into editing: inout some XMLEditing
    ) throws(PropertyListError) {
        // What nothing goes for is renamed from nothing. There may be many, so that none is noted before the
        // next is looked at.
        if order == .sorted, spellings == nil, changes.values.allSatisfy({ $0 != nil }) {
            return try forEachTargetInOrder(of: changes) { target throws(PropertyListError) in
                try take(target, nil) { entry, change throws(PropertyListError) in
                    try make(change, at: entry, nil, into: &editing)
                }
            }
        }
        for (entry, change) in places(of: changes, spellings) {
            try make(change, at: entry, spellings, into: &editing)
        }
    }

    @inline(__always)
    private func make(
        _ change: EntryChange,
        at entry: Int,
        _ spellings: Spellings?,
        into editing: inout some XMLEditing
    ) throws(PropertyListError) {
        switch change {
        case .insert(let key, let value): try editing.insert(key, value, spelled: nil, before: entry)
        case .insertAgain(let spelling, let key, let value):
            try editing.insert(key, value, spelled: spelling.entry, before: entry)
        case .replace(let old, let key, let value):
            let spelling = spellings?.spelling(of: key, value)
            try editing.replace(old, ofEntry: entry, key, with: value, spelled: spelling?.value)
        case .rename(let range, let key, let bytes):
            try editing.rename(entry, keyAt: range, to: key, spelled: bytes)
        case .remove: try editing.remove(entry)
        }
    }

    private enum EntryChange {
        case insert(String, PropertyListValue)
        /// Indirect, since it is rare and large.
        indirect case insertAgain(Spelling, String, PropertyListValue)
        case replace(XMLValue, key: String, with: PropertyListValue)
        indirect case rename(Range<Int>, to: String, ArraySlice<UInt8>?)
        case remove
    }

    /// What changes at which entry, in the order of the entries, and of the keys before one and the same.
    private func places(
        of changes: [String: PropertyListValue?],
        _ spellings: Spellings?
    ) -> [(entry: Int, change: EntryChange)] {
        let targets = order == .sorted ? targetsInOrder(of: changes) : targets(of: changes)
        let renamed = renamed(targets)
        var places: [(entry: Int, change: EntryChange)] = []
        // Most changes rename nothing and bring nothing back, and may be many.
        if renamed.isEmpty, spellings == nil {
            for target in targets { take(target, nil) { places.append(($0, $1)) } }
        } else {
            var known = self.spellings(of: targets, spellings)
            var newNames: [String: ArraySlice<UInt8>?] = [:]
            for (_, key) in renamed.values { newNames[key] = .some(known.removeValue(forKey: key)?.keyBytes) }
            let old = order == .sorted ? [] : oldPlaces(of: known)
            let placed = Set(old.map(\.key))
            places = old.map { ($0.entry, $0.change) }
            for target in targets {
                if let (range, key) = renamed[target.key] {
                    places.append((target.entries[0], .rename(range, to: key, newNames[key] ?? nil)))
                } else if !placed.contains(target.key), newNames[target.key] == nil {
                    take(target, known[target.key]) { places.append(($0, $1)) }
                }
            }
        }
        // Those of sorted keys are in order; a new entry precedes what becomes of the one behind it.
        return order == .sorted ? places : stablySorted(places)
    }

    /// What a target changes, and at which entries.
    @inline(__always)
    private func take<Failure>(
        _ target: Target,
        _ spelling: Spelling?,
        _ body: (_ entry: Int, EntryChange) throws(Failure) -> Void
    ) throws(Failure) {
        switch (target.entries.last, target.value) {
        case (nil, nil): break
        case (nil, let value?):
            let change =
                spelling.map { EntryChange.insertAgain($0, target.key, value) } ?? .insert(target.key, value)
            try body(target.place, change)
        case (let last?, let value?):
            guard let entry = entry(last), entry.value.value != value else { break }
            // The key in another Unicode form is another key for programs that compare bytes.
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

    /// How new entries were written before, where their keys are the same byte by byte.
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

    /// Where entries stood that come back, and those before them may come back too, in their order.
    private func oldPlaces(
        of entries: [String: Spelling]
    ) -> [(key: String, entry: Int, change: EntryChange)] {
        // Each takes a walk over all entries.
        guard entries.count <= 32 else { return [] }
        var places: [(entry: Int, distance: Int, spelling: Spelling)] = []
        for spelling in entries.values {
            var (previous, distance) = (spelling.previous, 0)
            var place: Int? = 0
            while let key = previous {
                place = index(ofKey: key).map { $0 + 1 }
                guard place == nil, distance < entries.count, let other = entries[key] else { break }
                (previous, distance, place) = (other.previous, distance + 1, 0)
            }
            if let place { places.append((place, distance, spelling)) }
        }
        return places.sorted { ($0.entry, $0.distance) < ($1.entry, $1.distance) }.map {
            ($0.spelling.key, $0.entry, .insertAgain($0.spelling, $0.spelling.key, $0.spelling.content))
        }
    }

    /// More keys than that are not renamed in one change.
    static let mostRenamed = 32

    /// The keys that go for which another comes with the same value: where they are, and the other. In a
    /// sorted file an entry without a comment moves to its new place instead.
    private func renamed(_ targets: [Target]) -> [String: (range: Range<Int>, key: String)] {
        var renamed: [String: (range: Range<Int>, key: String)] = [:]
        let gone = targets.filter { $0.value == nil && $0.entries.count == 1 }
        // Each is compared with each that is new, and who changes so many renames none by hand.
        if gone.isEmpty || gone.count > Self.mostRenamed { return renamed }
        var new = targets.filter { $0.value != nil && $0.entries.isEmpty }
        for target in gone {
            if new.isEmpty { break }
            guard let entry = entry(target.entries[0]),
                let index = new.firstIndex(where: { $0.value == entry.value.value }),
                let range = keyRange(ofEntry: target.entries[0]),
                order != .sorted || hasComment(in: self.range(ofEntry: target.entries[0]))
            else { continue }
            renamed[target.key] = (range, new.remove(at: index).key)
        }
        return renamed
    }

    private func hasComment(in range: Range<Int>) -> Bool { bytes[range].contains("<!--".utf8) }

    private func stablySorted(
        _ places: [(entry: Int, change: EntryChange)]
    ) -> [(entry: Int, change: EntryChange)] {
        func rank(_ change: EntryChange) -> Int { if case .insert = change { 0 } else { 1 } }
        return places.enumerated().sorted {
            let (a, b) = ($0.element, $1.element)
            return (a.entry, rank(a.change), $0.offset) < (b.entry, rank(b.change), $1.offset)
        }.map(\.element)
    }

    /// A key that is to have another value, or none.
    private struct Target {
        let key: String
        let value: PropertyListValue?
        /// Those that it has now, of which the last counts.
        var entries: [Int] = []
        /// The entry before which a new one is to stand.
        var place: Int
    }

    /// In the order of the keys, which is that of the entries.
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
        var known = KnownKeys()
        var from = 0
        for (key, value) in sortedByKey(changes) {
            from = firstIndex(notBelow: key, from: from, count: ends.count) {
                known.key($0, reading: self.key(ofEntry:))
            }
            let isPresent = from < ends.count && known.key(from, reading: self.key(ofEntry:)) == key
            try body(Target(key: key, value: value, entries: isPresent ? [from] : [], place: from))
        }
    }

    /// In the order of the keys, found by a walk over all entries.
    private func targets(of changes: [String: PropertyListValue?]) -> [Target] {
        var targets = sortedByKey(changes).map { Target(key: $0.key, value: $0.value, place: 0) }
        let keys = targets.map(\.key)
        for index in ends.indices {
            let key = key(ofEntry: index)
            let place = firstIndex(notBelow: key, from: 0, count: keys.count) { keys[$0] }
            if place < keys.count, keys[place] == key { targets[place].entries.append(index) }
            // All greater keys go behind this entry, or behind a later one.
            if place < keys.count { targets[place].place = index + 1 }
        }
        for index in targets.indices.dropFirst() {
            targets[index].place = max(targets[index].place, targets[index - 1].place)
        }
        return targets
    }
}

/// A value, and where in a document it is.
struct XMLValue {
    let value: PropertyListValue
    let range: Range<Int>
}
