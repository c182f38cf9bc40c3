import PropertyList
import SettingsStore

// The last step of every write: the result. A stored part goes into the journal, and the next part is sent. A failed
// one is offered again where the user typed it, and the parts before it are undone.
extension EditorState {
    mutating func wrote(_ id: WriteID, _ result: WriteResult) -> [Effect] {
        for index in suiteList.suites.indices {
            let selected = suiteList.suites[index].outline.selectedRow?.path
            guard let flight = suiteList.suites[index].end(id, result, now: clock.now) else { continue }
            if result != .done, case .edit = flight.purpose, flight.selectedBehind == selected {
                suiteList.suites[index].selectAgain(after: flight)
            }
            if result == .done {
                let effects = stored(flight, in: index)
                if !suiteList.isWriting { statusLine.endWaiting() }
                return effects
            }
            stop(flight, missing: 1 + flight.rest.count)
            // Another process has a suite there, which is listed only while it exists.
            if flight.write.whole?.isMade == true { suiteList.suites[index].ownAction = nil }
            switch result {
            case .done: return []
            case .conflict(let current):
                return conflicted(suiteList.suites[index].followed(flight), current)
                    + takeBackStored(of: flight)
            case .failed(let reason, let cause):
                // The message is replaced when the outage is over.
                defer { if cause == .outage { statusLine.outageNotice = notice } }
                return failed(suiteList.suites[index].followed(flight), reason) + takeBackStored(of: flight)
            }
        }
        return []
    }

    /// Opens the name prompt again after a failed write. Returns false if no name was typed or another modal is open.
    private mutating func reopenName(of flight: InFlight, _ problem: String) -> Bool {
        guard var naming = flight.naming, modal == nil else { return false }
        // The command had selected the new suite.
        if naming.isOfSuite, suite?.id == flight.write.suite, let index = suiteIndex(naming.suite) {
            suiteList.selected = index
        }
        guard naming.suite == suite?.id else { return false }
        naming.problem = "\(problem) Press Enter to retry."
        // The command had announced its success.
        statusLine.message = nil
        modals.open(.naming(naming))
        display.focus = naming.isOfSuite ? .suites : .keys
        return true
    }

    private mutating func stored(_ flight: InFlight, in index: Int) -> [Effect] {
        let changes = flight.write.changes
        suiteList.suites[index].tookPlace(flight.write)
        suiteList.leaveRemoved(index)
        // The file was created again.
        let isMade = flight.write.whole?.isMade == true
        if suiteList.suites[index].presence == .gone,
            isMade || changes.values.contains(where: { $0.new != nil })
        {
            suiteList.suites[index].presence = .new
        }
        history.record(flight.write, at: clock.date, format)
        guard let next = flight.rest.first else { return [] }
        // The next part may have become impossible meanwhile.
        guard let suite = suiteIndex(next.suite).map({ suiteList.suites[$0] }) else {
            stop(flight, missing: flight.rest.count, isOver: true)
            say(
                "\(flight.purpose.failure) completely: “\(title(ofSuite: next.suite))” is gone.",
                isProblem: true
            )
            return []
        }
        if let refusal = refusal(of: next, in: suite) {
            stop(flight, missing: flight.rest.count)
            say("\(flight.purpose.failure) completely: \(refusal)", isProblem: true)
            return []
        }
        return begin(flight.rest[...], of: flight.transaction, flight.purpose)
    }

    /// Stages changes again that could not be written. For other writes, tells the undo history how far they got.
    ///
    /// - Parameter missing: The number of parts, from the last, that were not written.
    private mutating func stop(_ flight: InFlight, missing: Int, isOver: Bool = false) {
        guard flight.purpose == .staged else {
            return history.undo.stop(flight.transaction, flight.purpose, missing: missing, isOver: isOver)
        }
        for part in flight.transaction.parts.suffix(missing) {
            guard let index = suiteIndex(part.suite) else { continue }
            suiteList.suites[index].stageAgain(part.changes)
            if part.whole != nil { suiteList.suites[index].stagedWhole = part.whole }
        }
    }

    /// Undoes the stored parts of a transaction after a later part failed, so that it is stored completely or not at
    /// all.
    private mutating func takeBackStored(of flight: InFlight) -> [Effect] {
        guard case .edit = flight.purpose, flight.transaction.parts.count > flight.rest.count + 1 else {
            return []
        }
        let (reason, selected) = (statusLine.message, suiteList.selected)
        let effects = undo()
        if effects.isEmpty { return [] }
        history.undo.set(flight.transaction.part([]), done: 0)
        suiteList.selected = selected
        if let reason { say("\(reason.text) The parts that were stored are undone.", isProblem: true) }
        return effects
    }

    private mutating func conflicted(
        _ flight: InFlight,
        _ current: [String: PropertyListValue?]
    ) -> [Effect] {
        if flight.write.whole != nil { return conflictedAsWhole(flight, current) }
        let key = current.keys.min() ?? ""
        let holds = whatIsHeld(current[key] ?? nil, flight.write.changes[key], key, flight.write.suite)
        if reopenName(of: flight, "Not written: \(holds).") { return [] }
        switch flight.purpose {
        case .edit(.draft(let draft)?) where modal == nil && suite?.id == draft.suite:
            if let modal = modalAfterConflict(of: draft, "Not written: \(holds).") {
                reopen(modal)
            } else {
                say(Self.sameValue)
            }
        case .edit(.draft(let draft)?):
            say("Not written: \(holds). You typed: \(draft.typedInWords)", isProblem: true)
        case .edit(.edited(let edit)?) where modal == nil: return edit.commit(edit.given, in: &self)
        case .edit, .staged, .undo, .redo: say("\(flight.purpose.failure): \(holds).", isProblem: true)
        }
        return []
    }

