/// Why an edit was refused. A refused edit changes nothing.
public struct ValueEditError: Error, Sendable, Hashable, CustomStringConvertible {
    public let path: ValuePath
    /// A sentence for a person, without the path.
    public let problem: String

    public init(_ path: ValuePath, _ problem: String) {
        self.path = path
        self.problem = problem
    }

    public var description: String { path.steps.isEmpty ? problem : "\(path): \(problem)" }
}

extension ValueEditError {
    /// The value in which an edit looked for the last step of its path.
    enum Surroundings {
        case names
        case numbers(count: Int)
        /// A value without children, with its name in a message, such as `a string`.
        case leaf(String)

        init(_ value: PropertyListValue) {
            switch value {
            case .dictionary: self = .names
            case .array(let elements): self = .numbers(count: elements.count)
            case .boolean: self = .leaf("a boolean")
            case .integer: self = .leaf("an integer")
            case .real: self = .leaf("a real number")
            case .string: self = .leaf("a string")
            case .date: self = .leaf("a date")
            case .data: self = .leaf("this data")
            case .uid: self = .leaf("a UID")
            case .null: self = .leaf("null")
            case .number: self = .leaf("a number")
            }
        }

        init(_ node: JSONNode) {
            switch node.kind {
            case .object: self = .names
            case .array: self = .numbers(count: node.childCount)
            default: self = .leaf(node.kind.withArticle)
            }
        }
    }

    static func missing(_ path: ValuePath, in surroundings: Surroundings) -> ValueEditError {
        let problem =
            switch (surroundings, path.steps.last) {
            case (.names, .key?): "there is nothing of this name"
            case (.names, _): "what is here has names, not numbers"
            case (.numbers(let count), .index?):
                "there is no such element; the array has \(count == 1 ? "1 element" : "\(count) elements")"
            case (.numbers, _): "the elements of an array have numbers, not names"
            case (.leaf(let kind), _): "there is nothing inside \(kind)"
            }
        return ValueEditError(path, problem)
    }

    static func taken(_ path: ValuePath) -> ValueEditError {
        ValueEditError(path, "this name is taken already")
    }

    static func nameless(_ path: ValuePath) -> ValueEditError {
        ValueEditError(path, "only the entry of a dictionary and the member of an object have a name")
    }

    static var outermost: ValueEditError {
        ValueEditError(
            [],
            "the outermost value can be replaced; it can't be removed, nothing be put beside it"
        )
    }
}
