import PropertyList

/// A place in a suite's tree of keys and values, as it stands in the list on the screen.
struct Row: Sendable, Hashable {
    /// From the suite down: the first step is a key of the suite.
    let path: ValuePath
    /// What there is to show at once: what takes long to read may be unread.
    let shown: ValueNode
    /// Whether its children are the rows that follow.
    let isOpen: Bool

    /// What is there, read for as long as it takes.
    var node: ValueNode { shown.read }

    /// The same row with what is there.
    var read: Row { Row(path: path, shown: node, isOpen: isOpen) }

    /// 0 for a key of the suite.
    var depth: Int { path.steps.count - 1 }

    var name: String { path.lastName }
}

extension ValuePath {
    /// The key of the suite that a place lies under.
    var key: String {
        if case .key(let key)? = steps.first { key } else { "" }
    }

    /// The way from the key's value down to the place.
    var inside: ValuePath { ValuePath(Array(steps.dropFirst())) }

    var endsWithIndex: Bool { if case .index? = steps.last { true } else { false } }

    var lastName: String { steps.last?.text ?? "" }
}

extension PathStep {
    /// Nil for the number of an element.
    var name: String? {
        switch self {
        case .key(let name), .twin(let name, _): name
        case .index: nil
        }
    }

    var text: String { if case .index(let index) = self { String(index) } else { name ?? "" } }
}

extension ValueKind {
    /// A short name of the type, for a column of seven.
    var typeName: String { self == .propertyList(.dictionary) ? "dict" : name }
}

extension ValueNode {
    /// Whether there is an inside, as far as is known: what is still being read begins like something that has
    /// one.
    var mayBeOpened: Bool { isUnread || isContainer }

    /// A short name of the type, for a column of seven.
    var typeName: String {
        switch content {
        case .json(let node): node.kind.rawValue
        case .propertyList(let value):
            switch (value.kind, embedded) {
            case (.data, .json?): "JSON"
            case (.data, .propertyList?): "plist"
            case (.dictionary, _): "dict"
            default: value.kind.rawValue
            }
        }
    }
}
