import PropertyList

/// A prompt for a name.
struct NamePrompt: Sendable, Hashable {
    enum Subject: Sendable, Hashable {
        case suite
        /// A copy of a suite, or a new name for it.
        case copy(ofSuite: String, isRename: Bool)
        /// A new key in a dictionary or object. The empty path is the suite itself.
        case key(suite: String, parent: ValuePath)
        /// A new key with a known value.
        case value(suite: String, parent: ValuePath, NewValue)
        /// A new name for an existing value.
        case rename(suite: String, ValuePath)
        /// A key for an element of an array that moves to another suite.
        case move(ValuePath, of: String, to: String)
    }

    var subject: Subject
    /// A foreign change of an array may have moved the value, so the path may be another element's.
    var isUnsure = false
    var line = LineEditor()
    /// Whether the value is secret.
    var isHidden = false
    var problem: String?
}

extension NamePrompt.Subject {
    var suite: String? {
        switch self {
        case .suite: nil
        case .key(let suite, _), .value(let suite, _, _), .rename(let suite, _), .copy(let suite, _),
            .move(_, let suite, _):
            suite
        }
    }

    /// The existing value that gets a name.
    var place: ValuePath? {
        switch self {
        case .rename(_, let path), .move(let path, _, _): path
        case .suite, .copy, .key, .value: nil
        }
    }

    /// Whether the name is for a suite.
    var isOfSuite: Bool {
        switch self {
        case .suite, .copy: true
        case .key, .value, .rename, .move: false
        }
    }
}

extension EditorState {
    /// The question above the field for a name.
    func title(of naming: NamePrompt) -> String {
        switch naming.subject {
        case .suite: return "A new suite"
        case .copy(let suite, let isRename):
            let title = title(ofSuite: suite)
            return isRename ? "New name for “\(title)”" : "Name for the copy of “\(title)”"
        case .key(let suite, let parent):
            let title = title(ofSuite: suite)
            return parent.steps.isEmpty ? "A key for “\(title)”" : "A new key in “\(parent.lastName)”"
        case .value(_, let parent, let value):
            let place = parent.steps.isEmpty ? "" : " in “\(parent.lastName)”"
            return "A key for the copied \(naming.isHidden ? "secret" : words(onCopied: value.node))\(place)"
        case .rename(_, let path): return "New name for “\(path.lastName)”"
        case .move(let path, _, let target):
            let parent = path.parent.map { $0.steps.isEmpty ? "" : " of “\($0.lastName)”" } ?? ""
            let what = path.endsWithIndex ? "element \(path.lastName)\(parent)" : "“\(path.lastName)”"
            return "A key for \(what) in “\(title(ofSuite: target))”"
        }
    }

    /// The type and the content of a value.
    private func words(onCopied node: ValueNode) -> String {
        let kind = ValueKind(of: node)
        guard node.isContainer else { return "\(kind.name) \(SettingsEditor.summary(node, format))" }
        let child = node.holdsElements ? "element" : "key"
        let count = node.childCount
        return "\(kind.name) (\(count) \(child)\(count == 1 ? "" : "s"))"
    }
}
