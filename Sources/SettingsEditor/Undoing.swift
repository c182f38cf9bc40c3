import PropertyList
import SettingsStore

// Taking back, and doing again.
extension EditorState {
    /// - Parameter agreed: what the user has said shall be written, be it declared so or not.
    mutating func undo(agreed: [Edit.Part]? = nil) -> [EditorEffect] {
        guard let entry = undoHistory.entries.last(where: { $0.done > 0 && isToBeTried($0, .undo) }) else {
            say(undoHistory.passesOver ? "Nothing else to undo." : "Nothing to undo.")
            return []
        }
        return attempt(entry, .undo, agreed)
    }

    mutating func redo(agreed: [Edit.Part]? = nil) -> [EditorEffect] {
        let entry = undoHistory.entries.first { $0.done < $0.edit.parts.count && isToBeTried($0, .redo) }
        guard let entry else {
            say(undoHistory.passesOver ? "Nothing else to do again." : "Nothing to do again.")
            return []
        }
        return attempt(entry, .redo, agreed)
    }

    /// Whether an edit was not refused just now, or what was in its way is gone.
    private func isToBeTried(_ entry: UndoHistory.Entry, _ purpose: InFlight.Purpose) -> Bool {
        guard let obstacle = undoHistory.refusal(of: entry.edit, purpose) else { return true }
        // A suite that is to be made may not be in the list.
        var trial = self
        _ = trial.makeRoom(for: entry.parts(purpose))
        guard let parts = try? trial.renewed(entry.parts(purpose), purpose), (try? trial.check(parts)) != nil
        else { return false }
        return switch obstacle {
        case .seen: true
        case .unseen(let whole): parts.first?.whole != whole
        }
    }

    /// Says that the same key once more passes over what was refused, which it does.
    mutating func passOver(_ edit: Edit, _ purpose: InFlight.Purpose, _ obstacle: UndoHistory.Obstacle) {
        if purpose.passingOver.isEmpty { return }
        undoHistory.passOver(edit, purpose, obstacle)
        if let message { say(message.text + purpose.passingOver, isProblem: true) }
    }

    /// What is to be written to take parts back, or to do them again, over what the keys hold by now.
    ///
    /// - Throws: where others have changed the same places since.
    private func renewed(_ parts: [Edit.Part], _ purpose: InFlight.Purpose) throws -> [Edit.Part] {
        try parts.map { part in
            guard let suite = suiteIndex(part.suite).map({ suites[$0] }) else {
                throw Refusal("“\(part.suite)” is gone.")
            }
            var changes = part.changes
            // What is only shown is in nobody's way.
            let isOverLost = suite.isLost && part.whole?.isMade == true
            for (key, change) in part.changes.sorted(by: { $0.key < $1.key }) {
                let current = isOverLost ? nil : suite.value(forKey: key)
                if current == change.old { continue }
                let merge = Merge(change, over: current)
                guard merge.clashes.isEmpty else {
                    let wayOut = purpose == .undo ? " H goes back all the same." : ""
                    throw Refusal(changedSince(merge.clashes, of: key, in: part.suite) + wayOut)
                }
                var new = merge.value
                // With the last that waited to be written, nothing does.
                if let old = suite.staged[key]?.old, let made = new,
                    ValueNode(old).isWrittenOtherwise(in: ValueNode(made))
                {
                    new = old
                }
                changes[key] = ValueChange(old: current, new: new)
            }
            let whole = isOverLost ? part.whole : try whole(of: part, in: suite)
            return Edit.Part(suite: part.suite, changes: changes, restores: isOverLost, whole: whole)
        }
    }

    private mutating func attempt(
        _ entry: UndoHistory.Entry,
        _ purpose: InFlight.Purpose,
        _ agreed: [Edit.Part]?
    ) -> [EditorEffect] {
        let (edit, meant) = (entry.edit, entry.parts(purpose))
        let parts: [Edit.Part]
        let loads = makeRoom(for: meant)
        do {
            parts = try renewed(meant, purpose)
            try check(parts)
            if parts != agreed, let problem = undeclaredValue(in: parts, purpose, isMove: edit.isMove) {
                ask(about: problem)
                return loads
            }
        } catch {
            say("\(purpose.failure): \(reason(of: error))", isProblem: true)
            // What is in the way may go away, save a suite that is gone.
            if edit.parts.allSatisfy({ suiteIndex($0.suite) != nil }) {
                passOver(edit, purpose, .seen)
            } else {
                undoHistory.stop(edit, purpose, missing: meant.count, isOver: true)
            }
            return loads
        }
        undoHistory.set(edit, done: purpose == .undo ? 0 : edit.parts.count)
        // Others may have done all of it.
        let isNew = parts.contains { $0.whole != nil || $0.changes.values.contains { $0.old != $0.new } }
        let effects = loads + (isNew ? begin(parts[...], of: edit, purpose) : [])
        show(parts)
        let verb = purpose == .undo ? "Undone" : "Done again"
        if let words = wordsOfSuites(parts) {
            say("\(verb): \(words)")
        } else if let (suite, key, change) = edit.part(parts).only {
            // What others have done already is told as it was meant.
            let meant = edit.part(meant).only?.change ?? change
            let done = change.old == change.new ? meant : change
            let inside = ChangeInWords(done.old, done.new, spelling, isOwn: true)
            let (place, more) = inside?.first(below: []) ?? (ChangeInWords.Place(done, spelling), 0)
            let path = ValuePath([.key(key)] + place.path.steps)
            if let index = suiteIndex(suite) {
                suites[index].tree.select(nearest: path)
                let current = suites[index].value(forKey: key)
                // Others have changed what it lay over, which shows again.
                if isStaging, current != done.new {
                    let holds = brief(current, of: key, in: suite)
                    say("\(verb): what waited for “\(key)” is dropped; \(kind.name) holds \(holds).")
                    return effects
                }
            }
            say(
                hides(key, of: suite)
                    ? "\(verb): “\(key)” \(done.new == nil ? "is gone again" : "has its hidden value again")."
                    : "\(verb): “\(key)\(place.path)” is \(place.isGone ? "gone" : place.new) again"
                        + (more == 0 ? "." : ", and \(more == 1 ? "1 more place" : "\(more) more places").")
            )
        } else if isStaging, let count = sameWaiting(parts) {
            let many = "\(edit.part(parts).keyCount) changes"
            say("\(verb): \(many) \(count == 0 ? "wait no longer" : "wait to be written").")
        } else {
            let keys = "\(edit.part(parts).keyCount) keys are as"
            say(purpose == .undo ? "\(verb): \(keys) they were." : "\(verb): \(keys) they had become.")
        }
        return effects
    }

    /// How many of these keys wait to be written, if that is all of them or none.
    private func sameWaiting(_ parts: [Edit.Part]) -> Int? {
        let waiting = parts.flatMap { part in
            part.changes.keys.map { key in
                suiteIndex(part.suite).map { suites[$0].staged[key] != nil } == true
            }
        }
        let count = waiting.count { $0 }
        return count == 0 || count == waiting.count ? count : nil
    }

    /// Selects the first of the keys that are there.
    mutating func show(_ parts: [Edit.Part]) {
        for part in parts {
            if part.whole?.isMade == true, let index = suiteIndex(part.suite), shownSuites.contains(index) {
                selectedSuite = index
            }
            guard let index = suiteIndex(part.suite),
                let key = part.changes.filter({ $0.value.new != nil }).keys.min() ?? part.changes.keys.min()
            else { continue }
            if shownSuites.contains(index) { selectedSuite = index }
            suites[index].tree.select([.key(key)])
            return
        }
    }
}
