/// Writes new values into a JSON file, laid out like the rest of the file: in lines with its indentation, or on one line.
struct JSONLayout {
    private let lineEnd: [UInt8]
    private let unit: [UInt8]
    private let colon: [UInt8]
    private let comma: [UInt8]
    private let style: JSONStyle
    // Lazy, because finding an example can take a search of the whole text.
    private lazy var opensObjects = opens(.object)
    private lazy var opensArrays = opens(.array)
    private var isOnOneLine = false

    init(_ style: JSONStyle) {
        self.style = style
        lineEnd = style.lineEnd
        unit = style.indentUnit(nil)
        colon = style.colon(in: style.document.root)
        comma = [UInt8(ascii: ",")] + (colon.last == ASCII.space ? [ASCII.space] : [])
    }

    /// Whether values of a kind are on several lines. The outermost object is no example, because it usually is.
    private func opens(_ kind: JSONNode.Kind) -> Bool {
        let example = style.nodes.first { $0.number > 0 && $0.kind == kind && $0.childCount > 0 }
        guard let example else { return style.document.storage.bytes.contains(ASCII.lineFeed) }
        return style.lead(of: example).contains(ASCII.lineFeed)
    }

    /// The text of a value that JSON can hold.
    ///
    /// - Parameters:
    ///   - container: The array or object that gets the value. If it is on one line, it stays on one line.
    ///   - indentation: The white space at the start of the line on which the text begins.
    mutating func text(
        of value: PropertyListValue,
        in container: JSONNode? = nil,
        indentation: [UInt8]
    ) -> String {
        isOnOneLine = container.map { $0.childCount > 0 && !$0.sourceBytes.contains(ASCII.lineFeed) } ?? false
        var text: [UInt8] = []
        append(value, to: &text, indentation)
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func append(_ value: PropertyListValue, to text: inout [UInt8], _ indentation: [UInt8]) {
        switch value {
        case .array(let elements):
            appendList("[", "]", elements, opens: opensArrays, to: &text, indentation) {
                layout,
                element,
                text,
                indentation in
                layout.append(element, to: &text, indentation)
            }
        case .dictionary(let entries):
            let sorted = entries.sorted { $0.key < $1.key }
            appendList("{", "}", sorted, opens: opensObjects, to: &text, indentation) {
                layout,
                entry,
                text,
                indentation in
                text += jsonText(entry.key).utf8
                text += layout.colon
                layout.append(entry.value, to: &text, indentation)
            }
        case .string(let value): text += jsonText(value).utf8
        default: text += (value.editText ?? "null").utf8
        }
    }

    private mutating func appendList<Element>(
        _ open: StaticString,
        _ close: StaticString,
        _ elements: [Element],
        opens: Bool,
        to text: inout [UInt8],
        _ indentation: [UInt8],
        _ append: (inout JSONLayout, Element, inout [UInt8], [UInt8]) -> Void
    ) {
        let isOpened = opens && !isOnOneLine && !elements.isEmpty
        let isAroundOneLine = isOnOneLine
        isOnOneLine = !isOpened
        defer { isOnOneLine = isAroundOneLine }
        let inner = isOpened ? indentation + unit : indentation
        text += "\(open)".utf8
        for (index, element) in elements.enumerated() {
            if index > 0 { text += isOpened ? [UInt8(ascii: ",")] : comma }
            if isOpened { text += lineEnd + inner }
            append(&self, element, &text, inner)
        }
        if isOpened { text += lineEnd + indentation }
        text += "\(close)".utf8
    }
}
