/// The manual page in man(7) format, made from the command declarations.
public enum ManualPage {
    /// The keys of one mode of the editor and their descriptions.
    public struct Keys: Sendable {
        let title: String
        let keys: [(names: String, effect: String)]

        public init(title: String, keys: [(names: String, effect: String)]) {
            self.title = title
            self.keys = keys
        }
    }

    /// Returns the source of the page.
    ///
    /// - Parameter date: The date of the version, as `2026-11-21`.
    public static func text(version: String, date: String, keys: [Keys]) -> String {
        var page = Roff()
        page.raw(".TH PDEFAULTS 1 \"\(date)\" \"pdefaults \(version)\" \"User Commands\"")
        page.section("NAME")
        page.line("pdefaults - show and change the settings of programs")
        page.section("SYNOPSIS")
        for (index, command) in CommandName.shown.enumerated() {
            for form in command.declaration.forms {
                if index > 0 || !form.parameters.isEmpty { page.raw(".br") }
                page.synopsis(
                    command.rawValue + (form.option.map { " \($0.spelling)" } ?? ""),
                    form.parameters.map(\.oneWord)
                )
            }
        }
        page.section("DESCRIPTION")
        page.line(
            "Programs keep their settings in suites. A suite is a property-list file in $XDG_CONFIG_HOME or ~/.config, "
                + "which Foundation’s UserDefaults and the library PDefaults use. pdefaults shows and changes suites, "
                + "in an editor and for scripts. It has the commands of macOS’s defaults(1), which calls a suite a "
                + "domain, and more. A change keeps all other keys, even if other programs write at the same time. It "
                + "is on the disk when the command returns. An unreadable file is never replaced."
        )
        page.section("COMMANDS")
        for command in CommandName.shown {
            let declaration = command.declaration
            for form in declaration.forms {
                page.item(command.usage(of: form), capitalized(form.effect) + ".")
            }
            for note in declaration.notes { page.indented(note) }
            for option in declaration.options { page.indented("Option: \(option.usage).") }
        }
        page.section("OPTIONS")
        page.line(
            "Options may come anywhere before the words of an array or a dictionary. -- ends the options."
        )
        for option in CommandOption.allCases { page.item(option.usage, option.effect) }
        page.section("KEYS OF THE EDITOR")
        for section in keys {
            page.subsection(section.title)
            for key in section.keys { page.item(key.names, key.effect) }
        }
        page.section("SUITES")
        page.line("A suite is " + HelpText.suiteMeaning)
        page.section("LAYERS")
        page.line(
            "A program finds a value in the first layer that has its key. The layers are listed from the highest to the "
                + "lowest. Suites in another folder, or in a file of another name, have only the layers user, registered "
                + "and declared. Suites on a cluster also have mandatory and arguments."
        )
        for layer in LayerName.searchList { page.item(layer.name, layer.effect) }
        page.line(
            "A mandatory file counts only if it and every folder above it belong to root, and only root can write to "
                + "them. “pdefaults check” says why a file does not count. A lock binds programs that use PDefaults, and "
                + "pdefaults itself. It does not stop a user who edits a file."
        )
        page.section("FILES OF PACKAGES")
        page.item(
            "/usr/share/pdefaults/schemas/<suite>.schema.json",
            "The settings that a package’s program declares. pdefaults shows them before the program has run. The folder "
                + "pdefaults/schemas may be in any folder of $XDG_DATA_DIRS."
        )
        page.item(
            "/etc/xdg/<suite>.plist",
            "The defaults of a package for this site. The folder may be any of $XDG_CONFIG_DIRS."
        )
        page.section("VALUES")
        page.item("property list", HelpText.literalMeaning)
        for type in ValueType.allCases { page.item(type.usage, type.effect) }
        page.section("EXIT STATUS")
        for (status, meaning) in ExitStatus.meanings { page.item("\(status)", meaning) }
        page.section("DIFFERENCES FROM MACOS")
        page.line(
            "-host and -app are refused, because the settings of other hosts are not on this machine and Linux has no "
                + "application bundles. suites prints one name a line, because names may contain commas. A command "
                + "line that is not understood has an exit status of its own. A word that is not a number, date or "
                + "boolean after such a type is refused, and so is a type in place of the key. Data is printed "
                + "completely, and a single string without quotes. Declared secrets are hidden unless their key is "
                + "named."
        )
        page.section("SEE ALSO")
        page.line("dconf(1), gsettings(1), plistutil(1)")
        return page.text
    }

    private static func capitalized(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}

/// The exit statuses of the program.
public enum ExitStatus {
    /// The command failed, or `diff`, `check`, `applied` or `apply --dry-run` found something.
    public static let failure: Int32 = 1
    /// `diff` could not compare, or `apply --dry-run` could not tell.
    public static let trouble: Int32 = 2
    /// A condition did not hold, and nothing was written.
    public static let conflict: Int32 = 3
    /// EX_USAGE of sysexits.h.
    public static let usage: Int32 = 64

    static let meanings: [(Int32, String)] = [
        (0, "Done."),
        (
            failure,
            "The command failed and printed why to standard error; or diff, check, applied or apply --dry-run found something."
        ),
        (trouble, "diff could not compare, or apply --dry-run could not tell."),
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

    /// Adds a paragraph to the previous item.
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
