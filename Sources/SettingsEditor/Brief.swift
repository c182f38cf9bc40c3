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
        if let json = node.json {
            json.kind == .string
        } else if case .propertyList(.string) = node.content {
            true
        } else {
            false
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
