import FoundationEssentials

/// Writes binary property lists as CoreFoundation does: integers in the fewest bytes, `UInt64`s
/// above `Int64.max` in 16, strings in ASCII or else in UTF-16. Keys are sorted as in XML.
///
/// The format holds every value but dates that are no finite number.
struct BinaryWriter {
    private(set) var output: [UInt8] = Array("bplist00".utf8)
    private var offsets: [UInt32] = []
    private let referenceSize: Int
    private let limits: PropertyListLimits
    /// Keys of ASCII below the top, which arrays of dictionaries have many times.
    private var keys: [String: Int] = [:]
    private var booleans: (false: Int?, true: Int?)

    /// - Parameter objectCount: As many objects as there will be, or more.
    init(objectCount: Int, limits: PropertyListLimits) {
        referenceSize = byteSize(of: UInt64(objectCount))
        offsets.reserveCapacity(objectCount)
        self.limits = limits
    }

    /// Takes room for so many bytes at once, which would else be taken twice over as the file grows.
    mutating func reserve(_ bytes: Int) { output.reserveCapacity(bytes) }

    /// A whole file.
    static func write(
        _ value: PropertyListValue,
        limits: PropertyListLimits
    ) throws(PropertyListError) -> [UInt8] {
        var writer = BinaryWriter(
            objectCount: try objectCount(of: value, depth: 0, limits: limits),
            limits: limits
        )
        _ = try writer.append(value, depth: 0)
        return try writer.finish()
    }

    /// The objects that a value takes, keys included.
    static func objectCount(
        of value: PropertyListValue,
        depth: Int,
        limits: PropertyListLimits
    ) throws(PropertyListError) -> Int {
        var count = 1
        switch value {
        case .array(let elements):
            try checkDepth(depth, limits)
            for element in elements {
                count += try objectCount(of: element, depth: depth + 1, limits: limits)
            }
        case .dictionary(let entries):
            try checkDepth(depth, limits)
            count += entries.count
            for element in entries.values {
                count += try objectCount(of: element, depth: depth + 1, limits: limits)
            }
        default: break
        }
        return count
    }

    private static func checkDepth(_ depth: Int, _ limits: PropertyListLimits) throws(PropertyListError) {
        guard depth < limits.depth else {
            throw PropertyListError(
                .path([]),
                .limitExceeded,
                "more than \(limits.depth) arrays and dictionaries inside each other"
            )
        }
    }

    /// The file, when its top object has been written first.
    mutating func finish() throws(PropertyListError) -> [UInt8] {
        let tableStart = output.count
        try checkSize(Self.tailSize(objectCount: offsets.count, tableStart: tableStart))
        // Held once only, so that they are not copied.
        var file: [UInt8] = []
        swap(&file, &output)
        Self.appendTail(
            to: &file,
            objectCount: offsets.count,
            tableStart: tableStart,
            referenceSize: referenceSize,
            top: 0
        ) { Int(offsets[$0]) }
        return file
    }

    private static func tailSize(objectCount: Int, tableStart: Int) -> Int {
        byteSize(of: UInt64(tableStart)) * objectCount + BinaryFile.trailerLength
    }

    /// Adds the table of offsets and the trailer to the last objects of a file.
    @inline(__always)
    static func appendTail(
        to output: inout [UInt8],
        objectCount: Int,
        tableStart: Int,
        referenceSize: Int,
        top: Int,
        offset: (Int) -> Int
    ) {
        let (start, offsetSize) = (output.count, byteSize(of: UInt64(tableStart)))
        output.reserveCapacity(start + tailSize(objectCount: objectCount, tableStart: tableStart))
        output.append(contentsOf: repeatElement(0, count: offsetSize * objectCount))
        for index in 0..<objectCount {
            output.setNumber(UInt64(offset(index)), size: offsetSize, at: start + offsetSize * index)
        }
        output += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for number in [objectCount, top, tableStart] {
            output.append(contentsOf: repeatElement(0, count: 8))
            output.setNumber(UInt64(number), size: 8, at: output.count - 8)
        }
    }

    /// The one object of a value that is no array and no dictionary; nil where the format can't hold it.
    static func object(_ value: PropertyListValue, limits: PropertyListLimits) -> [UInt8]? {
        var writer = BinaryWriter(objectCount: 1, limits: limits)
        writer.output = []
        return (try? writer.append(value, depth: 1)) == nil ? nil : writer.output
    }

    @inline(__always)
    private func checkSize(_ addition: Int) throws(PropertyListError) {
        guard addition <= limits.size, output.count <= limits.size - addition else {
            throw PropertyListError(
                .path([]),
                .limitExceeded,
                "the file would have more than \(limits.size) bytes"
            )
        }
    }
}

