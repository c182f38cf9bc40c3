// The names of commands in the preferences. They are stored in files, so they must never change.
extension Command {
    /// The name under which the command's keys are stored; nil if they are fixed.
    var preferenceName: String? {
        switch self {
        case .move(let movement): movement.rawValue
        case .confirm: "open"
        case .left: "left"
        case .right: "right"
        case .add: "add"
        case .addInside: "addInside"
        case .delete: "delete"
        case .rename: "rename"
        case .duplicate: "duplicate"
        case .changeType: "changeType"
        case .flip: "toggle"
        case .increase: "increase"
        case .decrease: "decrease"
        case .editText: "editText"
        case .editExternally: "editOutside"
        case .editExternallyAsXML: "editOutsideAsXML"
        case .editSuiteExternally: "editSuiteOutside"
        case .raise: "moveUp"
        case .lower: "moveDown"
        case .reset: "reset"
        case .reveal: "show"
        case .multiSelect: "select"
        case .moveToSuite: "moveToSuite"
        case .copy: "copy"
        case .copyCommand: "copyCommand"
        case .pasteCopied: "paste"
        case .undo: "undo"
        case .redo: "redo"
        case .toggleStaging: "staging"
        case .pending: "staged"
        case .history: "history"
        case .findRevisions: "revisions"
        case .search: "search"
        case .filter: "filter"
        case .nextMatch: "nextMatch"
        case .previousMatch: "previousMatch"
        case .jump: "goTo"
        case .searchAll: "searchAll"
        case .chooseOnly: "only"
        case .chooseLevel: "level"
        case .watch: "watch"
        case .compare: "compare"
        case .compareDefaults: "compareDefaults"
        case .compareStart: "compareStart"
        case .details: "details"
        case .recover: "recover"
        case .importFile: "import"
        case .exportSuite: "export"
        case .open: "openPlace"
        case .closePlace: "closePlace"
        case .forgetPlaces: "forgetPlaces"
        case .palette: "commands"
        case .preferences: "preferences"
        case .switchPane: "otherPane"
        case .changeTheme: "theme"
        case .toggleMouse: "mouse"
        case .redraw: "redraw"
        // These keys are fixed.
        case .cancel, .count, .level, .showOnly, .changeForm, .writeAll, .help, .resetKeys, .suspend, .quit:
            nil
        case .insert, .insertNext, .paste, .line, .recall, .completePath: nil
        case .choose, .answer, .scroll, .nextDifference, .previousDifference, .takeTheirs, .copyLeft,
            .copyRight:
            nil
        }
    }
}
