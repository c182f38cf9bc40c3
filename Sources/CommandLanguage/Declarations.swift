/// The commands of `pdefaults`, in the order in which help lists them.
public enum CommandName: String, Sendable, Hashable, CaseIterable {
    case edit
    case domains, read
    case readType = "read-type"
    case write, rename, delete, find, `import`, export
    case watch, history, diff, check, schema, recover
    case demo, help
    case complete
    case demoChanges = "demo-changes"

    /// Those that help and completion show.
    public static var shown: [CommandName] { allCases.filter { !$0.declaration.isHidden } }

    /// As it is typed: case does not matter, and `remove` is `delete`, both as on macOS.
    init?(word: String) {
        let lower = word.lowercased()
        let name = lower == "remove" ? "delete" : lower
        // One after the other: for init(rawValue:) a table of all is made first.
        guard let found = Self.allCases.first(where: { $0.rawValue == name }) else { return nil }
        self = found
    }

    public var declaration: CommandDeclaration {
        switch self {
        case .edit: Self.editDeclaration
        case .domains:
            CommandDeclaration(
                [.init([], "lists all domains, one a line")],
                options: [.json],
                notes: [
                    "A domain is there once something is stored in it, or a program has declared its settings."
                ]
            )
        case .read: Self.readDeclaration
        case .readType:
            CommandDeclaration(
                [.init([.domain, .key], "prints the type of a value: “Type is boolean”")],
                options: [.at, .json]
            )
        case .write: Self.writeDeclaration
        case .rename:
            CommandDeclaration(
                [.init([.domain, .oldKey, .newKey], "gives a key another name")],
                options: [.at],
                notes: [
                    "A value that is stored under the new name is replaced. With --at, the place inside the "
                        + "old key’s value gets the new name, which must be free there."
                ]
            )
        case .delete:
            CommandDeclaration(
                [
                    .init([.domain], "deletes a domain, all that is in it"),
                    .init([.domain, .key], "deletes a key"),
                ],
                options: [.at, .ifEquals]
            )
        case .find:
            CommandDeclaration(
                [
                    .init(
                        [.word],
                        "prints all keys whose domain, name or value has the word in it, in any case"
                    )
                ],
                options: [.json, .showSecrets],
                notes: [Self.secrets]
            )
        case .import:
            CommandDeclaration(
                [
                    .init([.domain, .file], "stores every key of a file’s dictionary, in one step"),
                    .init([.domain, .dash], "the same, from standard input"),
                ],
                notes: [
                    "XML, binary and old-style property lists are read, and what --json prints. Keys that the "
                        + "file does not have stay. A new domain is XML, or binary where XML would not keep a "
                        + "value as it is: a fraction of a second, a control character."
                ]
            )
        case .export:
            CommandDeclaration(
                [
                    .init([.domain, .file], "writes a domain into a file, as a binary property list"),
                    .init([.domain, .dash], "prints a domain as an XML property list"),
                ],
                options: [.json],
                notes: ["What it writes has the secrets, too: import is to bring them back."]
            )
        case .watch: Self.watchDeclaration
        case .history:
            CommandDeclaration(
                [
                    .init(
                        [.domain, .key],
                        "prints the values that a key of a cluster has had, the newest first"
                    )
                ],
                options: [.to, .json],
                notes: [
                    "A line has the revision, which counts the changes of the whole cluster, and the value, or "
                        + "(removed). The list goes back to what the cluster has forgotten, a hundred lines at most, --to as far as there is anything; "
                        + "with --json, a removal has no value.",
                    "With --to, what the key was at a revision is stored again; where it is changed meanwhile, the "
                        + "exit status is 3.",
                ]
            )
        case .diff:
            CommandDeclaration(
                [.init([.domain, .otherDomain], "prints the keys in which two domains differ")],
                options: [.json, .showSecrets],
                notes: [
                    Self.secrets,
                    "The exit status is 0 where they are the same, 1 where they differ, 2 in trouble.",
                ]
            )
        case .check:
            CommandDeclaration(
                [
                    .init([], "checks every domain: its file can be read, its values are those declared"),
                    .init([.domains], "checks some"),
                ],
                options: [.json],
                notes: [
                    "Of JSON inside data it knows that it is JSON, not what the program expects in it; where it lacks "
                        + "what its default has, that is noted.",
                    "The exit status is 1 where anything is wrong, and a note is nothing wrong.",
                ]
            )
        case .schema:
            CommandDeclaration(
                [.init([.domain], "prints what programs have declared about their settings, as JSON Schema")],
                notes: [
                    "It is the file <domain>.schema.json beside the domain’s own. What it does not allow is refused "
                        + "by write and import, and found by check."
                ]
            )
        case .recover:
            CommandDeclaration(
                [
                    .init(
                        [.domain],
                        "sets a file that can’t be read aside, so that the domain can be written again"
                    )
                ],
                notes: ["It prints where the old file lies then. A file that can be read is left alone."]
            )
        case .demo:
            CommandDeclaration(
                [.init([], "opens the editor on sample domains, which a second process goes on changing")],
                options: CommandOption.ofEditor,
                notes: ["Everything is kept in a temporary folder, which is removed at the end."]
            )
        case .help:
            CommandDeclaration(
                [
                    .init([], "lists the commands"),
                    .init([.commandName], "explains a command"),
                ],
                options: [.man, .completion]
            )
        case .complete:
            CommandDeclaration([.init([.shell, .words], "prints what a word can become")], isHidden: true)
        case .demoChanges:
            CommandDeclaration(
                [.init([], "changes the demonstration’s settings now and then")],
                isHidden: true
            )
        }
    }
}

