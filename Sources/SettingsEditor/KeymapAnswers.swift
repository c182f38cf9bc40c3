import TerminalCanvas

// Choices and questions.
extension KeyBinding {
    static let answering: [KeyBinding] = [
        KeyBinding(
            Array(KeyBinding.digits.dropFirst()),
            in: [.level],
            .level(1),
            "level",
            help: "Opens what lies above that level, and closes the rest."
        ),
        KeyBinding(
            [.character("o")],
            in: [.only],
            .showOnly(.changedByOthers),
            "changed by others",
            help: "Those that others have changed since you opened the editor."
        ),
        KeyBinding([.escape], in: [.only], .cancel, "leave as it was", help: "Leaves all as it was."),
        KeyBinding([.escape], in: [.level], .cancel, "leave as it was", help: "Leaves all as it was."),
        KeyBinding(
            [.enter],
            in: [.menu],
            .confirm,
            "take",
            help: "Takes the selected one; so does its number."
        ),
        KeyBinding([.escape], in: [.menu], .cancel, "leave as it was", help: "Leaves all as it was."),
        KeyBinding([.character("y")], in: [.question], .answer(true), "yes", help: "Says yes."),
        KeyBinding([.character("n")], in: [.question], .answer(false), "no", help: "Says no."),
        KeyBinding([.escape], in: [.question], .cancel, help: "Says no."),
        KeyBinding(
            [.character("y")],
            in: [.conflict],
            .answer(true),
            "mine",
            help: "Writes your value over the one that the file holds."
        ),
        KeyBinding(
            [.character("t")],
            in: [.conflict],
            .takeTheirs,
            "theirs",
            help: "Leaves the value that the file holds."
        ),
        KeyBinding(
            [.character("n"), .escape],
            in: [.conflict],
            .answer(false),
            "back",
            help: "Goes on editing yours."
        ),
    ]
}
