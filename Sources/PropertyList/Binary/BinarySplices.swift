/// A change that puts other bytes in the place of some, so that these need not be copied all.
struct BinarySplices: Sendable {
    /// In the order of their places; the last one is the table of offsets with the trailer.
    fileprivate let splices: [Splice]
    /// What the change adds.
    fileprivate let cost: BinaryCost

    fileprivate struct Splice: Sendable {
        let range: Range<Int>
        let replacement: [UInt8]
    }
}

extension BinaryDocument {
    /// Works out new values for keys that are there, where both the old and the new one are a single object that
    /// nothing else refers to: all others keep their numbers, and nothing is left behind.
    ///
    /// - Returns: Nil where it takes more than that.
    func splices(_ changes: [String: PropertyListValue?]) -> BinarySplices? {
        guard order == .sorted, changes.count <= 8, let top = try? file.topDictionary() else { return nil }
        let count = file.count(of: top)
        var new: [(object: Int, bytes: [UInt8])] = []
        var reader = BinaryReader(file, limits: limits)
        for (key, value) in changes {
            let place = firstIndex(notBelow: key, from: 0, count: count) { file.key($0, of: top) }
            guard place < count, file.key(place, of: top) == key, let value,
                let object = try? file.reference(count + place, of: top),
                let old = try? reader.readEntry(place, of: top, count: count, depth: 1).value
            else { return nil }
            if old == value { continue }
            guard old.isOneObject, value.isOneObject, let bytes = BinaryWriter.object(value, limits: limits)
            else { return nil }
            new.append((object, bytes))
        }
        guard !new.isEmpty, let starts = starts(ifNothingElseRefersTo: new.map(\.object)) else { return nil }
        new.sort { $0.object < $1.object }
        return splices(new, starts)
    }

    private func splices(_ new: [(object: Int, bytes: [UInt8])], _ starts: [UInt32]) -> BinarySplices? {
        var splices: [BinarySplices.Splice] = []
        var moved = starts
        var growth = 0
        for (index, (object, bytes)) in new.enumerated() {
            let range = Int(starts[object])..<Int(starts[object + 1])
            splices.append(BinarySplices.Splice(range: range, replacement: bytes))
            growth += bytes.count - range.count
            let next = index + 1 < new.count ? new[index + 1].object + 1 : moved.count
            for place in object + 1..<next { moved[place] = UInt32(Int(starts[place]) + growth) }
        }
        let tail = BinaryWriter.tail(offsets: moved, referenceSize: file.referenceSize, top: file.topObject)
        let size = Int(moved[moved.count - 1]) + tail.count
        let added = BinaryCost(values: new.count, bytes: new.reduce(0) { $0 + $1.bytes.count })
        var cost = cost
        cost += added
        guard size <= limits.size, cost.isWithin(.maximum(limits, fileSize: size)) else { return nil }
        splices.append(BinarySplices.Splice(range: file.tableStart..<bytes.count, replacement: tail))
        return BinarySplices(splices: splices, cost: added)
    }

    /// Where the objects begin, and where the last one ends. Nil where they don't follow each other in their
    /// order, one is not referred to, or one of these more than once.
    private func starts(ifNothingElseRefersTo objects: [Int]) -> [UInt32]? {
        var starts: [UInt32] = []
        starts.reserveCapacity(file.objectCount + 1)
        // Up to two.
        var references = [UInt8](repeating: 0, count: file.objectCount)
        references[file.topObject] = 1
        var end = BinaryFile.headerLength
        for index in 0..<file.objectCount {
            guard let object = try? file.object(index), object.start == end else { return nil }
            starts.append(UInt32(end))
            end = object.range.upperBound
            guard object.kind.isContainer else { continue }
            for position in 0..<file.count(of: object) * (object.kind == .dictionary ? 2 : 1) {
                guard let part = try? file.reference(position, of: object) else { return nil }
                references[part] = min(2, references[part] + 1)
            }
        }
        starts.append(UInt32(end))
        guard end == file.tableStart, !references.contains(0), objects.allSatisfy({ references[$0] == 1 })
        else { return nil }
        return starts
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

extension PropertyListValue {
    /// Whether a binary file has an object for it that no other value shares.
    fileprivate var isOneObject: Bool {
        switch self {
        case .boolean, .array, .dictionary: false
        default: true
        }
    }
}
