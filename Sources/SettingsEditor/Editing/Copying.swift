import FoundationEssentials
import PropertyList

/// What the user can copy of a row.
enum CopyForm: Sendable, Hashable {
    /// The text of a value without children.
    case value
    case key, path
    case json, xml

    var name: String {
        switch self {
        case .value: "value"
        case .key: "key"
        case .path: "path"
        case .json: "JSON"
        case .xml: "XML"
        }
    }
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

    /// Parses a property list or JSON.
    ///
    /// - Throws: The problem in a text that starts like one. For other texts nothing is thrown.
    init?(parsing text: String) throws {
        guard let first = text.first(where: { !$0.isWhitespace }), "{[<(".contains(first) else { return nil }
        let bytes = Data(text.utf8)
        // An OpenStep property list also starts with a brace.
        if "{[".contains(first), let document = try? JSONDocument(parsing: bytes) {
            content = .json(document.root)
            return
        }
        // JSON has colons. An OpenStep property list has none.
        if first == "[" || first == "{" && text.contains(":") && !text.contains("=") {
            content = .json(try JSONDocument(parsing: bytes).root)
            return
        }
        let (value, _) = try PropertyListValue.read(Array(text.utf8))
        content = .propertyList(value)
    }

    init(name: String?, content: ValueNode.Content, isSecret: Bool = false) {
        self.name = name
        self.content = content
        self.isSecret = isSecret
    }
}

// Copying.
extension EditorState {
    mutating func beginCopying() {
        guard let suite, let first = targets.first else { return }
        let paths = targets
        let nodes = paths.compactMap { suite.outline.node(at: $0) }
        var forms: [CopyForm] = [.value, .key, .path]
        if combined(paths, nodes)?.jsonForm != nil || nodes.count == 1 && nodes[0].isInsideJSON {
            forms.append(.json)
        }
        if combined(paths, nodes) != nil { forms.append(.xml) }
        let what = paths.count == 1 ? "“\(first.lastName)”" : "\(paths.count) rows"
        let isSecret = paths.contains { suite.hides($0.key) }
        modals.open(
            .menu(
                Menu(
                    suite: suite.id,
                    path: selectedRow?.path ?? first,
                    title: "Copy of \(what)",
                    subject: .copying(paths),
                    items: forms.map { form in
                        let text = try? self.text(of: paths, of: suite.id, as: form)
                        return Menu.Item(
                            text: form.name,
                            detail: isSecret ? "" : text.map(shortened) ?? "",
                            choice: .copy(form)
                        )
                    }
                )
            )
        )
    }

    mutating func copy(_ paths: [ValuePath], of id: String, as form: CopyForm) throws -> [Effect] {
        let text = try text(of: paths, of: id, as: form)
        guard let index = suiteIndex(id) else { throw Refusal("“\(id)” is gone.") }
        clipboard.clips = paths.compactMap { path in
            suiteList.suites[index].outline.node(at: path).map { node in
                Clip(
                    name: path.endsWithIndex ? nil : path.lastName,
                    content: node.content,
                    isSecret: suiteList.suites[index].hides(path.key)
                )
            }
        }
        suiteList.suites[index].multiSelection = []
        let what = paths.count == 1 ? "“\(paths[0].lastName)”" : "\(paths.count) rows"
        say("Copied the \(form.name) of \(what).")
        return [.copy(text)]
    }

