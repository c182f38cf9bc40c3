import FoundationEssentials

/// One place inside a value, so that property-list containers and the JSON inside `Data` can be
/// walked and edited as one tree.
public struct ValueNode: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        case propertyList(PropertyListValue)
        /// A place below `Data` that holds JSON. (The `Data` itself is a property-list value.)
        case json(JSONNode)
    }

    public let content: Content
    /// For `Data` that holds JSON: its document. Found when the node is made.
    public let document: JSONDocument?

    public init(_ value: PropertyListValue) { fatalError() }

    /// What can be opened: arrays, dictionaries, JSON's two, and `Data` that holds one of JSON's
    /// two. An empty one too.
    public var isContainer: Bool { fatalError() }

    public var childCount: Int { fatalError() }

    /// Dictionary entries in sorted order, the rest in their own order.
    public var children: [(step: PathStep, node: ValueNode)] { fatalError() }

    /// The node at a path below this one; nil where there is none.
    public func node(at path: ValuePath) -> ValueNode? { fatalError() }
}

/// A value to be put at a place.
public enum NewValue: Sendable, Hashable {
    /// For places of a property list. Where it replaces `Data` that holds JSON, all of it goes.
    case propertyList(PropertyListValue)
    /// A JSON text for places inside JSON. At `Data` that holds JSON it replaces the root value,
    /// and the bytes around that stay.
    case json(String)
}

/// Why an edit was refused. Nothing was changed.
public struct ValueEditError: Error, Sendable, Hashable, CustomStringConvertible {
    public let path: ValuePath
    /// A sentence for a person.
    public let problem: String

    public init(_ path: ValuePath, _ problem: String) {
        self.path = path
        self.problem = problem
    }

    public var description: String { path.steps.isEmpty ? problem : "\(path): \(problem)" }
}

extension PropertyListValue {
    /// The value with the place at the path replaced. The empty path replaces the whole.
    public func replacing(at path: ValuePath, with new: NewValue) throws(ValueEditError)
        -> PropertyListValue
    { fatalError() }

    /// The value with an entry added to a dictionary (refused where the key is there already) or an
    /// element put before the one that has the index now (the count appends); the last step of the
    /// path names the new place.
    public func inserting(_ new: NewValue, at path: ValuePath) throws(ValueEditError) -> PropertyListValue {
        fatalError()
    }

    /// The value without the entry or element at the path, which must not be empty.
    public func removing(at path: ValuePath) throws(ValueEditError) -> PropertyListValue { fatalError() }
}
