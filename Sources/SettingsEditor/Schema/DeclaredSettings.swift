import PropertyList
import SettingsStore

// The declared settings of a suite.
extension SuiteModel {
    func declaration(of key: String) -> SettingDeclaration? { schema.declarations[key] }

    /// The value that a key's row shows: the first of a value that hides the user's, the value after all changes, the
    /// value of a lower layer, and the declared default.
    func shownValue(forKey key: String) -> PropertyListValue? {
        otherLayers.override(ofKey: key)?.value ?? value(forKey: key)
            ?? otherLayers.inherited(key)?.value ?? declaration(of: key).map(\.standIn)
    }

    /// Whether a key has a declaration, but neither a value nor a default.
    func isWithoutValue(_ key: String) -> Bool {
        guard let declaration = declaration(of: key) else { return false }
        return declaration.defaultValue == nil && !isStored(key) && otherLayers.sources(ofKey: key).isEmpty
    }

    func isStored(_ key: String) -> Bool { value(forKey: key) != nil }

    /// Whether the row of a key shows a value that the user has not stored: a default, or that of a lower layer.
    func showsUnstored(_ key: String) -> Bool {
        // Each row on the screen asks, and in most suites all rows show stored values.
        if otherLayers.isEmpty, schema.declarations.isEmpty { return false }
        return !isStored(key) && otherLayers.override(ofKey: key) == nil
    }

    /// A short type name, at most seven columns wide.
    func typeName(of row: Row) -> String {
        row.depth == 0 && isWithoutValue(row.path.key) ? kind(of: row).name : row.shown.typeName
    }

    /// The kind of value that a row accepts. Without a value, the declaration tells it.
    func kind(of row: Row) -> ValueKind {
        if row.depth == 0, isWithoutValue(row.path.key), let declaration = declaration(of: row.path.key),
            let kind = declaration.shape.kind
        {
            return declaration.shape == .json ? .jsonData : .propertyList(kind)
        }
        return ValueKind(of: row.node)
    }

    /// The declaration of a key, or of a value inside it.
    func declaration(at path: ValuePath) -> SettingDeclaration? { schema.declaration(at: path) }

    /// The type that a declaration gives to a value inside a key; nil if it gives none.
    func declaredKind(ofChildAt path: ValuePath) -> ValueKind? {
        guard path.steps.count > 1, let shape = declaration(at: path)?.shape else { return nil }
        return shape == .json ? .jsonData : shape.kind.map(ValueKind.propertyList)
    }

    /// The value that a change at a path replaces. For a key this is the stored value. Inside a key it is the shown
    /// value, because the first change inside a default stores the whole default.
    func ground(at path: ValuePath) -> PropertyListValue? {
        path.steps.count > 1 ? shownValue(forKey: path.key) : value(forKey: path.key)
    }

    /// Whether a path has a value that can be changed. Values inside a declared default count.
    func holds(_ path: ValuePath) -> Bool { ground(at: path) != nil && outline.node(at: path) != nil }

    /// The layer of the shown value, and how the user's value relates to the default.
    func origin(of key: String) -> ValueOrigin {
        // Each row on the screen asks, and most suites have neither.
        if otherLayers.isEmpty, schema.declarations.isEmpty { return .undeclared }
        if let source = otherLayers.override(ofKey: key) {
            return source.layer == .mandatory ? .locked : .overridden(source.layer)
        }
        let own = value(forKey: key)
        if own == nil, let source = otherLayers.inherited(key) { return .inherited(source.layer) }
        guard let declaration = declaration(of: key) else { return .undeclared }
        guard let value = own else { return .byDefault }
        return value == declaration.defaultValue ? .sameAsDefault : .modified
    }
}

enum ValueOrigin: Sendable, Hashable {
    case undeclared
    /// No value is stored. The program uses the default.
    case byDefault
    /// The stored value equals the default.
    case sameAsDefault
    case modified
    /// The user has no value. A lower layer has one.
    case inherited(SettingsLayer)
    /// A higher layer hides the user's value.
    case overridden(SettingsLayer)
    /// The administrator has locked the key.
    case locked
}

extension SettingDeclaration {
    /// The value that the row shows while no value is stored.
    fileprivate var standIn: PropertyListValue {
        if let defaultValue { return defaultValue }
        // Elements can be added to an empty container before anything is stored.
        return switch shape.kind {
        case .array: []
        case .dictionary: [:]
        default: .string("")
        }
    }

