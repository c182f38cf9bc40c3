import TerminalCanvas

// The keys of a suite, and what is in them.
extension KeyBinding {
    static let inKeys: [KeyBinding] = [
        KeyBinding(
            [.enter],
            in: [.keys],
            .confirm,
            "open",
            help: "Opens an array, a dictionary or JSON, or closes it.",
            also: "expand unfold",
            when: { $0.selectedRow?.shown.mayBeOpened == true && $0.selectedRow?.isOpen == false }
        ),
        KeyBinding(
            [.enter],
            in: [.keys],
            .confirm,
            "edit",
            help: "Edits any other value in its row.",
            also: "change set value",
            when: { $0.canWrite && $0.selectedRow.map { $0.shown.isContainer || $0.shown.isUnread } == false }
        ),
        KeyBinding(
            [.character(" ")],
            in: [.keys],
            .flip,
            "flip",
            help: "Turns a boolean round.",
            also: "toggle switch boolean",
            when: { $0.canWrite && $0.selectedRow?.shown.flipped != nil }
        ),
        KeyBinding(
            [.left, .character("h")],
            in: [.keys],
            .left,
            "close",
            help: "Closes, goes to what the row lies in, or back to the suites.",
            also: "collapse fold",
            when: { $0.selectedRow?.isOpen == true }
        ),
        KeyBinding(
            [.right, .character("l")],
            in: [.keys],
            .right,
            "go in",
            help: "Opens, and goes to the first row inside."
        ),
        KeyBinding(
            [.character("a")],
            in: [.keys],
            .add,
            "add",
            help: "Adds into what is open, else beside the row.",
            also: "new create insert",
            when: \.canWrite
        ),
        KeyBinding(
            [.character("d"), .delete],
            in: [.keys],
            .delete,
            "delete",
            help: "Deletes, after a question.",
            also: "remove unset",
            when: { $0.canWrite && $0.selectedRow != nil }
        ),
        KeyBinding(
            [.character("V")],
            in: [.keys],
            .findRevisions,
            "history",
            help: "Lists what the key has been on the cluster, and goes back.",
            also: "versions revisions",
            when: { $0.options.kind == .cluster && $0.selectedRow != nil }
        ),
        KeyBinding(
            [.character("e")],
            in: [.keys],
            .editText,
            "edit as text",
            help: "Edits JSON, also where it could be opened, as the text that it is."
        ),
        KeyBinding(
            [.character("E")],
            in: [.keys],
            .editOutside,
            "edit outside",
            help:
                "Opens a text, or all that is inside, in $VISUAL or $EDITOR; arrays and dictionaries as JSON where that has a place for all of it, else as XML.",
            also: "visual external vim"
        ),
        KeyBinding(
            [.character("X")],
            in: [.keys],
            .editOutsideAsXML,
            "edit outside as XML",
            help: "Opens it there as XML."
        ),
        KeyBinding(
            [.control("e")],
            in: [.keys],
            .editSuiteOutside,
            "edit suite outside",
            help:
                "Opens the whole suite there, but for its secrets, as JSON; what differs is written in one step."
        ),
        KeyBinding(
            [.control("x")],
            in: [.keys],
            .editSuiteOutsideAsXML,
            "edit suite outside as XML",
            help: "Opens the whole suite there as XML."
        ),
        KeyBinding([.character("r")], in: [.keys], .rename, "rename", help: "Gives another name."),
        KeyBinding(
            [.character("D")],
            in: [.keys],
            .duplicate,
            "duplicate",
            help: "Makes a second one beside it.",
            also: "copy clone"
        ),
        KeyBinding(
            [.character("t")],
            in: [.keys],
            .changeType,
            "change type",
            help: "Offers the value in other types.",
            also: "convert"
        ),
        KeyBinding(
            [.character("<")],
            in: [.keys],
            .raise,
            "move up",
            help: "Moves an element of an array up, with a number before by so many."
        ),
        KeyBinding(
            [.character(">")],
            in: [.keys],
            .lower,
            "move down",
            help: "Moves an element of an array down, likewise."
        ),
        KeyBinding(
            [.character("=")],
            in: [.keys],
            .reset,
            "reset",
            help: "Takes away what is stored for a declared setting, so that its default shows.",
            also: "default unset",
            when: {
                guard let suite = $0.suite, let row = $0.selectedRow, $0.canWrite else { return false }
                return suite.declaration(of: row.path.key) != nil && suite.isStored(row.path.key)
            }
        ),
        KeyBinding(
            [.character("v")],
            in: [.keys],
            .reveal,
            "show",
            help: "Shows a secret value, or hides it again.",
            also: "secret reveal password",
            when: {
                guard let suite = $0.suite, let row = $0.selectedRow else { return false }
                return suite.secrets.contains(row.path.key)
            }
        ),
        KeyBinding(
            [.character("m")],
            in: [.keys],
            .mark,
            "mark",
            help: "Marks the row; Space, d, =, M and c act on all that are marked. Esc unmarks.",
            also: "select tag"
        ),
        KeyBinding(
            [.character("M")],
            in: [.keys],
            .moveToSuite,
            "move to suite",
            help: "Moves to another suite.",
            also: "cut"
        ),
        KeyBinding(
            [.character("c")],
            in: [.keys],
            .copy,
            "copy",
            help: "Copies the value, the key, the path, or all of it as JSON or XML.",
            also: "yank clipboard"
        ),
        KeyBinding(
            [.character("p")],
            in: [.keys],
            .pasteCopied,
            "paste",
            help:
                "Puts in what was copied here. What is pasted from elsewhere is put in if it is a property list or JSON.",
            also: "put insert clipboard"
        ),
    ]
}
