import PropertyList
import TerminalCanvas
import ValueDiff

/// The list of changes since the editor was opened, newest first.
struct HistoryScreen: Sendable, Hashable {
    /// The number of the selected entry; nil for the newest. The selection stays on its entry when new ones arrive.
    var selected: Int?
    /// The number of the first entry on the screen; nil for the newest.
    var top: Int?
    /// The number of the entry at one end of the marked range; nil if only the selected entry counts.
    var marked: Int?
    /// The entry at its other end; nil for the selected one.
    var end: Int?
    /// The revisions of one key on the cluster, if they are shown; nil for the editor's own journal.
    var revisions: Journal?
}

extension Journal {
    /// The position of an entry in the list.
    func place(of number: Int?) -> Int {
        guard let number, let last = entries.last else { return 0 }
        return max(0, min(last.number - number, entries.count - 1))
    }

    /// The entry at a position of the list; nil if the list is empty.
    func entry(at place: Int) -> Entry? {
        let index = entries.count - 1 - place
        return entries.indices.contains(index) ? entries[index] : nil
    }
}

extension HistoryScreen: Component {
    var keyMode: Mode { .history }

    func paint(_ painter: inout Painter) { painter.paintHistory(self) }

    /// A click only selects: a second click must not restore anything.
    func click(_ point: Point, _ layout: Layout, in state: EditorState) -> Click? {
        guard let line = ChangesLayout(layout).list.line(of: point) else { return nil }
        let place = state.historyTop(of: self, layout) + line
        if state.journal(of: self).entry(at: place) == nil { return nil }
        return Click(modal: .history(state.screen(self, on: place)), actsLikeEnter: false)
    }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        let journal = state.journal(of: self)
        let place = journal.place(of: selected)
        switch command {
        // Esc cancels a count first.
        case .cancel: if state.keyInput.count == nil { state.modals.closeAll() }
        case .move(let movement):
            let target = movement.target(
                from: place,
                count: journal.entries.count,
                page: ChangesLayout(Layout(state, state.display.size)).list.rows,
                times: state.keyInput.count
            )
            state.modals.replaceTop(.history(state.screen(self, on: target)))
        case .confirm:
            guard let entry = journal.entry(at: place) else { break }
            return state.attempt { state throws in try goBack(to: entry, in: &state) }
        case .multiSelect:
            var screen = self
            let number = journal.entry(at: place)?.number
            if marked == nil {
                screen.marked = number
                state.say("Move to the other end. Then press Y or c to copy the changes.")
            } else if end == nil, number != marked {
                screen.end = number
                state.say("Press Y or c to copy the changes, or C to compare the values at both ends.")
            } else {
                (screen.marked, screen.end) = (nil, nil)
                state.say("Only the selected change is copied.")
            }
            state.modals.replaceTop(.history(screen))
        case .compare:
            return state.attempt { state throws in
                try compare(in: journal, &state)
                return []
            }
        case .copyCommand:
            let entries = chosen(in: journal)
            return state.attempt { state throws in try state.copyCommands(for: state.total(entries)) }
        case .copy:
            return state.attempt { state throws in try state.copySettings(of: chosen(in: journal)) }
        case .scroll, .nextDifference, .previousDifference: state.say(state.reasonForNothingCompared)
        default: break
        }
        return []
    }
}

extension HistoryScreen {
    /// Whether an entry is in the marked range.
    func isMarked(_ entry: Journal.Entry, in journal: Journal) -> Bool {
        guard let marked, let end = end ?? journal.entry(at: journal.place(of: selected))?.number else {
            return false
        }
        return (min(marked, end)...max(marked, end)).contains(entry.number)
    }

    /// The entries of the marked range, or else the selected one, oldest first.
    private func chosen(in journal: Journal) -> [Journal.Entry] {
        if marked != nil { return journal.entries.filter { isMarked($0, in: journal) } }
        return journal.entry(at: journal.place(of: selected)).map { [$0] } ?? []
    }
}

extension HistoryScreen {
    /// Compares the values after the two ends of the range. Without a range, compares the value after the selected change
    /// with the present one.
    private func compare(in journal: Journal, _ state: inout EditorState) throws {
        let sides = try chosen(in: journal).map { entry in
            guard let change = entry.ofKey else { throw Refusal("Only the values of keys can be compared.") }
            let time = timeOfDay(entry.date, state.options.zone)
            let title = "\(change.key), \(entry.revision.map { "revision \($0)" } ?? time)"
            return ComparedSide.past(suite: entry.suite, key: change.key, change.value.new, title: title)
        }
        guard let first = sides.first, let last = sides.last else { return }
        state.compare(first, sides.count > 1 ? last : .now(suite: first.suite, first.path))
    }
}

extension EditorState {
    /// The history, if it is on the screen, even below a question.
    var historyScreen: HistoryScreen? {
        if case .history(let screen)? = modals.screen { screen } else { nil }
    }

    /// The content of a list of changes.
    func journal(of screen: HistoryScreen) -> Journal { screen.revisions ?? history.journal }

    /// The list of changes, if there are any.
    var showingHistory: Outcome {
        guard let last = history.journal.entries.last?.number else {
            return .say("Nothing has changed since the editor was opened.")
        }
        return .open(.history(HistoryScreen(selected: last)))
    }

