/// Declares a command: its name, parameters, options and purpose.
///
/// The parser, the help, the manual page and the completion are all made from these declarations, so they
/// cannot contradict each other.
public struct CommandDeclaration: Sendable {
    /// One way to write the command.
    public struct Form: Sendable {
        public let parameters: [Parameter]
        /// The effect of the command in this form, as a phrase that starts with a verb: `print one value`.
        public let effect: String
        /// The option that makes the command take this form.
        let option: CommandOption?

        init(_ parameters: [Parameter], _ effect: String, with option: CommandOption? = nil) {
            self.parameters = parameters
            self.effect = effect
            self.option = option
        }
    }

    public let forms: [Form]
    /// The options of this command. It accepts the general options too.
    public let options: [CommandOption]
    /// Paragraphs for the manual page and for the command's own help.
    public let notes: [String]
    /// Whether help and completion leave the command out.
    public let isHidden: Bool

    init(_ forms: [Form], options: [CommandOption] = [], notes: [String] = [], isHidden: Bool = false) {
        self.forms = forms
        self.options = options
        self.notes = notes
        self.isHidden = isHidden
    }

    /// The forms that a command with these options can have.
    func forms(with options: some Sequence<CommandOption>) -> [Form] {
        let special = forms.filter { form in options.contains { $0 == form.option } }
        return special.isEmpty ? forms.filter { $0.option == nil } : special
    }

    /// The number of words before the value, or nil if the command takes no value.
    var valuePosition: Int? {
        forms.lazy.compactMap { $0.parameters.firstIndex(of: .value) }.first
    }
}

/// A parameter of a command.
public enum Parameter: String, Sendable, Hashable {
    case suite, key
    case oldKey = "old key"
    case newKey = "new key"
    /// All words of a value.
    case value
    case dictionary
    case dash = "-"
    case word, file
    /// One or more files.
    case files = "file …"
    /// A name under which settings were applied.
    case appliedName = "name"
    case commandName = "command"
    case otherSuite = "other suite"
    /// One or more suites.
    case suites = "suite …"
    case shell
    /// Any number of words, used only by this program's own completion scripts.
    case words

    /// The parameter as it is shown in the help.
    public var placeholder: String { self == .dash ? rawValue : "<\(rawValue)>" }

    /// The parameter as one word without brackets, for the synopsis.
    var oneWord: String {
        rawValue.replacing(" …", with: "…").replacing(" ", with: "_").replacing("…", with: " …")
    }

    var isRepeated: Bool { [.value, .suites, .files, .words].contains(self) }
}

extension CommandDeclaration.Form {
    /// Whether this form accepts this number of words.
    func admits(count: Int) -> Bool {
        count == parameters.count || count > parameters.count && parameters.last?.isRepeated == true
    }
}

/// An option, which starts with two dashes.
public enum CommandOption: String, Sendable, Hashable, CaseIterable {
    case directory, cluster, gsettings, json, at, to, layer, effective
    case commands, all
    case asSettings = "as-settings"
    case dryRun = "dry-run"
    case asName = "as"
    case take
    case showSecrets = "show-secrets"
    case edit
    case ifEquals = "if-equals"
    case ifAbsent = "if-absent"
    case readOnly = "read-only"
    case staged
    case noMouse = "no-mouse"
    case theme
    case help, version
    case man, completion

    /// The argument that follows an option.
    public enum Argument: Sendable, Hashable {
        case none
        /// One word. The text says what it names.
        case word(String)
        /// A value: one word, or a type and a word.
        case value
    }

    /// The argument that the option requires.
    public var argument: Argument {
        switch self {
        case .gsettings, .json, .effective, .commands, .all, .asSettings, .dryRun, .take, .showSecrets, .edit,
            .ifAbsent,
            .readOnly, .staged, .noMouse, .help, .version, .man:
            .none
        case .directory: .word("folder")
        case .cluster: .word("urls")
        case .to: .word("revision")
        case .asName: .word("name")
        case .at: .word("pointer")
        case .layer: .word("layer")
        case .theme: .word("theme")
        case .completion: .word("shell")
        case .ifEquals: .value
        }
    }

    /// The description of the option in the help.
    public var effect: String {
        switch self {
        case .directory: "Use the suites in this folder, not in $XDG_CONFIG_HOME or ~/.config."
        case .cluster:
            "Use the suites on an etcd cluster. Separate its servers by commas, or write - to use those in "
                + "PDEFAULTS_CLUSTER, which is ignored without this option. A server without https:// or http:// is "
                + "asked over https, or over http on this machine. The key prefix, the user and the certificates come "
                + "from PDEFAULTS_CLUSTER_PREFIX, _USER, _PASSWORD, _CA, _CERT and _KEY. A password is sent over https "
                + "or to this machine only, unless PDEFAULTS_CLUSTER_CLEARTEXT_PASSWORD=1 allows http."
        case .gsettings: "Use the desktop’s settings (GSettings). Each schema is a suite."
        case .to: "Store the value of this revision again, unless the key changes meanwhile."
        case .json: "Print JSON that keeps all types. “import” reads it back exactly."
        case .commands: "Print the commands that write the same values. Any POSIX shell can run them."
        case .all: "Use all suites, and one file for them."
        case .asSettings: "Write the file that “apply” takes."
        case .dryRun: "Print what would change, and write nothing."
        case .asName:
            "Remember under this name what was set and what was there before, and put back what the name no longer asks for."
        case .take: "Take over settings that another name has applied."
        case .layer:
            "Use another layer of the suite: host (like -currentHost), user, global (like -g), site or mandatory."
        case .effective: "Print the values that a program sees, from all layers of the suite."
        case .edit:
            "Open the editor on the comparison, to look at it and to copy values from one side to the other."
        case .showSecrets: "Also print values that programs declared secret, instead of ••••••."
        case .at:
            "Use the value at this path inside the key’s value, a JSON Pointer (RFC 6901) such as /devices/0/name. "
                + "The path may lead into JSON that is stored as data."
        case .ifEquals:
            "Write only if the current value equals this one. Otherwise nothing is written, and the exit status is 3."
        case .ifAbsent:
            "Write only if there is no value. Otherwise nothing is written, and the exit status is 3."
        case .readOnly: "Refuse every change."
        case .staged: "Collect changes until you save them (S in the editor)."
        case .noMouse: "Leave the mouse to the terminal (F2 in the editor)."
        case .theme:
            "Use these colours: dark, light, gruvbox, solarized, 16, mono, or auto to ask the terminal (T in the editor)."
        case .help: "Print the help on the command."
        case .version: "Print the version."
        case .man: "Print the manual page, for man(1)."
        case .completion: "Print the completion script for a shell: bash, zsh or fish."
        }
    }

    /// The description in the help on one command, where the options of that command matter most.
    var shortEffect: String {
        self == .cluster ? "Use the suites on an etcd cluster (see “pdefaults help”)." : effect
    }

    /// The options that every command accepts.
    static let general: [CommandOption] = ofPlaces + [.help]

    /// The options that name the place of the suites. Only one of them can be used.
    public static let ofPlaces: [CommandOption] = [.directory, .cluster, .gsettings]

    /// The options of the editor. They may come before the suite too, because the editor needs no command.
    static let ofEditor: [CommandOption] = [.readOnly, .staged, .noMouse, .theme]

    public var spelling: String { "--" + rawValue }

    /// The option with its argument.
    public var usage: String {
        switch argument {
        case .none: spelling
        case .word(let name): spelling + " <\(name)>"
        case .value: spelling + " <value>"
        }
    }
}
