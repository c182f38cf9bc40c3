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
