import PropertyList

/// A value in a few words, for a sentence.
///
/// - Parameter spelling: has dates in the time of this place.
func brief(_ node: ValueNode?, _ spelling: ValueSpelling?, limit: Int = 60) -> String {
    guard let node else { return "nothing" }
    return brief(spelling?.display(node, limit: limit) ?? node.displayText(limit: limit), of: node)
}

/// The same, of a text that is what is shown of the value.
private func brief(_ text: String, of node: ValueNode) -> String {
    let isString: Bool =
        switch node.content {
        case .json(let json): json.kind == .string
        case .propertyList(.string): node.json == nil
        // Data that holds a string has quotation marks of its own.
        case .propertyList: false
        }
    return isString ? "“\(text)”" : text
}

/// A reason with the full stop that not every one of them has.
func sentence(_ reason: String) -> String { reason.hasSuffix(".") ? reason : reason + "." }

/// A text of any length, for a sentence.
func shortened(_ text: String) -> String {
    let node = ValueNode(.string(text))
    return brief(node.displayText(limit: 60), of: node)
}
