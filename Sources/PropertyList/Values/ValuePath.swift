/// One step down from a value to one inside it.
public enum PathStep: Sendable, Hashable {
    /// Into a dictionary, or into an object of JSON.
    case key(String)
    /// Into an array, from 0.
    case index(Int)
    /// Into an object of JSON that has several members of this name: which of them, from 0 in the order of
    /// the text. Programs see the last one.
    case twin(String, Int)
}

/// The way from a suite's value down to a place inside it.
///
/// A step that enters `Data` which holds JSON goes on inside the JSON, without a step of its own.
public struct ValuePath: Sendable, Hashable {
    public var steps: [PathStep]

    public init(_ steps: [PathStep] = []) { self.steps = steps }

    public func appending(_ step: PathStep) -> ValuePath { ValuePath(steps + [step]) }

    public func starts(with other: ValuePath) -> Bool { steps.starts(with: other.steps) }

    /// The path one step up; nil at the top.
    public var parent: ValuePath? { steps.isEmpty ? nil : ValuePath(steps.dropLast()) }
}

extension ValuePath: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: PathStep...) { self.init(elements) }
}

extension ValuePath: CustomStringConvertible {
    /// A JSON Pointer (RFC 6901): `/user/emails/0`. Of members that share a name, which it has no way to tell
    /// apart, it says the how manieth one it is: `/user/name (2)`.
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
