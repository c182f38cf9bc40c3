import FoundationEssentials
import PropertyList

/// A text that is handed to the user's own editor.
public struct OutsideText: Sendable, Hashable {
    public let text: String
    /// Its end says what kind of text it is.
    public let fileName: String
    /// The line that is to be looked at, from 1.
    public let line: Int?
}

/// A value that is in the user's own editor.
struct OutsideEdit: Sendable, Hashable {
    /// How the value is spelled there.
    enum Form: Sendable, Hashable {
        case text
        /// JSON as it stands in the file.
        case json
        /// A property list, as JSON or as XML.
        case listAsJSON, xml
        /// As it is typed in a line.
        case line(DataForm)
    }

    let suite: String
    let path: ValuePath
    let base: ValueNode
    let form: Form
    /// What the editor got, without the remark.
    var given: String
    /// Why the text was refused the last time.
    var problem: String?

    var fileName: String {
        switch form {
        case .text, .line: "value.txt"
        case .json, .listAsJSON: "value.json"
        case .xml: "value.plist"
        }
    }
}

extension OutsideEdit {
    /// - Throws: where the value has no such form.
    init(_ node: ValueNode, at path: ValuePath, of suite: String, asXML: Bool, _ spelling: ValueSpelling)
        throws
    {
        self.suite = suite
        self.path = path
        base = node
        if asXML {
            let value =
                switch node.content {
                case .json: throw Refusal("Inside JSON there is no XML.")
                case .propertyList(let value): value
                }
            form = .xml
            given = String(decoding: try value.listInside.encoded(as: .xml), as: UTF8.self)
            return
        }
        if let json = node.json, json.kind != .string || json.editText == nil {
            form = .json
            given = json.source
        } else if let json = node.json {
            form = .text
            given = json.string ?? ""
        } else if case .propertyList(.string(let text)) = node.content {
            form = .text
            given = text
        } else if node.isContainer, case .propertyList(let value) = node.content {
            let list = value.listInside
            form = list.jsonForm == nil ? .xml : .listAsJSON
            given = try list.jsonForm ?? String(decoding: list.encoded(as: .xml), as: UTF8.self)
        } else {
            form = .line(.hex)
            guard let text = spelling.editText(node) else { throw Refusal("This value has no text.") }
            given = text
        }
    }

    /// The text for the editor, with a line about what was wrong with it.
    var outsideText: OutsideText {
        guard let problem else { return OutsideText(text: given, fileName: fileName, line: nil) }
        let line = problem.firstMatch(of: /line (\d+)/).flatMap { Int($0.output.1) }
        // XML begins with its declaration or not at all, and JSON has no comments: the line goes again.
        return OutsideText(text: remark(problem) + given, fileName: fileName, line: line.map { $0 + 1 })
    }

    /// One line. It begins so that it can be told from what the value may begin with.
    private func remark(_ problem: String) -> String {
        let text = problem.replacing("\n", with: " ").replacing("--", with: "- -")
        return form == .xml ? "<!-- pdefaults: \(text) -->\n" : "// pdefaults: \(text)\n"
    }

    /// What came back, without that line.
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

    /// - Throws: why the text is no value.
    func newValue(_ text: String, _ spelling: ValueSpelling) throws -> NewValue {
        switch form {
        case .text:
            return base.json == nil ? .propertyList(.string(text)) : .json(jsonText(text))
        case .line(let form): return try spelling.value(text, as: ValueKind(of: base), form)
        case .json:
            let document = try JSONDocument(parsing: Data(text.utf8))
            return .json(document.root.source)
        case .listAsJSON:
            return try listed(try PropertyListValue(try JSONDocument(parsing: Data(text.utf8)).root))
        case .xml: return try listed(try PropertyListValue.read(Array(text.utf8)).value)
        }
    }

    /// A list goes back into the data that it came from.
    private func listed(_ value: PropertyListValue) throws -> NewValue {
        guard case .propertyList(let old, let format)? = base.embedded,
            case .propertyList(.data(let data)) = base.content
        else { return .propertyList(value) }
        return .propertyList(.data(try format.bytes(of: value, replacing: old, in: data)))
    }
}

extension PropertyListValue {
    /// The property list that data holds, or the value itself.
    fileprivate var listInside: PropertyListValue {
        if case .propertyList(let list, _)? = ValueNode(self).embedded { list } else { self }
    }
}

extension EditorState {
    mutating func beginEditingOutside(_ row: Row, asXML: Bool) throws -> [EditorEffect] {
        guard let suite else { return [] }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        if row.node.json?.hasTwin == true { throw Refusal.twin }
        if suite.hides(row.path.key) { throw Refusal.secret }
        let edit = try OutsideEdit(row.node, at: row.path, of: suite.id, asXML: asXML, spelling)
        outsideEdit = edit
        return [.edit(edit.outsideText)]
    }

    /// What the user's editor left.
    mutating func editedOutside(_ result: OutsideResult) -> [EditorEffect] {
        guard let edit = outsideEdit else { return [] }
        outsideEdit = nil
        switch result {
        case .failed(let reason): say("Not written: \(sentence(reason))", isProblem: true)
        case .text(let text):
            let body = edit.body(of: text)
            if body == edit.given {
                if let problem = edit.problem {
                    say("Not written: \(sentence(problem))", isProblem: true)
                } else {
                    say("Unchanged.")
                }
                return []
            }
            return commit(edit, body)
        }
        return []
    }

    /// Writes what was edited, unless it does not fit or the place has changed.
    private mutating func commit(_ edit: OutsideEdit, _ body: String) -> [EditorEffect] {
        do {
            let new = try edit.newValue(body, spelling)
            let current = current(at: edit.path, of: edit.suite)
            guard current == edit.base else {
                var edit = edit
                edit.given = body
                input = .conflict(Conflict(.edited(edit), new, base: edit.base, holding: current))
                return []
            }
            return try put(new, at: edit.path, of: edit.suite, inserting: false)
        } catch let error as UndeclaredValue {
            var edit = edit
            edit.given = body
            outsideEdit = edit
            ask(about: error)
            return []
        } catch {
            var edit = edit
            edit.given = body
            edit.problem = reason(of: error)
            outsideEdit = edit
            return [.edit(edit.outsideText)]
        }
    }
}

/// How the user's editor ended.
public enum OutsideResult: Sendable, Hashable {
    /// The text as it stands in the file.
    case text(String)
    /// A sentence says why there is none.
    case failed(String)
}
