/// The help that is printed, made from the declarations.
public enum HelpText {
    static let abstract = "Shows and changes the settings of programs, in a terminal and in scripts."

    /// What `pdefaults help` prints.
    public static var overview: String {
        var text = abstract + "\n\nSyntax:\n\n"
        for command in CommandName.shown {
            for form in command.declaration.forms { text += entry(command.usage(of: form), form.effect, 38) }
        }
        text += "\nOptions of every command:\n\n"
        for option in CommandOption.general { text += entry(option.usage, option.effect, 38) }
        text += "\n" + domains + "\n<value> is one of:\n\n" + values
        text += "\n“pdefaults help <command>” has the options of a command.\n"
        return text
    }

    /// What `pdefaults help <command>` prints.
    public static func text(on command: CommandName) -> String {
        let declaration = command.declaration
        var text = ""
        for form in declaration.forms {
            text += entry("pdefaults " + command.usage(of: form), form.effect, 48)
        }
        text += "\nOptions:\n\n"
        for option in declaration.options + CommandOption.general {
            text += entry(option.usage, option.effect, 26)
        }
        let parameters = Set(declaration.forms.flatMap(\.parameters))
        if !parameters.isDisjoint(with: [.domain, .domains]) { text += "\n" + domains }
        if parameters.contains(.value) { text += "\n<value> is one of:\n\n" + values }
        for note in declaration.notes { text += "\n" + wrapped(note, indentation: 0) }
        return text
    }

    /// The lines that say how a command is written, for an error.
    public static func usage(of command: CommandName) -> String {
        let lines = command.declaration.forms.map { "  pdefaults " + command.usage(of: $0) }
        return "Usage:\n" + lines.joined(separator: "\n")
            + "\n“pdefaults help \(command.rawValue)” says more."
    }

    private static var domains: String { wrapped("<domain> is " + domainMeaning, indentation: 0) }

    static let domainMeaning =
        "a name, such as org.example.App; -g, -globalDomain or NSGlobalDomain; or the path of a file, with or "
        + "without its ending .plist, that starts with /, ./ or ~/."

    private static var values: String {
        var text = entry("<property list>", literalMeaning, 38)
        for type in ValueType.allCases { text += entry(type.usage, type.effect, 38) }
        return text
    }

    static let literalMeaning =
        "In the old style or XML, as one word: '(1, 2)', '{a = 1;}', '<true/>'. A word without any of "
        + "\" ( ) [ ] { } < > is a string."

    private static func entry(_ head: String, _ text: String, _ column: Int) -> String {
        let lines = wrapped(text, indentation: column)
        let start = "  " + head
        if start.count + 2 > column { return start + "\n" + lines }
        return start + lines.dropFirst(start.count)
    }

    /// Lines of up to 90 characters.
    static func wrapped(_ text: String, indentation: Int) -> String {
        let margin = String(repeating: " ", count: indentation)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indentation + line.count + 1 + word.count > 90 {
                lines.append(margin + line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return (lines + [margin + line]).joined(separator: "\n") + "\n"
    }
}

extension CommandName {
    /// The command as it is written in a form.
    public func usage(of form: CommandDeclaration.Form) -> String {
        ([rawValue] + form.parameters.map(\.placeholder)).joined(separator: " ")
    }
}
