import PropertyList

/// A command line, taken apart by the declaration of its command.
///
/// Options have two dashes and may stand anywhere before the words of a list of values; `--` ends them. Words
/// with one dash belong to the grammar of macOS, where their place says what they are, so that no value
/// and no key has to be protected.
public struct CommandWords: Sendable {
    public let command: CommandName
    /// Whether the line says its command, rather than none, which means the editor.
    public let namesCommand: Bool
    /// What fills the parameters.
    public private(set) var words: [String] = []
    private var options: [CommandOption: [String]] = [:]

    /// - Parameter arguments: without the program's name.
    /// - Throws: ``UsageError``.
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
                throw UsageError("\(option.spelling) is for the editor.")
            }
            if !has(.help), !has(.version) { try checkCount() }
        } catch {
            throw UsageError(error.description, of: error.command ?? command)
        }
    }

    public func has(_ option: CommandOption) -> Bool { options[option] != nil }

    /// The word behind an option that has one.
    public func word(of option: CommandOption) -> String? { options[option]?.last }

    /// The words behind an option that has a value.
    func value(of option: CommandOption) -> [String]? { options[option] }

    /// The word in a place; nil where the line ends before it.
    public subscript(_ index: Int) -> String? { index < words.count ? words[index] : nil }
}

extension CommandWords {
    /// Options before the command: those that every command has, and those of the editor, which no
    /// command at all means.
    private static func takeGeneralOptions(
        from rest: inout ArraySlice<String>
    ) throws(UsageError) -> [CommandOption: [String]] {
        var options: [CommandOption: [String]] = [:]
        let allowed = CommandOption.general + [.version] + CommandOption.ofEditor
        while var word = rest.first {
            if word == "-currentHost" || word == "-host" { throw hostRefusal(word) }
            if word == "-h" { word = CommandOption.help.spelling }
            guard word.hasPrefix("--"), word != "--" || rest.count == 1 else { break }
            rest.removeFirst()
            if word == "--" { break }
            try take(option: word, among: allowed, from: &rest, into: &options)
        }
        return options
    }

    private static func hostRefusal(_ word: String) -> UsageError {
        UsageError(
            "\(word): settings for one host alone do not exist here; a domain is one file, for every host. "
                + "Leave \(word) out, or give each host a domain."
        )
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
        // A domain alone, with options before it or behind it, opens the editor on it, if it is no misspelt option.
        if areOptionsOfEditor(rest.dropFirst()) {
            if !word.hasPrefix("-") { return .edit }
            if try DomainName(word) != .suite(word) { return .edit }
        }
        throw .noCommand(word)
    }

    private static func areOptionsOfEditor(_ words: ArraySlice<String>) -> Bool {
        var rest = words
        guard let options = try? takeGeneralOptions(from: &rest) else { return false }
        return rest.isEmpty && options[.help] == nil && options[.version] == nil
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
                try Self.take(option: word, among: allowed, from: &rest, into: &options)
            } else if hasOptions, command == .write, words.count == 1, ValueType(flag: word) != nil {
                throw UsageError("The key before “\(word)” is missing. Behind -- that is a key itself.")
            } else if words.count == declaration.valuePosition {
                words += [word]
                words += try ValueType.wordsBehind(word, from: &rest)
            } else {
                words.append(word)
            }
        }
    }

    /// Takes an option's argument, which may be anything, from the words behind it, or from behind its `=`.
    private static func take(
        option word: String,
        among allowed: [CommandOption],
        from rest: inout ArraySlice<String>,
        into options: inout [CommandOption: [String]]
    ) throws(UsageError) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = CommandOption(rawValue: name) else {
            throw UsageError(
                "There is no option “--\(name)”. A value that looks like one goes behind -string."
            )
        }
        guard allowed.contains(option) else {
            throw UsageError("The option “\(option.spelling)” has no meaning here.")
        }
        if parts.count > 1 { rest = [String(parts[1])] + rest }
        switch option.argument {
        case .none:
            guard parts.count == 1 else { throw UsageError("“\(option.spelling)” takes no value.") }
            options[option] = []
        case .word(let what):
            guard let word = rest.popFirst() else {
                throw UsageError("Behind “\(option.spelling)” the \(what) is missing.")
            }
            guard !word.isEmpty || option == .at else {
                throw UsageError("The \(what) that \(option.spelling) names is empty.")
            }
            options[option] = [word]
        case .value:
            guard let word = rest.popFirst() else {
                throw UsageError("Behind “\(option.spelling)” the value is missing.")
            }
            if ValueType(flag: word)?.takesAll == true {
                throw UsageError("“\(option.spelling)” takes one value; give an array as '(1, 2)'.")
            }
            options[option] = try [word] + ValueType.wordsBehind(word, from: &rest)
        }
    }

    private func checkCount() throws(UsageError) {
        if command == .help, has(.man) || has(.completion), words.isEmpty { return }
        let forms = command.declaration.forms
        if forms.contains(where: { $0.admits(count: words.count) }) { return }
        let most = forms.map(\.parameters.count).max() ?? 0
        if words.count > most {
            throw UsageError("Unexpected argument “\(words[most])”; nothing was done.")
        }
        let next = forms.lazy.map(\.parameters).first { $0.count > words.count }?[words.count]
        throw UsageError("The \(next?.rawValue ?? "rest") is missing.")
    }
}
