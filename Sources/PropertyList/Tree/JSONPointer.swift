/// A JSON Pointer (RFC 6901), such as `/devices/0/name`. The empty text means the whole value.
///
/// Neither Foundation nor the standard library has such pointers, and splitting one takes a few lines.
///
/// The value to which the pointer is applied decides whether `0` is an index or a key.
public struct JSONPointer: Sendable, Hashable {
    public let tokens: [String]

    /// Parses a JSON Pointer.
    ///
    /// - Throws: ``ValueTextError`` if the text is neither empty nor starts with `/`, or if a `~` is
    ///   not followed by `0` or `1` (section 3).
    public init(_ text: String) throws(ValueTextError) {
        guard !text.isEmpty else {
            tokens = []
            return
        }
        guard text.utf8.first == ASCII.slash else {
            throw ValueTextError("\(quoted(text)) is not a JSON Pointer, such as /devices/0/name")
        }
        var tokens: [String] = []
        for part in text.utf8.dropFirst().split(separator: ASCII.slash, omittingEmptySubsequences: false) {
            var token: [UInt8] = []
            var rest = part[...]
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "~") else {
                    token.append(byte)
                    continue
                }
                switch rest.popFirst() {
                case UInt8(ascii: "0"): token.append(UInt8(ascii: "~"))
                case UInt8(ascii: "1"): token.append(ASCII.slash)
                default:
                    throw ValueTextError("\(quoted(text)): in a JSON Pointer, “0” or “1” must follow “~”")
                }
            }
            tokens.append(String(decoding: token, as: UTF8.self))
        }
        self.tokens = tokens
    }

    /// Returns the path that the pointer means in a value. The position need not exist.
    ///
    /// As in RFC 6901, section 4, a token is an index if it is a decimal number without leading zeros
    /// and the value around it is an array. The token `-` is the index after the last element.
    public func path(in value: PropertyListValue) -> ValuePath {
        var path = ValuePath()
        var node: ValueNode? = ValueNode(value)
        for token in tokens {
            let step = Self.step(token, into: node)
            path.steps.append(step)
            node = node?.node(at: [step])
        }
        return path
    }

    private static func step(_ token: String, into node: ValueNode?) -> PathStep {
        guard let node, node.isArray else { return .key(token) }
        if token == "-" { return .index(node.childCount) }
        guard let index = Int(token), String(index) == token, index >= 0 else { return .key(token) }
        return .index(index)
    }
}

extension JSONPointer: CustomStringConvertible {
    public var description: String { ValuePath(tokens.map { .key($0) }).description }
}

extension ValueNode {
    fileprivate var isArray: Bool {
        if let json { return json.kind == .array }
        if case .propertyList(.array) = content { return true }
        return false
    }
}
