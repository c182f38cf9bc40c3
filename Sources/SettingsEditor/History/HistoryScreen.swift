import PropertyList
import TerminalCanvas
import ValueDiff

/// The list of what has changed since the editor was opened, the newest first.
struct HistoryScreen: Sendable, Hashable {
    /// The entry's number, on which the selection stays whatever comes; nil for the newest.
    var selected: Int?
    /// The number of the entry on the first line; nil for the newest.
    var top: Int?
    /// What one key has been, as the place knows it, where that is shown; nil: the editor's own journal.
    var revisions: Journal?
    /// Numbers of the values there in the order in which they first came, by which secrets are told apart.
    var numbers: [PropertyListValue: Int] = [:]

    /// The numbers, if it is that key whose history is shown.
    func numbers(ofKey key: String) -> [PropertyListValue: Int] {
        revisions?.entries.first?.ofKey?.key == key ? numbers : [:]
    }
}

extension Journal {
    /// Where an entry stands in a list with the newest first.
    func place(of number: Int?) -> Int {
        guard let number, let last = entries.last else { return 0 }
        return max(0, min(last.number - number, entries.count - 1))
    }

    /// The entry at a place of that list; nil where there are none.
    func entry(at place: Int) -> Entry? {
        let index = entries.count - 1 - place
        return entries.indices.contains(index) ? entries[index] : nil
    }
}

extension HistoryScreen: Component {
    func mode(in state: EditorState) -> Mode { .history }

    var coversPanes: Bool { true }

    func paint(_ painter: inout Painter) { painter.paintHistory(self) }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        let journal = state.journal(of: self)
        let place = journal.place(of: selected)
        state.search.inHistory = nil
        switch command {
        // Esc ends a count first.
        case .cancel: if state.keyInput.count == nil { state.modals.closeAll() }
        case .palette: state.beginPalette()
        case .count(let digit): state.keyInput.type(digit: digit)
        case .search: state.beginSearchingHistory(self)
        case .nextMatch: state.searchHistoryAgain(forwards: true, count: state.keyInput.count ?? 1)
        case .previousMatch: state.searchHistoryAgain(forwards: false, count: state.keyInput.count ?? 1)
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
            return state.attempt { state throws in try state.goBack(to: entry) }
        case .undo: return state.undo()
        case .redo: return state.redo()
        case .scroll, .nextDifference, .previousDifference: state.sayNothingIsCompared()
        default: break
        }
        return []
    }
}

extension EditorState {
    /// The history if it is on the screen, also while something about it is asked.
    var historyScreen: HistoryScreen? {
        if case .history(let screen)? = modals.screen { screen } else { nil }
    }

    /// What a list of changes shows.
    func journal(of screen: HistoryScreen) -> Journal { screen.revisions ?? history.journal }

    mutating func beginHistory() {
        guard !history.journal.entries.isEmpty else {
            say("Nothing has changed since the editor was opened.")
            return
        }
        modals.open(.history(HistoryScreen(selected: history.journal.entries.last?.number)))
    }

    /// Why there is nothing to scroll below a list.
    mutating func sayNothingIsCompared() {
        let hasRoom = ChangesLayout(Layout(self, display.size)).details != nil
        say(
            hasRoom
                ? "This line has no values to show."
                : "The window is too small to show the values below the list."
        )
    }

    /// The place on the first line of the list.
    func historyTop(of screen: HistoryScreen, _ layout: Layout) -> Int {
        let journal = journal(of: screen)
        return visibleTop(
            journal.place(of: screen.top),
            selected: journal.place(of: screen.selected),
            count: journal.entries.count,
            height: ChangesLayout(layout).list.rows
        )
    }

    /// The screen with another place of the list selected.
    func screen(_ screen: HistoryScreen, on place: Int) -> HistoryScreen {
        var screen = screen
        let journal = journal(of: screen)
        screen.selected = journal.entry(at: place)?.number
        let top = visibleTop(
            journal.place(of: screen.top),
            selected: place,
            count: journal.entries.count,
            height: ChangesLayout(Layout(self, display.size)).list.rows
        )
        screen.top = top == 0 ? nil : journal.entry(at: top)?.number
        return screen
    }

