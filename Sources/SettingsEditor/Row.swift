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

    var lastName: String {
        switch steps.last {
        case .key(let name)?: name
        case .index(let index)?: String(index)
        case nil: ""
        }
    }
}

extension ValueKind {
    /// A short name of the type, for a column of seven.
    var typeName: String { self == .propertyList(.dictionary) ? "dict" : name }
}

extension ValueNode {
    /// Members of an object that share a name share a path as well, so that nothing below them can
    /// be told apart.
    var canBeOpened: Bool { isContainer && json?.hasTwin != true }

    /// The same, as far as is known: what is still being read begins like something that can be.
    var mayBeOpened: Bool { isUnread || canBeOpened }

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
