import FoundationEssentials
import PropertyList

/// The forms in which a row can be copied.
enum CopyForm: String, Sendable, Hashable {
    /// The text of a value without children.
    case value
    case key, path
    case json = "JSON"
    case xml = "XML"
}

/// A copied value: from this editor, or text from another program.
struct Clip: Sendable, Hashable {
    var name: String?
    let content: ValueNode.Content
    var isSecret = false

    /// The value for a path inside JSON or outside.
    ///
    /// - Throws: A refusal if JSON cannot store the value.
    func newValue(inJSON: Bool) throws -> NewValue {
        switch (content, inJSON) {
        case (.json(let node), true): return .json(node.source)
        case (.propertyList(let value), false): return .propertyList(value)
        case (.propertyList(let value), true):
            guard let text = value.jsonForm else { throw Refusal("JSON cannot hold all of it.") }
            return .json(text)
        case (.json(let node), false):
            // A value with null, for example, stays JSON.
            return .propertyList((try? PropertyListValue(node)) ?? .data(Data(node.source.utf8)))
        }
    }

}

extension Clip {
    /// Parses a property list or JSON.
    ///
    /// - Throws: The problem in a text that starts like one. For other texts nothing is thrown.
    init?(parsing text: String) throws {
        guard let first = text.first(where: { !$0.isWhitespace }), "{[<(".contains(first) else { return nil }
        let bytes = Data(text.utf8)
        // An OpenStep property list also starts with a brace.
        if "{[".contains(first), let document = try? JSONDocument(parsing: bytes) {
            self.init(content: .json(document.root))
            return
        }
        // JSON has colons. An OpenStep property list has none.
        if first == "[" || first == "{" && text.contains(":") && !text.contains("=") {
            self.init(content: .json(try JSONDocument(parsing: bytes).root))
            return
        }
        let (value, _) = try PropertyListValue.read(Array(text.utf8))
        self.init(content: .propertyList(value))
    }
}

// Copying.
extension EditorState {
    /// The menu of the forms in which the selected rows can be copied.
    func copying() -> Outcome {
        guard let suite, let first = targets.first else { return .nothing }
        let paths = targets
        let nodes = paths.compactMap { suite.outline.node(at: $0) }
        var forms: [CopyForm] = [.value, .key, .path]
        if combined(paths, nodes)?.jsonForm != nil || nodes.count == 1 && nodes[0].isInsideJSON {
            forms.append(.json)
        }
        if combined(paths, nodes) != nil { forms.append(.xml) }
        let what = paths.count == 1 ? "“\(first.lastName)”" : "\(paths.count) rows"
        let isSecret = paths.contains { suite.hides($0.key) }
        let menu = Menu(
            suite: suite.id,
            path: selectedRow?.path ?? first,
            title: "Copy of \(what)",
            subject: .copying(paths),
            items: forms.map { form in
                let text = try? suite.text(of: paths, as: form)
                return Menu.Item(
                    text: form.rawValue,
                    detail: isSecret ? "" : text.map(shortened) ?? "",
                    choice: .copy(form)
                )
            }
        )
        return .open(.menu(menu))
    }
}

extension EditorClipboard {
    /// Keeps the values at these paths for ``Command/pasteCopied``.
    mutating func keep(_ paths: [ValuePath], of suite: SuiteModel) {
        clips = paths.compactMap { path in
            suite.outline.node(at: path).map { node in
                Clip(
                    name: path.endsWithIndex ? nil : path.lastName,
                    content: node.content,
                    isSecret: suite.hides(path.key)
                )
            }
        }
    }
}

extension SuiteModel {
    func text(of paths: [ValuePath], as form: CopyForm) throws -> String {
        let nodes = try paths.map { path in
            guard let node = outline.node(at: path) else { throw Refusal("“\(path.lastName)” is gone.") }
            return node
        }
        switch form {
        case .value: return try nodes.map { try $0.wholeText }.joined(separator: "\n")
        case .key: return paths.map(\.lastName).joined(separator: "\n")
        case .path: return paths.map(\.description).joined(separator: "\n")
        case .json:
            if nodes.count == 1, nodes[0].isInsideJSON, let json = nodes[0].json { return json.source }
            guard let text = combined(paths, nodes)?.jsonForm else {
                throw Refusal("JSON cannot hold all of it.")
            }
            return text
        case .xml:
            guard let value = combined(paths, nodes) else {
                throw Refusal("A property list cannot hold all of it.")
            }
            return String(decoding: try value.encoded(as: .xml), as: UTF8.self)
        }
    }
}

