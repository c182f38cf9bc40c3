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
        case .move(let movement):
            suiteList.move(movement, in: display.focus, Layout(self, display.size), times: keyInput.count)
        case .chooseLevel: if display.focus == .keys { modals.open(.choosing(.level)) }
        case .switchPane: if hasSuitesPane { display.focus = display.focus == .suites ? .keys : .suites }
        case .search, .filter:
            search.prompts.begin()
            modals.open(.search(searchPrompt(isFilter: command == .filter)))
        case .nextMatch: repeatSearch(forwards: true, count: keyInput.count ?? 1)
        case .previousMatch: repeatSearch(forwards: false, count: keyInput.count ?? 1)
        case .jump: return beginFinding(.jump)
        case .searchAll: return beginFinding(.search)
        case .chooseOnly: if suite != nil { modals.open(.choosing(.category)) }
        case .importFile: return attempt { state throws in try state.beginImporting() }
        case .exportSuite: return attempt { state throws in try state.beginExporting() }
        case .open(let text): return openPlace(text)
        case .forgetPlaces:
            say("The places opened before are forgotten.")
            return [.forgetPlaces]
        case .preferences: return attempt { state throws in try state.openPreferences() }
        case .resetKeys:
            if let reason = options.readOnlyReason {
                complain(Refusal("Read-only: \(reason)"))
            } else if preferences.keys.isEmpty {
                say("All keys are the standard ones.")
            } else {
                return [.resetKeys]
            }
        case .compare: return attempt { state throws in try state.chooseToCompare() }
        case .compareDefaults, .compareStart:
            return attempt { state throws in try state.compareSuite(withDefaults: command == .compareDefaults)
            }
        case .watch: toggleWatching()
        case .recover: return perform { try $0.recovering() }
        case .help: modals.push(.help(helpScreen))
        case .details: if suite != nil { modals.open(.details(DetailScreen())) }
        case .editSuiteExternally: return perform { try $0.editingSuiteExternally() }
        case .history: return perform { $0.showingHistory }
        case .toggleStaging: toggleStaging()
        case .pending: return perform { $0.showingPending }
        case .cancel:
            if display.focus == .keys, let suite, !suite.multiSelection.isEmpty {
                suiteList.suites[suiteList.selected].multiSelection = []
            } else if keyInput.count == nil, isFiltered {
                suiteList.clearFilter(of: display.focus)
            }
        case .paste(let text): return perform { try $0.pasting(text) }
        default: return display.focus == .suites ? browseSuites(command) : browseKeys(command)
        }
        return []
    }

    private mutating func browseSuites(_ command: Command) -> [Effect] {
        if case .closePlace = command { return attempt { state throws in try state.closePlace() } }
        if isHeadSelected, command != .add { return browseHead(command) }
        switch command {
        case .left where suiteList.hasHeads && !place.isFile: suiteList.selectedHead = place.id
        case .left: say(nothingIsMeant(by: .left))
        case .confirm, .right: if suite != nil { display.focus = .keys }
        case .add: return perform { try $0.addingSuite() }
        case .delete: return perform { try $0.deletingSuite() }
        case .rename: return perform { try $0.copyingSuite(isRename: true) }
        case .duplicate: return perform { try $0.copyingSuite(isRename: false) }
        default: break
        }
        return []
    }

    private mutating func browseKeys(_ command: Command) -> [Effect] {
        if let refusal = refusal(ofChangingRowsBy: command) {
            complain(refusal)
            return []
        }
        switch command {
        case .add: return perform { try $0.adding(isInside: false) }
        case .addInside:
            // The row of the new value is inside the container.
            if let row = selectedRow, row.node.isContainer, !row.isOpen, suite?.hides(row.path.key) == false {
                suiteList.toggle(row)
            }
            return perform { try $0.adding(isInside: true) }
        case .pasteCopied: return perform { try $0.pastingCopied() }
        default: break
        }
        if let path = selectedRow?.path {
            suiteList.suites[suiteList.selected].outline.rows.onScreen.finishReading(path)
        }
        guard let row = selectedRow else {
            if case .left = command, hasSuitesPane { display.focus = .suites }
            return []
        }
        if isRefused(command, forDeleted: row) {
            let isStaged = suite?.stagedDeletion(ofKey: row.path.key) != nil
            let restore = "Another program deleted “\(row.path.key)”. Press R to restore it."
            let undo = "“\(row.path.key)” will be deleted when you save. Press u to undo."
            complain(Refusal(isStaged ? undo : restore))
            return []
        }
        switch command {
        case .right: suiteList.goInto(row)
        case .left: if !suiteList.goOut(of: row), hasSuitesPane { display.focus = .suites }
        case .confirm:
            if row.node.isContainer, suite?.hides(row.path.key) == true {
                complain(Refusal.secret)
            } else if row.node.isContainer {
                if row.node.childCount == 0 { say("It is empty. Press A to add inside.") }
                suiteList.toggle(row)
            } else if let suite, let refusal = refusalOfReadOnly(suite),
                Layout(self, display.size).details == nil
            {
                // A row that cannot be edited shows its details.
                complain(refusal)
                modals.open(.details(DetailScreen()))
            } else {
                return perform { try $0.editing(row) }
            }
        case .findRevisions: return perform { try $0.findingRevisions(of: row) }
        case .editText: return perform { try $0.editingText(of: row) }
        case .editExternally: return perform { try $0.editingExternally(row, asXML: false) }
        case .editExternallyAsXML: return perform { try $0.editingExternally(row, asXML: true) }
        case .rename: return perform { try $0.renaming(row) }
        case .duplicate: return perform { try $0.duplicating(row) }
        case .changeType: return perform { try $0.changingType(of: row) }
        case .increase: return perform { try $0.counting(row, by: $0.keyInput.count ?? 1) }
        case .decrease: return perform { try $0.counting(row, by: -($0.keyInput.count ?? 1)) }
        case .raise: return perform { try $0.movingElement(row, up: true) }
        case .lower: return perform { try $0.movingElement(row, up: false) }
        case .multiSelect: suiteList.toggleMultiSelection(row)
        case .reveal:
            guard suiteList.toggleSecret(row.path.key, of: suite?.id ?? "") else {
                complain(Refusal("“\(row.path.key)” is not declared as a secret."))
                break
            }
        // These commands act on the whole multi-selection.
        case .copyCommand: return attempt { state throws in try state.copyCommand(setting: row) }
        case .copy: return perform { $0.copying() }
        case .reset: return perform { try $0.resetting($0.shownTargets()) }
        case .flip: return perform { try $0.flipping($0.shownTargets()) }
        case .delete: return perform { try $0.deleting($0.shownTargets()) }
        case .moveToSuite: return perform { try $0.movingToSuite($0.targets) }
        default: break
        }
        return []
    }

    /// Why a command cannot change the selected row, or the rows of the multi-selection, because another layer hides the
    /// user's values.
    private func refusal(ofChangingRowsBy command: Command) -> Refusal? {
        guard let suite, let row = selectedRow else { return nil }
        switch command {
        case .confirm: if row.shown.isContainer { return nil }
        // A row beside a key is another key.
        case .add, .pasteCopied, .duplicate: if row.depth == 0 { return nil }
        case .editText, .editExternally, .editExternallyAsXML, .rename, .changeType, .raise, .lower,
            .addInside, .increase, .decrease:
            break
        case .flip, .delete, .moveToSuite:
            return targets.lazy.compactMap { suite.refusal(ofChanging: $0.key) }.first
        default: return nil
        }
        return suite.refusal(ofChanging: row.path.key)
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
}