    /// The description and the accepted values, for one line.
    var about: String {
        var parts: [String] = []
        if let deprecation {
            parts.append(sentence(deprecation.isEmpty ? "deprecated" : "deprecated: \(deprecation)"))
        }
        if let title { parts.append(sentence(title)) }
        if let help, help != title { parts.append(sentence(help)) }
        if let limitsText { parts.append(sentence(limitsText)) }
        return parts.joined(separator: " ")
    }
}

extension SuiteSchema {
    /// The keys to show: those with a value, and the declared ones.
    func shown(over values: PropertyListEntries) -> SortedEntries {
        var values = values
        for (key, declaration) in declarations.sorted(by: { $0.key < $1.key }) where values[key] == nil {
            values[key] = declaration.standIn
        }
        return SortedEntries(values)
    }
}

extension EditorState {
    /// Whether a key's value is secret, in any suite, even in one that was removed.
    func hides(_ key: String, of suite: String) -> Bool {
        suiteIndex(suite).map { suiteList.suites[$0].hides(key) } ?? suiteList.secretsOfGone[suite]?.hides(
            key
        ) ?? false
    }

    /// A short text of a value for a sentence. Secrets stay hidden.
    func summary(_ value: PropertyListValue?, of key: String, in suite: String) -> String {
        summary(value.map(ValueNode.init), of: key, in: suite)
    }

    func summary(_ node: ValueNode?, of key: String, in suite: String) -> String {
        guard let node else { return "nothing" }
        if hides(key, of: suite) { return "a secret" }
        return SettingsEditor.summary(node, format)
    }

    /// The change that removes stored values, so that the defaults apply.
    func resetting(_ paths: [ValuePath]) throws -> Outcome {
        guard let suite else { return .nothing }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        var edit = SuiteEdit(suite: suite.id, values: [:])
        for path in paths {
            if suite.isStored(path.key) == false, let refusal = suite.refusal(ofChanging: path.key) {
                throw refusal
            }
            guard
                suite.declaration(of: path.key) != nil || !suite.otherLayers.sources(ofKey: path.key).isEmpty
            else {
                throw Refusal(
                    "“\(path.key)” has no default, because no program declared it. Press d to delete it."
                )
            }
            if suite.isStored(path.key) { edit.values[path.key] = .some(nil) }
        }
        if edit.values.isEmpty {
            let isInherited = paths.contains { suite.otherLayers.inherited($0.key) != nil }
            throw Refusal(
                isInherited
                    ? "No value of yours is stored, so there is nothing to remove."
                    : "It already has its default."
            )
        }
        edit.deselected = paths
        if let path = paths.first, paths.count == 1 {
            let source = suite.otherLayers.sources(ofKey: path.key).first
            let shown = source?.value ?? suite.declaration(of: path.key)?.defaultValue
            let value = summary(shown, of: path.key, in: suite.id)
            let origin = source.map { "now, from \($0.location)" } ?? "by default"
            edit.message = "Reset: “\(path.key)” is \(value) \(origin)."
        } else {
            edit.message = "Reset: \(edit.values.count) keys have their defaults."
        }
        return .write(edit)
    }
}

extension SuiteModel {
    /// The menu of the accepted values; nil if the declaration does not list them.
    func caseMenu(for row: Row, _ format: ValueFormat) -> Menu? {
        guard let declaration = declaration(at: row.path), !declaration.cases.isEmpty else { return nil }
        let items = declaration.cases.map { item in
            let value = SettingsEditor.summary(ValueNode(item.value), format)
            let note = item.value == declaration.defaultValue ? "the default" : ""
            return Menu.Item(
                text: item.title ?? value,
                detail: [item.title == nil ? "" : value, note].filter { !$0.isEmpty }.joined(separator: ", "),
                choice: .value(.propertyList(item.value))
            )
        }
        var menu = Menu(
            suite: id,
            path: row.path,
            title: declaration.title ?? "Values of “\(row.name)”",
            subject: .replacing(row.node),
            items: items
        )
        // The list of a secret does not tell the current value.
        if !hides(row.path.key) {
            menu.selected = declaration.cases.firstIndex { ValueNode($0.value) == row.node } ?? 0
        }
        return menu
    }
}

extension LineEditor {
    /// The same line, with all of its content hidden.
    func hidden(_ glyphs: String) -> LineEditor {
        var line = LineEditor(String(repeating: glyphs, count: text.count))
        var none = ""
        for _ in after { line.apply(.left, killed: &none) }
        return line
    }
}
