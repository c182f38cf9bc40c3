import SettingsStore

// Words for the place where suites are kept, so that a sentence about a file also works for a cluster.
extension BackendKind {
    /// For the middle of a sentence.
    var name: String {
        switch self {
        case .files: "the file"
        case .cluster: "the cluster"
        }
    }

    var nameAtStart: String {
        switch self {
        case .files: "The file"
        case .cluster: "The cluster"
        }
    }

    /// Where a value is stored.
    var inside: String {
        switch self {
        case .files: "in the file"
        case .cluster: "on the cluster"
        }
    }

    /// The value that is stored now.
    var present: String {
        switch self {
        case .files: "what the file has become"
        case .cluster: "what the cluster has now"
        }
    }

    /// The heading above a stored value, and a short one before it.
    var heading: (title: String, short: String) {
        switch self {
        case .files: ("In the file", "File:")
        case .cluster: ("On the cluster", "There:")
        }
    }
}

// Questions about a suite that another program has deleted.
extension BackendKind {
    var loss: String {
        switch self {
        case .files: "deleted: the file is gone; what it held is still shown. R writes it again."
        case .cluster: "deleted: nothing of it is left; what it held is still shown. R writes it again."
        }
    }

    var refusalOfTheLost: String {
        switch self {
        case .files: "Its file was deleted. R writes it again, Esc begins anew."
        case .cluster: "It was deleted. R writes it again, Esc begins anew."
        }
    }

    func questionAboutForgetting(_ keys: String, of suite: String) -> String {
        switch self {
        case .files: "Forget \(keys) of “\(suite)”, whose file is gone?"
        case .cluster: "Forget \(keys) of “\(suite)”, which is gone?"
        }
    }

    /// - Parameter keys: the number of keys in words; nil if the suite was edited as a whole.
    func questionAboutWritingAgain(_ keys: String?, of suite: String) -> String {
        switch self {
        case .files: "The file of “\(suite)” is gone: write \(keys ?? "yours") into a new one"
        case .cluster: "“\(suite)” is gone: write \(keys ?? "yours") again"
        }
    }

    func questionAboutRestoring(_ keys: String, of suite: String, atOnce: String) -> String {
        switch self {
        case .files: "Write \(keys) of “\(suite)” into a new file\(atOnce)?"
        case .cluster: "Write \(keys) of “\(suite)” again\(atOnce)?"
        }
    }

    var nothingToRecover: String {
        switch self {
        case .files: "Nothing is to be recovered: the file can be read."
        case .cluster: "Nothing is to be recovered: nothing there can’t be read."
        }
    }
}

extension EditorState {
    var kind: BackendKind { options.kind }
}
