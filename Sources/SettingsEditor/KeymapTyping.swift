import TerminalCanvas

// Where texts are typed.
extension KeyBinding {
    static let typing: [KeyBinding] = [
        KeyBinding(
            [.enter],
            in: [.draft, .booleanDraft],
            .confirm,
            "write",
            help: "Writes what was typed.",
            when: always
        ),
        KeyBinding(
            [.character(" ")],
            in: [.booleanDraft],
            .flip,
            "flip",
            help: "Turns the boolean round.",
            when: always
        ),
        KeyBinding(
            [.control("t")],
            in: [.draft],
            .changeForm,
            "hex/base64/text",
            help: "Spells data in hexadecimal, in Base64 or as text.",
            when: {
                if case .draft(let draft)? = $0.input { draft.kind == .propertyList(.data) } else { false }
            }
        ),
        KeyBinding([.enter], in: [.naming], .confirm, "go on", help: "Takes the name.", when: always),
        KeyBinding([.enter], in: [.search], .confirm, "stay", help: "Stays on the match.", when: always),
        KeyBinding([.enter], in: [.palette], .confirm, "do it", help: "Does it.", when: always),
        KeyBinding([.enter], in: [.finder], .confirm, "go there", help: "Goes there.", when: always),
        KeyBinding(
            [.up, .control("p")],
            in: [.finder, .palette],
            .move(.up),
            "up",
            help: "Goes up in the list."
        ),
        KeyBinding(
            [.down, .control("n")],
            in: [.finder, .palette],
            .move(.down),
            "down",
            help: "Goes down in the list."
        ),
        KeyBinding(
            [.pageUp],
            in: [.finder, .palette],
            .move(.pageUp),
            "page up",
            help: "Goes up a screen in the list."
        ),
        KeyBinding(
            [.pageDown],
            in: [.finder, .palette],
            .move(.pageDown),
            "page down",
            help: "Goes down a screen in the list."
        ),
        KeyBinding([.enter], in: [.filter], .confirm, "keep", help: "Keeps the filter.", when: always),
        KeyBinding(
            [.up, .control("p"), .alt("p")],
            in: [.search, .filter],
            .recall(.earlier),
            "earlier word",
            help: "Brings back what was looked for here before."
        ),
        KeyBinding(
            [.down, .control("n"), .alt("n")],
            in: [.search, .filter],
            .recall(.later),
            "later word",
            help: "Goes on to what was looked for after that."
        ),
        KeyBinding(
            [.alt("p")],
            in: [.finder],
            .recall(.earlier),
            "earlier word",
            help: "Brings back what was looked for here before; so does going up while nothing is typed."
        ),
        KeyBinding(
            [.alt("n")],
            in: [.finder],
            .recall(.later),
            "later word",
            help: "Goes on to what was looked for after that, in the same list."
        ),
        KeyBinding(
            [.escape, .control("c")],
            in: Mode.texts,
            .cancel,
            "leave as it was",
            help: "Leaves all as it was.",
            when: always
        ),
        KeyBinding(
            [.control("v")],
            in: Mode.texts.filter { ![.booleanDraft, .palette].contains($0) },
            .insertNext,
            "insert as is",
            help: "Has the next key insert what it stands for: Enter a line break, Tab a tab."
        ),
        KeyBinding(
            [.enter],
            in: [.literal],
            .insert("\n"),
            "line break",
            help: "Inserts a line break.",
            when: always
        ),
        KeyBinding([.tab], in: [.literal], .insert("\t"), "tab", help: "Inserts a tab.", when: always),
        KeyBinding(
            [.escape, .control("c")],
            in: [.literal],
            .cancel,
            "nothing",
            help: "Inserts nothing.",
            when: always
        ),
        KeyBinding([.left, .control("b")], in: Mode.texts, .line(.left), "left", help: "Goes left."),
        KeyBinding([.right, .control("f")], in: Mode.texts, .line(.right), "right", help: "Goes right."),
        KeyBinding(
            [.home, .control("a")],
            in: Mode.texts,
            .line(.start),
            "start",
            help: "Goes to the start."
        ),
        KeyBinding([.end, .control("e")], in: Mode.texts, .line(.end), "end", help: "Goes to the end."),
        KeyBinding(
            [.backspace, .control("h")],
            in: Mode.texts,
            .line(.deleteBackward),
            "delete before",
            help: "Deletes the character before the cursor."
        ),
        KeyBinding(
            [.delete, .control("d")],
            in: Mode.texts,
            .line(.deleteForward),
            "delete at cursor",
            help: "Deletes the character at the cursor."
        ),
        KeyBinding(
            [.wordLeft, .alt("b")],
            in: Mode.texts,
            .line(.wordLeft),
            "word left",
            help: "Goes to the start of the word."
        ),
        KeyBinding(
            [.wordRight, .alt("f")],
            in: Mode.texts,
            .line(.wordRight),
            "word right",
            help: "Goes to the end of the word."
        ),
        KeyBinding(
            [.control("w")],
            in: Mode.texts,
            .line(.deleteWord),
            "delete to space",
            help: "Takes out all before, up to a space."
        ),
        KeyBinding(
            [.alt("\u{7F}")],
            in: Mode.texts,
            .line(.deleteWordBackward),
            "delete word before",
            help: "Takes out the word before."
        ),
        KeyBinding(
            [.alt("d")],
            in: Mode.texts,
            .line(.deleteWordForward),
            "delete word behind",
            help: "Takes out the word behind."
        ),
        KeyBinding(
            [.control("u")],
            in: Mode.texts,
            .line(.deleteToStart),
            "delete to start",
            help: "Takes out all before."
        ),
        KeyBinding(
            [.control("k")],
            in: Mode.texts,
            .line(.deleteToEnd),
            "delete to end",
            help: "Takes out all behind."
        ),
        KeyBinding(
            [.control("y")],
            in: Mode.texts,
            .line(.yank),
            "put in",
            help: "Puts in what was taken out last, here or elsewhere."
        ),
        KeyBinding(
            [.control("_"), .alt("u")],
            in: Mode.texts,
            .line(.undo),
            "undo typing",
            help: "Undoes inside the line."
        ),
        KeyBinding(
            [.control("r"), .alt("r")],
            in: Mode.texts,
            .line(.redo),
            "redo typing",
            help: "Does again what was undone inside the line."
        ),
    ]
}
