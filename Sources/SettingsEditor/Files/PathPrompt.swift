import TerminalCanvas

/// A prompt for the path of a file that is imported into a suite, or that a suite is exported to, or of a place that is
/// opened.
struct PathPrompt: Sendable, Hashable {
    /// The raw value is the title.
    enum Purpose: String, Sendable, Hashable {
        case importing = "Import from"
        case exporting = "Export to"
        case open = "Open"
    }

    let purpose: Purpose
    /// The suite that is imported into or exported.
    var suite: String?
    var line: LineEditor
    /// The paths that begin with the typed text, after Tab.
    var candidates: [String] = []
    var problem: String?
}

extension PathPrompt {
    /// The path that was typed. The prompt starts with `~/`. If a whole path follows, such as `~//etc`, only that counts.
    /// A path such as `a/b` is in the working directory.
    private var path: String {
        let (text, rest) = (line.text, line.text.dropFirst(2))
        let starts = ["/", "~/", "./", "../", "http://", "https://", "gsettings:"]
        if text.hasPrefix("~/"), starts.contains(where: rest.hasPrefix) { return String(rest) }
        return text.contains("/") && !starts.contains(where: text.hasPrefix) ? "./" + text : text
    }
}

extension PathPrompt: Component {
    var keyMode: Mode { .path }

    func paintPrompt(_ painter: inout Painter, row: Int) {
        let label = "\(purpose.rawValue): "
        painter.write(label, column: 0, row: row, columns: painter.columns, style: .heading)
        painter.paintField(line, column: label.count, row: row, columns: painter.columns - label.count)
    }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        var prompt = self
        switch command {
        case .cancel: state.modals.closeAll()
        case .completePath:
            prompt.line.replace(with: path)
            state.modals.replaceTop(.path(prompt))
            return [.completePath(path)]
        case .confirm where line.text.isEmpty:
            prompt.problem = "Type a path. Tab completes it."
            state.modals.replaceTop(.path(prompt))
        case .confirm:
            // The prompt for a place stays until the place is open.
            if purpose == .open { return [.open(path)] }
            state.modals.closeAll()
            switch (purpose, suite) {
            case (.importing, let suite?): return [.importFile(suite, path: path)]
            case (.exporting, let suite?): return [.exportSuite(suite, path: path, replaces: false)]
            default: break
            }
        default: _ = state.typeInLine(command)
        }
        return []
    }
}

extension EditorState {
    /// The text above the prompt, or in its box below the path.
    func note(of prompt: PathPrompt) -> (text: String, isProblem: Bool) {
        if let problem = prompt.problem { return (problem, true) }
        if !prompt.candidates.isEmpty {
            return (prompt.candidates.map { $0.lastPathComponent }.joined(separator: ", "), false)
        }
        switch prompt.purpose {
        case .importing: return ("Its keys are added to “\(title(ofSuite: prompt.suite ?? ""))”.", false)
        case .exporting: return ("A name that ends with .json is exported as JSON.", false)
        case .open:
            let recall = earlierPlaces.isEmpty ? "" : " Up and Down recall places opened before."
            return ("A file, a folder, a suite’s name, or the URL of a cluster.\(recall)", false)
        }
    }
}

extension String {
    /// The last part of a path, with the slash of a folder.
    fileprivate var lastPathComponent: Substring {
        let end = hasSuffix("/") ? index(before: endIndex) : endIndex
        return self[(self[..<end].lastIndex(of: "/").map(index(after:)) ?? startIndex)...]
    }
}
