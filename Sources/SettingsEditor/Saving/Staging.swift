import PropertyList
import SettingsStore
import TerminalCanvas
import ValueDiff

/// The list of staged changes: the selected row, and the first row on the screen.
struct PendingScreen: Sendable, Hashable {
    var selected = 0
    var top = 0
}

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

extension PendingScreen: Component {
    var keyMode: Mode { .pending }

    var coversPanes: Bool { true }

    func paint(_ painter: inout Painter) { painter.paintPending(self) }

    func click(_ point: Point, _ layout: Layout, in state: EditorState) -> Click? {
        guard let line = ChangesLayout(layout).list.line(of: point),
            state.staging.rows.indices.contains(top + line)
        else { return nil }
        var screen = self
        screen.selected = top + line
        return Click(modal: .pending(screen), actsLikeEnter: selected == top + line)
    }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        guard !state.staging.rows.isEmpty else {
            state.modals.closeAll()
            return []
        }
        var screen = self
        screen.selected = min(selected, state.staging.rows.count - 1)
        let row = state.staging.rows[screen.selected]
        switch command {
        case .cancel: if state.keyInput.count == nil { state.modals.closeAll() }
        case .palette: state.modals.push(.palette(Palette(mode: .pending)))
        case .count(let digit): state.keyInput.type(digit: digit)
        case .move(let movement):
            screen.selected = movement.target(
                from: screen.selected,
                count: state.staging.rows.count,
                page: ChangesLayout(Layout(state, state.display.size)).list.rows,
                times: state.keyInput.count
            )
            state.modals.replaceTop(.pending(screen))
        case .writeAll: return state.writeStaged()
        case .delete:
            return state.attempt { state throws in
                try state.drop(row)
                return []
            }
        case .undo: return state.undo()
        case .redo: return state.redo()
        case .scroll, .nextDifference, .previousDifference: state.say(state.reasonForNothingCompared)
        case .confirm: confirm(row, in: &state)
        default: break
        }
        return []
    }
}

extension PendingScreen {
    /// Goes to the key. If another process has changed it, asks which value to write.
    private func confirm(_ row: PendingRow, in state: inout EditorState) {
        let pending = row.pending
        guard let index = state.suiteIndex(pending.suite) else { return }
        guard pending.isOvertaken else {
            state.modals.closeAll()
            if state.shownSuites.contains(index) { state.suiteList.selected = index }
            let path = ValuePath([.key(pending.key)] + (row.place?.target.steps ?? []))
            _ = state.suiteList.suites[index].outline.go(to: path)
            state.display.focus = .keys
            return
        }
        let conflicts = ThreeWayMerge(pending.change, over: pending.stored).conflicts
        let question = Confirmation(
            text: state.questionAboutReplacing(conflicts, of: pending.key, in: pending.suite),
            subject: .replaceOvertaken(pending, over: conflicts)
        )
        state.modals.push(.question(question))
    }
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

    /// Whether Ctrl-C quits. It closes an open modal instead, and asks once if there are staged changes.
    public var endsOnInterrupt: Bool {
        isAskingToQuit || Mode.panes.contains(mode) && pendingChanges.isEmpty
    }

    /// The changes that are lost if the editor quits now, as a sentence; nil if there are none.
    public var unwritten: String? {
        let changes = pendingChanges
        if changes.isEmpty { return nil }
        let names = changes.prefix(5).map { "\($0.suite) › \($0.key)" }.joined(separator: ", ")
        let what =
            changes.count == 1 ? "1 change was not saved" : "\(changes.count) changes were not saved"
        return "\(what): \(names)\(changes.count > 5 ? ", …" : "")."
    }

    var isAskingToQuit: Bool {
        if case .question(let question)? = modal { question.subject == .quit } else { false }
    }

    mutating func quit() -> [Effect] {
        let count = pendingChanges.count
        guard count > 0 else { return [.quit] }
        let what =
            count == 1
            ? "1 change is not saved. Quit without it?"
            : "\(count) changes are not saved. Quit without them?"
        modals.open(.question(Confirmation(text: what, subject: .quit)))
        return []
    }
}

extension SuiteModel {
    /// Stages changes. The first of several changes of a key keeps the expected old value.
    mutating func stage(_ changes: [String: ValueChange], _ whole: WholeSuite? = nil) {
        for (key, change) in changes {
            highlights.carry(key, ValueChange(old: value(forKey: key), new: change.new))
            let old = staged[key].map(\.old) ?? change.old
            setStaged(old == change.new ? nil : ValueChange(old: old, new: change.new), key)
        }
        if whole != nil, !changes.isEmpty { stagedWhole = whole }
        if staged.isEmpty { stagedWhole = nil }
        renewStaged(changes.keys)
        updateRows(changes.keys)
    }

    /// The change of the whole suite when these staged keys are written; nil if there is none.
    func wholeOnceWritten(_ keys: [String]) -> WholeSuite? {
        switch stagedWhole {
        case .removed?: keys.count == staged.count && values.isEmpty ? stagedWhole : nil
        // Another process may have created the suite meanwhile.
        case .made?: presence == .new ? stagedWhole : nil
        case .linked?, .unlinked?, nil: nil
        }
    }

    /// Stages changes again that could not be written. Newer staged changes stay above them.
    mutating func stageAgain(_ changes: [String: ValueChange]) {
        for (key, change) in changes {
            let new = staged[key].map(\.new) ?? change.new
            setStaged(change.old == new ? nil : ValueChange(old: change.old, new: new), key)
        }
        renewStaged(changes.keys)
        updateRows(changes.keys)
    }

    /// Rebases staged changes onto the stored values. Where both changed the same path, the staged value stays, and
    /// the user decides when it is written.
    mutating func renewStaged(_ keys: some Sequence<String>) {
        for key in keys {
            // A write in flight of the same key is the base.
            guard let change = staged[key], !isInFlight(key) else { continue }
            let stored = storedValue(forKey: key) ?? lost?[key]
            if stored == change.old { continue }
            let merge = ThreeWayMerge(change, over: stored)
            let isDone = merge.replaced == merge.value
            setStaged(isDone ? nil : ValueChange(old: merge.replaced, new: merge.value), key)
        }
    }

    /// Whether another process changed the stored value below a staged change, so that the user has to decide.
    func isOvertaken(_ key: String) -> Bool {
        // Until a write is stored, its value is the base of newer staged changes.
        guard let change = staged[key], !isInFlight(key), !isLost else { return false }
        return storedValue(forKey: key) != change.old
    }

    /// Whether a row's value, or a value inside it, is staged.
    func isStaged(_ row: Row) -> Bool {
        let key = row.path.key
        guard staged[key] != nil else { return false }
        if row.depth == 0 { return true }
        guard let places = layers.stagedPlaces[key] else { return true }
        let path = row.path.inside
        // A deleted value has no row. Another element may have its path now.
        return places.contains { place in
            place.target.starts(with: path) && (place.new != nil || place.target != path)
                || place.new != nil && path.starts(with: place.target)
        }
    }

    /// Unstages keys, and returns their changes.
    @discardableResult
    mutating func unstage(_ keys: some Sequence<String>) -> [String: ValueChange] {
        var changes: [String: ValueChange] = [:]
        for key in keys {
            guard let change = staged[key] else { continue }
            changes[key] = change
            highlights.carry(key, change.reversed)
            setStaged(nil, key)
        }
        if staged.isEmpty { stagedWhole = nil }
        updateRows(changes.keys)
        return changes
    }
}
