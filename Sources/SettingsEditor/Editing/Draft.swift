import FoundationEssentials
import PropertyList

/// A value that is being typed in its row.
struct Draft: Sendable, Hashable {
    enum Purpose: Sendable, Hashable {
        /// Replaces the value that was there when the editing began.
        case replacing(ValueNode)
        case inserting
    }

    /// The id of the suite.
    let suite: String
    var path: ValuePath
    /// A foreign change of an array may have moved the value, so the path may be another element's.
    var isUnsure = false
    var purpose: Purpose
    var kind: ValueKind
    /// The types that the user can still change to, because the type was chosen for this text.
    var kinds: [ValueKind] = []
    /// The text of the current value, which need not be written again; nil if any text is to be written.
    var original: String?
    var line: LineEditor
    /// Whether no value was stored when the editing began, so that the row showed the default.
    var isOverDefault = false
    /// Whether the draft is a secret.
    var isHidden = false
    /// The form in which data is typed.
    var form = DataForm.hex
    /// Why the text was refused.
    var problem: String?

    init(suite: String, path: ValuePath, purpose: Purpose, kind: ValueKind, text: String) {
        self.suite = suite
        self.path = path
        self.purpose = purpose
        self.kind = kind
        original = purpose == .inserting ? nil : text
        line = LineEditor(text, isSelected: kind.isTypedAnew)
    }

    /// Whether the text equals the current value, byte by byte.
    var isUnchanged: Bool { original.map { line.text.hasSameBytes(as: $0) } ?? false }

    var base: ValueNode? { if case .replacing(let node) = purpose { node } else { nil } }
}

extension NewValue {
    /// The value as the whole value of a key.
    var asWhole: PropertyListValue {
        switch self {
        case .propertyList(let value): value
        case .json(let text): .data(Data(text.utf8))
        }
    }

    /// The value as a node, to be shown before it is written.
    var node: ValueNode { ValueNode(asWhole) }
}

extension ValueNode {
    /// The toggled boolean; nil for any other value.
    var flipped: NewValue? {
        if let json { return json.kind == .boolean ? .json(json.source == "true" ? "false" : "true") : nil }
        guard case .propertyList(.boolean(let value)) = content else { return nil }
        return .propertyList(.boolean(!value))
    }
}
