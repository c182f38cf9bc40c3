import PropertyList

// Checks JSON against the shape of a `Codable` type. Without it, an editor could store JSON that the program can't
// decode.

extension ValueShape {
    /// Why a program could not decode the JSON as this shape; nil if it could. A member that may be missing may also be
    /// null.
    func problem(with node: JSONNode) -> String? {
        switch (self, node.kind) {
        case (.anything, _), (.boolean, .boolean), (.data, .string), (.json, .string), (.date, .string),
            (.date, .number):
            return nil
        case (.optional, .null): return nil
        case (.optional(let shape), _): return shape.problem(with: node)
        case (.integer(let bounds), .number):
            guard let number = PropertyListInteger(spelling: node.source) else {
                return "\(node.source.prefix(40)) is not a whole number"
            }
            return bounds.problem(with: number) { "\($0)" }
        case (.real(let bounds), .number):
            return Double(node.source).flatMap { bounds.problem(with: $0) { "\($0)" } }
        case (.string(let shape), .string): return shape.problem(with: node.string ?? "")
        case (.array(let shape), .array), (.dictionary(let shape), .object):
            return firstProblem(in: node.children.lazy.map { ($0.step, shape, $0.node) })
        case (.record(let fields), .object):
            let names = fields.keys.sorted()
            if let missing = names.first(where: {
                fields[$0]?.isRequired == true && node.node(at: [.key($0)]) == nil
            }) {
                return "“\(missing)” is missing"
            }
            return firstProblem(
                in: names.lazy.compactMap { name in
                    guard let field = fields[name], let member = node.node(at: [.key(name)]) else {
                        return nil
                    }
                    if member.kind == .null, !field.isRequired { return nil }
                    return (.key(name), field.shape, member)
                }
            )
        default: return "found \(node.kind.phrase), expected \(contentPhrase)"
        }
    }

    private func firstProblem(
        in parts: some Sequence<(step: PathStep, shape: ValueShape, node: JSONNode)>
    ) -> String? {
        for part in parts {
            if let problem = part.shape.problem(with: part.node) {
                return "at \(ValuePath([part.step])): \(problem)"
            }
        }
        return nil
    }

    private var contentPhrase: String {
        switch self {
        case .anything: "any value"
        case .boolean: "a boolean"
        case .integer: "a whole number"
        case .real: "a number"
        case .string, .data, .json: "a string"
        case .date: "a date"
        case .array: "an array"
        case .dictionary, .record: "an object"
        case .optional(let shape): shape.contentPhrase
        }
    }
}
