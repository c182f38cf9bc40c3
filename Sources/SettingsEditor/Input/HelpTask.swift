/// The sections of the help. Each is a task of the user.
enum HelpTask: String, CaseIterable {
    case move = "Move"
    case change = "Change a value"
    case addAndRemove = "Add and remove"
    case find = "Find"
    case compare = "Compare"
    case undo = "Changes and undo"
    case stage = "Staging"
    case files = "Files and places"
    case view = "View"
    case leave = "Leave"
}

extension KeyBinding {
    var task: HelpTask {
        switch command {
        case .move, .count, .right, .left, .switchPane, .scroll: .move
        case .line(.left), .line(.right), .line(.start), .line(.end), .line(.wordLeft), .line(.wordRight):
            .move
        // Enter opens suites and containers, and changes values.
        case .confirm: name == "open" ? .move : .change
        case .flip, .increase, .decrease, .editText, .editExternally, .editExternallyAsXML,
            .editSuiteExternally, .changeType, .reset, .multiSelect, .changeForm, .insert, .insertNext,
            .paste, .line, .choose, .answer,
            .takeTheirs:
            .change
        case .add, .addInside, .delete, .rename, .duplicate, .raise, .lower, .moveToSuite, .copy,
            .copyCommand, .pasteCopied:
            .addAndRemove
        case .search, .filter, .nextMatch, .previousMatch, .jump, .searchAll, .chooseOnly, .showOnly, .recall,
            .palette:
            .find
        case .nextDifference, .previousDifference, .compare, .compareDefaults, .compareStart, .copyLeft,
            .copyRight:
            .compare
        case .undo, .redo, .history, .findRevisions, .recover, .watch: .undo
        case .toggleStaging, .pending, .writeAll: .stage
        case .open, .closePlace, .forgetPlaces, .importFile, .exportSuite, .completePath: .files
        case .chooseLevel, .level, .reveal, .help, .details, .preferences, .resetKeys, .redraw, .changeTheme,
            .toggleMouse:
            .view
        // In the panes, Esc clears the filter.
        case .cancel: isOfPanes ? .find : .leave
        case .suspend, .quit: .leave
        }
    }
}

extension EditorState {
    /// The bindings of a mode, one for each command. It has all keys of the command. If they do different things, it has
    /// the words of the one that is useful now.
    func commands(in mode: Mode) -> [KeyBinding] {
        var found: [KeyBinding] = []
        for binding in keymap.bindings where binding.modes.contains(mode) {
            guard let other = found.firstIndex(where: { $0.command == binding.command }) else {
                found.append(binding)
                continue
            }
            let keys = found[other].keys + binding.keys.filter { !found[other].keys.contains($0) }
            if isUseful(binding), !isUseful(found[other]) { found[other] = binding }
            found[other].keys = keys
        }
        return found
    }

    /// The thing that a command lacks here, such as “a cluster”. Nil if the command can do something.
    func need(of command: Command, in mode: Mode) -> String? {
        // In lists and prompts every command can do something.
        guard Mode.panes.contains(mode) else { return nil }
        let isSuite = mode == .suites
        let canChangeRows = canWrite && hasMultiSelection
        let (isMet, need): (Bool, String) =
            switch command {
            case .add where isSuite, .rename where isSuite, .duplicate where isSuite:
                (canCreateSuite, "a location that can be changed")
            case .left where isSuite, .closePlace: (suiteList.hasHeads, "several places")
            case .right where isSuite, .delete where isSuite, .confirm where isSuite, .search, .filter,
                .jump, .searchAll, .chooseOnly, .details, .exportSuite, .compare, .compareDefaults,
                .compareStart:
                (hasSuite, "a suite")
            case .add, .duplicate, .pasteCopied, .importFile, .editSuiteExternally:
                (canWrite, "a suite that can be changed")
            case .confirm:
                (canEditRow || selectedRow?.shown.isContainer == true, "a value that can be changed")
            case .delete, .rename, .changeType, .editText, .editExternally, .editExternallyAsXML:
                (canChangeRow || canChangeRows, "a value that can be changed")
            case .flip: (canToggleRow || canChangeRows, "a boolean")
            case .increase, .decrease: (canChangeRow, "an integer or a date that can be changed")
            case .addInside: (canAddInside, "an array, a dictionary or JSON that can be changed")
            case .raise, .lower:
                (canChangeRow && selectedRow?.path.endsWithIndex == true, "an element of an array")
            case .reset: (canResetRow || canChangeRows, "a stored value that has a default")
            case .reveal: (isRowSecret, "a secret")
            case .moveToSuite: (canChangeRow && suiteList.suites.count > 1, "another suite")
            case .right, .chooseLevel, .multiSelect, .copy, .copyCommand: (hasRow, "a row")
            case .findRevisions: (hasRevisions, "a cluster")
            case .switchPane: (hasSuitesPane, "several suites")
            case .nextMatch, .previousMatch: (hasPattern, "a search")
            case .cancel: (isFiltered || hasMultiSelection, "a filter")
            case .undo: (history.undo.hasPast, "a change of yours")
            case .redo: (history.undo.hasFuture, "a change that you undid")
            case .recover: (canBeRecovered, "an unreadable file or a deleted key")
            case .pending: (hasPending, "staged changes")
            default: (true, "")
            }
        return isMet ? nil : need
    }
}
