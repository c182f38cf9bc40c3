/// Reads the inside of a value in small steps: the JSON or property list that it holds, and the order
/// of a dictionary's keys.
///
/// An editor can open a value of many megabytes this way without blocking the keyboard.
public struct ValueReading: Sendable {
    private enum Stage {
        case json(JSONReader)
        case propertyList
        case keys(EmbeddedDocument?, KeySorting)
    }

    private let value: PropertyListValue
    private let level: Int
    private var stage: Stage

    /// Creates a reading of a node for which ``ValueNode/isUnread`` is true.
    public init(_ node: ValueNode) {
        guard case .propertyList(let value) = node.content else {
            // The parts of a JSON document are read together with it.
            self.init(.boolean(false), level: 0)
            return
        }
        self.init(value, level: node.level)
    }

    private init(_ value: PropertyListValue, level: Int) {
        self.value = value
        self.level = level
        if level < EmbeddedDocument.maximumNesting, let text = EmbeddedDocument.possibleJSON(in: value) {
            stage = .json(JSONReader(text, limits: .standard))
        } else {
            stage = .propertyList
        }
    }

    /// Continues reading until the work budget is used up.
    ///
    /// - Parameter work: The budget, in bytes of JSON; 100,000 take about half a millisecond. The rest
    ///   is written back. A property list inside data is read in one step and may exceed the budget.
    /// - Returns: The node with its inside, or nil if the reading is not complete.
    public mutating func goOn(_ work: inout Int) -> ValueNode? {
        while work > 0 {
            switch stage {
            case .json(var reader):
                // The reader gets a single owner, so that changing it copies nothing.
                stage = .propertyList
                do throws(PropertyListError) {
                    guard try reader.resume(&work) else {
                        stage = .json(reader)
                        continue
                    }
                    return ValueNode(value, level: level, .json(JSONDocument(reader, limits: .standard)))
                } catch {}
            case .propertyList:
                let embedded =
                    level < EmbeddedDocument.maximumNesting ? EmbeddedDocument.propertyList(in: value) : nil
                if case .data(let data) = value { work = max(0, work - 8 * data.count) }
                let node = ValueNode(value, level: level, embedded)
                guard case .dictionary(let entries)? = node.container?.value,
                    entries.count > ValueNode.manyEntries
                else { return node }
                stage = .keys(embedded, KeySorting(entries))
            case .keys(let embedded, var sorting):
                stage = .propertyList
                if let keys = sorting.resume(&work) {
                    return ValueNode(value, level: level, embedded, keys: keys)
                }
                stage = .keys(embedded, sorting)
            }
        }
        return nil
    }
}

extension ValueNode {
    /// A dictionary with more entries takes noticeable time to sort.
    static let manyEntries = 1 << 12

    /// Creates a node and skips reading its inside if that takes long.
    ///
    /// Otherwise the result is that of ``init(_:)``. Until the inside is read with ``read`` or
    /// ``ValueReading``, data and strings appear to hold no document.
    public static func unreadIfLong(_ value: PropertyListValue) -> ValueNode { unreadIfLong(value, level: 0) }

    static func unreadIfLong(_ value: PropertyListValue, level: Int) -> ValueNode {
        value.takesLongToRead ? ValueNode(unread: value, level: level) : ValueNode(value, level: level)
    }

    /// The same node with its inside read.
    public var read: ValueNode {
        guard isUnread, case .propertyList(let value) = content else { return self }
        return ValueNode(value, level: level)
    }
}

extension PropertyListValue {
    /// Whether reading the inside takes more than a moment.
    public var takesLongToRead: Bool {
        switch self {
        case .data(let data): data.count > 1 << 12 && EmbeddedDocument.looksLikeDocument(self)
        case .string(let text): text.utf8.count > 1 << 12 && EmbeddedDocument.looksLikeDocument(self)
        case .dictionary(let entries): entries.count > ValueNode.manyEntries
        default: false
        }
    }
}
