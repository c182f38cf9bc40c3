/// A change that puts other bytes in the place of some, so that these need not be copied all.
struct BinarySplices: Sendable {
    /// In the order of their places; the last one is behind the objects.
    fileprivate let splices: [Splice]
    /// What the change adds.
    fileprivate let cost: BinaryCost

    fileprivate struct Splice: Sendable {
        let range: Range<Int>
        let replacement: [UInt8]
    }
}

extension BinaryDocument {
    /// Works out new values for keys that are there, where that takes no more than another object in the place
    /// of one that nothing else refers to, or, where something does, one that is there or comes behind all: the
    /// others keep their numbers, and nothing is left behind.
    ///
    /// - Returns: Nil where it takes more than that, or nothing changes.
    func splices(_ changes: [String: PropertyListValue?]) -> BinarySplices? {
        guard order == .sorted, changes.count <= BinaryObjects.mostChanges,
            let top = try? file.topDictionary()
        else { return nil }
        let count = file.count(of: top)
        var new: [(place: Int, value: PropertyListValue)] = []
        var reader = BinaryReader(file, limits: limits)
        for (key, value) in changes {
            let place = firstIndex(notBelow: key, from: 0, count: count) { file.key($0, of: top) }
            guard place < count, file.key(place, of: top) == key, let value,
                let old = try? reader.readEntry(place, of: top, count: count, depth: 1).value
            else { return nil }
            if old != value { new.append((count + place, value)) }
        }
        guard !new.isEmpty, var objects = BinaryObjects(file) else { return nil }
        new.sort { $0.place < $1.place }
        for (place, value) in new {
            guard objects.set(place, of: top, to: value, limits: limits) else { return nil }
        }
        return splices(objects)
    }

    private func splices(_ objects: BinaryObjects) -> BinarySplices? {
        var splices = objects.references.map { BinarySplices.Splice(range: $0.range, replacement: $0.bytes) }
        var growth = 0
        // What the objects behind each of these are moved by.
        var moves: [(object: Int, growth: Int)] = []
        let replaced = objects.replaced.sorted { $0.key < $1.key }
        for (object, (range, bytes)) in replaced {
            splices.append(BinarySplices.Splice(range: range, replacement: bytes))
            growth += bytes.count - range.count
            moves.append((object, growth))
        }
        splices.sort { $0.range.lowerBound < $1.range.lowerBound }
        var end: [UInt8] = []
        var places: [Int] = []
        for bytes in objects.added {
            places.append(file.tableStart + growth + end.count)
            end += bytes
        }
        let tableStart = file.tableStart + growth + end.count
        var next = 0
        BinaryWriter.appendTail(
            to: &end,
            objectCount: file.objectCount + places.count,
            tableStart: tableStart,
            referenceSize: file.referenceSize,
            top: file.topObject
        ) { index in
            guard index < file.objectCount else { return places[index - file.objectCount] }
            if next < moves.count, moves[next].object < index { next += 1 }
            return file.offset(ofObject: index) + (next > 0 ? moves[next - 1].growth : 0)
        }
        let size = file.tableStart + growth + end.count
        let added = BinaryCost(
            values: replaced.count + objects.added.count + objects.references.count,
            bytes: replaced.reduce(0) { $0 + $1.value.bytes.count }
                + objects.added.reduce(0) { $0 + $1.count }
        )
        var cost = cost
        cost += added
        guard size <= limits.size, cost.isWithin(.maximum(limits, fileSize: size)) else { return nil }
        splices.append(BinarySplices.Splice(range: file.tableStart..<bytes.count, replacement: end))
        return BinarySplices(splices: splices, cost: added)
    }

    /// The bytes as they will be, in pieces.
    func pieces(after edit: BinarySplices) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var done = 0
        for splice in edit.splices {
            pieces.append(bytes[done..<splice.range.lowerBound])
            pieces.append(splice.replacement[...])
            done = splice.range.upperBound
        }
        return pieces.filter { !$0.isEmpty }
    }

    mutating func make(_ edit: BinarySplices) {
        withBytes { bytes in
            for splice in edit.splices.reversed() {
                bytes.replaceSubrange(splice.range, with: splice.replacement)
            }
        }
        add(edit.cost)
    }
}

/// The objects of a file, and what becomes of them.
private struct BinaryObjects {
    static let mostChanges = 8

    /// New ones in the place of old ones, by their numbers.
    private(set) var replaced: [Int: (range: Range<Int>, bytes: [UInt8])] = [:]
    /// Those that come behind all others.
    private(set) var added: [[UInt8]] = []
    /// References that change, in the order of their places.
    private(set) var references: [(range: Range<Int>, bytes: [UInt8])] = []
    private let file: BinaryFile
    /// How many references there are to each, up to more than can change.
    private var counts: [UInt8]
    private var booleans: (false: Int?, true: Int?)

    /// Nil where they don't follow each other in their order, or one is not referred to.
    init?(_ file: BinaryFile) {
        var counts = [UInt8](repeating: 0, count: file.objectCount)
        counts[file.topObject] = 1
        var booleans: (false: Int?, true: Int?)
        var end = BinaryFile.headerLength
        for index in 0..<file.objectCount {
            guard let object = try? file.object(index), object.start == end else { return nil }
            end = object.range.upperBound
            if object.kind == .true { booleans.true = index }
            if object.kind == .false { booleans.false = index }
            guard object.kind.isContainer else { continue }
            for position in 0..<file.count(of: object) * (object.kind == .dictionary ? 2 : 1) {
                guard let part = try? file.reference(position, of: object) else { return nil }
                counts[part] = min(UInt8(Self.mostChanges + 2), counts[part] + 1)
            }
        }
        guard end == file.tableStart, !counts.contains(0) else { return nil }
        (self.counts, self.file, self.booleans) = (counts, file, booleans)
    }

    /// Has a reference lead to a value.
    ///
    /// - Returns: False where that takes more than one object.
    mutating func set(
        _ reference: Int,
        of container: BinaryObject,
        to value: PropertyListValue,
        limits: PropertyListLimits
    ) -> Bool {
        guard value.kind != .array, value.kind != .dictionary,
            let number = try? file.reference(reference, of: container), let old = try? file.object(number),
            let new = BinaryWriter.object(value, limits: limits)
        else { return false }
        if counts[number] == 1 {
            // What a container holds would be left behind.
            if old.kind.isContainer { return false }
            replaced[number] = (old.range, new)
            return true
        }
        if counts[number] <= Self.mostChanges { counts[number] -= 1 }
        var target = file.objectCount + added.count
        if case .boolean(let value) = value, let same = value ? booleans.true : booleans.false,
            replaced[same] == nil
        {
            target = same
            counts[same] = min(UInt8(Self.mostChanges + 2), counts[same] + 1)
        } else {
            guard file.referenceSize >= 4 || target < 1 << (8 * file.referenceSize) else { return false }
            added.append(new)
        }
        let start = container.content.lowerBound + reference * file.referenceSize
        let bytes = (0..<file.referenceSize).reversed().map {
            $0 < 8 ? UInt8(truncatingIfNeeded: target >> (8 * $0)) : 0
        }
        references.append((start..<start + file.referenceSize, bytes))
        return true
    }
}