extension CommandName {
    private static let secrets =
        "A value that its program declared secret is printed where its key is named, and hidden elsewhere: as "
        + "••••••, with --json as {\"$hidden\": true}. --show-secrets prints it."

    private static let editDeclaration = CommandDeclaration(
        [
            .init([], "opens the editor on all domains; so does no command at all"),
            .init([.domain], "opens it on one; so does a domain without a command"),
        ],
        options: CommandOption.ofEditor,
        notes: ["Press ? in the editor for its keys."]
    )

    private static let readDeclaration = CommandDeclaration(
        [
            .init([], "prints all domains"),
            .init([.domain], "prints a domain"),
            .init([.domain, .key], "prints a value"),
        ],
        options: [.at, .json, .showSecrets],
        notes: [
            secrets,
            "A lone string, real number or date is printed as it is; everything else in the old property-list "
                + "style. What --at finds inside JSON is printed as JSON, a string there without quotes.",
        ]
    )

    private static let writeDeclaration = CommandDeclaration(
        [
            .init([.domain, .key, .value], "stores a value; every other key stays as it is"),
            .init([.domain, .dictionary], "replaces a whole domain by a property list"),
            .init([.domain, .dash], "carries out the lines of standard input, all or none"),
        ],
        options: [.at, .ifEquals, .ifAbsent],
        notes: [
            "It returns once the value is on the disk. Where any part of it is wrong, nothing is written.",
            "Options stand before the words of -array, -array-add, -dict and -dict-add, which take all that "
                + "follows.",
            "Each line of standard input is what would stand behind “write <domain>”: a key and a value, "
                + "quoted as for a shell, options too; <key> -delete removes a key. Empty lines, and those "
                + "that start with #, are passed over. A line feed inside a value is \\n in a property list: "
                + "name '\"first\\nsecond\"'.",
            "With --at, a place that isn’t there yet is added to its dictionary or object; a number, or - for "
                + "the end, puts an element into an array.",
        ]
    )

    private static let watchDeclaration = CommandDeclaration(
        [
            .init([], "prints the changes of every domain as they happen"),
            .init([.domain], "prints the changes of a domain"),
            .init([.domain, .key], "prints the changes of a key"),
        ],
        options: [.json, .showSecrets],
        notes: [
            secrets,
            "A line has the time in UTC, domain, key, old and new value; with --json it is an object with "
                + "time, domain, key, old, new and from, without old or new where there was or is no value. "
                + "What changes a key several times within a moment may be one line. "
                + "It goes on until its reader goes, or a signal ends it.",
        ]
    )
}
