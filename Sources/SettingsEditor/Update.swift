import SettingsStore
import TerminalCanvas

/// Takes in one action and returns what has to be done outside for it.
public func update(_ state: inout EditorState, _ action: EditorAction) -> [EditorEffect] {
    var effects = state.apply(action)
    // What a search reads comes suite by suite, and changes nothing that the rest looks after.
    if case .read = action {
        var effort = action.effort
        state.goOn(&effort)
        return effects
    }
    for case .write(let write) in effects { state.noteSelection(behind: write) }
    state.dropUnlistedSuites()
    state.keepSelectionOnDraft()
    state.releaseKept()
    effects += state.loadSelectedSuite()
    var effort = action.effort
    state.goOn(&effort)
    state.scroll()
    state.keepPendingRows()
    state.keepTopsOfLists()
    state.keepComparison()
    return effects
}

extension EditorAction {
    /// What may be gone on with behind it.
    fileprivate var effort: Effort {
        switch self {
        case .goOn(let amount): Effort(amount)
        // It comes with every key, whose own action goes on.
        case .tick: Effort(0)
        default: .ofKey
        }
    }
}

extension EditorState {
    fileprivate mutating func apply(_ action: EditorAction) -> [EditorEffect] {
        switch action {
        case .listed, .listingFailed, .connection, .loaded, .changed, .status, .declared, .setAside, .read,
            .recovered, .removedPart,
            .revisions, .declarationsStay, .link, .wrote, .rounded, .tick:
            let former = valuesUnderWay()
            defer {
                follow(from: former)
                endForgetting()
            }
            return applyFromStore(action)
        case .rights, .changing: return applyFromStore(action)
        case .resized(let size): self.size = size
        case .redraw: return [.redraw]
        case .changeTheme: return [.changeTheme]
        case .suspend: return [.suspend]
        case .quit: return quit()
        case .toggleMouse:
            usesMouse.toggle()
            if input?.showsMessages ?? true {
                say(usesMouse ? "The mouse acts here." : "The mouse selects text, as the terminal has it.")
            }
            return [.reportMouse(usesMouse)]
        case .mouse(let action, let point): return use(action, at: point)
        case .pasteLacked(let loss): note(loss.words)
        case .undecodable(let count):
            let characters = count == 1 ? "a character that is" : "\(count) characters that are"
            note("Left out: \(characters) no UTF-8, which the terminal has to send.")
        case .meaningless(let key):
            count = nil
            if input?.showsMessages == false {
                stray = key
            } else if message?.isProblem != true {
                // What the key before it was refused for is not wiped away.
                say(nothingIsMeant(by: key))
            }
        case .noColors: say("There are no colours here to change.")
        case .copyTooLong:
            say("Too long for the terminal's clipboard; p puts it in here.", isProblem: true)
        case .edited(let result):
            message = nil
            return editedOutside(result)
        case .keysDropped(let count):
            let keys = count == 1 ? "The key typed behind it does" : "The \(count) keys typed behind it do"
            say(
                [message?.text, "\(keys) nothing."].compactMap { $0 }.joined(separator: " "),
                isProblem: true
            )
        case .goOn: break
        default:
            // Only a movement directly behind the number is repeated.
            defer { if !action.isCount { count = nil } }
            stray = nil
            // What was not shown, since something was being typed, waits.
            if input?.showsMessages ?? true { message = nil }
            if action != .undo, action != .redo { undoHistory.passOverNone() }
            return applyFromUser(action)
        }
        return []
    }

    private mutating func applyFromUser(_ action: EditorAction) -> [EditorEffect] {
        if insertsNext {
            insertsNext = false
            if case .cancel = action { return [] }
        }
        if action == .insertNext {
            insertsNext = true
            return []
        }
        if action == .help, input != nil {
            beginHelp()
            return []
        }
        if scrollComparison(action) { return [] }
        switch input {
        case nil: return browse(action)
        case .draft(let draft)?: return type(action, in: draft)
        case .naming(let naming)?: return type(action, in: naming)
        case .menu(let menu)?: return choose(action, in: menu)
        case .conflict(let conflict)?: return settle(action, conflict)
        case .question(let question)?: return answer(action, to: question)
        case .search(let prompt)?: type(action, in: prompt)
        case .history(let screen)?: return browse(action, in: screen)
        case .pending(let screen)?: return browse(action, in: screen)
        case .help(let screen)?: readHelp(action, screen)
        case .choosingLevel?: chooseLevel(action)
        case .finding(let finder)?: return find(action, in: finder)
        case .choosingOnly?: chooseOnly(action)
        case .palette(let palette)?: return use(action, in: palette)
        }
        return []
    }

