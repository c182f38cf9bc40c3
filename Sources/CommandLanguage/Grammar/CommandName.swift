/// The commands of `pdefaults`, in the order of the help.
public enum CommandName: String, Sendable, Hashable, CaseIterable {
    case edit
    case suites, read, why
    case readType = "read-type"
    case write, rename, delete, find, `import`, export
    case apply, unapply, applied
    case watch, history, diff, check, schema, recover
    case demo, help
    case complete
    case demoChanges = "demo-changes"

    /// The commands that help and completion show.
    public static var shown: [CommandName] { allCases.filter { !$0.declaration.isHidden } }

    /// Other names of commands: those that macOS has, or that its manual mentions.
    static let aliases = ["domains": "suites", "remove": "delete"]

    /// Finds a command by its name or alias. As on macOS, case does not matter.
    public init?(word: String) {
        let lower = word.lowercased()
        let name = Self.aliases[lower] ?? lower
        // A linear search, because `init(rawValue:)` would first build a table of all names.
        guard let found = Self.allCases.first(where: { $0.rawValue == name }) else { return nil }
        self = found
    }

    /// The declaration of the command.
    public var declaration: CommandDeclaration {
        switch self {
        case .edit: Self.editDeclaration
        case .suites:
            CommandDeclaration(
                [.init([], "list all suites, one a line")],
                options: [.json],
                notes: [
                    "A suite exists after something is stored in any of its layers, or after a program has declared "
                        + "its settings. macOS calls a suite a domain; “domains” is another name of this command."
                ]
            )
        case .read: Self.readDeclaration
        case .why: Self.whyDeclaration
        case .readType:
            CommandDeclaration(
                [.init([.suite, .key], "print the type of a value: “Type is boolean”")],
                options: [.at, .json, .effective, .layer]
            )
        case .write: Self.writeDeclaration
        case .rename:
            CommandDeclaration(
                [.init([.suite, .oldKey, .newKey], "rename a key")],
                options: [.at, .layer],
                notes: [
                    "If the new key exists, its value is replaced. With --at, a member inside the old key’s value "
                        + "is renamed; its new name must be free."
                ]
            )
        case .delete:
            CommandDeclaration(
                [
                    .init([.suite], "delete a suite with all of its keys"),
                    .init([.suite, .key], "delete a key"),
                ],
                options: [.at, .ifEquals, .layer],
                notes: [
                    "A value that a lock hides may be deleted. Programs see no change.",
                    "After a deletion, programs see the value of the next layer; “pdefaults why” shows it.",
                ]
            )
        case .find:
            CommandDeclaration(
                [
                    .init(
                        [.word],
                        "print all keys that contain a word in the suite’s name, the key or the value"
                    )
                ],
                options: [.json, .showSecrets],
                notes: ["Upper and lower case are the same.", Self.secrets]
            )
        case .import:
            CommandDeclaration(
                [
                    .init([.suite, .file], "store every key of a dictionary in a file, in one transaction"),
                    .init([.suite, .dash], "store every key of a dictionary from standard input"),
                    .init([.file], "restore the suites of a file that export --all has written", with: .all),
                ],
                options: [.layer, .all],
                notes: [
                    "The dictionary is an XML, binary or old-style property list, or the output of --json. Other "
                        + "keys of the suite stay. A new suite is XML, or binary if XML cannot store a value exactly, "
                        + "such as a fraction of a second or a control character.",
                    "With --all, each suite is one transaction. If one fails, the others are restored, and the exit status is 1.",
                ]
            )
        case .export:
            CommandDeclaration(
                [
                    .init([.suite, .file], "write a suite to a file: NAME.json is JSON, others are binary"),
                    .init([.suite, .dash], "print a suite as an XML property list"),
                    .init([.suite], "print a suite, or with --commands the commands that rebuild it"),
                    .init([.file], "write all suites to one file", with: .all),
                ],
                options: [.json, .layer, .commands, .all, .asSettings],
                notes: [
                    "The output contains secrets, so that import can restore them.",
                    "The commands of --commands rebuild the values, and not the format: a new file is XML, or binary if XML "
                        + "cannot store a value.",
                    "With --all, the file is a dictionary of suites, also as JSON with --json or --as-settings. A suite that "
                        + "cannot be read is left out and reported, and the exit status is 1.",
                ]
            )
        case .apply: Self.applyDeclaration
        case .unapply:
            CommandDeclaration(
                [.init([.appliedName], "put back what was there before a name was applied")],
                options: [.showSecrets],
                notes: [
                    "A value that is no longer the applied one is left and reported, because another program or a user has "
                        + "changed it since.",
                    "If a suite cannot be written, the others are put back, and the exit status is 1. Run the command again later.",
                ]
            )
        case .applied:
            CommandDeclaration(
                [
                    .init([], "list the names under which settings are applied"),
                    .init([.appliedName], "compare each setting of a name with the stored value"),
                ],
                options: [.json, .showSecrets],
                notes: [
                    "Each line says whether the setting is applied, changed since, gone, or locked by an administrator. A suite "
                        + "that could not be changed is a line with “failed” and the reason. The exit status is 1 if any setting "
                        + "is not applied.",
                    Self.secrets,
                ]
            )
        case .watch: Self.watchDeclaration
        case .history:
            CommandDeclaration(
                [
                    .init(
                        [.suite, .key],
                        "print the previous values of a key on a cluster, the newest first"
                    )
                ],
                options: [.to, .json],
                notes: [
                    "Each line contains a revision and the value, or (removed). The revision counts the changes of the "
                        + "whole cluster. The list ends where the cluster has discarded its history, or after a "
                        + "hundred lines; --to finds older revisions too. With --json, a removal has no value.",
                    "With --to, the value at a revision is stored again. If the key changes meanwhile, the exit status "
                        + "is 3.",
                ]
            )
        case .diff:
            CommandDeclaration(
                [.init([.suite, .otherSuite], "print the keys in which two suites differ")],
                options: [.json, .showSecrets, .edit],
                notes: [
                    Self.secrets,
                    "The exit status is 0 if the suites are equal, 1 if they differ, and 2 after an error.",
                ]
            )
        case .check:
            CommandDeclaration(
                [
                    .init([], "check that every suite can be read and matches its declarations"),
                    .init([.suites], "check some suites"),
                ],
                options: [.json],
                notes: [
                    "Data that contains JSON is only compared with the setting’s default: a missing member is a note.",
                    "A note tells of a user’s value that a lock hides. Problems are, for example, a mandatory file that "
                        + "does not count, and values in any layer that the declarations do not allow.",
                    "The exit status is 1 after a problem. A note is not a problem.",
                ]
            )
        case .schema:
            CommandDeclaration(
                [.init([.suite], "print the settings that programs have declared, as JSON Schema")],
                notes: [
                    "The declarations are in <suite>.schema.json beside the suite’s file. A package puts them into the "
                        + "folder pdefaults/schemas of a folder of $XDG_DATA_DIRS (/usr/share). write and import refuse "
                        + "a value that they do not allow, and check reports it."
                ]
            )
        case .recover:
            CommandDeclaration(
                [.init([.suite], "move an unreadable file aside, so that the suite can be written again")],
                notes: [
                    "The new path of the file is printed. Its values are not restored: repair the file in a text editor, "
                        + "and move it back or import it. A file of another kind, such as an array in JSON, is not moved."
                ]
            )
        case .demo:
            CommandDeclaration(
                [.init([], "open the editor on sample suites that a second process keeps changing")],
                options: CommandOption.ofEditor,
                notes: ["The suites are in a temporary folder, which is removed at the end."]
            )
        case .help:
            CommandDeclaration(
                [
                    .init([], "list the commands"),
                    .init([.commandName], "explain a command"),
                ],
                options: [.man, .completion]
            )
        case .complete:
            CommandDeclaration([.init([.shell, .words], "print the completions of a word")], isHidden: true)
        case .demoChanges:
            CommandDeclaration(
                [.init([], "change the demonstration’s settings from time to time")],
                isHidden: true
            )
        }
    }
}

