import PropertyList
import SettingsStore

// The revisions of a key, if the backend keeps them. They are shown like the editor's own history.
extension EditorState {
    func findingRevisions(of row: Row) throws -> Outcome {
        guard let suite else { return .nothing }
        guard kind == .cluster else {
            throw Refusal("Files have no revisions. Press H for the changes since you opened the editor.")
        }
        return .effects([.findRevisions(suite.id, key: row.path.key)])
    }

    /// Shows revisions that were read, unless the user has opened something else meanwhile.
    mutating func show(
        _ result: Result<[SettingRevision], RevisionsError>,
        of key: String,
        in suite: String
    ) {
        if modal != nil { return }
        switch result {
        case .failure(let error): say("The history could not be read: \(error.reason)")
        case .success(let revisions):
            if let screen = screen(revisions, of: key, in: suite) {
                modals.open(.history(screen))
            } else {
                say("No other value of “\(key)” is known.")
            }
        }
    }

    private func screen(
        _ revisions: [SettingRevision],
        of key: String,
        in suite: String
    ) -> HistoryScreen? {
        guard revisions.count > 1, var old = revisions.last.map(\.value) else { return nil }
        var journal = Journal()
        for revision in revisions.dropLast().reversed() {
            let change = ValueChange(old: old, new: revision.value)
            journal.add(suite, key, change, isOwn: true, at: nil, revision: revision.revision, format)
            old = revision.value
        }
        return HistoryScreen(revisions: journal)
    }
}
