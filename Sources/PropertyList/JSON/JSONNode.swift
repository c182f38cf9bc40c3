/// One value inside a ``JSONDocument``.
public struct JSONNode: Sendable {
    let storage: JSONStorage
    /// The place of its entry in the storage's index.
    let number: Int

    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case object, array, string, number, boolean, null
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

    /// The value's text exactly as it stands: a string with its quotes, a number with its spelling.
    public var source: String { String(decoding: sourceBytes, as: UTF8.self) }

    /// The characters of a string; nil for every other kind. An escaped half of a surrogate pair
    /// without the other, which no string can hold, becomes U+FFFD.
    public var string: String? {
        kind == .string ? JSONString.decoded(storage.bytes, at: Int(entry.start)) : nil
    }

    /// Where the value begins in its text.
    public var place: PropertyListError.Place {
        PropertyListError.inText(storage.bytes, at: range.lowerBound, "").place
    }

    public var childCount: Int { Int(entry.childCount) }

    /// Members and elements, in the order of the text. Of members that share a name each has a step with
    /// that name alone, which leads to the first of them; see ``hasTwin``.
    public var children: [(step: PathStep, node: JSONNode)] {
        childNumbers.enumerated().map { index, child in
            let node = JSONNode(storage: storage, number: Int(child))
            return (node.name.map { .key($0) } ?? .index(index), node)
        }
    }

    /// Whether its object has another member of the same name: ``PathStep/twin(_:_:)`` says which of them is
    /// meant, and a name alone is not enough to edit one. Names are the same when Swift's strings are,
    /// however they are escaped and composed.
    public var hasTwin: Bool { entry.twin > 0 }

    /// The node at a path below this one; nil where there is none. Of members with the same name,
    /// the first. Takes the same time in large containers as in small ones.
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

    /// Of a member, the text of its name, quotes included; nil for what is no member.
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

    /// The child at a place from 0 to below the count.
    func child(_ place: Int) -> JSONNode {
        JSONNode(storage: storage, number: Int(childNumbers[childNumbers.startIndex + place]))
    }

    /// The place that a step leads to; nil where there is none.
    func place(of step: PathStep) -> Int? {
        switch (kind, step) {
        case (.array, .index(let place)) where 0..<childCount ~= place: place
        case (.object, .key(let name)): place(ofMember: name)
        case (.object, .twin(let name, let number)):
            // The only one that is left is the first.
            (0..<childCount).first { place in
                let node = child(place)
                return max(1, Int(node.entry.twin)) == number + 1 && node.name == name
            }
        default: nil
        }
    }

    /// The step that leads to the child at a place, and to no other.
    func step(at place: Int) -> PathStep {
        let node = child(place)
        guard let name = node.name else { return .index(place) }
        return node.hasTwin ? .twin(name, Int(node.entry.twin) - 1) : .key(name)
    }

    func child(at step: PathStep) -> JSONNode? { place(of: step).map(child) }

    private func place(ofMember name: String) -> Int? {
        if childCount > JSONReader.fewMembers {
            return storage.index.members[number]?.place(KeyHash.of(name)) { child($0).name == name }
        }
        return (0..<childCount).first { child($0).name == name }
    }
}

extension JSONNode: Hashable {
    /// Nodes are equal when their texts are, wherever they stand.
    public static func == (a: JSONNode, b: JSONNode) -> Bool {
        a.storage === b.storage && a.number == b.number || a.sourceBytes == b.sourceBytes
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(sourceBytes) }
}
