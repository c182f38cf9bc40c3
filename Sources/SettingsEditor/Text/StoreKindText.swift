import SettingsStore

// Words for the place where suites are kept, so that a sentence about a file also works for other places.
extension BackendKind {
    /// A word before a stored value, where there is little room.
    var word: String {
        switch self {
        case .files: "file"
        case .cluster: "cluster"
        case .desktop: "desktop"
        }
    }

    /// The place of a stored value, for a heading.
    var inside: String {
        switch self {
        case .files: "in the file"
        case .cluster: "on the cluster"
        case .desktop: "in the desktop’s settings"
        }
    }

    /// The value that is stored now.
    var present: String { "the value \(inside)" }

    /// The heading above a stored value, and a short one before it.
    var heading: (title: String, short: String) {
        switch self {
        case .files: ("In the file", "File:")
        case .cluster: ("On the cluster", "There:")
        case .desktop: ("In the desktop’s settings", "There:")
        }
    }
}

extension BackendKind {
    var nothingToRecover: String {
        switch self {
        case .files: "Nothing to recover: the file is readable."
        case .cluster, .desktop: "Nothing to recover: all values are readable."
        }
    }
}

extension EditorState {
    var kind: BackendKind { place.kind }
}
