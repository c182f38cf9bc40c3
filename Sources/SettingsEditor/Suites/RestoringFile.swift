import PropertyList
import SettingsStore

// Restoring a deleted file, and setting an unreadable file aside.
extension EditorState {
    /// Restores the selected key if another process deleted it. Otherwise asks about the file.
    func recovering() throws -> Outcome {
        guard let suite else { return .nothing }
        if let refusal = refusalOfReadOnly(suite) { throw refusal }
        if display.focus == .keys, let key = selectedRow?.path.key,
            let value = suite.deletedValue(forKey: key)
        {
            var edit = SuiteEdit(of: suite.id, [key: value])
            let what = staging.isOn ? "Staged" : "Restored"
            edit.message = "\(what): “\(key)” is \(summary(value, of: key, in: suite.id))."
            return .write(edit)
        }
        return .open(.question(try question(recovering: suite)))
    }

    /// The question for the current state: an unreadable file comes first, then a deleted one.
    private func question(recovering suite: SuiteModel) throws -> Confirmation {
        if suite.isBeingRestored { throw Refusal("It is being written.") }
        if case .unreadable? = suite.status?.content {
            let count = suite.lastKnown.count
            let keys = count == 1 ? "the 1 known key" : "the \(count) known keys"
            let rest = count == 0 ? "" : ", and store \(keys) in a new one"
            let values = count == 0 ? "Its values are not restored: the" : "The"
            return Confirmation(
                text: "Move the unreadable file aside\(rest)? \(values) file stays beside the others as "
                    + "“\(suite.fileName).broken-…”, where you can repair it.",
                subject: .recover(suite: suite.id, setsAside: true)
            )
        }
        guard let lost = suite.lost else {
            throw Refusal(kind.nothingToRecover)
        }
        let keys = staging.isOn ? held(lost.count) : counted(lost.count)
        return Confirmation(
            text: kind.questionAboutRestoring(keys, of: suite.title, atOnce: staging.isOn ? " at once" : ""),
            subject: .recover(suite: suite.id, setsAside: false)
        )
    }

    mutating func recover(_ id: String, settingAside setsAside: Bool) throws -> [Effect] {
        modals.closeAll()
        guard let index = suiteIndex(id) else { throw Refusal("“\(id)” is gone.") }
        if let reason = options.readOnlyReason { throw Refusal("Read-only: \(reason)") }
        // The state may have changed since the user agreed.
        if let question = try? question(recovering: suiteList.suites[index]),
            question.subject != .recover(suite: id, setsAside: setsAside)
        {
            modals.open(.question(question))
            return []
        }
        if setsAside || suiteList.suites[index].lost == nil {
            if case .unreadable? = suiteList.suites[index].status?.content {
                suiteList.suites[index].ownAction = .beginsAnew
            }
            return [.recover(id)]
        }
        return try restore(id)
    }

    mutating func recovered(_ id: String, _ result: RecoverResult) -> [Effect] {
        guard let index = suiteIndex(id) else { return [] }
        switch result {
        case .setAside(let path):
            let kept = "The unreadable file is kept as \(path)."
            say(kept)
            suiteList.suites[index].movedAside = path
            // The store reports the same, before or after this.
            if case .unreadable? = suiteList.suites[index].status?.content {
                let isStored = !suiteList.suites[index].storedValues.isEmpty
                suiteList.suites[index].status?.content = isStored ? .stored : .absent
            }
            guard suiteList.suites[index].lost != nil else { return [] }
            do {
                let effects = try restore(id)
                if let message = statusLine.message { say("\(kept) \(message.text)") }
                return effects
            } catch {
                say("\(kept) \(reason(of: error))", isProblem: true)
            }
        case .notNeeded:
            suiteList.suites[index].noLongerBeginsAnew()
            let isBack = suiteList.suites[index].lost == nil
            say(isBack ? "The file is readable again. Nothing was changed." : "There is no file to recover.")
        case .failed(let reason):
            suiteList.suites[index].noLongerBeginsAnew()
            say("Not recovered: \(sentence(reason))", isProblem: true)
        }
        return []
    }

    /// Closes the question about a deleted file if the file exists again.
    mutating func endForgetting() {
        guard case .question(let question)? = modal, case .forgetLost(let id) = question.subject,
            let index = suiteIndex(id), suiteList.suites[index].lost == nil
        else { return }
        modals.closeAll()
        say("“\(suiteList.suites[index].title)” exists again.")
    }

    func counted(_ keys: Int) -> String { keys == 1 ? "the 1 key shown" : "the \(keys) keys shown" }