    /// Inserts into the line that is being typed, or moves in it; false for any other action.
    mutating func typeInLine(_ action: EditorAction) -> Bool {
        guard var line = input?.line else { return false }
        switch action {
        case .insert(let text): line.insert(text)
        // Terminals send the line ends of what is pasted as carriage returns.
        case .paste(let text):
            let text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
            // A line that was copied ends in one, which no name and no pattern is meant to have.
            let isValue = if case .draft? = input { true } else { false }
            line.insert(!isValue && text.hasSuffix("\n") ? String(text.dropLast()) : text)
        case .line(let command): line.apply(command, killed: &killed)
        case .recall(let recall):
            guard let kind = input?.promptKind,
                let text = promptWords.word(recall, from: line.text, kind)
            else { return false }
            line.replace(with: text)
        default: return false
        }
        input?.line = line
        return true
    }
}

extension PasteLoss {
    /// In a sentence.
    fileprivate var words: String {
        let controls =
            controlCharacters == 1 ? "1 control character" : "\(controlCharacters) control characters"
        let places = nonUTF8 == 1 ? "1 place" : "\(nonUTF8) places"
        let parts = [
            controlCharacters == 0 ? "" : "\(controls) left out",
            nonUTF8 == 0 ? "" : "\(places) that \(nonUTF8 == 1 ? "is" : "are") no UTF-8 replaced by \u{FFFD}",
        ]
        return "Of what was pasted: \(parts.filter { !$0.isEmpty }.joined(separator: ", "))."
    }
}

// What is put right after every action.
extension EditorState {
    /// Suites without a key that are no longer listed, or were made here, go as soon as nothing is being
    /// done with them.
    fileprivate mutating func dropUnlistedSuites() {
        guard suites.indices.contains(where: { suites[$0].presence != .listed }) else { return }
        let selected = suite
        for index in suites.indices.reversed() {
            let suite = suites[index]
            // What was deleted is shown with what it held.
            if suite.presence == .listed || suite.beginsAnew || !suite.tree.entries.isEmpty { continue }
            if input?.suite == suite.id || !suite.inFlight.isEmpty || !suite.staged.isEmpty { continue }
            if let secrets = suite.secrets.hidden { secretsOfGone[suite.id] = secrets }
            suites.remove(at: index)
            if index < selectedSuite || selectedSuite == suites.count { selectedSuite -= 1 }
        }
        selectedSuite = max(0, selectedSuite)
        if let selected, selected.presence == .new, suiteIndex(selected.id) == nil { leave(selected) }
        if suites.isEmpty, !options.isSingle, input == nil { focus = .suites }
    }

    /// A suite that was made here and got no key is as if nobody had thought of it.
    private mutating func leave(_ new: SuiteModel) {
        if !options.isSingle { focus = .suites }
        guard let former = new.madeBehind else { return }
        if let index = suiteIndex(former), shownSuites.contains(index) { selectedSuite = index }
        if message == nil { say("“\(new.title)” is not made, since it has no key.") }
    }

    fileprivate mutating func keepSelectionOnDraft() {
        guard let path = input?.edited, let index = input?.suite.flatMap(suiteIndex) else { return }
        suites[index].tree.select(path)
    }

    /// What the filter does not leave any more goes with the cursor.
    fileprivate mutating func releaseKept() {
        guard suites.indices.contains(selectedSuite), suites[selectedSuite].tree.kept != nil else { return }
        suites[selectedSuite].tree.releaseKept()
    }

    fileprivate mutating func loadSelectedSuite() -> [EditorEffect] {
        guard let suite, suite.contents == .unknown else { return [] }
        suites[selectedSuite].contents = .loading
        return [.load(suite.id)]
    }

    /// The rows that are kept in sight above and below a selection.
    private static let margin = 3

    /// Moves what is shown so far that the selections are on the screen.
    fileprivate mutating func scroll() {
        let layout = Layout(self, size)
        if heldSuite != suite?.id { heldSuite = nil }
        suitesTop = visibleTop(
            suitesTop,
            selected: shownSuites.firstIndex(of: selectedSuite) ?? 0,
            count: shownSuites.count,
            height: layout.suites?.rows ?? layout.body.count,
            margin: heldSuite == nil ? Self.margin : 0
        )
        guard suites.indices.contains(selectedSuite) else { return }
        suites[selectedSuite].tree.releaseHeld()
        let tree = suites[selectedSuite].tree
        let top = visibleTop(
            tree.top,
            selected: tree.selected,
            count: tree.rows.count,
            height: layout.keyRows,
            margin: tree.held == nil ? Self.margin : 0
        )
        suites[selectedSuite].tree.top = top
        suites[selectedSuite].tree.look(height: layout.keyRows, options.glyphs)
    }
}

/// The first row to show so that the selected one is among `height` rows, and so many more on either
/// side, with as little movement as possible.
func visibleTop(_ top: Int, selected: Int, count: Int, height: Int, margin: Int = 0) -> Int {
    guard height > 0 else { return max(0, selected) }
    let margin = min(margin, (height - 1) / 2)
    let nearest = min(max(top, selected - height + 1 + margin), selected - margin)
    return max(0, min(nearest, count - height))
}
