import PropertyList

/// A command line, parsed by the declaration of its command.
///
/// Options start with two dashes and may come anywhere before the words of a list of values. `--` ends them.
/// Words with one dash belong to the grammar of macOS `defaults`: their position decides their meaning, so
/// values and keys that start with a dash need no quoting.
public struct ParsedCommand: Sendable {
    public let command: CommandName
    /// Whether the line names its command. A line without a command starts the editor.
    public let namesCommand: Bool
    /// The words that fill the parameters.
    public private(set) var words: [String] = []
    private var options: [CommandOption: [String]] = [:]

    /// Parses a command line.
    ///
    /// - Parameter arguments: The words without the program's name.
    /// - Throws: ``UsageError`` if a word is not understood. Its description says why.
    public init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        let before = try Self.takeGeneralOptions(from: &rest)
        let count = rest.count
        command = try Self.takeCommand(from: &rest, options: before)
        namesCommand = rest.count < count
        options = before
        do throws(UsageError) {
            try take(rest)
            for option in CommandOption.ofEditor
            where has(option) && !command.declaration.options.contains(option) {
                throw UsageError("\(option.spelling) is an option of the editor only.")
            }
            if has(.layer), !command.declaration.options.contains(.layer) {
                throw UsageError("-currentHost works only with commands that have the option --layer.")
            }
            if !has(.help), !has(.version) { try checkCount() }
        } catch {
            throw UsageError(error.description, of: error.command ?? command)
        }
    }

    public func has(_ option: CommandOption) -> Bool { options[option] != nil }

    /// Returns the argument of an option that takes a word.
    public func word(of option: CommandOption) -> String? { options[option]?.last }

    /// Returns the words of an option that takes a value.
    func value(of option: CommandOption) -> [String]? { options[option] }

    /// Returns the word at a position, or nil if the line has fewer words.
    public subscript(_ index: Int) -> String? { index < words.count ? words[index] : nil }
}

extension ParsedCommand {
    /// Parses the options before the command: the general ones and those of the editor, which needs no
    /// command.
    private static func takeGeneralOptions(
        from rest: inout ArraySlice<String>
    ) throws(UsageError) -> [CommandOption: [String]] {
        var options: [CommandOption: [String]] = [:]
        let allowed = CommandOption.general + [.version] + CommandOption.ofEditor
        while var word = rest.first {
            if word == "-host" { throw SuiteWord.hostRefusal }
            if word == "-currentHost" {
                options[.layer] = [LayerName.host.rawValue]
                rest.removeFirst()
                continue
            }
            if word == "-h" { word = CommandOption.help.spelling }
            guard word.hasPrefix("--"), word != "--" || rest.count == 1 else { break }
            rest.removeFirst()
            if word == "--" { break }
            let name = word.dropFirst(2).prefix { $0 != "=" }
            if let option = CommandOption(rawValue: String(name)), !allowed.contains(option) {
                throw UsageError("Write “\(option.spelling)” after the command.")
            }
            try take(option: word, among: allowed, from: &rest, into: &options)
        }
        return options
    }

    private static func takeCommand(
        from rest: inout ArraySlice<String>,
        options: [CommandOption: [String]]
    ) throws(UsageError) -> CommandName {
        guard let word = rest.first else { return options[.help] != nil ? .help : .edit }
        if let command = CommandName(word: word) {
            rest.removeFirst()
            return command
        }
        // Suites without a command open the editor, with options before or after them. A first word that starts
        // with a dash must be a known suite, because it might be a misspelt option. The first of several words must not
        // resemble a command.
        if let others = countOfEditorWords(rest.dropFirst()),
            others == 0 || UsageError.command(near: word) == nil
        {
            if !word.hasPrefix("-") { return .edit }
            if try SuiteWord(word) != .suite(word) { return .edit }
        }
        throw .noCommand(word)
    }

    /// The number of words besides the options; nil if the editor has no such words.
    private static func countOfEditorWords(_ words: ArraySlice<String>) -> Int? {
        var (rest, count) = (words, 0)
        while let taken = try? takeGeneralOptions(from: &rest), taken[.help] == nil, taken[.version] == nil {
            guard let word = rest.popFirst() else { return count }
            if word.hasPrefix("-") { return nil }
            count += 1
        }
        return nil
    }

    private mutating func take(_ arguments: ArraySlice<String>) throws(UsageError) {
        let declaration = command.declaration
        var rest = arguments
        if command == .complete {
            words = Array(rest)
            return
        }
        let allowed = declaration.options + CommandOption.general + (command == .help ? [.version] : [])
        var hasOptions = true
        while let word = rest.popFirst() {
            if hasOptions, word == "--" {
                hasOptions = false
            } else if hasOptions, word.hasPrefix("--") {
                let advice = declaration.valuePosition.map { _ in "If it is a value, write -string before it."
                }
                try Self.take(option: word, among: allowed, or: advice, from: &rest, into: &options)
            } else if hasOptions, command == .write, words.count == 1, ValueType(flag: word) != nil {
                throw UsageError("Write a key before “\(word)”. If “\(word)” is the key, write -- before it.")
            } else if words.count == declaration.valuePosition {
                words += [word]
                words += try ValueType.wordsAfter(word, from: &rest)
            } else {
                words.append(word)
            }
        }
    }

    /// Parses the argument of an option, from the next words or from the text after `=`. An argument may be
    /// any text.
    private static func take(
        option word: String,
        among allowed: [CommandOption],
        or otherAdvice: String? = nil,
        from rest: inout ArraySlice<String>,
        into options: inout [CommandOption: [String]]
    ) throws(UsageError) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = CommandOption(rawValue: name) else {
            let near = suggestion(for: name, among: allowed.map(\.rawValue))
            let advice =
                near.map { "Did you mean “--\($0)”?" }
                ?? otherAdvice ?? "Run “pdefaults help” to list the options."
            throw UsageError("There is no option “--\(name)”. \(advice)")
        }
        guard allowed.contains(option) else {
            throw UsageError("This command has no option “\(option.spelling)”.")
        }
        if option == .layer, options[.layer] != nil {
            throw UsageError("Write --layer or -currentHost once.")
        }
        if parts.count > 1 { rest = [String(parts[1])] + rest }
        switch option.argument {
        case .none:
            guard parts.count == 1 else { throw UsageError("“\(option.spelling)” takes no value.") }
            options[option] = []
        case .word(let what):
            guard let word = rest.popFirst() else {
                throw UsageError("“\(option.spelling)” needs a \(what) after it.")
            }
            guard !word.isEmpty || option == .at else {
                throw UsageError("The \(what) after \(option.spelling) is empty.")
            }
            options[option] = [word]
        case .value:
            guard let word = rest.popFirst() else {
                throw UsageError("“\(option.spelling)” needs a value after it.")
            }
            if ValueType(flag: word)?.takesAll == true {
                throw UsageError("“\(option.spelling)” takes one value. Write an array as '(1, 2)'.")
            }
            options[option] = try [word] + ValueType.wordsAfter(word, from: &rest)
        }
    }

    private func checkCount() throws(UsageError) {
        if command == .help, has(.man) || has(.completion), words.isEmpty { return }
        let forms = command.declaration.forms(with: options.keys)
        if forms.contains(where: { $0.admits(count: words.count) }) { return }
        let most = forms.map(\.parameters.count).max() ?? 0
        if words.count > most {
            throw UsageError("Unexpected argument “\(words[most])”. Nothing was done.")
        }
        let next = forms.lazy.map(\.parameters).first { $0.count > words.count }?[words.count]
        throw UsageError("The \(next?.rawValue ?? "rest") is missing.")
    }
}
