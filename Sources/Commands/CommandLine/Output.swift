import CommandLanguage
import Glibc
import PropertyList
import SettingsStore
import TerminalCanvas

/// Writes the output of commands.
///
/// Files and pipes get the text as it is. On a terminal, characters that the terminal would act on are
/// escaped.
enum Output {
    static func line(_ text: String) { self.text(text + "\n") }

    /// Prints a text that ends with a line feed already.
    static func text(_ text: String) {
        if write(text, to: STDOUT_FILENO) { return }
        // If the reader has closed the pipe, no message is needed.
        if errno != EPIPE { error("The output could not be written: \(lastSystemError())") }
        exit(1)
    }

    /// Prints one value, in the old style or as typed JSON.
    static func value(_ value: PropertyListValue, asJSON: Bool) {
        if asJSON { json(value) } else { line(value.loneText) }
    }

    /// Prints suites or keys, in the old style or as typed JSON, and hides the values at some paths.
    static func dictionary(
        _ entries: [String: PropertyListValue],
        hiding hidden: Set<ValuePath>,
        asJSON: Bool
    ) {
        let value = PropertyListValue.dictionary(entries)
        if asJSON { json(value, hiding: hidden) } else { line(value.oldStyle(hiding: hidden)) }
    }

    static func json(_ value: PropertyListValue, hiding hidden: Set<ValuePath> = []) {
        json(value.typedJSON(indented: true, hiding: hidden))
    }

    static func json(_ text: String) { line(safe(json: text)) }

    /// Escapes characters in a JSON text that a terminal would act on. The text remains the same JSON.
    static func safe(json text: String) -> String {
        jsonEscapedForDisplay(text, isForTerminal: isatty(STDOUT_FILENO) == 1)
    }

    static func error(_ text: String) {
        _ = write(MessageText.escaped(text, keepsLines: true) + "\n", to: STDERR_FILENO)
    }

    /// Writes a text to a descriptor. Returns false if that fails.
    static func write(_ text: String, to descriptor: Int32) -> Bool {
        let shown = descriptor == STDOUT_FILENO && isatty(descriptor) == 1 ? visible(text) : text
        return writeAll(descriptor, Array(shown.utf8))
    }

    private static func visible(_ text: String) -> String {
        // Splits by scalars, because a carriage return and a line feed are one character.
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { escapedForDisplay(Substring($0)) }.joined(separator: "\n")
    }
}

/// Returns a path as users write it, with ~ for their home folder.
func abbreviated(_ path: String) -> String {
    guard let home = getenv("HOME").map({ String(cString: $0) }), home.utf8.count > 1,
        path.hasPrefix(home + "/")
    else { return path }
    return "~" + path.dropFirst(home.count)
}

/// Returns the message for an error: with the command that helps against a damaged file, or with the result. A file that is
/// not damaged, and that is too large or too deep for example, is of use to other programs.
func message(for error: any Error) -> String {
    if case .locked? = error as? SettingsError { return "\(error), so nothing was written" }
    if case .notAFile? = error as? SettingsError {
        return "\(error) but a folder or a device. Move it away, or use another name"
    }
    guard case .unreadable(let path, let problem)? = error as? SettingsError, problem.reason == .malformed
    else {
        return "\(error)"
    }
    let folder = SettingsFolder.standard.path + "/"
    let name = path.hasPrefix(folder) ? SuiteName(fileName: String(path.dropFirst(folder.count))) : nil
    let word = name?.rawValue ?? abbreviated(path)
    let isPlain = word.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789._-/~".unicodeScalars.contains($0))
    }
    return "\(error). To move the file aside, run: pdefaults recover \(isPlain ? word : shellWord(path))"
}
