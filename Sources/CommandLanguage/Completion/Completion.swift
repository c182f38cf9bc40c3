/// Lists the words that the word under the cursor can be completed to.
///
/// Commands, options and parameters come from their declarations, so that completion always matches the
/// parser. Names of suites and keys come from a ``Source``.
public struct Completion {
    /// A word that can be completed to, with its description. The description may be empty.
    public struct Candidate: Sendable, Hashable {
        public let word: String
        public let effect: String
    }

    /// The completions that the shell should offer.
    public enum Offer: Sendable, Hashable {
        case candidates([Candidate])
        /// File names. The shell completes these itself.
        case files
    }

    /// Where the suites are that can be completed.
    public enum Place: Sendable, Hashable {
        case standard
        case folder(String)
        case desktop
    }

    /// Looks up the suites and keys on this machine.
    public struct Source: Sendable {
        let suites: @Sendable (_ place: Place) -> [String]
        let keys: @Sendable (_ suite: String, _ place: Place) -> [String]
        let appliedNames: @Sendable () -> [String]

        public init(
            suites: @escaping @Sendable (_ place: Place) -> [String],
            keys: @escaping @Sendable (_ suite: String, _ place: Place) -> [String],
            appliedNames: @escaping @Sendable () -> [String] = { [] }
        ) {
            self.suites = suites
            self.keys = keys
            self.appliedNames = appliedNames
        }
    }

    private let source: Source
    private var command: CommandName?
    private var isUnderstood = true
    private var place = Place.standard
    /// Whether the suites are on a cluster. Servers are not asked during completion, because they might be
    /// slow.
    private var isElsewhere = false
    private var options: Set<CommandOption> = []
    /// The words that fill parameters.
    private var filled: [String] = []
    private let last: String

    /// Returns the completions of the last word.
    ///
    /// - Parameter words: The words after the program's name, up to the one under the cursor.
    public static func offer(for words: [String], _ source: Source) -> Offer {
        Completion(words, source).offer(after: words.dropLast())
    }

    private init(_ words: [String], _ source: Source) {
        self.source = source
        last = words.last ?? ""
        var rest = words.dropLast()
        while let word = rest.popFirst() {
            if command == nil, word == "-currentHost" { continue }
            if let option = option(word) {
                options.insert(option)
                isElsewhere = isElsewhere || option == .cluster
                if option == .gsettings { place = .desktop }
                let argument = option.argument == .none ? nil : rest.popFirst()
                if option == .directory, let argument { place = .folder(argument) }
            } else if command == nil {
                command = CommandName(word: word)
                if command == nil {
                    // Suites and paths without a command open the editor.
                    isUnderstood = isPath(word) || source.suites(place).contains(word)
                    (command, filled) = (.edit, [word])
                }
            } else {
                filled.append(word)
            }
        }
    }

    private func isPath(_ word: String) -> Bool { ["/", "./", "~/"].contains(where: word.hasPrefix) }

    private func option(_ word: String) -> CommandOption? {
        word.hasPrefix("--") ? CommandOption(rawValue: String(word.dropFirst(2))) : nil
    }

    private func offer(after before: ArraySlice<String>) -> Offer {
        if let previous = before.last, let option = option(previous), case .word(let what) = option.argument {
            switch what {
            case "folder": return .files
            case "name": return matching(source.appliedNames().map { Candidate(word: $0, effect: "") })
            case "layer":
                return matching(LayerName.allCases.map { Candidate(word: $0.rawValue, effect: $0.effect) })
            case "shell":
                return matching(CompletionScript.allCases.map { Candidate(word: $0.rawValue, effect: "") })
            case "theme":
                let names = ["auto", "dark", "light", "gruvbox", "solarized", "16", "mono"]
                return matching(names.map { Candidate(word: $0, effect: "") })
            default: return .candidates([])
            }
        }
        guard isUnderstood else { return .candidates([]) }
        let isPath = isPath(last)
        guard let command else {
            if isPath { return .files }
            let host = Candidate(word: "-currentHost", effect: "the settings of this host")
            return matching(last.hasPrefix("-") ? generalOptions + [host] : commands)
        }
        let declaration = command.declaration
        if last.hasPrefix("--") { return matching(candidates(declaration.options + CommandOption.general)) }
        if let position = declaration.valuePosition, filled.count >= position {
            if filled.count == position + 1, ValueType(flag: filled[position]) == .boolean {
                return matching(["true", "false"].map { Candidate(word: $0, effect: "") })
            }
            return filled.count == position && last.hasPrefix("-") ? matching(types) : .candidates([])
        }
        var all: [Candidate] = []
        for form in declaration.forms(with: options) {
            guard let parameter = parameter(of: form) else { continue }
            switch parameter {
            case .suite, .otherSuite, .suites:
                if isPath { return .files }
                if !isElsewhere { all += source.suites(place).map { Candidate(word: $0, effect: "") } }
                if last.hasPrefix("-") {
                    all.append(Candidate(word: "-g", effect: "the settings of all programs"))
                }
            case .key, .oldKey:
                if isElsewhere { break }
                all += source.keys(filled[0], place).map { Candidate(word: $0, effect: "") }
            case .file, .files: return .files
            case .appliedName: all += source.appliedNames().map { Candidate(word: $0, effect: "") }
            case .dash: all.append(Candidate(word: "-", effect: "standard input or output"))
            case .commandName: all += commands
            case .newKey, .value, .dictionary, .word, .shell, .words: break
            }
        }
        return matching(all)
    }

    private func parameter(of form: CommandDeclaration.Form) -> Parameter? {
        if filled.count < form.parameters.count { return form.parameters[filled.count] }
        return form.parameters.last?.isRepeated == true ? form.parameters.last : nil
    }

    private var commands: [Candidate] {
        CommandName.shown.map { Candidate(word: $0.rawValue, effect: $0.declaration.forms[0].effect) }
    }

    private var types: [Candidate] {
        ValueType.allCases.filter { $0 != .delete }.map { Candidate(word: $0.flags[0], effect: $0.effect) }
    }

    private var generalOptions: [Candidate] {
        candidates(CommandOption.general + [.version] + CommandOption.ofEditor)
    }

    private func candidates(_ options: [CommandOption]) -> [Candidate] {
        options.map { Candidate(word: $0.spelling, effect: $0.effect) }
    }

    /// Returns the candidates that start with the typed word, each once. Candidates with control characters
    /// are left out, because they would not fit on a line.
    private func matching(_ candidates: [Candidate]) -> Offer {
        var seen: Set<String> = []
        return .candidates(
            candidates.filter { candidate in
                candidate.word.hasPrefix(last) && seen.insert(candidate.word).inserted
                    && !candidate.word.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
            }
        )
    }
}

extension Completion.Offer {
    /// The format that the shell scripts read: one candidate a line, with a tab before its description, or
    /// `:files` for file names.
    public var lines: [String] {
        switch self {
        case .files: [":files"]
        case .candidates(let candidates):
            candidates.map { $0.effect.isEmpty ? $0.word : $0.word + "\t" + $0.effect }
        }
    }
}