    /// A clause about the current value of a key, without a full stop.
    private func whatIsHeld(
        _ current: PropertyListValue?,
        _ change: ValueChange?,
        _ key: String,
        _ suite: String
    ) -> String {
        if let change, let inside = ChangeSummary(change.old, current, format), !hides(key, of: suite),
            let (place, more) = inside.first(below: []), !place.path.steps.isEmpty
        {
            let rest = more == 0 ? "" : ", and \(more == 1 ? "1 more value" : "\(more) more values")"
            return "“\(key)\(place.path)” has changed since: \(place.text)\(rest)"
        }
        return "“\(key)” is now \(summary(current, of: key, in: suite))"
    }

    /// Reports that a suite to be created or removed has other keys.
    private mutating func conflictedAsWhole(
        _ flight: InFlight,
        _ current: [String: PropertyListValue?]
    ) -> [Effect] {
        let keys = current.keys.sorted()
        let names = keys.prefix(5).map { "“\($0)”" }.joined(separator: ", ") + (keys.count > 5 ? ", …" : "")
        let id = flight.write.suite
        switch (flight.write.whole, flight.purpose) {
        case (.removed?, .edit) where modal == nil && suite?.id == id && flight.transaction.parts.count == 1:
            return perform { try $0.deletingSuite(again: true) }
        case (.removed?, _):
            say(
                "\(flight.purpose.failure): another program changed \(names) of “\(title(ofSuite: id))”.",
                isProblem: true
            )
        default:
            let problem = "\(flight.purpose.failure): “\(title(ofSuite: id))” now has \(names)."
            if !reopenName(of: flight, problem) { say(problem, isProblem: true) }
        }
        return []
    }

    /// The conflict dialog for a draft and the current value, or the draft with the problem; nil if the current value is
    /// already the new one.
    private func modalAfterConflict(of draft: Draft, _ problem: String) -> Modal? {
        let node = suite?.outline.node(at: draft.path)
        // An inserted element replaces nothing, whatever is at its index now.
        if draft.purpose == .inserting, draft.path.endsWithIndex || node == nil {
            return retry(of: draft, "\(problem) Press Enter to write anyway.")
        }
        guard let new = try? newValue(of: draft) else { return retry(of: draft, problem) }
        let base = draft.base
        let isCertain = !draft.isUnsure
        switch ConflictDecision(base: base, now: node, new: new.node(replacing: node), isCertain: isCertain) {
        case .nothingToDo: return nil
        // Nothing is written unasked, even if only another part of the key changed: the answer keeps that part.
        case .write, .merged, .ask: break
        }
        var draft = draft
        draft.original = nil
        if draft.purpose == .inserting, let node { draft.purpose = .replacing(node) }
        return .conflict(ConflictDialog(.draft(draft), new, base: base, holding: node))
    }

    /// The draft of a failed write. Enter tries again.
    private func retry(of draft: Draft, _ problem: String) -> Modal {
        var draft = draft
        draft.original = nil
        draft.problem = problem
        let node = suite?.outline.node(at: draft.path)
        // An inserted element replaces nothing, whatever is at its index now.
        if let node, draft.purpose != .inserting || !draft.path.endsWithIndex {
            draft.purpose = .replacing(node)
        }
        return .draft(draft)
    }

    private mutating func reopen(_ modal: Modal) {
        modals.open(modal)
        display.focus = .keys
    }

    private mutating func failed(_ flight: InFlight, _ reason: String) -> [Effect] {
        let kept =
            flight.rest.first { $0.whole?.isRemoved == true }.map { " “\($0.suite)” is still there." } ?? ""
        let problem = "\(flight.purpose.failure): \(sentence(reason))\(kept)"
        if reopenName(of: flight, problem) { return [] }
        switch flight.purpose {
        case .edit(.draft(let draft)?) where modal == nil && suite?.id == draft.suite:
            reopen(retry(of: draft, "\(problem) Press Enter to retry."))
        case .edit(.draft(let draft)?):
            say("\(problem) You typed: \(draft.typedInWords)", isProblem: true)
        case .edit(.edited(let edit)?) where modal == nil: return edit.edit(againAfter: reason, in: &self)
        case .edit, .staged, .undo, .redo: say(problem, isProblem: true)
        }
        return []
    }
}

extension SuiteModel {
    /// The write with the current path of its value.
    fileprivate func followed(_ flight: InFlight) -> InFlight {
        guard case .edit(var source?) = flight.purpose else { return flight }
        source.follow { followed($0, flight) }
        var flight = flight
        flight.purpose = .edit(source)
        return flight
    }

    /// The current path of a value that the write was to change.
    private func followed(_ path: ValuePath, _ flight: InFlight) -> PathMapping.Target {
        guard let change = flight.write.changes[path.key] else { return PathMapping.Target(path) }
        let new = outline.node(at: [.key(path.key)])
        let mapping = PathMapping(from: change.old.map(ValueNode.init), to: new)
        return mapping.target(of: path.inside).below([.key(path.key)])
    }

    /// Selects the row again that was selected before the write, because nothing was written.
    fileprivate mutating func selectAgain(after flight: InFlight) {
        guard let path = flight.selectedBefore else { return }
        outline.select(nearest: followed(path, flight).nearest)
    }
}

extension Draft {
    /// The typed text for a message.
    fileprivate var typedInWords: String { isHidden ? "a secret" : shortened(line.text) }
}
