import TerminalCanvas

/// A prompt for the path of a file that is imported into a suite, or that a suite is exported to.
struct PathPrompt: Sendable, Hashable {
    let suite: String
    let isExport: Bool
    var line: LineEditor
    /// The paths that begin with the typed text, after Tab.
    var candidates: [String] = []
    var problem: String?
}

extension PathPrompt: Component {
    var keyMode: Mode { .path }

    func paintPrompt(_ painter: inout Painter, row: Int) {
        let label = "\(title): "
        painter.write(label, column: 0, row: row, columns: painter.columns, style: .heading)
        painter.paintField(line, column: label.count, row: row, columns: painter.columns - label.count)
    }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        var prompt = self
        switch command {
        case .cancel: state.modals.closeAll()
        case .completePath: return [.completePath(line.text)]
        case .confirm where line.text.isEmpty:
            prompt.problem = "Type a path. Tab completes it."
            state.modals.replaceTop(.path(prompt))
        case .confirm:
            state.modals.closeAll()
            return isExport
                ? [.exportSuite(suite, path: line.text, replaces: false)]
                : [.importFile(suite, path: line.text)]
        default: _ = state.typeInLine(command)
        }
        return []
    }

    var title: String { isExport ? "Export to" : "Import from" }

    /// The text above the prompt, or in its box below the path.
    var note: (text: String, isProblem: Bool) {
        if let problem { return (problem, true) }
        if candidates.isEmpty {
            return (
                isExport
                    ? "A name that ends with .json is exported as JSON."
                    : "Its keys are added to “\(suite)”.", false
            )
        }
        return (candidates.map { $0.lastPathComponent }.joined(separator: ", "), false)
    }
}

extension String {
    /// The last part of a path, with the slash of a folder.
    fileprivate var lastPathComponent: Substring {
        let end = hasSuffix("/") ? index(before: endIndex) : endIndex
        return self[(self[..<end].lastIndex(of: "/").map(index(after:)) ?? startIndex)...]
    }
}
