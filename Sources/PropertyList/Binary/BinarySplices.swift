/// A change that replaces a few ranges of the bytes.
///
/// Most sets change one number or string. Such a change replaces one object and the offset table, so
/// the store can write the unchanged bytes to the new file without a second copy in memory. Without it,
/// each set would rebuild the whole file.
struct BinarySplices: Sendable {
    /// Sorted by position. The last one replaces everything after the objects.
    fileprivate let splices: [Splice]
    /// The cost that the change adds.
    fileprivate let cost: BinaryCost

    fileprivate struct Splice: Sendable {
        let range: Range<Int>
        let replacement: [UInt8]
    }
}

extension BinaryDocument {
    /// Works out a change of existing keys as splices.
    ///
    /// That is possible if each new value takes one object. The object replaces the old one if nothing
    /// else refers to that, and is otherwise appended, or an existing boolean is used. So the other
    /// objects keep their numbers, and no unused object remains.
    ///
    /// - Returns: Nil if the change takes more than that, or if nothing changes.
    func splices(_ changes: [String: PropertyListValue?]) -> BinarySplices? {
        guard order == .sorted, changes.count <= BinaryObjects.maximumChangeCount,
            let top = try? file.topDictionary()
        else { return nil }
        let count = file.count(of: top)
        var new: [(position: Int, value: PropertyListValue)] = []
        var reader = BinaryReader(file, limits: limits)
        for (key, value) in changes {
            let position = firstIndex(notBelow: key, from: 0, count: count) { file.key($0, of: top) }
            guard position < count, file.key(position, of: top) == key, let value,
                let old = try? reader.readEntry(position, of: top, count: count, depth: 1).value
            else { return nil }
            if old != value { new.append((count + position, value)) }
        }
        guard !new.isEmpty, var objects = BinaryObjects(file) else { return nil }
        new.sort { $0.position < $1.position }
        for (position, value) in new {
            guard objects.set(position, of: top, to: value, limits: limits) else { return nil }
        }
        return splices(objects)
    }

    private func splices(_ objects: BinaryObjects) -> BinarySplices? {
        var splices = objects.references.map { BinarySplices.Splice(range: $0.range, replacement: $0.bytes) }
        var growth = 0
        // How far the objects after each replaced one move.
        var moves: [(object: Int, growth: Int)] = []
        let replaced = objects.replaced.sorted { $0.key < $1.key }
        for (object, (range, bytes)) in replaced {
            splices.append(BinarySplices.Splice(range: range, replacement: bytes))
            growth += bytes.count - range.count
            moves.append((object, growth))
        }
        splices.sort { $0.range.lowerBound < $1.range.lowerBound }
        var end: [UInt8] = []
        var positions: [Int] = []
        for bytes in objects.added {
            positions.append(file.tableStart + growth + end.count)
            end += bytes
        }
        let tableStart = file.tableStart + growth + end.count
        var next = 0
        BinaryWriter.appendTail(
            to: &end,
            objectCount: file.objectCount + positions.count,
            tableStart: tableStart,
            referenceSize: file.referenceSize,
            top: file.topObject
        ) { index in
            guard index < file.objectCount else { return positions[index - file.objectCount] }
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

    /// The bytes after the change, as pieces that share memory with the document.
    func pieces(after edit: BinarySplices) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var copiedEnd = 0
        for splice in edit.splices {
            pieces.append(bytes[copiedEnd..<splice.range.lowerBound])
            pieces.append(splice.replacement[...])
            copiedEnd = splice.range.upperBound
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

/// The objects of a file, with the changes to them.
private struct BinaryObjects {
    static let maximumChangeCount = 8

    /// New objects that replace old ones, by object number.
    private(set) var replaced: [Int: (range: Range<Int>, bytes: [UInt8])] = [:]
    /// Objects that are appended.
    private(set) var added: [[UInt8]] = []
    /// References that change, sorted by position.
    private(set) var references: [(range: Range<Int>, bytes: [UInt8])] = []
    private let file: BinaryFile
    /// How many references lead to each object. The counts stop above the number of possible changes.
    private var counts: [UInt8]
    private var booleans: (false: Int?, true: Int?)

    /// Returns nil if the objects are not stored one after the other, or if one is not referred to.
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
                guard let child = try? file.reference(position, of: object) else { return nil }
                counts[child] = min(UInt8(Self.maximumChangeCount + 2), counts[child] + 1)
            }
        }
        guard end == file.tableStart, !counts.contains(0) else { return nil }
        (self.counts, self.file, self.booleans) = (counts, file, booleans)
    }

    /// Makes a reference lead to a value.
    ///
    /// - Returns: False if that takes more than one object.
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
            // The objects inside a container would remain in the file unused.
            if old.kind.isContainer { return false }
            replaced[number] = (old.range, new)
            return true
        }
        if counts[number] <= Self.maximumChangeCount { counts[number] -= 1 }
        var target = file.objectCount + added.count
        if case .boolean(let value) = value, let same = value ? booleans.true : booleans.false,
            replaced[same] == nil
        {
            target = same
            counts[same] = min(UInt8(Self.maximumChangeCount + 2), counts[same] + 1)
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
