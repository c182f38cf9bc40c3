import PropertyList

struct NamePrompt: Sendable, Hashable {
    enum Subject: Sendable, Hashable {
        case suite
        /// A copy of the suite, or a new name for it.
        case copy(isRename: Bool)
        /// A new key in the dictionary or object at the path. The empty path is the suite itself.
        case key
        /// A new key with a known value.
        case value(NewValue)
        /// A new name for the value at the path.
        case rename
        /// A key for the element of an array at the path, which moves to another suite.
        case move(to: String)
    }

    let subject: Subject
    /// The id of the suite; empty for a new one.
    var suite = ""
    var path: ValuePath = []
    /// A foreign change of an array may have moved the value, so the path may be another element's.
    var isUnsure = false
    var line = LineEditor()
    /// Whether the value is secret.
    var isHidden = false
    var problem: String?
}

extension NamePrompt {
    /// The existing value that gets a name.
    var place: ValuePath? {
        switch subject {
        case .rename, .move: path
        case .suite, .copy, .key, .value: nil
        }
    }

    /// Whether the name is for a suite.
    var isOfSuite: Bool {
        switch subject {
        case .suite, .copy: true
        case .key, .value, .rename, .move: false
        }
    }
}

extension EditorState {
    /// The question above the field for a name.
    func title(of naming: NamePrompt) -> String {
        let (title, path) = (title(ofSuite: naming.suite), naming.path)
        switch naming.subject {
        case .suite: return "A new suite"
        case .copy(let isRename):
            return isRename ? "New name for “\(title)”" : "Name for the copy of “\(title)”"
        case .key:
            return path.steps.isEmpty ? "A key for “\(title)”" : "A new key in “\(path.lastName)”"
        case .value(let value):
            let place = path.steps.isEmpty ? "" : " in “\(path.lastName)”"
            return "A key for the copied \(naming.isHidden ? "secret" : words(onCopied: value.node))\(place)"
        case .rename: return "New name for “\(path.lastName)”"
        case .move(let target):
            let parent = path.parent.map { $0.steps.isEmpty ? "" : " of “\($0.lastName)”" } ?? ""
            let what = path.endsWithIndex ? "element \(path.lastName)\(parent)" : "“\(path.lastName)”"
            return "A key for \(what) in “\(self.title(ofSuite: target))”"
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