    private func text(of paths: [ValuePath], of id: String, as form: CopyForm) throws -> String {
        guard let suite = suiteIndex(id).map({ suiteList.suites[$0] }) else {
            throw Refusal("“\(id)” is gone.")
        }
        let nodes = try paths.map { path in
            guard let node = suite.outline.node(at: path) else {
                throw Refusal("“\(path.lastName)” is gone.")
            }
            return node
        }
        switch form {
        case .value: return try nodes.map(Self.wholeText).joined(separator: "\n")
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

    /// The values as JSON, or as XML if JSON cannot store all of them.
    private static func wholeText(_ node: ValueNode) throws -> String {
        if let text = node.typedText { return text }
        if let json = node.json { return json.source }
        guard case .propertyList(let value) = node.content else { return node.displayText() }
        return try value.jsonForm ?? String(decoding: value.encoded(as: .xml), as: UTF8.self)
    }

    /// One value alone, or several as a dictionary. Nil if two share a name, or if a property list cannot store
    /// one.
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
}

// Pasting.
extension EditorState {
    /// Inserts pasted text if it is a property list or JSON. Other text is ignored.
    mutating func paste(_ text: String) throws -> [Effect] {
        let clip: Clip?
        do {
            clip = try Clip(parsing: text)
        } catch {
            throw Refusal("The pasted text is neither a property list nor JSON: \(reason(of: error))")
        }
        if display.focus == .suites, clip != nil, let suite {
            say("You can only paste into keys. Press Tab to go to the keys of “\(suite.title)”.")
            return []
        }
        guard display.focus == .keys, let clip else {
            say(
                "You can only paste a property list here, or an object or array of JSON."
            )
            return []
        }
        return try put([clip], isPasted: true)
    }

    mutating func pasteClips() throws -> [Effect] {
        if clipboard.clips.isEmpty { throw Refusal("Nothing was copied yet. Press c to copy.") }
        return try put(clipboard.clips)
    }

    /// - Parameter isPasted: Whether the text came by accident, perhaps. A paste that needs no name is confirmed
    ///   first.
    private mutating func put(_ clips: [Clip], isPasted: Bool = false) throws -> [Effect] {
        guard let suite else { return [] }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        let place = newPlace(in: suite)
        let isJSON = suite.outline.node(at: place.parent)?.json != nil && !place.parent.steps.isEmpty
        if let index = place.index {
            let path = place.parent.appending(.index(index))
            guard isPasted, let clip = clips.first, let value = suite.ground(at: path) else {
                return try put(clips, in: place.parent, from: index)
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
            modals.open(.question(Confirmation(text: text, subject: subject)))
            return []
        }
        if clips.count == 1 {
            let name = clips[0].name.map { freeName($0, in: place.parent, of: suite) }
            modals.open(
                .naming(
                    NamePrompt(
                        subject: .value(
                            suite: suite.id,
                            parent: place.parent,
                            try clips[0].newValue(inJSON: isJSON)
                        ),
                        line: LineEditor(name ?? ""),
                        isHidden: clips[0].isSecret
                    )
                )
            )
            return []
        }
        return try put(clips, in: place.parent, of: suite, isJSON: isJSON)
    }

    /// Inserts the values as elements of an array in the selected suite.
    mutating func put(_ clips: [Clip], in parent: ValuePath, from index: Int) throws -> [Effect] {
        guard let suite, var whole = suite.ground(at: parent.appending(.index(index))) else { return [] }
        let isJSON = suite.outline.node(at: parent)?.json != nil
        for (offset, clip) in clips.enumerated() {
            let path = parent.appending(.index(index + offset))
            whole = try whole.inserting(clip.newValue(inJSON: isJSON), at: path.inside)
        }
        let effects = try write(whole, to: parent.key, of: suite.id)
        suiteList.suites[suiteList.selected].outline.select(parent.appending(.index(index)))
        return effects
    }

    /// Inserts several values under their own names.
    private mutating func put(
        _ clips: [Clip],
        in parent: ValuePath,
        of suite: SuiteModel,
        isJSON: Bool
    ) throws -> [Effect] {
        var values: [String: PropertyListValue?] = [:]
        for (number, clip) in clips.enumerated() {
            let path = parent.appending(.key(clip.name ?? String(number)))
            if suite.holds(path) || path.steps.count == 1 && values[path.key] != nil {
                throw Refusal("“\(path.lastName)” already exists.")
            }
            let new = try clip.newValue(inJSON: isJSON)
            if clip.isSecret { suiteList.suites[suiteList.selected].keepSecret(path.key) }
            if path.steps.count == 1 {
                values[path.key] = new.asWhole
            } else if let whole = values[path.key] ?? suite.ground(at: path) {
                values[path.key] = try whole.inserting(new, at: path.inside)
            } else {
                throw Refusal("Nothing is stored in “\(path.key)”.")
            }
        }
        let effects = try write(values, of: suite.id)
        say("Pasted \(clips.count) rows. Press u to undo.")
        return effects
    }
}
