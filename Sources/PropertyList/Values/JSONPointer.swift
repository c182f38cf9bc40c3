/// A place inside a value as RFC 6901 writes it: `/devices/0/name`; the empty text is the whole value.
///
/// Whether `0` is an element's number or a key, the value decides that it is used on.
public struct JSONPointer: Sendable, Hashable {
    public let tokens: [String]

    /// - Throws: ``ValueTextError`` where the text neither is empty nor starts with `/`, or has a `~`
    ///   without `0` or `1` behind it.
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
                default: throw ValueTextError("\(quoted(text)): behind “~” a JSON Pointer has “0” or “1”")
                }
            }
            tokens.append(String(decoding: token, as: UTF8.self))
        }
        self.tokens = tokens
    }

    /// The path that it means in a value, be anything there or not: a token is an index where it is
    /// decimal, without zeros before it, and what it enters is an array; `-` is the place behind an
    /// array's last element.
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
