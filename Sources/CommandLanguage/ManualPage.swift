/// The manual page, for man(7), made from the declarations.
public enum ManualPage {
    /// Keys of the editor, in one of its modes, with what they do.
    public struct Keys: Sendable {
        let title: String
        let keys: [(names: String, effect: String)]

        public init(title: String, keys: [(names: String, effect: String)]) {
            self.title = title
            self.keys = keys
        }
    }

    /// - Parameter date: of the version, year first.
    public static func text(version: String, date: String, keys: [Keys]) -> String {
        var page = Roff()
        page.raw(".TH PDEFAULTS 1 \"\(date)\" \"pdefaults \(version)\" \"User Commands\"")
        page.section("NAME")
        page.line("pdefaults - show and change the settings of programs")
        page.section("SYNOPSIS")
        for (index, command) in CommandName.shown.enumerated() {
            for form in command.declaration.forms {
                if index > 0 || !form.parameters.isEmpty { page.raw(".br") }
                page.synopsis(command.rawValue, form.parameters.map(\.oneWord))
            }
        }
        page.section("DESCRIPTION")
        page.line(
            "Programs keep their settings in domains, which are property-list files in $XDG_CONFIG_HOME or "
                + "~/.config: those that Foundation’s UserDefaults and the library PDefaults use. pdefaults "
                + "shows and changes them, in an editor and for scripts, by the commands of macOS’s defaults(1) "
                + "and some more. A change leaves every other key as it is, whoever else writes, and is on the "
                + "disk when the command returns; a file that can’t be read is never replaced."
        )
        page.section("COMMANDS")
        for command in CommandName.shown {
            let declaration = command.declaration
            for form in declaration.forms {
                page.item(command.usage(of: form), capitalized(form.effect) + ".")
            }
            for note in declaration.notes { page.indented(note) }
            for option in declaration.options { page.indented("Takes \(option.usage).") }
        }
        page.section("OPTIONS")
        page.line("Options may stand anywhere before the words of an array or a dictionary; -- ends them.")
        for option in CommandOption.allCases { page.item(option.usage, option.effect) }
        page.section("KEYS OF THE EDITOR")
        for section in keys {
            page.subsection(section.title)
            for key in section.keys { page.item(key.names, key.effect) }
        }
        page.section("DOMAINS")
        page.line("A domain is " + HelpText.domainMeaning)
        page.section("VALUES")
        page.item("property list", HelpText.literalMeaning)
        for type in ValueType.allCases { page.item(type.usage, type.effect) }
        page.section("EXIT STATUS")
        for (status, meaning) in ExitStatus.meanings { page.item("\(status)", meaning) }
        page.section("DIFFERENCES FROM MACOS")
        page.line(
            "There are no settings for one host and no application bundles: -currentHost, -host and -app are "
                + "refused. macOS’s manual says neither how domains are listed nor what the exit statuses are: "
                + "they are listed one a line, since their names may have commas, and a command line that is not "
                + "understood ends with a status of its own. A value that is no number, date or boolean where one "
                + "is wanted is refused, and so is a type where the key should be. Data is printed whole, and a "
                + "lone string as it is. Declared secrets are hidden where nobody asked for them by name."
        )
        page.section("SEE ALSO")
        page.line("dconf(1), gsettings(1), plistutil(1)")
        return page.text
    }

    private static func capitalized(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}

/// What the program says to whoever started it.
public enum ExitStatus {
    public static let failure: Int32 = 1
    public static let trouble: Int32 = 2
    public static let conflict: Int32 = 3
    /// EX_USAGE of sysexits.h.
    public static let usage: Int32 = 64

    static let meanings: [(Int32, String)] = [
        (0, "Done."),
        (failure, "Not done, for the reason on standard error; or diff or check found something."),
        (trouble, "diff could not compare."),
        (conflict, "A condition (--if-equals, --if-absent) did not hold, and nothing was written."),
        (usage, "The command line was not understood, and nothing was done."),
    ]
}

private struct Roff {
    private(set) var text = ""

    mutating func raw(_ line: String) { text += line + "\n" }
    mutating func section(_ title: String) { raw(".SH \(title)") }
    mutating func subsection(_ title: String) { raw(".SS \(Self.escaped(title))") }
    mutating func line(_ content: String) { raw(Self.escaped(content)) }

    mutating func synopsis(_ command: String, _ parameters: [String]) {
        let words = parameters.map { $0 == "-" ? "\\-" : "\\fI\(Self.escaped($0))\\fR" }
        raw((["\\fBpdefaults \(Self.escaped(command))\\fR"] + words).joined(separator: " "))
    }

    mutating func item(_ head: String, _ content: String) {
        raw(".TP")
        raw("\\fB\(Self.escaped(head))\\fR")
        line(content)
    }

    /// A paragraph that belongs to the item before it.
    mutating func indented(_ content: String) {
        raw(".IP")
        line(content)
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "“": result += "\\(lq"
            case "”": result += "\\(rq"
            case "’": result += "\\(cq"
            case "…": result += "..."
            case "•": result += "\\(bu"
            default: result.append(character)
            }
        }
        return result.hasPrefix(".") ? "\\&" + result : result
    }
}
