import PropertyList

/// A value in a few words, for a sentence.
///
/// - Parameter spelling: has dates in the time of this place.
func brief(_ node: ValueNode?, _ spelling: ValueSpelling? = nil, limit: Int = 60) -> String {
    guard let node else { return "nothing" }
    if let spelling, node.json == nil, case .propertyList(.date) = node.content {
        return spelling.display(node)
    }
    let text = node.displayText(limit: limit)
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

func brief(_ value: PropertyListValue?) -> String { brief(value.map(ValueNode.init)) }

/// A reason with the full stop that not every one of them has.
func sentence(_ reason: String) -> String { reason.hasSuffix(".") ? reason : reason + "." }

/// A text of any length, for a sentence.
func shortened(_ text: String) -> String { brief(ValueNode(.string(text))) }
