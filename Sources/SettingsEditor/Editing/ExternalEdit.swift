import FoundationEssentials
import PropertyList

/// A text that is edited in the user's own editor.
public struct ExternalText: Sendable, Hashable {
    public let text: String
    /// The file name's suffix, which tells the kind of text.
    public let fileName: String
    /// The line to show, from 1.
    public let line: Int?
}

/// A value that is open in the user's own editor.
struct ExternalEdit: Sendable, Hashable {
    /// The form of the text.
    enum Form: Sendable, Hashable {
        case text
        /// JSON, byte by byte as in the file.
        case json
        /// JSON that is on one line in the file, in lines.
        case oneLineJSON
        /// A property list, as JSON or as XML.
        case listAsJSON, xml
        /// JSON that distinguishes every property-list type.
        case typedJSON
        /// The text that is typed in a row.
        case line(DataForm)
    }

    /// The subject, as it was when the editing began.
    enum Subject: Sendable, Hashable {
        case value(ValueNode, at: ValuePath)
        /// All values of a suite, without its secrets.
        case whole([String: PropertyListValue])
    }

    let suite: String
    var subject: Subject
    /// A foreign change of an array may have moved the value, so the path may be another element's.
    var isUnsure = false
    let form: Form
    /// The text that the editor got, without the remark.
    var given: String
    /// Whether the text is the user's, and not the stored value.
    var isEdited = false
    /// Why the text is read-only; nil if it may be written.
    var readOnlyReason: String?
    /// Why the previous text was refused.
    var problem: String?

    var fileName: String {
        switch form {
        case .text, .line: "value.txt"
        case .json, .oneLineJSON, .listAsJSON: "value.json"
        case .typedJSON: "suite.json"
        case .xml: "value.plist"
        }
    }
}

extension ExternalEdit {
    /// - Throws: A refusal if the value has no such form.
    init(_ node: ValueNode, at path: ValuePath, of suite: String, asXML: Bool, _ format: ValueFormat)
        throws
    {
        self.suite = suite
        subject = .value(node, at: path)
        if asXML {
            let value =
                switch node.content {
                case .json:
                    throw Refusal("A value inside JSON cannot be edited as XML. Press E to edit it as JSON.")
                case .propertyList(let value): value
                }
            form = .xml
            given = try Self.xml(value.listInside)
            return
        }
        if let json = node.json, json.kind != .string || json.editText == nil {
            let lines = OneLineJSON(json.source)
            form = lines == nil ? .json : .oneLineJSON
            given = lines?.indented ?? json.source
        } else if let json = node.json {
            form = .text
            given = json.string ?? ""
        } else if case .propertyList(.string(let text)) = node.content {
            form = .text
            given = text
        } else if node.isContainer, case .propertyList(let value) = node.content {
            let list = value.listInside
            form = list.jsonForm == nil ? .xml : .listAsJSON
            given = try list.jsonForm ?? Self.xml(list)
        } else {
            form = .line(.hex)
            guard let text = format.editText(node) else {
                throw Refusal("This value cannot be edited as text.")
            }
            given = text
        }
    }

    /// The value as XML. The remark says that the XML is generated.
    static func xml(_ value: PropertyListValue) throws -> String {
        var text = String(decoding: try value.encoded(as: .xml), as: UTF8.self)
        if let list = text.firstRange(of: "<plist") { text.insert(contentsOf: comments, at: list.lowerBound) }
        return text
    }

    private static let comments =
        "<!-- The file's comments are not shown here, and stay. New comments are not kept. -->\n"

    /// The text for the editor, with a remark about the problem.
    var outsideText: ExternalText {
        guard let problem else { return ExternalText(text: given, fileName: fileName, line: nil) }
        let line = problem.firstMatch(of: /line (\d+)/).flatMap { Int($0.output.1) }
        // The remark is one line that cannot be confused with the start of a value. XML must start with its
        // declaration, and JSON has no comments, so the remark is removed again.
        let words = problem.replacing("\n", with: " ").replacing("--", with: "- -")
        let remark = form == .xml ? "<!-- pdefaults: \(words) -->\n" : "// pdefaults: \(words)\n"
        return ExternalText(text: remark + given, fileName: fileName, line: line.map { $0 + 1 })
    }

    /// The edited text without the remark.
    func body(of text: String) -> String {
        var body = text[...]
        let start = form == .xml ? "<!-- pdefaults: " : "// pdefaults: "
        if problem != nil, body.hasPrefix(start), let end = body.firstIndex(of: "\n") {
            body = body[body.index(after: end)...]
        }
        // Editors end every file with a line feed.
        if body.hasSuffix("\n"), !given.hasSuffix("\n") { body = body.dropLast() }
        return String(body)
    }

    /// - Throws: Why the text is no value.
    func newValue(_ text: String, _ format: ValueFormat) throws -> NewValue {
        switch form {
        case .text:
            return base?.json == nil ? .propertyList(.string(text)) : .json(jsonText(text))
        case .line(let form):
            guard let base else { throw Refusal("This value cannot be edited as text.") }
            return try format.value(text, as: ValueKind(of: base), form)
        case .json:
            let document = try JSONDocument(parsing: Data(text.utf8))
            return .json(document.root.source)
        case .oneLineJSON:
            let edited = try JSONDocument(parsing: Data(text.utf8)).root.source
            return .json(OneLineJSON(base?.json?.source ?? "")?.edited(edited) ?? edited)
        case .listAsJSON:
            return try listed(rounded(try PropertyListValue(try JSONDocument(parsing: Data(text.utf8)).root)))
        case .typedJSON: return .propertyList(rounded(try PropertyListValue.read(typedJSON: Data(text.utf8))))
        case .xml: return try listed(rounded(try PropertyListValue.read(Array(text.utf8)).value))
        }
    }

    /// The edited value; nil for a whole suite.
    private var base: ValueNode? { if case .value(let node, _) = subject { node } else { nil } }

    /// The value with typed dates in whole seconds.
    private func rounded(_ value: PropertyListValue) -> PropertyListValue {
        let stored: Set<Date> =
            switch subject {
            case .whole(let values): PropertyListValue.dictionary(values).dates
            case .value(let node, _):
                if case .propertyList(let value) = node.content { value.listInside.dates } else { [] }
            }
        return value.inWholeSeconds(except: stored)
    }

    /// Puts a property list back into the data that contained it.
    private func listed(_ value: PropertyListValue) throws -> NewValue {
        guard let base, case .propertyList(let old, let format)? = base.embedded,
            case .propertyList(.data(let data)) = base.content
        else { return .propertyList(value) }
        return .propertyList(.data(try format.bytes(of: value, replacing: old, in: data)))
    }
}

extension PropertyListValue {
    /// The property list inside data, or the value itself.
    fileprivate var listInside: PropertyListValue {
        if case .propertyList(let list, _)? = ValueNode(self).embedded { list } else { self }
    }
}
