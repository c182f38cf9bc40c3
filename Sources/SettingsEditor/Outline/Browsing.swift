import PropertyList
import TerminalCanvas

// Commands for the panes, while no modal is open.
extension EditorState {
    mutating func browse(_ command: Command) -> [Effect] {
        if case .cancel = command {
            search.highlightsMatches = false
            search.forgetHits()
        }
        // Esc ends only the search, if one is running.
        if search.end(), case .cancel = command { return [] }
        switch command {
        case .move(let movement): move(movement, in: display.focus, times: keyInput.count)
        case .count(let digit): keyInput.type(digit: digit)
        case .chooseLevel: if display.focus == .keys { modals.open(.choosingLevel(LevelPrompt())) }
        case .switchPane: if !options.isSingle { display.focus = display.focus == .suites ? .keys : .suites }
        case .search: beginSearch(isFilter: false)
        case .filter: beginSearch(isFilter: true)
        case .nextMatch: repeatSearch(forwards: true, count: keyInput.count ?? 1)
        case .previousMatch: repeatSearch(forwards: false, count: keyInput.count ?? 1)
        case .jump: return beginFinding(.jump)
        case .searchAll: return beginFinding(.search)
        case .chooseOnly: if suite != nil { modals.open(.choosingOnly(CategoryPrompt())) }
        case .palette: beginPalette()
        case .watch: toggleWatching()
        case .recover: return attempt { state throws in try state.askToRecover() }
        case .help: beginHelp()
        case .editSuiteExternally:
            return attempt { state throws in try state.beginExternalSuiteEdit(asXML: false) }
        case .editSuiteExternallyAsXML:
            return attempt { state throws in try state.beginExternalSuiteEdit(asXML: true) }
        case .undo: return undo()
        case .redo: return redo()
        case .history: beginHistory()
        case .toggleStaging: toggleStaging()
        case .pending: beginPending()
        case .cancel:
            if display.focus == .keys, let suite, !suite.multiSelection.isEmpty {
                suiteList.suites[suiteList.selected].multiSelection = []
            } else {
                cancel()
            }
        case .paste(let text): return attempt { state throws in try state.paste(text) }
        default: return display.focus == .suites ? browseSuites(command) : browseKeys(command)
        }
        return []
    }

    private mutating func browseSuites(_ command: Command) -> [Effect] {
        switch command {
        case .confirm, .right: if suite != nil { display.focus = .keys }
        case .add: return attempt { state throws in try state.beginSuite() }
        case .delete: return attempt { state throws in try state.askToDeleteSuite() }
        case .rename: return attempt { state throws in try state.beginCopyingSuite(isRename: true) }
        case .duplicate: return attempt { state throws in try state.beginCopyingSuite(isRename: false) }
        default: break
        }
        return []
    }

    private mutating func browseKeys(_ command: Command) -> [Effect] {
        switch command {
        case .add: return attempt { state throws in try state.beginAdding() }
        case .pasteCopied: return attempt { state throws in try state.pasteClips() }
        default: break
        }
        if let path = selectedRow?.path {
            suiteList.suites[suiteList.selected].outline.rows.finishReading(path)
        }
        guard let row = selectedRow else {
            if case .left = command, !options.isSingle { display.focus = .suites }
            return []
        }
        if isRefused(command, forDeleted: row) {
            complain(Refusal("Another program deleted “\(row.path.key)”. Press R to restore it."))
            return []
        }
        switch command {
        case .right: suiteList.goInto(row)
        case .left: if !suiteList.goOut(of: row), !options.isSingle { display.focus = .suites }
        case .confirm:
            if row.node.isContainer, suite?.hides(row.path.key) == true {
                complain(Refusal.secret)
            } else if row.node.isContainer {
                suiteList.toggle(row)
            } else {
                return attempt { state throws in try state.beginEditing(row) }
            }
        case .findRevisions: return attempt { state throws in try state.askForRevisions(of: row) }
        case .editText: return attempt { state throws in try state.beginEditingText(row) }
        case .editExternally:
            return attempt { state throws in try state.beginExternalEdit(row, asXML: false) }
        case .editExternallyAsXML:
            return attempt { state throws in try state.beginExternalEdit(row, asXML: true) }
        case .rename: return attempt { state throws in try state.beginRenaming(row) }
        case .duplicate: return attempt { state throws in try state.duplicate(row) }
        case .changeType: return attempt { state throws in try state.beginChangingType(row) }
        case .raise: return attempt { state throws in try state.moveElement(row, up: true) }
        case .lower: return attempt { state throws in try state.moveElement(row, up: false) }
        case .multiSelect: suiteList.toggleMultiSelection(row)
        case .copy: beginCopying()
        case .reset: return attempt { state throws in try state.reset(state.shownTargets()) }
        case .reveal:
            return attempt { state throws in
                try state.toggleSecret(row)
                return []
            }
        // These commands act on the whole multi-selection.
        case .flip: return attempt { state throws in try state.flip(state.shownTargets()) }
        case .delete: return attempt { state throws in try state.askToDelete(state.targets) }
        case .moveToSuite: return attempt { state throws in try state.beginMoving(state.targets) }
        default: break
        }
        return []
    }

