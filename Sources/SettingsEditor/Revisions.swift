import PropertyList
import SettingsStore

// What a key has been, as a place knows that keeps it: a list of changes that one goes back in as in the
// editor's own.
extension EditorState {
    mutating func askForRevisions(of row: Row) throws -> [EditorEffect] {
        guard let suite else { return [] }
        guard options.kind == .cluster else { throw Refusal("Files keep no history; H has this editor’s.") }
        return [.findRevisions(suite.id, key: row.path.key)]
    }

    mutating func show(
        _ result: Result<[SettingRevision], RevisionsError>,
        of key: String,
        in suite: String
    ) {
        // Who has gone on to something else is not disturbed.
        guard input == nil else { return }
        switch result {
        case .failure(let error): say("The history could not be read: \(error.reason)")
        case .success(let revisions):
            guard revisions.count > 1, var old = revisions.last.map(\.value) else {
                return say("“\(key)” has had no other value, as far as is known.")
            }
            var journal = Journal()
            var numbers: [PropertyListValue: Int] = [:]
            for value in revisions.reversed().compactMap(\.value) where numbers[value] == nil {
                numbers[value] = numbers.count + 1
            }
            for revision in revisions.dropLast().reversed() {
                let change = ValueChange(old: old, new: revision.value)
                journal.add(suite, key, change, isOwn: true, at: nil, revision: revision.revision, spelling)
                old = revision.value
            }
            input = .history(HistoryScreen(revisions: journal, numbers: numbers))
        }
    }
}
