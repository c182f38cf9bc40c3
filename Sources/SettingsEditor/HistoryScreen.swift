import PropertyList
import TerminalCanvas

/// The list of what has changed since the editor was opened, the newest first.
struct HistoryScreen: Sendable, Hashable {
    /// The entry's number, on which the selection stays whatever comes; nil for the newest.
    var selected: Int?
    /// The number of the entry on the first line; nil for the newest.
    var top: Int?
    /// What one key has been, as the place knows it, where that is shown; nil: the editor's own journal.
    var revisions: Journal?
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

extension EditorState {
    /// The history where it is on the screen, also while something about it is asked.
    var historyScreen: HistoryScreen? {
        switch input {
        case .history(let screen)?: screen
        case .question(let question)?:
            switch question.subject {
            case .goBack(_, _, _, let screen), .undeclared(_, from: .history(let screen)?): screen
            default: nil
            }
        default: nil
        }
    }

    /// What a list of changes shows.
    func journal(of screen: HistoryScreen) -> Journal { screen.revisions ?? journal }

    mutating func beginHistory() {
        guard !journal.entries.isEmpty else {
            say("Nothing has changed since the editor was opened.")
            return
        }
        input = .history(HistoryScreen(selected: journal.entries.last?.number))
    }

    mutating func browse(_ action: EditorAction, in screen: HistoryScreen) -> [EditorEffect] {
        var screen = screen
        let journal = journal(of: screen)
        let place = journal.place(of: screen.selected)
        switch action {
        case .cancel: input = nil
        case .palette: beginPalette()
        case .move(let movement):
            let height = ChangesLayout(Layout(self, size)).list.rows
            let target = movement.target(from: place, count: journal.entries.count, page: height)
            screen.selected = journal.entry(at: target)?.number
            let top = visibleTop(
                journal.place(of: screen.top),
                selected: target,
                count: journal.entries.count,
                height: height
            )
            screen.top = top == 0 ? nil : journal.entry(at: top)?.number
            input = .history(screen)
        case .confirm:
            guard let entry = journal.entry(at: place) else { break }
            return attempt { state throws in try state.goBack(to: entry, from: screen) }
        case .undo: return undo()
        case .redo: return redo()
        default: break
        }
        return []
    }

    /// Gives a key back what it held before a change; asks first if it holds something else now than
    /// after that change.
    private mutating func goBack(
        to entry: Journal.Entry,
        from screen: HistoryScreen
    ) throws -> [EditorEffect] {
        guard let change = entry.ofKey else {
            throw Refusal("What “\(entry.suite)” held before is not known, so that there is no way back.")
        }
        let key = change.key
        guard let index = suiteIndex(entry.suite) else { throw Refusal("“\(entry.suite)” is gone.") }
        if let refusal = refusal(forWritingTo: suites[index]) { throw refusal }
        let current = suites[index].value(forKey: key)
        if current == change.value.old {
            throw Refusal("“\(key)” holds \(brief(current, of: key, in: entry.suite)) already.")
        }
        guard current == change.value.new else {
            let question = question(goingBackTo: change, of: entry.suite, holding: current, from: screen)
            input = .question(question)
            return []
        }
        return try goBack(to: change, of: entry.suite)
    }

    mutating func goBack(to change: Journal.KeyChange, of suite: String) throws -> [EditorEffect] {
        let (key, old) = (change.key, change.value.old)
        let effects = try write([key: old], of: suite)
        say(old == nil ? "“\(key)” is gone again." : "“\(key)” is \(brief(old, of: key, in: suite)) again.")
        return effects
    }
}

extension EditorState {
    private func question(
        goingBackTo change: Journal.KeyChange,
        of suite: String,
        holding current: PropertyListValue?,
        from screen: HistoryScreen
    ) -> Question {
        let old = brief(change.value.old, of: change.key, in: suite)
        let back = change.value.old == nil ? "delete it" : "put \(old) back"
        let now = brief(current, of: change.key, in: suite)
        return Question(
            text: "“\(change.key)” holds \(now) now: \(back)?",
            subject: .goBack(change, suite: suite, holding: current, from: screen)
        )
    }
}
