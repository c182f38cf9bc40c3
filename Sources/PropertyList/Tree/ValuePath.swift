/// One step from a value to one of its elements or members.
public enum PathStep: Sendable, Hashable {
    /// A key of a dictionary, or the name of a member of a JSON object.
    case key(String)
    /// The index of an array element, counted from 0.
    case index(Int)
    /// One of several members with the same name in a JSON object. The number counts them from 0, in
    /// the order of the text. Most programs use the last one.
    case twin(String, Int)
}

/// Where a value is inside a suite: its key, followed by members and indexes.
///
/// If `Data` holds JSON, the next step enters the JSON. The JSON document itself has no step.
public struct ValuePath: Sendable, Hashable {
    public var steps: [PathStep]

    public init(_ steps: [PathStep] = []) { self.steps = steps }

    public func appending(_ step: PathStep) -> ValuePath { ValuePath(steps + [step]) }

    public func starts(with other: ValuePath) -> Bool { steps.starts(with: other.steps) }

    /// The path without its last step, or nil for the empty path.
    public var parent: ValuePath? { steps.isEmpty ? nil : ValuePath(steps.dropLast()) }

    /// The key of the suite that contains the path.
    package var key: String {
        if case .key(let key)? = steps.first { key } else { "" }
    }

    /// The path from the key's value down.
    package var inside: ValuePath { ValuePath(Array(steps.dropFirst())) }
}

extension ValuePath: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: PathStep...) { self.init(elements) }
}

extension ValuePath {
    /// The path as a message shows it: each key escaped and shortened (``MessageText``).
    public var messageText: String {
        let steps = steps.map { step -> PathStep in
            switch step {
            case .key(let key): .key(MessageText.name(key))
            case .index: step
            case .twin(let name, let number): .twin(MessageText.name(name), number)
            }
        }
        return MessageText.path(ValuePath(steps).description)
    }
}

extension ValuePath: CustomStringConvertible {
    /// The path as a JSON Pointer (RFC 6901): `/user/emails/0`.
    ///
    /// JSON Pointer cannot tell members with the same name apart, so a number is added for these:
    /// `/user/name (2)`.
    public var description: String {
        func escaped(_ name: String) -> String {
            name.replacing("~", with: "~0").replacing("/", with: "~1")
        }
        return steps.map { step in
            switch step {
            case .key(let key): "/" + escaped(key)
            case .index(let index): "/\(index)"
            case .twin(let name, let number): "/\(escaped(name)) (\(number + 1))"
            }
        }.joined()
    }
}
