import PropertyList
import SettingsStore

// How a write ended.
extension EditorState {
    mutating func wrote(_ id: WriteID, _ result: WriteResult) -> [EditorEffect] {
        for index in suites.indices {
            let selected = suites[index].tree.selectedRow?.path
            guard let flight = suites[index].end(id, result, now: now) else { continue }
            // What was to go with it stays with it.
            if result != .done, let removal = flight.removal { end(removal, result) }
            if result != .done, case .edit = flight.purpose, flight.selectedBehind == selected {
                selectAgain(flight, in: index)
            }
            if result == .done {
                let effects = stored(flight, in: index)
                endWaiting()
                return effects
            }
            // What is taken back by itself is no answer to a key.
            let isWanted = undoHistory.holds(flight.edit)
            stop(flight)
            // What others have there instead is not shown any longer than it is there.
            if flight.write.whole?.isMade == true, suites[index].lost == nil {
                suites[index].isInTheWay = true
            }
            switch result {
            case .done: return []
            case .conflict(let current):
                defer { if isWanted { passOver(flight, isSeen: true) } }
                return conflicted(followed(flight, in: index), current) + takeBackStored(of: flight)
            case .failed(let reason, let cause):
                // What ends by itself is in nobody's way when it is over.
                defer {
                    switch cause {
                    case .refusal: if isWanted { passOver(flight, isSeen: false) }
                    case .outage: outageNotice = notice
                    case .making:
                        makingNotice = notice.map { (flight.write.suite, flight.purpose.failure, $0) }
                    }
                }
                return failed(followed(flight, in: index), reason) + takeBackStored(of: flight)
            }
        }
        return []
    }

    private mutating func end(_ id: WriteID, _ result: WriteResult) {
        let result = if case .conflict = result { WriteResult.failed("") } else { result }
        for index in suites.indices where suites[index].end(id, result, now: now) != nil { return }
    }

    /// What was not written, where its place is by now.
    private func followed(_ flight: InFlight, in index: Int) -> InFlight {
        guard case .edit(var source?) = flight.purpose else { return flight }
        source.follow { followed($0, flight, in: index) }
        return InFlight(
            write: flight.write,
            purpose: .edit(source),
            edit: flight.edit,
            rest: flight.rest,
            overtaken: flight.overtaken
        )
    }

    /// Where a place is by now that it was to change.
    private func followed(_ path: ValuePath, _ flight: InFlight, in index: Int) -> Following {
        guard let change = flight.write.changes[path.key] else { return Following(path) }
        let new = suites[index].tree.node(at: [.key(path.key)])
        return Following(path.inside, from: change.old.map(ValueNode.init), to: new).below([.key(path.key)])
    }

    /// Notes what is selected once a write was begun.
    mutating func noteSelection(behind write: Write) {
        if let index = suiteIndex(write.suite) { suites[index].noteSelection(behind: write) }
    }

    /// What is not written moves nothing: the row is selected again that it was to be written from.
    private mutating func selectAgain(_ flight: InFlight, in index: Int) {
        guard let path = flight.selectedBefore else { return }
        suites[index].tree.select(nearest: followed(path, flight, in: index).nearest)
    }

    /// Opens a name again that was typed for what was not written; false where there is none, or something else
    /// is being done.
    private mutating func reopenName(of flight: InFlight, _ problem: String) -> Bool {
        guard var naming = flight.naming, input == nil else { return false }
        // The suite that was to get the name, or to be a second one, was selected by that.
        if naming.subject.isOfSuite, suite?.id == flight.write.suite,
            let index = naming.subject.suite.flatMap(suiteIndex)
        {
            selectedSuite = index
        }
        guard naming.subject.suite == suite?.id else { return false }
        naming.problem = "\(problem) Enter tries again."
        input = .naming(naming)
        focus = naming.subject.isOfSuite ? .suites : .keys
        return true
    }

    /// A suite that is no longer there is not selected until the list is made anew: what was typed meanwhile is about
    /// the one that follows.
    private mutating func leaveRemoved(_ index: Int) {
        guard index == selectedSuite, suites[index].isRemovedHere, suites[index].tree.entries.isEmpty,
            suites[index].staged.isEmpty
        else { return }
        let others = shownSuites.filter { $0 != index }
        selectedSuite = others.first { $0 > index } ?? others.last ?? index
    }

