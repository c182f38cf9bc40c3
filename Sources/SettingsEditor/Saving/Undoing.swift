import PropertyList
import SettingsStore
import ValueDiff

// Undo and redo.
extension EditorState {
    /// - Parameter agreed: The parts that the user agreed to write although they break a declaration.
    mutating func undo(agreed: [Transaction.Part]? = nil) -> [Effect] {
        guard let entry = history.undo.entries.last(where: { $0.done > 0 && isOpen($0) }) else {
            say("Nothing to undo.")
            return []
        }
        return attempt(entry, .undo, agreed)
    }

    mutating func redo(agreed: [Transaction.Part]? = nil) -> [Effect] {
        let entry = history.undo.entries.first { $0.done < $0.transaction.parts.count && isOpen($0) }
        guard let entry else {
            say("Nothing to redo.")
            return []
        }
        return attempt(entry, .redo, agreed)
    }

    /// Whether a transaction can be undone or redone: the places of its suites are open. Others wait until they are.
    private func isOpen(_ entry: UndoHistory.Entry) -> Bool {
        entry.transaction.parts.allSatisfy { part in
            suiteList.placeIndex(ofSuite: part.suite).map { suiteList.places[$0].listing != .waiting } == true
        }
    }

    /// The parts that undo or redo writes, merged with the current values.
    ///
    /// - Throws: A refusal if another process changed the same paths since.
    private func renewed(_ parts: [Transaction.Part], _ purpose: InFlight.Purpose) throws -> [Transaction
        .Part]
    {
        try parts.map { part in
            guard let suite = suiteIndex(part.suite).map({ suiteList.suites[$0] }) else {
                throw Refusal("“\(title(ofSuite: part.suite))” is gone.")
            }
            var changes = part.changes
            for (key, change) in part.changes.sorted(by: { $0.key < $1.key }) {
                let current = suite.value(forKey: key)
                var new: PropertyListValue?
                switch ConflictDecision(merging: change, into: current) {
                case .write: continue
                case .nothingToDo: new = current
                case .merged(let value): new = value
                case .ask(let conflicts):
                    let wayOut = purpose == .undo ? " Press H to restore it anyway." : ""
                    throw Refusal(changedSince(conflicts, of: key, in: part.suite) + wayOut)
                }
                // If this takes back the last staged change of the key, nothing stays staged.
                if let old = suite.staged[key]?.old, let made = new,
                    ValueNode(old).isWrittenOtherwise(in: ValueNode(made))
                {
                    new = old
                }
                changes[key] = ValueChange(old: current, new: new)
            }
            return Transaction.Part(
                suite: part.suite,
                changes: changes,
                whole: try whole(of: part, in: suite)
            )
        }
    }

    private mutating func attempt(
        _ entry: UndoHistory.Entry,
        _ purpose: InFlight.Purpose,
        _ agreed: [Transaction.Part]?
    ) -> [Effect] {
        let (transaction, meant) = (entry.transaction, entry.parts(purpose))
        let parts: [Transaction.Part]
        let loads = suiteList.makeRoom(for: meant)
        do {
            parts = try renewed(meant, purpose)
            try check(parts)
            if parts != agreed, let problem = schemaViolation(in: parts, purpose, isMove: transaction.isMove)
            {
                modals.push(.question(problem.question))
                return loads
            }
        } catch {
            say("\(purpose.failure): \(reason(of: error))", isProblem: true)
            // The next try may succeed, unless a suite is gone.
            if transaction.parts.contains(where: { suiteIndex($0.suite) == nil }) {
                history.undo.stop(transaction, purpose, missing: meant.count, isOver: true)
            }
            return loads
        }
        history.undo.set(transaction, done: purpose == .undo ? 0 : transaction.parts.count)
        // Another process may have made the same change already.
        let isNew = parts.contains { $0.whole != nil || $0.changes.values.contains { $0.old != $0.new } }
        let effects = loads + (isNew ? begin(parts[...], of: transaction, purpose) : [])
        suiteList.show(parts)
        let verb = purpose == .undo ? "Undone" : "Redone"
        if let words = wordsOfSuites(parts) {
            say("\(verb): \(words)")
        } else if let (suite, key, change) = transaction.part(parts).only {
            // If so, the message describes the change that was meant.
            let meant = transaction.part(meant).only?.change ?? change
            let done = change.old == change.new ? meant : change
            let inside = ChangeSummary(done.old, done.new, format, isOwn: true)
            let (place, more) = inside?.first(below: []) ?? (ChangeSummary.Place(done, format), 0)
            let path = ValuePath([.key(key)] + place.path.steps)
            if let index = suiteIndex(suite) {
                suiteList.suites[index].outline.select(nearest: path)
                let current = suiteList.suites[index].value(forKey: key)
                // The staged change is gone, and the newer foreign value shows.
                if staging.isOn, current != done.new {
                    let holds = summary(current, of: key, in: suite)
                    say("\(verb): the staged change of “\(key)” is discarded. The stored value is \(holds).")
                    return effects
                }
            }
            if !hides(key, of: suite), let words = wordsOfMove(done, in: key, isUndo: purpose == .undo) {
                say("\(verb): \(words)")
                return effects
            }
            say(
                hides(key, of: suite)
                    ? "\(verb): “\(key)” \(done.new == nil ? "is gone again" : "has its hidden value again")."
                    : "\(verb): “\(key)\(place.path)” is \(place.isGone ? "gone" : place.new) again"
                        + (more == 0 ? "." : ", and \(more == 1 ? "1 more value" : "\(more) more values").")
            )
        } else if staging.isOn, let count = sameWaiting(parts) {
            let many = "\(transaction.part(parts).keyCount) changes"
            say("\(verb): \(many) \(count == 0 ? "are no longer staged" : "are staged").")
        } else {
            let keys = "\(transaction.part(parts).keyCount) keys have"
            say("\(verb): \(keys) their \(purpose == .undo ? "previous" : "new") values.")
        }
        return effects
    }

    /// How many of these keys are staged, if it is all or none of them.
    private func sameWaiting(_ parts: [Transaction.Part]) -> Int? {
        let waiting = parts.flatMap { part in
            part.changes.keys.map { key in
                suiteIndex(part.suite).map { suiteList.suites[$0].staged[key] != nil } == true
            }
        }
        let count = waiting.count { $0 }
        return count == 0 || count == waiting.count ? count : nil
    }
}

/// Describes a change that only moved an element of an array, or only renamed a member; nil for any other change.
func wordsOfMove(_ change: ValueChange, in key: String, isUndo: Bool) -> String? {
    guard let old = change.old, let new = change.new else { return nil }
    let places = TreeDiff(ValueNode(old), ValueNode(new), limit: 3).places
    guard places.count == 2, let gone = places.first(where: { $0.new == nil }),
        let came = places.first(where: { $0.old == nil }), gone.old == came.new,
        let from = gone.path.parent, from == came.path.parent
    else { return nil }
    let parent = ValuePath([.key(key)] + from.steps).lastName
    return came.path.endsWithIndex
        ? "“\(parent)” has its \(isUndo ? "previous" : "new") order again."
        : "“\(gone.path.lastName)” is “\(came.path.lastName)” again."
}
