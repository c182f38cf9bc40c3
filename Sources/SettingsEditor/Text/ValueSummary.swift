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
    // A string that is a JSON text of its own is displayed with quotation marks already.
    guard let marks = node.quotationMarks, marks == .typographic else { return text }
    return marks.opening + text + marks.closing
}

/// The marks before and after a string.
struct QuotationMarks: Sendable, Hashable {
    let opening: String
    let closing: String

    static let typographic = QuotationMarks(opening: "“", closing: "”")
    static let json = QuotationMarks(opening: "\"", closing: "\"")
}

extension ValueNode {
    /// The quotation marks of a string; nil for all other values.
    ///
    /// In sentences and comparisons every string has quotation marks, so that the string 3 and the number 3 look
    /// different. A string that is a JSON text of its own, in data, has the marks of JSON.
    var quotationMarks: QuotationMarks? {
        switch content {
        case .json(let json): json.kind == .string ? .typographic : nil
        // A string that holds JSON is shown like an array or a dictionary.
        case .propertyList(.string): json == nil ? .typographic : nil
        case .propertyList(.data): json?.kind == .string ? .json : nil
        case .propertyList: nil
        }
    }
}

/// A reason as a sentence. Some reasons lack the full stop.
func sentence(_ reason: String) -> String { reason.hasSuffix(".") ? reason : reason + "." }

/// The beginning of a text of any length, for a sentence.
func shortened(_ text: String) -> String {
    let node = ValueNode(.string(text))
    return summary(node.displayText(limit: 60), of: node)
}
