import SettingsStore
import TerminalCanvas

/// Handles one message, and returns the effects for the event loop.
public func update(_ state: inout EditorState, _ message: Message) -> [Effect] {
    var effects = state.apply(message)
    // A search reads suite by suite. That changes nothing that the steps below restore.
    if case .store(.read) = message {
        var budget = message.budget
        state.goOn(&budget)
        return effects
    }
    for case .write(let write) in effects { state.suiteList.noteSelection(behind: write) }
    state.dropUnlistedSuites()
    for (suite, path) in state.modals.editedPaths { state.suiteList.select(path, of: suite) }
    state.suiteList.releaseKept()
    effects += (state.suite.map { state.suiteList.load($0.id) } ?? []) + state.followComparison()
    var budget = message.budget
    state.goOn(&budget)
    state.suiteList.scroll(Layout(state, state.display.size), state.options.glyphs)
    state.keepPendingRows()
    state.keepTopsOfLists()
    state.keepTopOfComparison()
    state.display.comparison = state.comparison
    return effects
}

extension Message {
    /// The budget for work after the message.
    fileprivate var budget: WorkBudget {
        switch self {
        case .work(.goOn(let amount)): WorkBudget(amount)
        // A tick comes with every key, and the key has its own budget.
        case .work(.tick): WorkBudget(0)
        default: .ofKey
        }
    }
}

extension EditorState {
    fileprivate mutating func apply(_ message: Message) -> [Effect] {
        switch message {
        case .command(let command): return apply(command)
        case .terminal(let event): return apply(event)
        case .work(.goOn): return []
        case .work(.tick(let now, let date)):
            clock.tick(now, date)
            suiteList.expireHighlights(now: clock.now)
            statusLine.expire(now: clock.now)
            return []
        case .store(let event):
            // Other events may change a value or a suite that a modal is about.
            switch event {
            case .rights, .preferences: return apply(event)
            default: break
            }
            _ = suiteList.takeMappings()
            let keys = keysUnderWay
            let effects = apply(event)
            remap(suiteList.takeMappings(), of: keys)
            return effects
        }
    }

    private mutating func apply(_ event: TerminalEvent) -> [Effect] {
        switch event {
        case .resized(let size): display.size = size
        case .mouse(let action, let point): return use(action, at: point)
        case .pasteLacked(let count):
            let characters = count == 1 ? "1 control character" : "\(count) control characters"
            note("Pasted with changes: \(characters) removed.")
        case .undecodable(let count):
            let characters = count == 1 ? "a character that is" : "\(count) characters that are"
            note("Ignored \(characters) not UTF-8. Set your terminal to UTF-8.")
        case .meaningless(let key):
            keyInput.count = nil
            if modal?.showsMessages == false {
                statusLine.stray = key
            } else if statusLine.message?.isProblem != true {
                // The reason why the previous key was refused stays.
                say(nothingIsMeant(by: key))
            }
        case .noColors: say("This terminal shows no colours.")
        case .copyTooLong:
            say("Too long for the terminal's clipboard. Press p to paste it in this editor.", isProblem: true)
        case .completedPaths(let text, let paths): complete(text, with: paths)
        case .failed(let reason):
            guard case .path(var prompt)? = modal else {
                note(reason)
                break
            }
            prompt.problem = reason
            modals.replaceTop(.path(prompt))
        case .edited(let result):
            statusLine.message = nil
            let edit = modals.externalEdit
            modals.externalEdit = nil
            return edit?.end(result, in: &self) ?? []
        }
        return []
    }

    private mutating func apply(_ command: Command) -> [Effect] {
        switch command {
        case .redraw: return [.redraw]
        case .changeTheme:
            display.theme = display.theme.next
            let (word, name) = (display.theme.rawValue, display.theme.name)
            say("Theme: \(word)\(word == name ? "" : " (\(name))"). Press T for the next one.")
            return [.useTheme(display.theme)]
        case .suspend: return [.suspend]
        case .quit: return quit()
        case .toggleMouse:
            display.usesMouse.toggle()
            if modal?.showsMessages ?? true {
                say(
                    display.usesMouse
                        ? "Mouse on." : "Mouse off. The terminal selects text."
                )
            }
            return [.reportMouse(display.usesMouse)]
        default: break
        }
        // A count belongs to the movement that directly follows it.
        defer { if !command.isCount { keyInput.count = nil } }
        statusLine.beginCommand(isShown: modal?.showsMessages ?? true)
        return handle(command)
    }

    private mutating func handle(_ command: Command) -> [Effect] {
        if keyInput.insertsNext {
            keyInput.insertsNext = false
            if case .cancel = command { return [] }
        }
        if command == .insertNext {
            keyInput.insertsNext = true
            return []
        }
        if command == .help, modal != nil {
            modals.push(.help(helpScreen))
            return []
        }
        if display.scrollComparison(command, times: keyInput.count) { return [] }
        // These commands do the same in the panes and in every list.
        switch command {
        case .count(let digit): keyInput.type(digit: digit)
        case .palette: modals.push(.palette(Palette(mode: mode)))
        case .undo: return undo()
        case .redo: return redo()
        default: return modal?.component.handle(command, in: &self) ?? browse(command)
        }
        return []
    }

    /// Changes the line that is being typed. Returns false for other commands.
    mutating func typeInLine(_ command: Command) -> Bool {
        modals.type(command, &search.prompts, &clipboard.killed)
    }
}

// Outcomes of commands.
extension EditorState {
    /// Carries out what a command leads to, or reports why it is refused.
    mutating func perform(_ command: (EditorState) throws -> Outcome) -> [Effect] {
        attempt { state throws in
            switch try command(state) {
            case .nothing: break
            case .open(let modal): state.modals.open(modal)
            case .write(let edit): return try state.write(edit)
            case .say(let text): state.say(text)
            case .editExternally(let edit): return state.modals.openExternally(edit)
            case .effects(let effects): return effects
            }
            return []
        }
    }

    /// Runs a command that can be refused, and reports the reason.
    mutating func attempt(_ body: (inout EditorState) throws -> [Effect]) -> [Effect] {
        do {
            return try body(&self)
        } catch let error as SchemaViolation {
            modals.push(.question(error.question))
        } catch {
            complain(error)
        }
        return []
    }
}

// Invariants that are restored after every message.
extension EditorState {
    /// Removes suites without keys that are no longer listed or were created here, when no work on them is left.
    fileprivate mutating func dropUnlistedSuites() {
        let new = suiteList.dropUnlisted(isInUse: modals.isAbout)
        if let new { leave(new) }
        if suiteList.suite == nil, hasSuitesPane, modal == nil { display.focus = .suites }
    }

    /// A suite that was created here and got no key disappears again.
    private mutating func leave(_ new: SuiteModel) {
        if hasSuitesPane { display.focus = .suites }
        if let index = new.madeBehind.flatMap(suiteIndex), shownSuites.contains(index) {
            suiteList.selected = index
        }
        if statusLine.message == nil { say("“\(new.title)” was not created, because it has no key.") }
    }
}
