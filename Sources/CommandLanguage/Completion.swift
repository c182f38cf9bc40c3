/// What the word under the cursor can become, made from the declarations.
public struct Completion {
    public struct Candidate: Sendable, Hashable {
        public let word: String
        public let effect: String
    }

    /// What the shell is to offer.
    public enum Offer: Sendable, Hashable {
        case candidates([Candidate])
        /// Names of files, which the shell knows better.
        case files
    }

    /// What only the machine can tell.
    public struct Source: Sendable {
        let domains: @Sendable (_ folder: String?) -> [String]
        let keys: @Sendable (_ domain: String, _ folder: String?) -> [String]

        public init(
            domains: @escaping @Sendable (_ folder: String?) -> [String],
            keys: @escaping @Sendable (_ domain: String, _ folder: String?) -> [String]
        ) {
            self.domains = domains
            self.keys = keys
        }
    }

    private let source: Source
    private var command: CommandName?
    private var isUnderstood = true
    private var folder: String?
    /// Whether what there is lies on other machines, which are not asked between two keys.
    private var isElsewhere = false
    /// The words in places of parameters.
    private var filled: [String] = []
    private let last: String

    /// - Parameter words: behind the program's name, up to the one under the cursor.
    public static func offer(for words: [String], _ source: Source) -> Offer {
        Completion(words, source).offer(after: words.dropLast())
    }

    private init(_ words: [String], _ source: Source) {
        self.source = source
        last = words.last ?? ""
        var rest = words.dropLast()
        while let word = rest.popFirst() {
            if let option = option(word) {
                isElsewhere = isElsewhere || option == .cluster
                if option.argument != .none { folder = option == .directory ? rest.popFirst() : folder }
                if option.argument != .none, option != .directory { _ = rest.popFirst() }
            } else if command == nil {
                command = CommandName(word: word)
                if command == nil {
                    isUnderstood = false
                    return
                }
            } else {
                filled.append(word)
            }
        }
    }

    private func option(_ word: String) -> CommandOption? {
        word.hasPrefix("--") ? CommandOption(rawValue: String(word.dropFirst(2))) : nil
    }

    private func offer(after before: ArraySlice<String>) -> Offer {
        if let previous = before.last, let option = option(previous), case .word(let what) = option.argument {
            switch what {
            case "folder": return .files
            case "shell":
                return matching(CompletionScript.allCases.map { Candidate(word: $0.rawValue, effect: "") })
            case "theme":
                return matching(["auto", "dark", "light"].map { Candidate(word: $0, effect: "") })
            default: return .candidates([])
            }
        }
        guard isUnderstood else { return .candidates([]) }
        guard let command else { return matching(last.hasPrefix("-") ? generalOptions : commands) }
        if last.hasPrefix("--") { return matching(options(of: command)) }
        let declaration = command.declaration
        if let position = declaration.valuePosition, filled.count >= position {
            if filled.count == position + 1, ValueType(flag: filled[position]) == .boolean {
                return matching(["true", "false"].map { Candidate(word: $0, effect: "") })
            }
            return filled.count == position && last.hasPrefix("-") ? matching(types) : .candidates([])
        }
        var all: [Candidate] = []
        for form in declaration.forms {
            guard let parameter = parameter(of: form) else { continue }
            switch parameter {
            case .domain, .otherDomain, .domains:
                if ["/", "./", "~/"].contains(where: last.hasPrefix) { return .files }
                if !isElsewhere { all += source.domains(folder).map { Candidate(word: $0, effect: "") } }
                if last.hasPrefix("-") { all.append(Candidate(word: "-g", effect: "the global domain")) }
            case .key, .oldKey:
                if isElsewhere { break }
                all += source.keys(filled[0], folder).map { Candidate(word: $0, effect: "") }
            case .file: return .files
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
        (CommandOption.general + [.version] + CommandOption.ofEditor).map {
            Candidate(word: $0.spelling, effect: $0.effect)
        }
    }

    private func options(of command: CommandName) -> [Candidate] {
        (command.declaration.options + CommandOption.general)
            .map { Candidate(word: $0.spelling, effect: $0.effect) }
    }

    /// Those that go on from what is typed, each once; what would be no line of its own can't be offered.
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
    /// As the scripts read it: a candidate a line, a tab before what it does; `:files` for files.
    public var lines: [String] {
        switch self {
        case .files: [":files"]
        case .candidates(let candidates):
            candidates.map { $0.effect.isEmpty ? $0.word : $0.word + "\t" + $0.effect }
        }
    }
}