extension BinaryWriter {
    /// Writes a value and returns the number of its object.
    ///
    /// - Parameter depth: The arrays and dictionaries around it.
    mutating func append(_ value: PropertyListValue, depth: Int) throws(PropertyListError) -> Int {
        switch value {
        case .boolean(let value): return append(value)
        case .array(let elements):
            let (index, references) = try openContainer(
                0xA0,
                count: elements.count,
                references: elements.count
            )
            for (position, element) in elements.enumerated() {
                do {
                    fill(references, position, try append(element, depth: depth + 1))
                } catch {
                    throw error.below(.index(position))
                }
            }
            return index
        case .dictionary(let entries):
            let (index, references) = try openDictionary(count: entries.count)
            for (position, (key, value)) in sortedByKey(entries).enumerated() {
                do {
                    fill(references, position, try append(key: key, depth: depth))
                    fill(
                        references,
                        entries.count + position,
                        try append(value, depth: depth + 1)
                    )
                } catch {
                    throw error.below(.key(key))
                }
            }
            return index
        default: break
        }
        let index = beginObject()
        switch value {
        case .integer(let value): appendInteger(value)
        case .real(let value):
            output.append(0x23)
            appendNumber(value.bitPattern, size: 8)
        case .date(let value):
            guard value.timeIntervalSinceReferenceDate.isFinite else {
                throw PropertyListError(
                    .path([]),
                    .unrepresentable,
                    "a date has to be a finite number of seconds"
                )
            }
            output.append(0x33)
            appendNumber(value.timeIntervalSinceReferenceDate.bitPattern, size: 8)
        case .data(let value):
            try checkSize(value.count)
            appendMarker(0x40, count: value.count)
            output.append(contentsOf: value)
        case .uid(let value):
            let size = byteSize(of: value)
            output.append(0x80 | UInt8(size - 1))
            appendNumber(value, size: size)
        case .string(let value): try appendString(value)
        case .boolean, .array, .dictionary: break
        }
        return index
    }

    /// Writes a key and returns the number of its object.
    mutating func append(key: String, depth: Int) throws(PropertyListError) -> Int {
        // `String` would take spellings that Unicode calls equivalent for the same key.
        let isShared = depth > 0 && key.utf8.allSatisfy { $0 < 0x80 }
        if isShared, let index = keys[key] { return index }
        if let problem = limits.problem(withKey: key) {
            throw PropertyListError(.path([]), .limitExceeded, problem)
        }
        let index = beginObject()
        try appendString(key)
        if isShared { keys[key] = index }
        return index
    }

    private mutating func append(_ value: Bool) -> Int {
        if let index = value ? booleans.true : booleans.false { return index }
        let index = beginObject()
        output.append(value ? 0x09 : 0x08)
        if value { booleans.true = index } else { booleans.false = index }
        return index
    }

    /// Writes a dictionary's marker and room for its references: those of the keys come first.
    ///
    /// - Returns: The number of the object, and where its references are to be filled in.
    mutating func openDictionary(count: Int) throws(PropertyListError) -> (index: Int, references: Int) {
        try openContainer(0xD0, count: count, references: 2 * count)
    }

    private mutating func openContainer(
        _ marker: UInt8,
        count: Int,
        references: Int
    ) throws(PropertyListError) -> (index: Int, references: Int) {
        try checkSize(references * referenceSize)
        let index = beginObject()
        appendMarker(marker, count: count)
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: references * referenceSize))
        return (index, start)
    }

    @inline(__always)
    mutating func fill(_ references: Int, _ position: Int, _ object: Int) {
        output.setNumber(UInt64(object), size: referenceSize, at: references + position * referenceSize)
    }

    /// Copies an object, and those that it refers to, from another file.
    ///
    /// - Parameter copies: The numbers of what was copied already; -1 for what was not.
    mutating func copy(
        _ object: Int,
        from file: BinaryFile,
        _ copies: inout [Int32]
    ) throws(PropertyListError) -> Int {
        if copies[object] >= 0 { return Int(copies[object]) }
        let original = try file.object(object)
        if original.kind.isContainer {
            let count = file.count(of: original)
            let isArray = original.kind == .array
            let (index, references) =
                try isArray
                ? openContainer(0xA0, count: count, references: count) : openDictionary(count: count)
            copies[object] = Int32(index)
            for position in 0..<(isArray ? count : 2 * count) {
                let part = try file.reference(position, of: original)
                fill(references, position, try copy(part, from: file, &copies))
            }
            return index
        }
        let index = beginObject()
        copies[object] = Int32(index)
        try checkSize(original.range.count)
        output += file.bytes[original.range]
        return index
    }
}

extension BinaryWriter {
    private mutating func beginObject() -> Int {
        offsets.append(UInt32(output.count))
        return offsets.count - 1
    }

    private mutating func appendNumber(_ number: UInt64, size: Int) {
        if size == 1 { return output.append(UInt8(truncatingIfNeeded: number)) }
        withUnsafeBytes(of: number.bigEndian) { output.append(contentsOf: $0.suffix(size)) }
    }

    private mutating func appendInteger(_ number: PropertyListInteger) {
        if let signed = Int64(exactly: number) {
            // The shorter ones have no sign.
            let size = signed < 0 ? 8 : byteSize(of: signed.magnitude)
            output.append(0x10 | UInt8(size.trailingZeroBitCount))
            appendNumber(UInt64(bitPattern: signed), size: size)
        } else {
            output.append(0x14)
            appendNumber(0, size: 8)
            appendNumber(number.magnitude, size: 8)
        }
    }

    private mutating func appendMarker(_ marker: UInt8, count: Int) {
        guard count >= 15 else { return output.append(marker | UInt8(count)) }
        output.append(marker | 15)
        appendInteger(PropertyListInteger(count))
    }

    private mutating func appendString(_ string: String) throws(PropertyListError) {
        let isASCII = string.utf8.withContiguousStorageIfAvailable { text in
            guard UnsafeRawBufferPointer(text).isASCII else { return false }
            appendMarker(0x50, count: text.count)
            output.append(contentsOf: text)
            return true
        }
        if isASCII != true {
            appendMarker(0x60, count: string.utf16.count)
            for unit in string.utf16 {
                output.append(UInt8(unit >> 8))
                output.append(UInt8(truncatingIfNeeded: unit))
            }
        }
        try checkSize(0)
    }
}