    /// The same for values that may be staged.
    func held(_ keys: Int) -> String {
        keys == 1 ? "the 1 key with its previous value" : "the \(keys) keys with their previous values"
    }
}

// Restoring writes all values of the deleted file into a new one.
extension EditorState {
    /// Writes the values of a deleted file again. They stay on the screen if the write is refused.
    mutating func restore(_ id: String) throws -> [Effect] {
        guard let index = suiteIndex(id), let lost = suiteList.suites[index].lost else { return [] }
        // The user need not agree again: the values were stored before.
        let effects = try restore(id, with: [:], nil, isAgreed: true)
        guard staging.isOn else {
            say("Restored: \(counted(lost.count)).")
            return effects
        }
        let left = suiteList.suites[index].staged.count
        let waiting = left == 1 ? " 1 change is staged." : " \(left) changes are staged."
        say("Restored: \(held(lost.count)).\(left == 0 ? "" : waiting)")
        return effects
    }

    /// The same, with other values for some keys.
    mutating func restore(
        _ id: String,
        with values: [String: PropertyListValue?],
        _ source: EditSource?,
        isAgreed: Bool = false
    ) throws -> [Effect] {
        guard let index = suiteIndex(id), let lost = suiteList.suites[index].lost else { return [] }
        let all = lost.mapValues { Optional($0) }.merging(values) { $1 }
        let changes = all.compactMapValues { $0.map { ValueChange(old: nil, new: $0) } }
        if changes.isEmpty { return [] }
        return try write(
            [Transaction.Part(suite: id, changes: changes, restores: true, whole: .made(like: nil))],
            source,
            isAgreed: isAgreed
        )
    }

    /// The same, with the user's value from a conflict; nil if the file exists.
    mutating func restore(with conflict: ConflictDialog) throws -> [Effect]? {
        let path = conflict.path
        guard let index = suiteIndex(conflict.suite), suiteList.suites[index].isLost,
            let lost = suiteList.suites[index].lost
        else { return nil }
        let whole: PropertyListValue
        if let old = suiteList.suites[index].shownValue(forKey: path.key) {
            whole =
                suiteList.suites[index].outline.node(at: path) == nil
                ? try old.inserting(conflict.new, at: path.inside)
                : try old.replacing(at: path.inside, with: conflict.new)
        } else if path.steps.count == 1 {
            whole = conflict.new.asWhole
        } else {
            throw Refusal("“\(path.key)” is gone.")
        }
        let effects = try restore(conflict.suite, with: [path.key: whole], conflict.source)
        suiteList.suites[index].outline.select(path)
        let rest =
            staging.isOn ? "; your change is staged" : ", with “\(path.lastName)” changed"
        say("Restored: \(staging.isOn ? held(lost.count) : counted(lost.count))\(rest).")
        return effects
    }

    /// Writes the deleted values at once, because they are no changes of the user. Returns the parts that are staged.
    mutating func restoreBeforeStaging(_ parts: [Transaction.Part]) -> ([Effect], [Transaction.Part]) {
        var effects: [Effect] = []
        let left = parts.compactMap { part -> Transaction.Part? in
            guard part.restores, let index = suiteIndex(part.suite), let lost = suiteList.suites[index].lost
            else {
                return part
            }
            let old = Transaction.Part(
                suite: part.suite,
                changes: lost.mapValues { ValueChange(old: nil, new: $0) },
                restores: true,
                whole: .made(like: nil)
            )
            effects += send([old], of: Transaction(number: history.nextNumber(), parts: [old]), .edit(nil))
            let left = beyondRestoring(part)
            return left == part ? nil : left
        }
        return (effects, left)
    }

    /// The difference between a change and the deleted values; the change itself if there is none.
    func beyondRestoring(_ part: Transaction.Part) -> Transaction.Part {
        guard part.restores, let lost = suiteIndex(part.suite).flatMap({ suiteList.suites[$0].lost }) else {
            return part
        }
        var changes: [String: ValueChange] = [:]
        for key in Set(lost.keys).union(part.changes.keys) where part.changes[key]?.new != lost[key] {
            changes[key] = ValueChange(old: lost[key], new: part.changes[key]?.new)
        }
        return changes.isEmpty ? part : Transaction.Part(suite: part.suite, changes: changes)
    }
}

extension SuiteModel {
    /// The name of the suite's file. The id of a single suite may be a path.
    fileprivate var fileName: String {
        id.contains("/") ? String(id.split(separator: "/").last ?? "") : "\(id).plist"
    }
}
