import FoundationEssentials

/// A suite's file in JSON: RFC 8259 with comments and a comma behind the last member (JSONC), and an object at the top.
///
/// Most settings that people edit are in such files, and what people write in them has to stay: comments, order, white space and
/// the spelling of numbers. `JSONSerialization` and `JSONEncoder` lose all of that.
///
/// A member's name may occur twice. The last one counts, as in JavaScript.
struct JSONFile: Sendable {
    private(set) var document: JSONDocument
    var bytes: [UInt8] { document.storage.bytes }
    var limits: PropertyListLimits { document.limits }

    /// Creates an empty object.
    init(limits: PropertyListLimits) {
        // These bytes are JSON.
        document = try! JSONDocument(parsing: Array("{}\n".utf8), limits: limits, .withComments)
    }

    private init(_ document: JSONDocument) { self.document = document }

    static func read(
        _ bytes: [UInt8],
        limits: PropertyListLimits
    ) throws(PropertyListError) -> (file: JSONFile, values: PropertyListEntries) {
        let document = try JSONDocument(parsing: bytes, limits: limits, .withComments)
        let root = document.root
        guard root.kind == .object else {
            throw .inText(
                bytes,
                at: root.range.lowerBound,
                "found \(root.kind.withArticle) where an object with the settings is expected",
                reason: .unsupported
            )
        }
        let file = JSONFile(document)
        return (file, file.values)
    }

    var values: PropertyListEntries {
        let root = document.root
        var entries = EntryList()
        entries.reserve(root.childCount)
        var isDistinct = true
        for index in 0..<root.childCount {
            let child = root.child(index)
            if child.hasTwin { isDistinct = false }
            entries.append(child.name ?? "", child.storedValue(&entries.packed))
        }
        // The reader’s index of the names is used again, so that no name is hashed twice.
        return entries.entries(keeping: .last, isDistinct ? document.storage.index.members[root.number] : nil)
    }

    func value(forKey key: String) -> PropertyListValue? {
        let root = document.root
        guard let first = root.index(of: .key(key)) else { return nil }
        guard root.child(first).hasTwin else { return root.child(first).propertyListValue }
        let last = (0..<root.childCount).last { root.child($0).name == key }
        return last.map { root.child($0).propertyListValue }
    }

    /// Works out how to set keys, or to remove the keys whose value is nil.
    ///
    /// - Returns: Nil if no byte changes.
    func edited(_ changes: [String: PropertyListValue?]) throws(PropertyListError) -> JSONFile? {
        var difference = JSONDifference(document)
        do {
            var values: [String: PropertyListValue?] = [:]
            for (key, value) in changes { values[key] = .some(try value?.inJSON(at: [.key(key)])) }
            // New members are sorted, as in other new files.
            for (key, value) in try difference.rename(in: values).sorted(by: { $0.key < $1.key }) {
                try difference.set(value, key)
            }
            guard !difference.tree.isEmpty else { return nil }
            return JSONFile(try document.edited(difference.tree, at: []))
        } catch let error as PropertyListError {
            throw error
        } catch let error as ValueEditError {
            throw PropertyListError(.path(error.path), .limitExceeded, error.problem)
        } catch {
            throw PropertyListError(.path([]), .unrepresentable, "\(error)")
        }
    }

    /// The members, at any depth, whose names occur several times in their object.
    var repeatedMembers: [ValuePath: [RepeatedMember]] {
        var found: [ValuePath: [RepeatedMember]] = [:]
        guard document.storage.index.entries.contains(where: { $0.duplicateNumber > 0 }) else { return found }
        var (line, position) = (1, 0)
        func visit(_ node: JSONNode, at path: ValuePath) {
            let children = node.children
            var last: [PathStep: Int] = [:]
            for (step, child) in children where child.hasTwin { last[step] = child.number }
            for (step, child) in children {
                let childPath = path.appending(step)
                if child.hasTwin {
                    let start = child.memberRange.lowerBound
                    line += bytes[position..<start].count { $0 == ASCII.lineFeed }
                    position = start
                    let member = RepeatedMember(line: line, value: child.propertyListValue)
                    found[childPath, default: []].append(member)
                    // The members of the others are not shown anywhere.
                    guard last[step] == child.number else { continue }
                }
                visit(child, at: childPath)
            }
        }
        visit(document.root, at: [])
        return found
    }

    /// Whether a file is a JSON file as far as its start tells: an object whose first member has a quoted name and a colon.
    ///
    /// - Parameter isExpected: Whether the file's name says that it is JSON. Then every text counts that does not begin like
    ///   XML.
    static func isLikely(_ bytes: [UInt8], isExpected: Bool) -> Bool {
        var scanner = JSONScanner(bytes, .withComments)
        do {
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.position = 3 }
            try scanner.skipSpace()
            if isExpected { return scanner.byte != ASCII.less }
            guard scanner.byte == UInt8(ascii: "{") else { return false }
            scanner.position += 1
            try scanner.skipSpace()
            guard scanner.byte == ASCII.quote else { return false }
            try scanner.skipString()
            try scanner.skipSpace()
            return scanner.byte == UInt8(ascii: ":")
        } catch {
            return isExpected
        }
    }
}

/// One of the members of an object that have the same name.
public struct RepeatedMember: Sendable, Hashable {
    /// The line of the file, counted from 1.
    public let line: Int
    public let value: PropertyListValue

    public init(line: Int, value: PropertyListValue) { (self.line, self.value) = (line, value) }
}

extension JSONNode {
    /// The value in the terms of a suite. A number keeps a spelling of its own.
    public var propertyListValue: PropertyListValue {
        if let propertyListLeaf { return propertyListLeaf }
        let children = (0..<childCount).lazy.map { child($0) }
        if kind == .array { return .array(children.map(\.propertyListValue)) }
        return .dictionary(Dictionary(children.map { ($0.name ?? "", $0.propertyListValue) }) { $1 })
    }

    /// The value if it is neither an array nor an object.
    var propertyListLeaf: PropertyListValue? {
        switch kind {
        case .null: .null
        case .boolean: .boolean(storage.bytes[range.lowerBound] == UInt8(ascii: "t"))
        case .string: .string(string ?? "")
        case .number: PropertyListValue(jsonNumber: sourceBytes)
        case .array, .object: nil
        }
    }
}

extension PropertyListValue {
    /// The value as a JSON file holds it: a date as text (RFC 3339), data as Base64.
    ///
    /// - Throws: ``PropertyListError`` for an infinite number, NaN, and a reference of a keyed archive.
    public var inJSON: PropertyListValue { get throws(PropertyListError) { try inJSON(at: []) } }

    fileprivate func inJSON(at path: ValuePath) throws(PropertyListError) -> PropertyListValue {
        func refused(_ what: String) -> PropertyListError {
            PropertyListError(.path(path), .unrepresentable, "JSON can't hold \(what)")
        }
        switch self {
        case .boolean, .integer, .string, .null, .number: return self
        case .real(let number):
            guard number.isFinite else { throw refused(number.isNaN ? "NaN" : "an infinite number") }
            return self
        case .uid: throw refused("a UID")
        case .date: return .string(editText ?? "")
        case .data(let data): return .string(data.base64EncodedString())
        case .array(let elements):
            var converted: [PropertyListValue] = []
            converted.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() {
                converted.append(try element.inJSON(at: path.appending(.index(index))))
            }
            return .array(converted)
        case .dictionary(let entries):
            var converted = [String: PropertyListValue](minimumCapacity: entries.count)
            for (key, value) in entries { converted[key] = try value.inJSON(at: path.appending(.key(key))) }
            return .dictionary(converted)
        }
    }
}
