import PropertyList
import SettingsStore

// Taking back, and doing again.
extension EditorState {
    /// - Parameter agreed: what the user has said shall be written, be it declared so or not.
    mutating func undo(agreed: [Edit.Part]? = nil) -> [EditorEffect] {
        guard let index = undoHistory.past.lastIndex(where: { isToBeTried($0, .undo) }) else {
            say(undoHistory.refused.isEmpty ? "Nothing to undo." : "Nothing else to undo.")
            return []
        }
        return attempt(undoHistory.takePast(index), .undo, agreed) { $0.undoHistory.moveToFuture($1) }
    }

    mutating func redo(agreed: [Edit.Part]? = nil) -> [EditorEffect] {
        guard let index = undoHistory.future.firstIndex(where: { isToBeTried($0, .redo) }) else {
            say(undoHistory.refused.isEmpty ? "Nothing to do again." : "Nothing else to do again.")
            return []
        }
        return attempt(undoHistory.takeFuture(index), .redo, agreed) { $0.undoHistory.moveToPast($1) }
    }

    /// Whether an edit was not refused just now, or what was in its way is gone.
    private func isToBeTried(_ edit: Edit, _ purpose: InFlight.Purpose) -> Bool {
        if !undoHistory.refused.contains(edit.number) { return true }
        guard let parts = try? renewed(edit, purpose) else { return false }
        return (try? check(parts)) != nil
    }

    /// What is to be written to take an edit back, or to do it again, over what the keys hold by now.
    ///
    /// - Throws: where others have changed the same places since.
    private func renewed(_ edit: Edit, _ purpose: InFlight.Purpose) throws -> [Edit.Part] {
        try directed(edit, purpose).map { part in
            guard let suite = suiteIndex(part.suite).map({ suites[$0] }) else {
                throw Refusal("“\(part.suite)” is gone.")
            }
            var changes = part.changes
            for (key, change) in part.changes.sorted(by: { $0.key < $1.key }) {
                let current = suite.value(forKey: key)
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
            return Edit.Part(suite: part.suite, changes: changes, whole: try whole(of: part, in: suite))
        }
    }

    /// What an edit does, forwards or backwards.
    private func directed(_ edit: Edit, _ purpose: InFlight.Purpose) -> [Edit.Part] {
        purpose == .undo ? edit.parts.reversed().map(\.reversed) : edit.parts
    }

    private mutating func attempt(
        _ edit: Edit,
        _ purpose: InFlight.Purpose,
        _ agreed: [Edit.Part]?,
        _ keep: (inout EditorState, Edit) -> Void
    ) -> [EditorEffect] {
        let parts: [Edit.Part]
        let loads = makeRoom(for: directed(edit, purpose))
        do {
            parts = try renewed(edit, purpose)
            try check(parts)
            if parts != agreed, let problem = undeclaredValue(in: parts, purpose) {
                undoHistory.putBack(edit, purpose)
                ask(about: problem)
                return loads
            }
        } catch {
            let problem = "\(purpose.failure): \(reason(of: error))"
            // What is in the way may go away, save a suite that is gone.
            guard edit.parts.allSatisfy({ suiteIndex($0.suite) != nil }) else {
                say(problem, isProblem: true)
                return loads
            }
            undoHistory.putBack(edit, purpose)
            undoHistory.passOver(edit)
            say("\(problem) \(purpose == .undo ? "u" : "^R") again passes over it.", isProblem: true)
            return loads
        }
        keep(&self, edit)
        // Others may have done all of it.
        let isNew = parts.contains { $0.whole != nil || $0.changes.values.contains { $0.old != $0.new } }
        let effects = loads + (isNew ? begin(parts[...], of: edit, purpose) : [])
        show(parts)
        let verb = purpose == .undo ? "Undone" : "Done again"
        if let words = wordsOfSuites(parts) {
            say("\(verb): \(words)")
        } else if let (suite, key, change) = edit.part(parts).only {
            // What others have done already is told as it was meant.
            let meant = edit.part(directed(edit, purpose)).only?.change ?? change
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
                    ? "\(verb): “\(key)” is \(done.new == nil ? "gone" : "a secret") again."
                    : "\(verb): “\(key)\(place.path)” is \(place.isGone ? "gone" : place.new) again"
                        + (more == 0 ? "." : ", and \(more == 1 ? "1 more place" : "\(more) more places").")
            )
        } else {
            let keys = "\(edit.keyCount) keys are as"
            say(purpose == .undo ? "\(verb): \(keys) they were." : "\(verb): \(keys) they had become.")
        }
        return effects
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

extension UndoHistory {
    /// An edit that was to be undone, or done again, and was not.
    mutating func putBack(_ edit: Edit, _ purpose: InFlight.Purpose) {
        switch purpose {
        case .edit, .staged: break
        case .undo: moveToPast(edit)
        case .redo: moveToFuture(edit)
        }
    }
}
