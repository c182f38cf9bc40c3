/// One value inside a ``JSONDocument``.
public struct JSONNode: Sendable {
    let storage: JSONStorage
    /// The number of its entry in the storage's index.
    let number: Int

    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case object, array, string, number, boolean, null

        /// The kind in a sentence.
        package var withArticle: String {
            self == .null ? rawValue : (self == .object || self == .array ? "an " : "a ") + rawValue
        }
    }

    public var kind: Kind {
        switch storage.bytes[Int(entry.start)] {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    /// The unchanged text of the value: a string with its quotes, a number with its own digits.
    public var source: String { String(decoding: sourceBytes, as: UTF8.self) }

    /// The characters of a string, or nil for other kinds. An escaped half of a surrogate pair, which a
    /// `String` cannot hold, becomes U+FFFD.
    public var string: String? {
        kind == .string ? JSONString.decoded(storage.bytes, at: Int(entry.start)) : nil
    }

    /// The position of the value in its text.
    public var place: PropertyListError.Place {
        PropertyListError.inText(storage.bytes, at: range.lowerBound, "").place
    }

    public var childCount: Int { Int(entry.childCount) }

    /// Whether the value is neither an array nor an object.
    var isLeaf: Bool { kind != .array && kind != .object }

    /// The members or elements, in the order of the text.
    ///
    /// Each member has a step with its plain name, which leads to the first of several members with
    /// that name. See ``hasTwin``.
    public var children: [(step: PathStep, node: JSONNode)] {
        childNumbers.enumerated().map { index, child in
            let node = JSONNode(storage: storage, number: Int(child))
            return (node.name.map { .key($0) } ?? .index(index), node)
        }
    }

    /// Whether the object has another member with the same name.
    ///
    /// ``PathStep/twin(_:_:)`` tells such members apart; a plain name is not enough to edit one. Two
    /// names are the same if `String` compares them as equal, no matter how they are escaped or
    /// composed.
    public var hasTwin: Bool { entry.duplicateNumber > 0 }

    /// Returns the node at a path relative to this one, or nil if there is none.
    ///
    /// A plain name means the first of several members with that name. The time does not depend on the
    /// size of the containers.
    public func node(at path: ValuePath) -> JSONNode? {
        var node = self
        for step in path.steps {
            guard let child = node.child(at: step) else { return nil }
            node = child
        }
        return node
    }
}

extension JSONNode {
    var entry: JSONEntry { storage.index.entries[number] }
    var range: Range<Int> { Int(entry.start)..<Int(entry.end) }
    var sourceBytes: ArraySlice<UInt8> { storage.bytes[range] }

    /// The text of a member's name with its quotes, or nil for an element and the root.
    var nameRange: Range<Int>? {
        let start = Int(entry.nameStart)
        return start == 0 ? nil : start..<JSONString.end(storage.bytes, at: start)
    }

    var name: String? {
        let start = Int(entry.nameStart)
        return start == 0 ? nil : JSONString.decoded(storage.bytes, at: start)
    }

    private var childNumbers: ArraySlice<UInt32> {
        storage.index.children[Int(entry.firstChild)..<Int(entry.firstChild + entry.childCount)]
    }

    /// Returns the child at an index, which must be less than the number of children.
    func child(_ index: Int) -> JSONNode {
        JSONNode(storage: storage, number: Int(childNumbers[childNumbers.startIndex + index]))
    }

    /// Returns the index of the child at a step, or nil if there is none.
    func index(of step: PathStep) -> Int? {
        switch (kind, step) {
        case (.array, .index(let index)) where 0..<childCount ~= index: index
        case (.object, .key(let name)): index(ofMember: name)
        case (.object, .twin(let name, let number)):
            // A member whose duplicates were removed has no number and counts as the first.
            (0..<childCount).first { index in
                let node = child(index)
                return max(1, Int(node.entry.duplicateNumber)) == number + 1 && node.name == name
            }
        default: nil
        }
    }

    /// Returns the step that leads to the child at an index and to no other child.
    func step(at index: Int) -> PathStep {
        let node = child(index)
        guard let name = node.name else { return .index(index) }
        return node.hasTwin ? .twin(name, Int(node.entry.duplicateNumber) - 1) : .key(name)
    }

    func child(at step: PathStep) -> JSONNode? { index(of: step).map(child) }

    private func index(ofMember name: String) -> Int? {
        if childCount > JSONReader.fewMembers {
            return storage.index.members[number]?.firstPosition(KeyHash.of(name)) { child($0).name == name }
        }
        return (0..<childCount).first { child($0).name == name }
    }
}

extension JSONNode: Hashable {
    /// Nodes are equal if their texts are, at any position.
    public static func == (a: JSONNode, b: JSONNode) -> Bool {
        a.storage === b.storage && a.number == b.number || a.sourceBytes == b.sourceBytes
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(sourceBytes) }
}