extension CommandName {
    private static let secrets =
        "A value that its program declared secret is printed only if you name its key. Otherwise it is shown as "
        + "••••••, or as {\"$hidden\": true} with --json. --show-secrets prints it everywhere."

    private static let editDeclaration = CommandDeclaration(
        [
            .init([], "open the editor on all suites, like pdefaults without a command"),
            .init([.suites], "open the editor on suites, files and folders, like pdefaults <suite …>"),
        ],
        options: CommandOption.ofEditor,
        notes: [
            "A path that starts with /, ./ or ~/ opens a file or a folder, and http:// or https:// a cluster. Several are "
                + "shown in one list; press O in the editor to open one more.",
            "Press ? in the editor to see its keys.",
        ]
    )

    private static let readDeclaration = CommandDeclaration(
        [
            .init([], "print all suites"),
            .init([.suite], "print a suite"),
            .init([.suite, .key], "print a value"),
        ],
        options: [.at, .json, .effective, .layer, .showSecrets],
        notes: [
            secrets,
            "Only the user’s layer is printed, as on macOS. --effective prints what a program sees.",
            "A single string, real number or date is printed as it is, and any other value in the old property-list "
                + "style. A value that --at finds inside JSON is printed as JSON, but a string without quotes.",
        ]
    )

    private static let whyDeclaration = CommandDeclaration(
        [
            .init(
                [.suite, .key],
                "print the value that a program sees, and every layer that has the key"
            )
        ],
        options: [.json, .showSecrets],
        notes: [
            "The first line contains the effective value. Each other line contains a layer, its value and its location. "
                + "The highest layer is first.",
            "A key of the layer mandatory is locked. Values of lower layers are hidden by the lock.",
            "The arguments and registered defaults of a running program are not shown. Only that program knows them.",
            "A value that its program declared secret is shown as ••••••, because the output is made for reports. "
                + "--show-secrets prints it.",
            "With --json, each layer is an object with the members layer, location, value, locked and effective. "
                + "Without a location, that member is missing.",
            "The exit status is 1 if no layer has the key.",
        ]
    )