    /// Why there is nothing to scroll below the list.
    var reasonForNothingCompared: String {
        ChangesLayout(Layout(self, display.size)).details != nil
            ? "This line has no values to show."
            : "The window is too small to show the values below the list."
    }

    /// The position of the first entry on the screen.
    func historyTop(of screen: HistoryScreen, _ layout: Layout) -> Int {
        let journal = journal(of: screen)
        return visibleTop(
            journal.place(of: screen.top),
            selected: journal.place(of: screen.selected),
            count: journal.entries.count,
            height: ChangesLayout(layout).list.rows
        )
    }

    /// The screen with another selected position.
    func screen(_ screen: HistoryScreen, on place: Int) -> HistoryScreen {
        var screen = screen
        let journal = journal(of: screen)
        screen.selected = journal.entry(at: place)?.number
        let top = historyTop(of: screen, Layout(self, display.size))
        screen.top = top == 0 ? nil : journal.entry(at: top)?.number
        return screen
    }

    /// - Parameter conflicts: The values that the user agreed to overwrite.
    mutating func goBack(
        to change: Journal.KeyChange,
        of suite: String,
        over conflicts: [ThreeWayMerge.Conflict]
    ) throws -> [Effect] {
        let current = try valueToReplace(by: change, of: suite)
        let merge = ThreeWayMerge(change.value.reversed, over: current)
        guard merge.conflicts == conflicts else { throw Refusal("“\(change.key)” has changed again.") }
        return try write(merge.value, goingBackTo: change, of: suite)
    }

    /// - Throws: A refusal if the suite cannot be written.
    fileprivate func valueToReplace(
        by change: Journal.KeyChange,
        of suite: String
    ) throws -> PropertyListValue? {
        let suite = try existingSuite(suite)
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        return suite.value(forKey: change.key)
    }

    fileprivate mutating func write(
        _ value: PropertyListValue?,
        goingBackTo change: Journal.KeyChange,
        of suite: String
    ) throws -> [Effect] {
        guard var part = try existingSuite(suite).part([change.key: value]) else { return [] }
        // The file does not exist. It is created like the removed one, and undo removes it again.
        if let index = suiteIndex(suite), suiteList.suites[index].presence != .listed,
            suiteList.suites[index].values.isEmpty
        {
            part.whole = .made(like: nil)
        }
        let effects = try write([part])
        let (place, value) = former(change, of: suite)
        say("“\(place)” is \(value == "nothing" ? "gone" : value) again.")
        return effects
    }

    /// The path that a change touched, and its value before.
    fileprivate func former(_ change: Journal.KeyChange, of suite: String) -> (place: String, value: String) {
        guard !hides(change.key, of: suite), let (place, more) = change.words?.first(below: []), more == 0
        else { return (change.key, summary(change.value.old, of: change.key, in: suite)) }
        return ("\(change.key)\(place.path)", place.old)
    }
}

extension HistoryScreen {
    /// Restores the values before a change. If they have changed again since, the user is asked first.
    private func goBack(to entry: Journal.Entry, in state: inout EditorState) throws -> [Effect] {
        guard let change = entry.ofKey else { return try goBack(toSuiteBefore: entry, in: &state) }
        let (key, suite) = (change.key, entry.suite)
        let loads = state.suiteList.makeRoom(for: change, of: suite)
        let (back, current) = (change.value.reversed, try state.valueToReplace(by: change, of: suite))
        switch ConflictDecision(merging: back, into: current) {
        case .nothingToDo:
            let (place, value) = state.former(change, of: suite)
            throw Refusal("“\(place)” is already \(value).")
        case .write: return loads + (try state.write(back.new, goingBackTo: change, of: suite))
        case .merged(let value): return loads + (try state.write(value, goingBackTo: change, of: suite))
        case .ask(let conflicts):
            let question = state.questionAboutGoingBack(conflicts, of: key, in: suite)
            state.modals.ask(question, .goBack(change, suite: suite, over: conflicts))
            return []
        }
    }

    /// Creates a suite again that was removed here, or asks whether to remove one that was created.
    private func goBack(toSuiteBefore entry: Journal.Entry, in state: inout EditorState) throws -> [Effect] {
        guard let part = entry.part else {
            let title = state.title(ofSuite: entry.suite)
            throw Refusal("The previous values of “\(title)” are unknown and cannot be restored.")
        }
        if part.whole?.isMade == true {
            guard let index = state.suiteIndex(part.suite) else {
                throw Refusal("“\(state.title(ofSuite: part.suite))” was already deleted.")
            }
            state.suiteList.selected = index
            return state.perform { try $0.deletingSuite() }
        }
        var back = part.reversed
        let loads = state.suiteList.makeRoom(for: [back])
        guard let suite = try? state.existingSuite(back.suite) else { return loads }
        back.whole = try state.whole(of: back, in: suite)
        // The values were stored before, so no question is needed.
        let effects = try state.write([back], isAgreed: true)
        state.say("“\(state.title(ofSuite: back.suite))” exists again.")
        return loads + effects
    }
}
