/// The help texts, made from the command declarations.
public enum HelpText {
    static let abstract = "Show and change the settings of programs, in a terminal and in scripts."

    /// The text of `pdefaults help`.
    public static var overview: String {
        var text = abstract + "\n\nSyntax:\n\n"
        for command in CommandName.shown {
            for form in command.declaration.forms { text += entry(command.usage(of: form), form.effect, 38) }
        }
        text += "\nOptions of every command:\n\n"
        for option in CommandOption.general { text += entry(option.usage, option.effect, 38) }
        text += "\n" + suites + "\n<value> is one of:\n\n" + values
        text += "\nTo see more:\n\n"
        text += entry("pdefaults help <command>", "explain a command and its options", 38)
        text += entry("pdefaults help --man | man -l -", "read the manual", 38)
        text += entry("pdefaults --version", "print the version", 38)
        return text
    }

    /// Returns the text of `pdefaults help <command>`.
    public static func text(on command: CommandName) -> String {
        let declaration = command.declaration
        var text = ""
        for form in declaration.forms {
            text += entry("pdefaults " + command.usage(of: form), form.effect, 48)
        }
        text += "\nOptions:\n\n"
        for option in declaration.options + CommandOption.general {
            text += entry(option.usage, option.shortEffect, 26)
        }
        let parameters = Set(declaration.forms.flatMap(\.parameters))
        if !parameters.isDisjoint(with: [.suite, .suites]) { text += "\n" + suites }
        if parameters.contains(.value) { text += "\n<value> is one of:\n\n" + values }
        if command == .why { text += "\nThe layers, from the highest to the lowest:\n\n" + layers }
        if declaration.options.contains(.layer) { text += "\n<layer> is one of:\n\n" + writableLayers }
        for note in declaration.notes { text += "\n" + wrapped(note, indentation: 0) }
        return text
    }

    /// Returns the last line of an error message about a command.
    public static func hint(on command: CommandName) -> String {
        "Run “pdefaults help \(command.rawValue)” to see how to write it."
    }

    private static var suites: String { wrapped("<suite> is " + suiteMeaning, indentation: 0) }

    static let suiteMeaning =
        "a name such as org.example.App, or a path that starts with /, ./ or ~/ and leads to a property list or a "
        + "JSON file. The ending .plist can be left out. -g, "
        + "-globalDomain and NSGlobalDomain name the user’s settings of all programs. macOS calls a suite a domain."

    private static var values: String {
        var text = entry("<property list>", literalMeaning, 38)
        for type in ValueType.allCases { text += entry(type.usage, type.effect, 38) }
        return text
    }

    private static var layers: String {
        LayerName.searchList.reduce("") { $0 + entry($1.name, $1.effect, 14) }
    }

    private static var writableLayers: String {
        LayerName.allCases.reduce("") { $0 + entry($1.rawValue, $1.effect, 14) }
    }

    static let literalMeaning =
        "One word in the old style or XML: '(1, 2)', '{a = 1;}', '<true/>'. A word without any of "
        + "\" ( ) [ ] { } < > is a string."

    private static func entry(_ head: String, _ text: String, _ column: Int) -> String {
        let lines = wrapped(text, indentation: column)
        let start = "  " + head
        if start.count + 2 > column { return start + "\n" + lines }
        return start + lines.dropFirst(start.count)
    }

    /// Wraps a text into lines of at most 90 characters.
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
    /// Returns the syntax of a command in one form.
    public func usage(of form: CommandDeclaration.Form) -> String {
        ([rawValue] + (form.option.map { [$0.spelling] } ?? []) + form.parameters.map(\.placeholder))
            .joined(separator: " ")
    }
}
