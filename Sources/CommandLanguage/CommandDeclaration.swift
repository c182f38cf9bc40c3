/// What a command is called, what may stand behind it, and what it does: parsing, help, the manual page
/// and the completion of words are all made from this.
public struct CommandDeclaration: Sendable {
    /// One way to write the command.
    public struct Form: Sendable {
        public let parameters: [Parameter]
        /// What it does then, as a phrase that starts with a verb: `prints one value`.
        public let effect: String

        init(_ parameters: [Parameter], _ effect: String) {
            self.parameters = parameters
            self.effect = effect
        }
    }

    public let forms: [Form]
    public let options: [CommandOption]
    /// Paragraphs for the manual page and the command's own help.
    public let notes: [String]
    /// Whether help and completion leave it out.
    public let isHidden: Bool

    init(_ forms: [Form], options: [CommandOption] = [], notes: [String] = [], isHidden: Bool = false) {
        self.forms = forms
        self.options = options
        self.notes = notes
        self.isHidden = isHidden
    }

    /// How many words stand before those that spell a value; nil where there is no value.
    var valuePosition: Int? {
        forms.lazy.compactMap { $0.parameters.firstIndex(of: .value) }.first
    }
}

/// A word of a command, by what stands there.
public enum Parameter: String, Sendable, Hashable {
    case domain, key
    case oldKey = "old key"
    case newKey = "new key"
    /// All the words of a value.
    case value
    case dictionary
    case dash = "-"
    case word, file
    case commandName = "command"
    case otherDomain = "other domain"
    /// One or more.
    case domains = "domain …"
    case shell
    /// Any number of words, for this program alone.
    case words

    /// As a line of help shows it.
    public var placeholder: String { self == .dash ? rawValue : "<\(rawValue)>" }

    /// As one word, for a line without brackets.
    var oneWord: String {
        rawValue.replacing(" …", with: "…").replacing(" ", with: "_").replacing("…", with: " …")
    }

    var isRepeated: Bool { [.value, .domains, .words].contains(self) }
}

extension CommandDeclaration.Form {
    /// Whether so many words can be these.
    func admits(count: Int) -> Bool {
        count == parameters.count || count > parameters.count && parameters.last?.isRepeated == true
    }
}

/// An option: a word with two dashes before it.
public enum CommandOption: String, Sendable, Hashable, CaseIterable {
    case directory, cluster, json, at, to
    case showSecrets = "show-secrets"
    case ifEquals = "if-equals"
    case ifAbsent = "if-absent"
    case readOnly = "read-only"
    case staged
    case noMouse = "no-mouse"
    case theme
    case help, version
    case man, completion

    /// What stands behind it.
    public enum Argument: Sendable, Hashable {
        case none
        /// One word, by what it is.
        case word(String)
        /// A value: one word, or a type and a word.
        case value
    }

    public var argument: Argument {
        switch self {
        case .json, .showSecrets, .ifAbsent, .readOnly, .staged, .noMouse, .help, .version, .man: .none
        case .directory: .word("folder")
        case .cluster: .word("urls")
        case .to: .word("revision")
        case .at: .word("pointer")
        case .theme: .word("theme")
        case .completion: .word("shell")
        case .ifEquals: .value
        }
    }

    public var effect: String {
        switch self {
        case .directory: "The folder of the suites, instead of $XDG_CONFIG_HOME or ~/.config."
        case .cluster:
            "The servers of an etcd cluster that keeps the suites, with commas between; - takes those of PDEFAULTS_CLUSTER, which nothing but this makes the command use. What its keys begin with, user and certificates are taken from PDEFAULTS_CLUSTER_PREFIX, _USER, _PASSWORD, _CA, _CERT and _KEY."
        case .to: "Go back to what the key was at this revision, if nobody changes it meanwhile."
        case .json: "JSON that tells every type apart; “import” reads it back the same."
        case .showSecrets: "Values that programs declared secret, too, which stand as •••••• otherwise."
        case .at:
            "A place inside the value, as a JSON Pointer (RFC 6901): /devices/0/name. It goes on inside the JSON that Data holds."
        case .ifEquals: "Only if this is the value now; else nothing is written, and the exit status is 3."
        case .ifAbsent: "Only if there is no value yet; else nothing is written, and the exit status is 3."
        case .readOnly: "Refuse every change."
        case .staged: "Let changes wait until they are written together (S in the editor)."
        case .noMouse: "Leave the mouse to the terminal (F2 in the editor)."
        case .theme:
            "Colours for a dark or a light terminal: dark, light, or auto for what the terminal says it is."
        case .help: "Print help on the command."
        case .version: "Print the version."
        case .man: "Print the manual page, for man(1)."
        case .completion: "Print what makes a shell complete words: bash, zsh or fish."
        }
    }

    /// Everywhere, be it in the declaration or not.
    static let general: [CommandOption] = [.directory, .cluster, .help]

    /// Of the editor, which may stand before it too, since no command means it.
    static let ofEditor: [CommandOption] = [.readOnly, .staged, .noMouse, .theme]

    public var spelling: String { "--" + rawValue }

    /// With what stands behind it.
    public var usage: String {
        switch argument {
        case .none: spelling
        case .word(let name): spelling + " <\(name)>"
        case .value: spelling + " <value>"
        }
    }
}
