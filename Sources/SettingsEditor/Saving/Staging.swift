import PropertyList
import SettingsStore
import ValueDiff

/// A staged change.
struct PendingChange: Sendable, Hashable {
    let suite: String
    let key: String
    let change: ValueChange
    /// The stored value, as far as it is known.
    let stored: PropertyListValue?

    /// Whether another process has changed the value since.
    var isOvertaken: Bool { stored != change.old }
}

// Staging: changes are written when the user asks for it.
extension EditorState {
    var pendingChanges: [PendingChange] {
        suiteList.suites.indices.flatMap { index -> [PendingChange] in
            if suiteList.suites[index].staged.isEmpty { return [] }
            let suite = suiteList.suites[index]
            return suite.staged.sorted { $0.key < $1.key }.map { key, change in
                PendingChange(
                    suite: suite.id,
                    key: key,
                    change: change,
                    stored: suite.storedValue(forKey: key)
                )
            }
        }
    }

    mutating func toggleStaging() {
        if let reason = options.readOnlyReason {
            say("There is nothing to stage. Read-only: \(reason).", isProblem: true)
            return
        }
        if staging.isOn, !pendingChanges.isEmpty {
            say("Some changes are not saved. Press W to save or discard them first.")
            return
        }
        staging.isOn.toggle()
        say(
            staging.isOn
                ? "Staging on. Press W and then w to save your changes."
                : "Staging off. Changes are saved at once."
        )
    }

    /// The list of staged changes, if there are any.
    var showingPending: Outcome {
        if !pendingChanges.isEmpty { return .open(.pending(PendingScreen())) }
        return .say(
            staging.isOn ? "No changes are staged." : "Changes are saved at once. Press S to stage them."
        )
    }

    /// Writes the staged changes that have no conflict. A move is written as a whole or not at all.
    mutating func writeStaged() -> [Effect] {
        let changes = pendingChanges
        var refused: [String] = []
        var held = Set(changes.filter(\.isOvertaken).map { StagedKey($0) })
        for suite in suiteList.suites {
            let keys = changes.filter { $0.suite == suite.id }.map { StagedKey($0) }
            if keys.isEmpty { continue }
            if let refusal = refusal(forWritingTo: suite, isKnown: true) {
                refused.append("“\(suite.title)”: \(refusal)")
                held.formUnion(keys)
            }
        }
        held = staging.tied(held)
        var effects: [Effect] = []
        let selected = suiteList.suites.map {
            ($0.id, $0.outline.selectedRow?.path, $0.outline.selected - $0.outline.top)
        }
        for transaction in takeStaged(changes.filter { !held.contains(StagedKey($0)) }) {
            effects += begin(transaction.parts[...], of: transaction, .staged)
        }
        // The selection stays, although the rows were gone for a moment.
        for case (let id, let path?, let height) in selected {
            guard let index = suiteIndex(id), let row = suiteList.suites[index].outline.index(of: path) else {
                continue
            }
            suiteList.suites[index].outline.select(row)
            suiteList.suites[index].outline.top = max(0, row - height)
        }
        let left = pendingChanges.count
        func counted(_ count: Int) -> String { count == 1 ? "1 key" : "\(count) keys" }
        let saved = changes.count > left ? "Saved: \(counted(changes.count - left)). " : ""
        if let reason = refused.first {
            say("\(saved)Not saved: \(counted(left)). \(reason)", isProblem: true)
        } else if left > 0 {
            let others = pendingChanges.filter { !$0.isOvertaken }.count
            let them = left == 1 ? "this key" : "these keys"
            let with = others == 0 ? "" : ", or one that moves with \(left == 1 ? "it" : "them")"
            say(
                "\(saved)Not saved: \(counted(left)). Another program changed \(them)\(with). Press Enter to decide.",
                isProblem: true
            )
        } else {
            modals.closeAll()
            say("Saved: \(counted(changes.count)).")
        }
        return effects
    }

    /// Unstages changes, as transactions that can be written one by one.
    mutating func takeStaged(_ changes: [PendingChange]) -> [Transaction] {
        staging.take(changes, from: &suiteList) { history.nextNumber() }
    }

    /// The staged change that the open question is about, with its current values.
    var overtaken: PendingChange? {
        guard case .question(let question)? = modals.screen,
            case .replaceOvertaken(let asked, _) = question.subject,
            let index = suiteIndex(asked.suite)
        else { return nil }
        return PendingChange(
            suite: asked.suite,
            key: asked.key,
            change: suiteList.suites[index].staged[asked.key] ?? asked.change,
            stored: suiteList.suites[index].storedValue(forKey: asked.key)
        )
    }

    /// - Parameter answer: Writes the user's value, keeps the foreign one, or leaves the change staged.
    mutating func settle(
        _ answer: Command,
        _ pending: PendingChange,
        over conflicts: [ThreeWayMerge.Conflict]
    ) throws {
        guard let index = suiteIndex(pending.suite) else { return }
        if answer == .takeTheirs { return try drop(PendingRow(pending: pending, place: nil, count: 1)) }
        guard answer == .answer(true) else { return }
        let change = suiteList.suites[index].staged[pending.key] ?? pending.change
        let current = suiteList.suites[index].storedValue(forKey: pending.key)
        let merge = ThreeWayMerge(change, over: current)
        guard merge.conflicts == conflicts else {
            say("“\(pending.key)” has changed again.", isProblem: true)
            return
        }
        history.undo.rebase(pending.key, of: pending.suite, from: change.old, to: current)
        suiteList.suites[index].unstage([pending.key])
        suiteList.suites[index].stage([pending.key: ValueChange(old: current, new: merge.value)])
    }
}
