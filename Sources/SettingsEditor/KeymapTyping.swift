import TerminalCanvas

// Where texts are typed.
extension KeyBinding {
    static let typing: [KeyBinding] = [
        KeyBinding([.enter], in: [.draft, .booleanDraft], .confirm, "write", help: "Writes what was typed."),
        KeyBinding([.character(" ")], in: [.booleanDraft], .flip, "flip", help: "Turns the boolean round."),
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
        KeyBinding([.enter], in: [.naming], .confirm, "go on", help: "Takes the name."),
        KeyBinding([.enter], in: [.search], .confirm, "stay", help: "Stays on the match."),
        KeyBinding([.enter], in: [.finder], .confirm, "go there", help: "Goes there."),
        KeyBinding([.up, .control("p")], in: [.finder], .move(.up), help: "Goes up in the list."),
        KeyBinding([.down, .control("n")], in: [.finder], .move(.down), help: "Goes down in the list."),
        KeyBinding([.pageUp], in: [.finder], .move(.pageUp), help: "Goes up a screen in the list."),
        KeyBinding([.pageDown], in: [.finder], .move(.pageDown), help: "Goes down a screen in the list."),
        KeyBinding([.enter], in: [.filter], .confirm, "keep", help: "Keeps the filter."),
        KeyBinding([.escape], in: Mode.texts, .cancel, "leave as it was", help: "Leaves all as it was."),
        KeyBinding([.left, .control("b")], in: Mode.texts, .line(.left), help: "Goes left."),
        KeyBinding([.right, .control("f")], in: Mode.texts, .line(.right), help: "Goes right."),
        KeyBinding([.home, .control("a")], in: Mode.texts, .line(.start), help: "Goes to the start."),
        KeyBinding([.end, .control("e")], in: Mode.texts, .line(.end), help: "Goes to the end."),
        KeyBinding(
            [.backspace, .control("h")],
            in: Mode.texts,
            .line(.deleteBackward),
            help: "Deletes the character before the cursor."
        ),
        KeyBinding(
            [.delete, .control("d")],
            in: Mode.texts,
            .line(.deleteForward),
            help: "Deletes the character at the cursor."
        ),
        KeyBinding(
            [.wordLeft, .alt("b")],
            in: Mode.texts,
            .line(.wordLeft),
            help: "Goes to the start of the word."
        ),
        KeyBinding(
            [.wordRight, .alt("f")],
            in: Mode.texts,
            .line(.wordRight),
            help: "Goes to the end of the word."
        ),
        KeyBinding(
            [.control("w")],
            in: Mode.texts,
            .line(.deleteWord),
            help: "Takes out all before, up to a space."
        ),
        KeyBinding(
            [.alt("\u{7F}")],
            in: Mode.texts,
            .line(.deleteWordBackward),
            help: "Takes out the word before."
        ),
        KeyBinding(
            [.alt("d")],
            in: Mode.texts,
            .line(.deleteWordForward),
            help: "Takes out the word behind."
        ),
        KeyBinding([.control("u")], in: Mode.texts, .line(.deleteToStart), help: "Takes out all before."),
        KeyBinding([.control("k")], in: Mode.texts, .line(.deleteToEnd), help: "Takes out all behind."),
        KeyBinding(
            [.control("y")],
            in: Mode.texts,
            .line(.yank),
            help: "Puts in what was taken out last, here or elsewhere."
        ),
        KeyBinding(
            [.control("_"), .alt("u")],
            in: Mode.texts,
            .line(.undo),
            help: "Undoes inside the line."
        ),
        KeyBinding(
            [.control("r"), .alt("r")],
            in: Mode.texts,
            .line(.redo),
            help: "Does again what was undone inside the line."
        ),
    ]
}