    private mutating func stored(_ flight: InFlight, in index: Int) -> [EditorEffect] {
        let changes = flight.write.changes
        suites[index].tookPlace(flight.write)
        leaveRemoved(index)
        // Its file was made again.
        let isMade = flight.write.whole?.isMade == true
        if suites[index].presence == .gone, isMade || changes.values.contains(where: { $0.new != nil }) {
            suites[index].presence = .new
        }
        for (key, change) in changes.sorted(by: { $0.key < $1.key }) where change.old != change.new {
            journal.add(suites[index].id, key, change, isOwn: true, at: date, spelling)
        }
        if flight.write.whole != nil {
            let part = Edit.Part(suite: suites[index].id, changes: changes, whole: flight.write.whole)
            journal.add(part.suite, .suite(isMade ? .come : .gone), isOwn: true, at: date, part: part)
        }
        guard let next = flight.rest.first else { return [] }
        if let removal = flight.removal { return wrote(removal, .done) }
        // What was to follow may have lost its ground meanwhile.
        guard let suite = suiteIndex(next.suite).map({ suites[$0] }) else {
            stop(flight.following, isOver: true)
            say("\(flight.purpose.failure) as a whole: “\(next.suite)” is gone.", isProblem: true)
            return []
        }
        if let refusal = refusal(of: next, in: suite) {
            stop(flight.following)
            say("\(flight.purpose.failure) as a whole: \(refusal)", isProblem: true)
            passOver(flight, isSeen: true)
            return []
        }
        return begin(flight.rest[...], of: flight.edit, flight.purpose)
    }

    /// Has wait again what was not written of what waited, and has anything else be as far done as it is.
    private mutating func stop(_ flight: InFlight, isOver: Bool = false) {
        let missing = 1 + flight.rest.count
        guard flight.purpose == .staged else {
            return undoHistory.stop(flight.edit, flight.purpose, missing: missing, isOver: isOver)
        }
        for part in flight.edit.parts.suffix(missing) {
            guard let index = suiteIndex(part.suite) else { continue }
            suites[index].stageAgain(part.changes)
            if part.whole != nil { suites[index].stagedWhole = part.whole }
        }
    }

    /// What can't be taken back, or done again, is not in the way of the rest.
    private mutating func passOver(_ flight: InFlight, isSeen: Bool) {
        passOver(flight.edit, flight.purpose, isSeen ? .seen : .unseen(flight.write.whole))
    }

    /// Takes back what of an edit was stored before the rest was refused: all of it is done, or nothing.
    private mutating func takeBackStored(of flight: InFlight) -> [EditorEffect] {
        guard case .edit = flight.purpose, flight.edit.parts.count > flight.rest.count + 1 else { return [] }
        let (reason, selected) = (message, selectedSuite)
        let effects = undo()
        if effects.isEmpty { return [] }
        undoHistory.set(flight.edit.part([]), done: 0)
        selectedSuite = selected
        if let reason { say("\(reason.text) What was stored before is taken back.", isProblem: true) }
        return effects
    }

    private mutating func conflicted(
        _ flight: InFlight,
        _ current: [String: PropertyListValue?]
    ) -> [EditorEffect] {
        if flight.write.whole != nil { return conflictedAsWhole(flight, current) }
        let key = current.keys.min() ?? ""
        let holds = whatIsHeld(current[key] ?? nil, flight.write.changes[key], key, flight.write.suite)
        if reopenName(of: flight, "Not written: \(holds).") { return [] }
        switch flight.purpose {
        case .edit(.draft(let draft)?) where input == nil && suite?.id == draft.suite:
            ask(about: draft, "Not written: \(holds).")
        case .edit(.draft(let draft)?):
            say("Not written: \(holds). What was typed: \(draft.typedInWords)", isProblem: true)
        case .edit(.edited(let edit)?) where input == nil: return commit(edit, edit.given)
        case .edit, .staged, .undo, .redo: say("\(flight.purpose.failure): \(holds).", isProblem: true)
        }
        return []
    }

