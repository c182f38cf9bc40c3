import PropertyList
import SettingsStore

// The revisions of a key, if the backend keeps them. They are shown like the editor's own history.
extension EditorState {
    func findingRevisions(of row: Row) throws -> Outcome {
        guard let suite else { return .nothing }
        guard options.kind == .cluster else {
            throw Refusal("Files have no revisions. Press H for the changes since you opened the editor.")
        }
        return .effects([.findRevisions(suite.id, key: row.path.key)])
    }

    /// Shows revisions that were read, unless the user has opened something else meanwhile.
    mutating func show(
        _ result: Result<[SettingRevision], RevisionsError>,
        of key: String,
        in suite: String
    ) -> [Effect] {
        let refresh = history.revisionsRefresh
        history.revisionsRefresh = .none
        // The list may be closed by now.
        if refresh != .none, modal == nil { return [] }
        switch (modal, result) {
        case (nil, .failure(let error)): say("The history could not be read: \(error.reason)")
        case (nil, .success(let revisions)):
            if let screen = screen(revisions, of: key, in: suite) {
                modals.open(.history(screen))
            } else {
                say("No other value of “\(key)” is known.")
            }
        case (_, .success(let revisions)):
            guard let old = historyScreen, old.isAbout(key, of: suite) else { break }
            if let screen = screen(revisions, of: key, in: suite) {
                modals.updateHistory(screen.placed(like: old))
            }
        default: break
        }
        return refresh == .underWayAndOutdated ? history.renew(historyScreen) : []
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

extension HistoryState {
    /// Reads the revisions on a screen again, because their key may have changed. Only one read runs at a time.
    mutating func renew(_ screen: HistoryScreen?) -> [Effect] {
        guard let entry = screen?.revisions?.entries.first, let key = entry.ofKey?.key else { return [] }
        guard revisionsRefresh == .none else {
            revisionsRefresh = .underWayAndOutdated
            return []
        }
        revisionsRefresh = .underWay
        return [.findRevisions(entry.suite, key: key)]
    }

    /// The same, if these changes are about that key.
    mutating func renew(_ screen: HistoryScreen?, after changes: [Change], of suite: String) -> [Effect] {
        guard let screen, changes.contains(where: { screen.isAbout($0.key, of: suite) }) else { return [] }
        return renew(screen)
    }
}

/// Whether a shown list of revisions is being read again.
enum RevisionsRefresh: Sendable, Hashable {
    case none, underWay
    /// The key has changed again meanwhile.
    case underWayAndOutdated
}

extension HistoryScreen {
    /// Whether the screen shows the revisions of a key.
    fileprivate func isAbout(_ key: String, of suite: String) -> Bool {
        revisions?.entries.first.map { $0.suite == suite && $0.ofKey?.key == key } ?? false
    }

    /// The screen with the same revision selected as in another one, so that Enter restores the revision that the
    /// user saw.
    fileprivate func placed(like old: HistoryScreen) -> HistoryScreen {
        func number(_ place: Int?) -> Int? {
            guard let place, let revision = old.revisions?.entry(at: place)?.revision else { return nil }
            return revisions?.entries.first { $0.revision == revision }?.number
        }
        var screen = self
        screen.selected = number(old.revisions?.place(of: old.selected))
        screen.top = old.top.flatMap { number(old.revisions?.place(of: $0)) }
        return screen
    }
}