extension ValueNode {
    /// The value as JSON, or as XML if JSON cannot store all of it.
    fileprivate var wholeText: String {
        get throws {
            if let text = typedText { return text }
            if let json { return json.source }
            guard case .propertyList(let value) = content else { return displayText() }
            return try value.jsonForm ?? String(decoding: value.encoded(as: .xml), as: UTF8.self)
        }
    }
}

/// One value alone, or several as a dictionary. Nil if two share a name, or if a property list cannot store one.
private func combined(_ paths: [ValuePath], _ nodes: [ValueNode]) -> PropertyListValue? {
    let values = nodes.compactMap { node -> PropertyListValue? in
        switch node.content {
        case .propertyList(let value): value
        case .json(let json): try? PropertyListValue(json)
        }
    }
    guard values.count == paths.count else { return nil }
    if values.count == 1 { return values[0] }
    let entries = Dictionary(zip(paths.map(\.lastName), values)) { first, _ in first }
    return entries.count == values.count ? .dictionary(entries) : nil
}

// Pasting.
extension EditorState {
    /// Inserts pasted text if it is a property list or JSON. Other text is ignored.
    func pasting(_ text: String) throws -> Outcome {
        let clip: Clip?
        do {
            clip = try Clip(parsing: text)
        } catch {
            throw Refusal("The pasted text is neither a property list nor JSON: \(reason(of: error))")
        }
        if display.focus == .suites, clip != nil, let suite {
            return .say("You can only paste into keys. Press Tab to go to the keys of “\(suite.title)”.")
        }
        guard display.focus == .keys, let clip else {
            return .say("You can only paste a property list here, or an object or array of JSON.")
        }
        return try pasting([clip], isFromTerminal: true)
    }

    func pastingCopied() throws -> Outcome {
        if clipboard.clips.isEmpty { throw Refusal("Nothing was copied yet. Press c to copy.") }
        return try pasting(clipboard.clips, isFromTerminal: false)
    }

    /// - Parameter isFromTerminal: Whether the text may have come by accident. A paste that needs no name is then
    ///   confirmed first.
    private func pasting(_ clips: [Clip], isFromTerminal: Bool) throws -> Outcome {
        guard let suite else { return .nothing }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        let place = suite.newPlace(isInside: suite.outline.selectedRow?.isOpen == true)
        let isJSON = suite.outline.node(at: place.parent)?.json != nil && !place.parent.steps.isEmpty
        if let index = place.index {
            let path = place.parent.appending(.index(index))
            guard isFromTerminal, let clip = clips.first, let value = suite.ground(at: path) else {
                return .write(try suite.inserting(clips, in: place.parent, from: index))
            }
            let node = try clip.newValue(inJSON: isJSON).node
            let isText = !isJSON && node.json != nil
            let kind = isText ? "JSON in data" : ValueKind(of: node).nameInSentence
            let what = "\(kind), \(SettingsEditor.summary(node, format))"
            let subject = Confirmation.Subject.putIn(
                clip,
                suite: suite.id,
                parent: place.parent,
                index: index,
                over: value
            )
            let text = "Insert the pasted value into “\(place.parent.lastName)” as element \(index): \(what)?"
            return .open(.question(Confirmation(text: text, subject: subject)))
        }
        guard clips.count == 1 else {
            return .write(try suite.inserting(clips, in: place.parent, isJSON: isJSON))
        }
        let name = clips[0].name.map { suite.freeName($0, in: place.parent) }
        let value = try clips[0].newValue(inJSON: isJSON)
        return .open(
            .naming(
                NamePrompt(
                    subject: .value(value),
                    suite: suite.id,
                    path: place.parent,
                    line: LineEditor(name ?? ""),
                    isHidden: clips[0].isSecret
                )
            )
        )
    }
}