    /// Gives the places of a key that a change has changed back what they held before; asks first where they
    /// hold something else now than after that change.
    fileprivate mutating func goBack(to entry: Journal.Entry) throws -> [Effect] {
        guard let change = entry.ofKey else { return try goBack(toSuiteBefore: entry) }
        let (key, suite) = (change.key, entry.suite)
        let loads = makeRoom(for: change, of: suite)
        let merge = try merge(goingBackTo: change, of: suite)
        if merge.value == merge.replaced, merge.conflicts.isEmpty {
            let (place, value) = former(change, of: suite)
            throw Refusal("“\(place)” is already \(value).")
        }
        if merge.conflicts.isEmpty { return loads + (try goBack(merge, to: change, of: suite)) }
        let text = questionAboutGoingBack(merge.conflicts, of: key, in: suite)
        let subject = Confirmation.Subject.goBack(change, suite: suite, over: merge.conflicts)
        modals.push(.question(Confirmation(text: text, subject: subject)))
        return []
    }

    /// - Parameter conflicts: What the user has agreed to write over.
    mutating func goBack(
        to change: Journal.KeyChange,
        of suite: String,
        over conflicts: [ThreeWayMerge.Conflict]
    ) throws -> [Effect] {
        let merge = try merge(goingBackTo: change, of: suite)
        guard merge.conflicts == conflicts else { throw Refusal("“\(change.key)” has changed again.") }
        return try goBack(merge, to: change, of: suite)
    }

    /// Makes a suite again that was removed here, or asks whether one is to go that was made.
    private mutating func goBack(toSuiteBefore entry: Journal.Entry) throws -> [Effect] {
        guard let part = entry.part else {
            throw Refusal("The previous values of “\(entry.suite)” are unknown and cannot be restored.")
        }
        if part.whole?.isMade == true {
            guard let index = suiteIndex(part.suite) else {
                throw Refusal("“\(part.suite)” was already deleted.")
            }
            suiteList.selected = index
            return try askToDeleteSuite()
        }
        var back = part.reversed
        let loads = makeRoom(for: [back])
        guard let index = suiteIndex(back.suite) else { return loads }
        back.whole = try whole(of: back, in: suiteList.suites[index])
        // The user need not agree again: the values were stored before.
        let effects = try write([back], isAgreed: true)
        say("“\(back.suite)” exists again.")
        return loads + effects
    }

    /// Puts a suite into the list that a key is to be put back into.
    private mutating func makeRoom(for change: Journal.KeyChange, of suite: String) -> [Effect] {
        guard change.value.old != nil, suiteIndex(suite) == nil else { return [] }
        _ = insertSuite(suite)
        return [.load(suite)]
    }

    private func merge(goingBackTo change: Journal.KeyChange, of suite: String) throws -> ThreeWayMerge {
        guard let index = suiteIndex(suite) else { throw Refusal("“\(suite)” is gone.") }
        if let refusal = refusal(forWritingTo: suiteList.suites[index]) { throw refusal }
        return ThreeWayMerge(change.value.reversed, over: suiteList.suites[index].value(forKey: change.key))
    }

    private mutating func goBack(
        _ merge: ThreeWayMerge,
        to change: Journal.KeyChange,
        of suite: String
    ) throws -> [Effect] {
        guard var part = try part([change.key: merge.value], of: suite) else { return [] }
        // There is no file: it is made, as it was where that was removed here, and goes again with what is put back.
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

    /// The place that a change has changed, and what it held before.
    private func former(_ change: Journal.KeyChange, of suite: String) -> (place: String, value: String) {
        guard !hides(change.key, of: suite), let (place, more) = change.words?.first(below: []), more == 0
        else { return (change.key, summary(change.value.old, of: change.key, in: suite)) }
        return ("\(change.key)\(place.path)", place.old)
    }
}