    /// What a key holds instead of what was expected, without a stop.
    private func whatIsHeld(
        _ current: PropertyListValue?,
        _ change: ValueChange?,
        _ key: String,
        _ suite: String
    ) -> String {
        if let change, let inside = ChangeInWords(change.old, current, spelling), !hides(key, of: suite),
            let (place, more) = inside.first(below: []), !place.path.steps.isEmpty
        {
            let rest = more == 0 ? "" : ", and \(more == 1 ? "1 more place" : "\(more) more places")"
            return "“\(key)\(place.path)” has changed since: \(place.text)\(rest)"
        }
        return "“\(key)” holds \(brief(current, of: key, in: suite)) now"
    }

    /// A suite that was to go, or to be made, holds something else.
    private mutating func conflictedAsWhole(
        _ flight: InFlight,
        _ current: [String: PropertyListValue?]
    ) -> [EditorEffect] {
        let keys = current.keys.sorted()
        let names = keys.prefix(5).map { "“\($0)”" }.joined(separator: ", ") + (keys.count > 5 ? ", …" : "")
        let id = flight.write.suite
        switch (flight.write.whole, flight.purpose) {
        case (.removed?, .edit) where input == nil && suite?.id == id && flight.edit.parts.count == 1:
            return attempt { state throws in try state.askToDeleteSuite(again: true) }
        case (.removed?, _):
            say("\(flight.purpose.failure): others have changed \(names) of “\(id)”.", isProblem: true)
        default:
            let problem = "\(flight.purpose.failure): “\(id)” holds \(names) by now."
            if !reopenName(of: flight, problem) { say(problem, isProblem: true) }
        }
        return []
    }

    /// Shows a draft beside what the file holds instead of what it was to replace.
    private mutating func ask(about draft: Draft, _ problem: String) {
        let node = suite?.tree.node(at: draft.path)
        // An element that is put in replaces nothing, whatever has the index now.
        if draft.purpose == .inserting, draft.path.endsWithIndex || node == nil {
            return reopen(draft, "\(problem) Enter writes all the same.")
        }
        guard let new = try? newValue(of: draft) else { return reopen(draft, problem) }
        let base = draft.base
        var draft = draft
        draft.original = nil
        if draft.purpose == .inserting, let node { draft.purpose = .replacing(node) }
        input = .conflict(Conflict(.draft(draft), new, base: base, holding: node))
        focus = .keys
    }

    /// Goes back to a draft that was not written, so that Enter writes it after all.
    private mutating func reopen(_ draft: Draft, _ problem: String) {
        var draft = draft
        draft.original = nil
        draft.problem = problem
        let node = suite?.tree.node(at: draft.path)
        // An element that is put in replaces nothing, whatever has the index now.
        if let node, draft.purpose != .inserting || !draft.path.endsWithIndex {
            draft.purpose = .replacing(node)
        }
        input = .draft(draft)
        focus = .keys
    }

    private mutating func failed(_ flight: InFlight, _ reason: String) -> [EditorEffect] {
        let kept =
            flight.rest.first { $0.whole?.isRemoved == true }.map { " “\($0.suite)” is still there." }
            ?? suiteIndex(flight.write.suite).flatMap { suites[$0].setAsideFile }
            .map { " What could not be read is kept as \($0)." } ?? ""
        let problem = "\(flight.purpose.failure): \(sentence(reason))\(kept)"
        if reopenName(of: flight, problem) { return [] }
        switch flight.purpose {
        case .edit(.draft(let draft)?) where input == nil && suite?.id == draft.suite:
            reopen(draft, "\(problem) Enter tries again.")
        case .edit(.draft(let draft)?):
            say("\(problem) What was typed: \(draft.typedInWords)", isProblem: true)
        case .edit(.edited(let edit)?) where input == nil: return open(edit, again: reason)
        case .edit, .staged, .undo, .redo: say(problem, isProblem: true)
        }
        return []
    }
}

extension InFlight {
    /// The write that was to follow this one, as if it had been sent.
    fileprivate var following: InFlight {
        InFlight(write: write, purpose: purpose, edit: edit, rest: Array(rest.dropFirst()))
    }
}

extension Draft {
    /// What was typed, for a sentence.
    fileprivate var typedInWords: String { isHidden ? "a secret" : shortened(line.text) }
}
