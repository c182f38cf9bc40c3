import PropertyList

/// The result of an import or export. The event loop reads and writes the files.
public enum FileResult: Sendable, Equatable {
    case imported([String: PropertyListValue])
    case exported(keys: Int)
    /// A file of this name exists, and the user has not agreed to replace it.
    case exists
    case failed(String)
}

// Importing a file into a suite, and exporting a suite to a file.
extension EditorState {
    mutating func beginImporting() throws -> [Effect] {
        guard let suite else { throw Refusal("Create or select a suite first.") }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        modals.open(.path(PathPrompt(purpose: .importing, suite: suite.id, line: LineEditor("~/"))))
        return []
    }

    mutating func beginExporting() throws -> [Effect] {
        guard let suite else { throw Refusal("There is no suite to export.") }
        guard pendingChanges.allSatisfy({ $0.suite != suite.id }) else {
            throw Refusal("Only stored values are exported. Press W to save or discard your changes first.")
        }
        let line = LineEditor("~/\(suite.name).plist")
        modals.open(.path(PathPrompt(purpose: .exporting, suite: suite.id, line: line)))
        return []
    }

    /// Shows how a path goes on.
    mutating func complete(_ text: String, with candidates: [String]) {
        guard case .path(var prompt)? = modal, prompt.line.text == text else { return }
        let common = candidates.dropFirst().reduce(candidates.first ?? "") { common, path in
            String(zip(common, path).prefix { $0 == $1 }.map(\.0))
        }
        if common.count > text.count { prompt.line.replace(with: common) }
        prompt.candidates = candidates.count > 1 ? candidates : []
        prompt.problem = candidates.isEmpty ? "No file begins with this." : nil
        modals.replaceTop(.path(prompt))
    }

    mutating func finish(_ result: FileResult, of suite: String, path: String) -> [Effect] {
        switch result {
        case .imported(let values):
            return attempt { state throws in
                let edit = SuiteEdit(suite: suite, values: values.mapValues { .some($0) })
                let effects = try state.write(edit)
                let keys = values.count == 1 ? "1 key" : "\(values.count) keys"
                let verb = state.staging.isOn ? "Staged" : "Imported"
                state.say(
                    effects.isEmpty && !state.staging.isOn
                        ? "“\(state.title(ofSuite: suite))” has all of it already."
                        : "\(verb) \(keys). Press u to undo."
                )
                return effects
            }
        case .exported(let count):
            let secrets = suiteIndex(suite).map {
                suiteList.suites[$0].values.keys.contains(where: suiteList.suites[$0].secrets.contains)
            }
            let with = secrets == true ? " The file contains secrets." : ""
            say("Exported \(count == 1 ? "1 key" : "\(count) keys") to \(path).\(with)")
        case .exists: modals.ask("\(path) exists. Replace it?", .exportOver(path, suite: suite))
        case .failed(let reason): note(reason)
        }
        return []
    }
}