    /// Whether a command cannot be applied to a row, because the row shows a deleted value.
    private func isRefused(_ command: Command, forDeleted row: Row) -> Bool {
        guard let suite, suite.outline.deleted.contains(row.path.key) else { return false }
        return switch command {
        case .right, .left, .reveal, .findRevisions: false
        case .confirm: !row.node.isContainer
        // The multi-selection never contains a deleted row.
        case .flip, .delete, .moveToSuite, .copy: targets.isEmpty || targets == [row.path]
        default: true
        }
    }

    /// Runs a command that can be refused, and reports the reason.
    mutating func attempt(_ body: (inout EditorState) throws -> [Effect]) -> [Effect] {
        do {
            return try body(&self)
        } catch let error as SchemaViolation {
            ask(about: error)
        } catch {
            complain(error)
        }
        return []
    }
}

// Movement.
extension EditorState {
    mutating func move(_ movement: Movement, in pane: Pane, times: Int?) {
        switch pane {
        case .suites:
            let shown = shownSuites
            guard !shown.isEmpty else { return }
            let height = Layout(self, display.size).suites?.rows ?? Layout(self, display.size).body.count
            let place = shown.firstIndex(of: suiteList.selected) ?? 0
            suiteList.selected =
                shown[movement.target(from: place, count: shown.count, page: height, times: times)]
        case .keys:
            guard let outline = suite?.outline, !outline.rows.isEmpty else { return }
            let target =
                switch movement {
                case .nextSibling: outline.sibling(of: outline.selected, forwards: true, times: times ?? 1)
                case .previousSibling:
                    outline.sibling(of: outline.selected, forwards: false, times: times ?? 1)
                default:
                    movement.target(
                        from: outline.selected,
                        count: outline.rows.count,
                        page: Layout(self, display.size).keyRows,
                        times: times
                    )
                }
            suiteList.suites[suiteList.selected].outline.select(target)
        }
    }

    /// Cancels a count, the filter, or the values of a deleted file, in this order.
    private mutating func cancel() {
        if keyInput.count != nil { return }
        if isFiltered { return suiteList.clearFilter(of: display.focus) }
        if let suite, suite.isLost, let lost = suite.lost {
            modals.open(
                .question(
                    Confirmation(
                        text: kind.questionAboutForgetting(counted(lost.count), of: suite.title),
                        subject: .forgetLost(suite: suite.id)
                    )
                )
            )
        }
    }

    /// Shows only the keys of a category.
    fileprivate mutating func showOnly(_ category: KeyCategory) {
        guard let suite else { return }
        display.focus = .keys
        suiteList.suites[suiteList.selected].setFilter(
            RowFilter.setting(suite.filter(of: category), in: suite.outline.filter),
            from: suite.outline.selectedRow?.path
        )
    }
}

extension Movement {
    /// The target of the movement in a list of `count` rows, repeated `times` times. The list must not be empty.
    func target(from place: Int, count: Int, page: Int, times: Int? = nil) -> Int {
        let number = times ?? 1
        let target =
            switch self {
            case .up, .previousSibling: place - number
            case .down, .nextSibling: place + number
            case .pageUp: place - number * max(1, page - 1)
            case .pageDown: place + number * max(1, page - 1)
            case .halfPageUp: place - number * max(1, page / 2)
            case .halfPageDown: place + number * max(1, page / 2)
            case .first: number - 1
            case .last: (times ?? count) - 1
            }
        return max(0, min(target, count - 1))
    }
}

extension Command {
    var isCount: Bool { if case .count = self { true } else { false } }
}

/// Asks which category of keys to show.
struct CategoryPrompt: Sendable, Hashable, Component {
    func mode(in state: EditorState) -> Mode { .only }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        switch command {
        case .showOnly(let category):
            state.modals.closeAll()
            state.showOnly(category)
        case .cancel: state.modals.closeAll()
        default: break
        }
        return []
    }
}

/// Asks for the level to which the outline is expanded.
struct LevelPrompt: Sendable, Hashable, Component {
    func mode(in state: EditorState) -> Mode { .level }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        switch command {
        case .level(let level):
            state.modals.closeAll()
            if state.suite != nil {
                state.suiteList.suites[state.suiteList.selected].outline.openToLevel(level)
            }
        case .cancel: state.modals.closeAll()
        default: break
        }
        return []
    }
}
