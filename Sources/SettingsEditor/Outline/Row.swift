import PropertyList

/// A row of the outline: a key of the suite, or a value inside an expanded row.
struct Row: Sendable, Hashable {
    /// The path. Its first step is a key of the suite.
    let path: ValuePath
    /// The value, as far as it is parsed. A value that takes long to parse may be unread.
    let shown: ValueNode
    /// Whether the row is expanded.
    let isOpen: Bool

    /// The value. This parses it completely.
    var node: ValueNode { shown.read }

    /// The same row with its value parsed completely.
    var read: Row { Row(path: path, shown: node, isOpen: isOpen) }

    /// The depth; 0 for a key of the suite.
    var depth: Int { path.steps.count - 1 }

    var name: String { path.lastName }
}

extension ValuePath {
    var endsWithIndex: Bool { if case .index? = steps.last { true } else { false } }

    var lastName: String { steps.last?.text ?? "" }
}

extension PathStep {
    /// The name; nil for an index.
    var name: String? {
        switch self {
        case .key(let name), .twin(let name, _): name
        case .index: nil
        }
    }

    var text: String { if case .index(let index) = self { String(index) } else { name ?? "" } }
}

extension ValueNode {
    /// Whether expanding the value shows more. An unread value looks like a container.
    var hasChildren: Bool { isUnread || isContainer && childCount > 0 }

    var isEmptyText: Bool { quotationMarks != nil && displayText(limit: 1).isEmpty }

    /// A type name of one word.
    var typeName: String {
        switch content {
        case .json(let node): node.kind.rawValue
        case .propertyList(let value):
            switch (value.kind, embedded) {
            case (.data, .json?): "JSON"
            case (.data, .propertyList?): "plist"
            default: value.kind.rawValue
            }
        }
    }
}
