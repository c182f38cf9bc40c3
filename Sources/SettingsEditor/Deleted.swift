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
        case .unreadable, .stale: break
        }
    }

    /// Notes what others have removed just now: their removing the file looks the same at first.
    mutating func noteRemoved(_ changes: [Change], now: Double) {
        for change in changes {
            if change.new != nil {
                removed = [:]
                forgetLost()
            } else if let old = change.old {
                // What was removed one after the other was not removed with the file.
                if now - removedAt > 1 { removed = [:] }
                removed[change.key] = old
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
        removed = [:]
        guard lost == nil, contents == .loaded, !values.isEmpty else { return }
        lost = values
        show(values.keys)
    }

    /// No longer shows what is not stored.
    mutating func forgetLost() {
        guard let keys = lost?.keys else { return }
        lost = nil
        show(keys)
    }
}

// What can be done about it, and about a file that can't be read.
extension EditorState {
    mutating func askToRecover() throws -> [EditorEffect] {
        guard let suite else { return [] }
        if let reason = options.readOnlyReason ?? suite.status?.readOnlyReason {
            throw Refusal("Read-only: \(reason)")
        }
        if focus == .keys, let key = selectedRow?.path.key, let value = suite.deletedValue(forKey: key) {
            let effects = try write(value, to: key, of: suite.id)
            say("Written again: “\(key)” is \(brief(value, of: key, in: suite.id)).")
            return effects
        }
        if let lost = suite.lost {
            let text = "Write \(counted(lost.count)) of “\(suite.title)” into a new file?"
            input = .question(Question(text: text, subject: .recover(suite: suite.id)))
        } else if case .unreadable? = suite.status?.content {
            let count = suite.tree.entries.count
            let rest = count == 0 ? "start a new one without keys" : "store \(counted(count)) in a new one"
            input = .question(
                Question(
                    text: "Set the file that can't be read aside as a “.broken” one, and \(rest)?",
                    subject: .recover(suite: suite.id)
                )
            )
        } else {
            throw Refusal("Nothing is to be recovered: the file can be read.")
        }
        return []
    }

    mutating func recover(_ id: String) throws -> [EditorEffect] {
        input = nil
        guard let index = suiteIndex(id) else { throw Refusal("“\(id)” is gone.") }
        if let reason = options.readOnlyReason { throw Refusal("Read-only: \(reason)") }
        guard let lost = suites[index].lost else { return [.recover(id)] }
        suites[index].forgetLost()
        // It is what was there.
        let effects = try write(lost.mapValues { Optional($0) }, of: id, isAgreed: true)
        say("Written again: \(counted(lost.count)).")
        return effects
    }

    mutating func recovered(_ id: String, _ result: RecoverResult) {
        switch result {
        case .setAside(let path): say("What could not be read is kept as \(path).")
        case .notNeeded: say("The file can be read again; nothing was done.")
        case .failed(let reason): say("Not recovered: \(sentence(reason))", isProblem: true)
        }
    }

    func counted(_ keys: Int) -> String { keys == 1 ? "the 1 key shown" : "the \(keys) keys shown" }
}
