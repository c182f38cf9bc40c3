import PropertyList

/// Describes a value in a few words, for a sentence.
///
/// - Parameter format: the format of dates; nil for UTC.
func summary(_ node: ValueNode?, _ format: ValueFormat?, limit: Int = 60) -> String {
    guard let node else { return "nothing" }
    return summary(format?.display(node, limit: limit) ?? node.displayText(limit: limit), of: node)
}

/// Adds quotation marks to the displayed text of a string.
private func summary(_ text: String, of node: ValueNode) -> String {
    let isString: Bool =
        switch node.content {
        case .json(let json): json.kind == .string
        case .propertyList(.string): node.json == nil
        // Data that contains a string is displayed with quotation marks already.
        case .propertyList: false
        }
    return isString ? "“\(text)”" : text
}

/// A reason as a sentence. Some reasons lack the full stop.
func sentence(_ reason: String) -> String { reason.hasSuffix(".") ? reason : reason + "." }

/// The beginning of a text of any length, for a sentence.
func shortened(_ text: String) -> String {
    let node = ValueNode(.string(text))
    return summary(node.displayText(limit: 60), of: node)
}
