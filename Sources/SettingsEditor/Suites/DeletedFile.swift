import PropertyList
import SettingsStore

// Foreign deletions of a suite's file or of a key. The values stay on the screen, so that the user can write them
// again. Without this, a deleted file would empty the screen before the user could act.
extension SuiteModel {
    /// The stored values, or the last known ones.
    var lastKnown: [String: PropertyListValue] { storedValues.merging(lost ?? [:]) { mine, _ in mine } }

    /// Whether the file was deleted and no write is restoring it.
    var isLost: Bool { lost != nil && !isBeingRestored }

    /// Whether a write in flight restores the deleted file.
    var isBeingRestored: Bool {
        inFlight.contains { $0.transaction.parts.contains { $0.suite == id && $0.restores } }
    }

    /// Remembers values that were just removed, because a deleted file reports each key as removed first.
    mutating func noteRemoved(_ changes: [Change], now: Double) {
        for change in changes {
            if change.new != nil {
                layers.forgetRemoved()
                forgetLost()
            } else if let old = change.old {
                layers.noteRemoved(old, change.key, now: now)
            }
        }
    }

    /// The stored values, and those that were removed a moment ago.
    func lastValues(now: Double) -> [String: PropertyListValue] {
        let removed = layers.justRemoved
        let isOver = now - removed.time > LayeredValues.JustRemoved.span
        return (isOver ? [:] : removed.values).merging(storedValues) { $1 }
    }

    /// Stores the status. If the file was deleted, its values are still shown.
    mutating func take(_ new: SuiteStatus, now: Double) {
        let old = status
        status = new
        switch new.content {
        case .absent:
            if let old, old.content != .absent { lose(lastValues(now: now)) }
        case .stored: forgetLost()
        case .unreadable, .stale: break
        }
    }

    /// Keeps showing values that are no longer stored.
    mutating func lose(_ values: [String: PropertyListValue]) {
        let deletions = layers.justRemoved.stagedDeletions
        layers.forgetRemoved()
        guard lost == nil, contents == .loaded, !values.isEmpty, !isRemovedHere, ownAction != .foundTaken
        else { return }
        lost = values
        // Staged deletions apply again when the file exists again.
        for (key, change) in deletions where values[key] == change.old { setStaged(change, key) }
        updateRows(values.keys)
    }

    /// Stops showing values that are not stored.
    mutating func forgetLost() {
        guard let keys = lost?.keys else { return }
        lost = nil
        updateRows(keys)
    }
}
