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

extension EditorState {
    /// The history where it is on the screen, also while something about it is asked.
    var historyScreen: HistoryScreen? {
        get {
            switch input {
            case .history(let screen)?: screen
            case .search(let prompt)?: prompt.history?.screen
            case .question(let question)?:
                switch question.subject {
                case .goBack(_, _, _, let screen), .undeclared(_, from: .history(let screen)?): screen
                default: nil
                }
            default: nil
            }
        }
        // What is asked is about the one that it was asked from.
        set {
            guard let newValue else { return }
            if case .search(var prompt)? = input {
                prompt.history?.screen = newValue
                input = .search(prompt)
            } else if case .history? = input {
                input = .history(newValue)
            }
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
        let journal = journal(of: screen)
        let place = journal.place(of: screen.selected)
        historySearch = nil
        switch action {
        // What there is of a number goes first.
        case .cancel: if count == nil { input = nil }
        case .palette: beginPalette()
        case .count(let digit): type(digit: digit)
        case .search: beginSearchingHistory(screen)
        case .nextMatch: searchHistoryAgain(forwards: true, count: count ?? 1)
        case .previousMatch: searchHistoryAgain(forwards: false, count: count ?? 1)
        case .move(let movement):
            let target = movement.target(
                from: place,
                count: journal.entries.count,
                page: ChangesLayout(Layout(self, size)).list.rows,
                times: count
            )
            input = .history(self.screen(screen, on: target))
        case .confirm:
            guard let entry = journal.entry(at: place) else { break }
            return attempt { state throws in try state.goBack(to: entry, from: screen) }
        case .undo: return undo()
        case .redo: return redo()
        case .scroll, .nextDifference, .previousDifference: sayNothingIsCompared()
        default: break
        }
        return []
    }

    /// Why there is nothing to scroll below a list.
    mutating func sayNothingIsCompared() {
        let hasRoom = ChangesLayout(Layout(self, size)).details != nil
        say(
            hasRoom
                ? "There are no values to show of this line."
                : "There is no room for the values below the list."
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
            height: ChangesLayout(Layout(self, size)).list.rows
        )
        screen.top = top == 0 ? nil : journal.entry(at: top)?.number
        return screen
    }

    /// Gives the places of a key that a change has changed back what they held before; asks first where they
    /// hold something else now than after that change.
    private mutating func goBack(
        to entry: Journal.Entry,
        from screen: HistoryScreen
    ) throws -> [EditorEffect] {
        guard let change = entry.ofKey else { return try goBack(toSuiteBefore: entry) }
        let (key, suite) = (change.key, entry.suite)
        let loads = makeRoom(for: change, of: suite)
        let merge = try merge(goingBackTo: change, of: suite)
        if merge.value == merge.ground, merge.clashes.isEmpty {
            let (place, value) = former(change, of: suite)
            throw Refusal("“\(place)” holds \(value) already.")
        }
        if merge.clashes.isEmpty { return loads + (try goBack(merge, to: change, of: suite)) }
        let text = questionAboutGoingBack(merge.clashes, of: key, in: suite)
        let subject = Question.Subject.goBack(change, suite: suite, over: merge.clashes, from: screen)
        input = .question(Question(text: text, subject: subject))
        return []
    }

    /// - Parameter clashes: What the user has agreed to write over.
    mutating func goBack(
        to change: Journal.KeyChange,
        of suite: String,
        over clashes: [Merge.Clash]
    ) throws -> [EditorEffect] {
        let merge = try merge(goingBackTo: change, of: suite)
        guard merge.clashes == clashes else { throw Refusal("“\(change.key)” has changed once more.") }
        return try goBack(merge, to: change, of: suite)
    }

    /// Makes a suite again that was removed here, or asks whether one is to go that was made.
    private mutating func goBack(toSuiteBefore entry: Journal.Entry) throws -> [EditorEffect] {
        guard let part = entry.part else {
            throw Refusal("What “\(entry.suite)” held before is not known, so that there is no way back.")
        }
        if part.whole?.isMade == true {
            guard let index = suiteIndex(part.suite) else {
                throw Refusal("“\(part.suite)” is gone already.")
            }
            selectedSuite = index
            return try askToDeleteSuite()
        }
        var back = part.reversed
        let loads = makeRoom(for: [back])
        guard let index = suiteIndex(back.suite) else { return loads }
        back.whole = try whole(of: back, in: suites[index])
        // It is what was there.
        let effects = try write([back], isAgreed: true)
        say("“\(back.suite)” is there again.")
        return loads + effects
    }

    /// Puts a suite into the list that a key is to be put back into.
    private mutating func makeRoom(for change: Journal.KeyChange, of suite: String) -> [EditorEffect] {
        guard change.value.old != nil, suiteIndex(suite) == nil else { return [] }
        _ = insertSuite(suite)
        return [.load(suite)]
    }

    private func merge(goingBackTo change: Journal.KeyChange, of suite: String) throws -> Merge {
        guard let index = suiteIndex(suite) else { throw Refusal("“\(suite)” is gone.") }
        if let refusal = refusal(forWritingTo: suites[index]) { throw refusal }
        return Merge(change.value.reversed, over: suites[index].value(forKey: change.key))
    }

    private mutating func goBack(
        _ merge: Merge,
        to change: Journal.KeyChange,
        of suite: String
    ) throws -> [EditorEffect] {
        guard var part = try part([change.key: merge.value], of: suite) else { return [] }
        // There is no file: it is made, as it was where that was removed here, and goes again with what is put back.
        if let index = suiteIndex(suite), suites[index].presence != .listed, suites[index].values.isEmpty {
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
        else { return (change.key, brief(change.value.old, of: change.key, in: suite)) }
        return ("\(change.key)\(place.path)", place.old)
    }
}
