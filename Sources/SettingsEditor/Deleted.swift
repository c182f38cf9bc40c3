import PropertyList
import SettingsStore

// What others delete while it is shown: a suite's file, or a key.
extension SuiteModel {
    /// Takes over how the suite stands with its storage. Where its file is gone, what was removed with it
    /// is still shown.
    mutating func take(_ new: SuiteStatus, now: Double) {
        let old = status
        status = new
        switch new.content {
        case .absent:
            if let old, old.content != .absent { lose(lastValues(now: now)) }
        case .stored: forgetLost()
        case .unreadable, .stale, .unfinished: break
        }
    }

    /// Notes what others have removed just now: their removing the file looks the same at first.
    mutating func noteRemoved(_ changes: [Change], now: Double) {
        for change in changes {
            if change.new != nil {
                (removed, stagedThen) = ([:], [:])
                forgetLost()
            } else if let old = change.old {
                // What was removed one after the other was not removed with the file.
                if now - removedAt > 1 { (removed, stagedThen) = ([:], [:]) }
                removed[change.key] = old
                if let staged = staged[change.key], staged.new == nil { stagedThen[change.key] = staged }
                removedAt = now
            }
        }
    }

    /// What it holds, and what was removed with it a moment ago.
    func lastValues(now: Double) -> [String: PropertyListValue] {
        (now - removedAt > 1 ? [:] : removed).merging(storedValues) { $1 }
    }

    /// Goes on showing values that are not stored any more.
    mutating func lose(_ values: [String: PropertyListValue]) {
        let deletions = stagedThen
        (removed, stagedThen) = ([:], [:])
        guard lost == nil, contents == .loaded, !values.isEmpty, !isRemovedHere, !isInTheWay
        else { return }
        lost = values
        // They are still to be done once the file is there again.
        for (key, change) in deletions where values[key] == change.old { setStaged(change, key) }
        show(values.keys)
    }

    /// What it holds, or held, as far as that was read.
    var lastKnown: [String: PropertyListValue] { storedValues.merging(lost ?? [:]) { mine, _ in mine } }

    /// Its file was deleted, and nobody has begun to write it again.
    var isLost: Bool { lost != nil && !isBeingRestored }

    /// What was deleted with its file is on its way into a new one.
    var isBeingRestored: Bool {
        inFlight.contains { $0.edit.parts.contains { $0.suite == id && $0.restores } }
    }

    /// No longer shows what is not stored.
    mutating func forgetLost() {
        guard let keys = lost?.keys else { return }
        (lost, setAsideFile) = (nil, nil)
        show(keys)
    }
}

// What can be done about it, and about a file that can't be read.
extension EditorState {
    mutating func askToRecover() throws -> [EditorEffect] {
        guard let suite else { return [] }
        if let refusal = refusalOfReadOnly(suite) { throw refusal }
        if focus == .keys, let key = selectedRow?.path.key, let value = suite.deletedValue(forKey: key) {
            let effects = try write(value, to: key, of: suite.id)
            let what = isStaging ? "Waits to be written again" : "Written again"
            say("\(what): “\(key)” is \(brief(value, of: key, in: suite.id)).")
            return effects
        }
        if focus == .keys, !suite.isUnreadable, suite.lost == nil, let path = selectedRow?.path,
            let gone = suite.gone(inside: path)
        {
            if let refusal = refusal(forWritingTo: suite) { throw refusal }
            input = .question(question(puttingBack: gone, into: path, of: suite.id))
            return []
        }
        input = .question(try question(recovering: suite))
        return []
    }

    /// What is there decides: a file that can't be read is in the way, and else its being gone is.
    private func question(recovering suite: SuiteModel) throws -> Question {
        if suite.isBeingRestored { throw Refusal("It is being written.") }
        if case .unreadable? = suite.status?.content {
            let count = suite.lastKnown.count
            let keys = count == 1 ? "1 key" : "\(count) keys"
            let rest = count == 0 ? "start one without keys" : "store \(keys) in a new one"
            return Question(
                text: "Set the unreadable file aside as “.broken”, and \(rest)?",
                subject: .recover(suite: suite.id, setsAside: true)
            )
        }
        guard let lost = suite.lost else {
            throw Refusal(kind.nothingToRecover)
        }
        let keys = isStaging ? held(lost.count) : counted(lost.count)
        return Question(
            text: kind.questionAboutRestoring(keys, of: suite.title, atOnce: isStaging ? " at once" : ""),
            subject: .recover(suite: suite.id, setsAside: false)
        )
    }

    mutating func recover(_ id: String, settingAside setsAside: Bool) throws -> [EditorEffect] {
        input = nil
        guard let index = suiteIndex(id) else { throw Refusal("“\(id)” is gone.") }
        if let reason = options.readOnlyReason { throw Refusal("Read-only: \(reason)") }
        // It may be another one by now, to which nobody has agreed.
        if let question = try? question(recovering: suites[index]),
            question.subject != .recover(suite: id, setsAside: setsAside)
        {
            input = .question(question)
            return []
        }
        if setsAside || suites[index].lost == nil {
            if case .unreadable? = suites[index].status?.content { suites[index].beginsAnew = true }
            return [.recover(id)]
        }
        return try restore(id)
    }

    mutating func recovered(_ id: String, _ result: RecoverResult) -> [EditorEffect] {
        guard let index = suiteIndex(id) else { return [] }
        switch result {
        case .setAside(let path):
            let kept = "What could not be read is kept as \(path)."
            say(kept)
            // The store tells that, too, before this or after it.
            if case .unreadable? = suites[index].status?.content {
                let isStored = !suites[index].storedValues.isEmpty
                suites[index].status?.content = isStored ? .stored : .absent
            }
            guard suites[index].lost != nil else { return [] }
            suites[index].setAsideFile = path
            do {
                let effects = try restore(id)
                if let message { say("\(kept) \(message.text)") }
                return effects
            } catch {
                say("\(kept) \(reason(of: error))", isProblem: true)
            }
        case .notNeeded:
            suites[index].beginsAnew = false
            let isBack = suites[index].lost == nil
            say(isBack ? "The file can be read again; nothing was done." : "Nothing was done: there is none.")
        case .failed(let reason):
            suites[index].beginsAnew = false
            say("Not recovered: \(sentence(reason))", isProblem: true)
        }
        return []
    }

    /// Nothing is asked any longer about a file that is there again.
    mutating func endForgetting() {
        guard case .question(let question)? = input, case .forgetLost(let id) = question.subject,
            let index = suiteIndex(id), suites[index].lost == nil
        else { return }
        input = nil
        say("“\(suites[index].title)” is there again.")
    }

    func counted(_ keys: Int) -> String { keys == 1 ? "the 1 key shown" : "the \(keys) keys shown" }

    /// Where what is shown may be what waits to be written.
    func held(_ keys: Int) -> String {
        keys == 1 ? "the 1 key as it was" : "the \(keys) keys as they were"
    }
}
