import TerminalCanvas

// Choices and questions.
extension KeyBinding {
    static let answering: [KeyBinding] = [
        KeyBinding(
            Array(KeyBinding.digits.dropFirst()),
            in: [.level],
            .level(1),
            "level",
            help: "Opens what lies above that level, and closes the rest.",
            when: always
        ),
        KeyBinding(
            [.character("o")],
            in: [.only],
            .showOnly(.changedByOthers),
            Selection.changedByOthers.name,
            help: "Those that others have changed since you opened the editor.",
            when: always
        ),
        KeyBinding(
            [.character("d")],
            in: [.only],
            .showOnly(.changedFromDefault),
            Selection.changedFromDefault.name,
            help: "Declared settings with another value than their default.",
            when: always
        ),
        KeyBinding(
            [.character("u")],
            in: [.only],
            .showOnly(.undecodable),
            Selection.undecodable.name,
            help:
                "Those that programs can't read: JSON that is none, what was not declared so, and what a program has set aside.",
            when: always
        ),
        KeyBinding(
            [.escape],
            in: [.only],
            .cancel,
            "leave as it was",
            help: "Leaves all as it was.",
            when: always
        ),
        KeyBinding(
            [.escape],
            in: [.level],
            .cancel,
            "leave as it was",
            help: "Leaves all as it was.",
            when: always
        ),
        KeyBinding(
            [.enter],
            in: [.menu],
            .confirm,
            "take",
            help: "Takes the selected one; so does its number. Letters go to the one that begins so.",
            when: always
        ),
        KeyBinding(
            [.escape],
            in: [.menu],
            .cancel,
            "leave as it was",
            help: "Leaves all as it was.",
            when: always
        ),
        KeyBinding([.character("y")], in: [.question], .answer(true), "yes", help: "Says yes.", when: always),
        KeyBinding([.character("n")], in: [.question], .answer(false), "no", help: "Says no.", when: always),
        KeyBinding([.escape], in: [.question], .cancel, "no", help: "Says no."),
        KeyBinding(
            [.character("w")],
            in: [.question],
            .writeAll,
            "write and leave",
            help: "Where changes wait as you leave: writes them first.",
            when: \.isAskingToQuit
        ),
        KeyBinding(
            [.character("y")],
            in: [.conflict],
            .answer(true),
            "mine",
            help: "Writes your value over the one that is stored.",
            when: always
        ),
        KeyBinding(
            [.character("t")],
            in: [.conflict],
            .takeTheirs,
            "theirs",
            help: "Leaves the value that is stored.",
            when: always
        ),
        KeyBinding(
            [.character("v")],
            in: [.conflict],
            .reveal,
            "show",
            help: "Shows secrets that are compared, or hides them again.",
            when: \.comparesSecrets
        ),
        KeyBinding(
            [.character("n"), .escape],
            in: [.conflict],
            .answer(false),
            "back",
            help: "Goes on editing yours.",
            when: always
        ),
    ]
}