    private static let writeDeclaration = CommandDeclaration(
        [
            .init([.suite, .key, .value], "store a value; all other keys stay as they are"),
            .init([.suite, .dictionary], "replace a whole suite by a property list"),
            .init([.suite, .dash], "run the lines of standard input as one transaction"),
        ],
        options: [.at, .ifEquals, .ifAbsent, .layer],
        notes: [
            "The command returns after the value is on the disk. If any part of it is invalid, nothing is written.",
            "Write options before -array, -array-add, -dict and -dict-add, because these take all following words.",
            "Each line of standard input contains the words that would follow “write <suite>”: a key and a value, "
                + "quoted as for a shell, and options. <key> -delete deletes a key. Empty lines and lines that "
                + "start with # are skipped. To write a line feed inside a value, use \\n in a property list: "
                + "name '\"first\\nsecond\"'.",
            "With --at, a missing member is added to its dictionary or object. A number inserts an element into an "
                + "array at that index, and - appends one.",
            "A key that the administrator has locked is refused, whatever the options. Only --layer mandatory changes "
                + "the lock itself.",
            "--layer site writes to the first folder of $XDG_CONFIG_DIRS. Everyone can read the files of the layers site "
                + "and mandatory, whatever the umask is.",
        ]
    )

    private static let applyDeclaration = CommandDeclaration(
        [.init([.files], "set what settings files ask for; - is standard input")],
        options: [.dryRun, .asName, .take, .showSecrets],
        notes: [
            "A file is JSON with comments or a property list: {\"org.example.App\": {\"volume\": 60}}. Types that JSON lacks are "
                + "written as --json writes them. A suite may be a path. If two files, or two paths of one suite, have a key, the last one counts.",
            "{\"$include\": […]} asks for elements of an array, and {\"$merge\": {…}} for members of a dictionary. The others "
                + "stay. {\"$delete\": true} asks for no value.",
            "A value that is equal already is not written. Each suite is one transaction. If one fails, the others are applied, "
                + "the reasons are listed, and the exit status is 1.",
            "With --dry-run, the exit status is 1 if anything would change, 0 if nothing would, and 2 if that is unknown.",
            "With --as, the memory of the name is a file in $XDG_STATE_HOME/pdefaults/applied. A setting that is no longer in "
                + "the files gets its previous value again, unless it was changed since. “pdefaults unapply” puts back all.",
        ]
    )

    private static let watchDeclaration = CommandDeclaration(
        [
            .init([], "print the changes of all suites as they happen"),
            .init([.suite], "print the changes of a suite"),
            .init([.suite, .key], "print the changes of a key"),
        ],
        options: [.json, .commands, .showSecrets],
        notes: [
            secrets,
            "Each line contains the time in UTC, suite, key, old and new value. These are the values that a program "
                + "sees. If the new value is not from the user’s layer, its layer follows.",
            "With --json, each line is an object with the members time, suite, key, old, new, layer and from. If there is no value, old or new is missing. "
                + "Several quick changes of one key may be printed as one. "
                + "The command runs until its output is closed or a signal ends it.",
            "With --commands, each change of the user’s layer is printed as the shortest commands that repeat it. A change "
                + "that no command can repeat, or of a secret, is a line that starts with #.",
        ]
    )
}
