import PropertyList
import SettingsStore

// The gate that all writing goes through, and the way back.
extension EditorState {
    /// Why nothing may be written to a suite; nil where it may.
    func refusal(forWritingTo suite: SuiteModel) -> Refusal? {
        if let reason = options.readOnlyReason ?? suite.status?.readOnlyReason {
            return Refusal("Read-only: \(reason)")
        }
        if case .unreadable(let reason)? = suite.status?.content {
            return Refusal("Not written, since what is there can't be read: \(reason)")
        }
        if suite.presence != .new, suite.contents != .loaded {
            return Refusal("“\(suite.title)” has not been read yet.")
        }
        return nil
    }

    /// Whether the selected suite may be written to.
    var canWrite: Bool { suite.map { refusal(forWritingTo: $0) == nil } ?? false }

    /// Gives a key a value, or takes it away, if it still holds what is shown.
    mutating func write(
        _ new: PropertyListValue?,
        to key: String,
        of suite: String,
        _ purpose: InFlight.Purpose
    ) throws -> [EditorEffect] {
        guard let index = suiteIndex(suite) else { throw Refusal("“\(suite)” is gone.") }
        if let refusal = refusal(forWritingTo: suites[index]) { throw refusal }
        let old = suites[index].value(forKey: key)
        let write = Write(id: nextWriteID(), suite: suite, key: key, expecting: old, new: new)
        if case .edit = purpose {
            history.append(UndoStep(write: write.id, suite: suite, key: key, before: old, after: new))
        }
        suites[index].begin(InFlight(write: write, purpose: purpose))
        return [.write(write)]
    }

    mutating func undo() -> [EditorEffect] {
        guard let step = history.popLast() else {
            say("Nothing to undo.")
            return []
        }
        guard let index = suiteIndex(step.suite) else {
            say("Not undone: “\(step.suite)” is gone.", isProblem: true)
            return []
        }
        let current = suites[index].value(forKey: step.key)
        guard current == step.after else {
            say("Not undone: “\(step.key)” has changed since. It holds \(brief(current)).", isProblem: true)
            return []
        }
        do {
            let effects = try write(step.before, to: step.key, of: step.suite, .undo(step))
            if shownSuites.contains(index) { selectedSuite = index }
            suites[index].tree.select([.key(step.key)])
            let before = step.before == nil ? "gone" : brief(step.before)
            say("Undone: “\(step.key)” is \(before) again.")
            return effects
        } catch {
            history.append(step)
            complain(error)
            return []
        }
    }

    mutating func wrote(_ id: WriteID, _ result: WriteResult) {
        for index in suites.indices {
            guard let flight = suites[index].end(id, result, now: now) else { continue }
            switch result {
            case .done:
                // Its file was made again.
                if suites[index].presence == .gone, flight.write.new != nil { suites[index].presence = .new }
            case .conflict(let current): conflicted(flight, current)
            case .failed(let reason): failed(flight, reason)
            }
            return
        }
    }

    private mutating func conflicted(_ flight: InFlight, _ current: PropertyListValue?) {
        let key = flight.write.key
        let holds = "“\(key)” holds \(brief(current)) now"
        switch flight.purpose {
        case .undo: say("Not undone: \(holds).", isProblem: true)
        case .edit(nil):
            history.removeAll { $0.write == flight.write.id }
            say("Not written: \(holds).", isProblem: true)
        case .edit(let draft?):
            history.removeAll { $0.write == flight.write.id }
            if input == nil, suite?.id == draft.suite {
                reopen(draft, "Not written: \(holds). Enter writes all the same.")
            } else {
                say("Not written: \(holds). What was typed: \(shortened(draft.line.text))", isProblem: true)
            }
        }
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

    private mutating func failed(_ flight: InFlight, _ reason: String) {
        switch flight.purpose {
        case .undo(let step):
            history.append(step)
            say("Not undone: \(sentence(reason))", isProblem: true)
        case .edit(nil):
            history.removeAll { $0.write == flight.write.id }
            say("Not written: \(sentence(reason))", isProblem: true)
        case .edit(let draft?):
            history.removeAll { $0.write == flight.write.id }
            if input == nil, suite?.id == draft.suite {
                reopen(draft, "Not written: \(sentence(reason)) Enter tries again.")
            } else {
                let typed = shortened(draft.line.text)
                say("Not written: \(sentence(reason)) What was typed: \(typed)", isProblem: true)
            }
        }
    }
}
