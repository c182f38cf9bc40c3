/// Finds out what is inside a value, a little at a time: the JSON or the property list in data or in a
/// string, and the order of a dictionary's keys.
public struct ValueReading: Sendable {
    private enum Stage {
        case json(JSONReader)
        case propertyList
        case keys(EmbeddedDocument?, KeySorting)
    }

    private let value: PropertyListValue
    private let level: Int
    private var stage: Stage

    /// - Parameter node: An unread one; any other would be read once more.
    public init(_ node: ValueNode) {
        guard case .propertyList(let value) = node.content else {
            // What lies in JSON was read with it.
            self.init(.boolean(false), level: 0)
            return
        }
        self.init(value, level: node.level)
    }

    private init(_ value: PropertyListValue, level: Int) {
        self.value = value
        self.level = level
        if level < EmbeddedDocument.deepest, let text = EmbeddedDocument.possibleJSON(in: value) {
            stage = .json(JSONReader(text, limits: .standard))
        } else {
            stage = .propertyList
        }
    }

    /// Goes on for a while; the node once all is found.
    ///
    /// - Parameter work: What may be done, counted in bytes of JSON, of which a hundred thousand take about
    ///   half a millisecond; what is left of that is handed back. A property list inside data is read in one
    ///   go.
    public mutating func goOn(_ work: inout Int) -> ValueNode? {
        while work > 0 {
            switch stage {
            case .json(var reader):
                // Held once only, so that nothing is copied.
                stage = .propertyList
                do throws(PropertyListError) {
                    guard try reader.goOn(&work) else {
                        stage = .json(reader)
                        continue
                    }
                    return ValueNode(value, level: level, .json(JSONDocument(reader, limits: .standard)))
                } catch {}
            case .propertyList:
                let embedded =
                    level < EmbeddedDocument.deepest ? EmbeddedDocument.propertyList(in: value) : nil
                if case .data(let data) = value { work = max(0, work - 8 * data.count) }
                let node = ValueNode(value, level: level, embedded)
                guard case .dictionary(let entries)? = node.container?.value,
                    entries.count > ValueNode.manyEntries
                else { return node }
                stage = .keys(embedded, KeySorting(entries))
            case .keys(let embedded, var sorting):
                stage = .propertyList
                if let keys = sorting.goOn(&work) {
                    return ValueNode(value, level: level, embedded, keys: keys)
                }
                stage = .keys(embedded, sorting)
            }
        }
        return nil
    }
}

extension ValueNode {
    /// From so many entries on it takes notably long to sort a dictionary's keys.
    static let manyEntries = 1 << 12

    /// The value without a look at what is inside, where that takes long; else as ``init(_:)`` makes it.
    /// Until somebody has looked (``read``, ``ValueReading``), data and strings count as if they held
    /// nothing.
    public static func unreadIfLong(_ value: PropertyListValue) -> ValueNode { unreadIfLong(value, level: 0) }

    static func unreadIfLong(_ value: PropertyListValue, level: Int) -> ValueNode {
        value.takesLongToRead ? ValueNode(unread: value, level: level) : ValueNode(value, level: level)
    }

    /// The same place with what is inside it.
    public var read: ValueNode {
        guard isUnread, case .propertyList(let value) = content else { return self }
        return ValueNode(value, level: level)
    }
}

extension PropertyListValue {
    /// Whether it takes longer than a moment to find out what is inside.
    public var takesLongToRead: Bool {
        switch self {
        case .data(let data): data.count > 1 << 12 && EmbeddedDocument.mayBegin(in: self)
        case .string(let text): text.utf8.count > 1 << 12 && EmbeddedDocument.mayBegin(in: self)
        case .dictionary(let entries): entries.count > ValueNode.manyEntries
        default: false
        }
    }
}
