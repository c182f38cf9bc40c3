import FoundationEssentials

/// A JSON text (RFC 8259) that can be changed in one place and keeps every other byte: white
/// space, order of members, spelling of numbers and strings.
public struct JSONDocument: Sendable, Hashable {
    /// The text as it stands, UTF-8.
    public private(set) var text: Data

    /// - Throws: ``PropertyListError`` with line and column, where the text is no JSON, holds
    ///   anything after its value, or exceeds a limit.
    public init(parsing text: Data, limits: PropertyListLimits = .standard) throws(PropertyListError) {
        self.text = text
    }

    public var root: JSONNode { fatalError() }

    /// The node at a path; nil where there is none. Of members with the same name, the first.
    public func node(at path: ValuePath) -> JSONNode? { fatalError() }

    /// The document with the value at a path replaced by a JSON text.
    public func replacing(at path: ValuePath, with json: String) throws(ValueEditError) -> JSONDocument {
        fatalError()
    }

    /// The document with a value put in: at the end of an object, or before the element that has
    /// the index now (the count of the elements appends). White space follows what is around it.
    public func inserting(_ json: String, at path: ValuePath) throws(ValueEditError) -> JSONDocument {
        fatalError()
    }

    /// The document without the member or the element, its comma included.
    public func removing(at path: ValuePath) throws(ValueEditError) -> JSONDocument { fatalError() }
}

/// One value inside a ``JSONDocument``.
public struct JSONNode: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case object, array, string, number, boolean, null
    }

    public var kind: Kind { fatalError() }

    /// The value's text exactly as it stands: a string with its quotes, a number with its spelling.
    public var source: String { fatalError() }

    /// The characters of a string; nil for every other kind.
    public var string: String? { fatalError() }

    public var childCount: Int { fatalError() }

    /// Members and elements, in the order of the text.
    public var children: [(step: PathStep, node: JSONNode)] { fatalError() }

    /// Whether its object has another member of the same name, which makes its path ambiguous: such
    /// a member can be read and not be edited.
    public var hasTwin: Bool { fatalError() }
}

/// A string as a JSON text, quotes included.
public func jsonText(_ string: String) -> String { fatalError() }
