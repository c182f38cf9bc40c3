import Glibc
import PropertyList
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

    /// Prints a line that is the only report of a change. If it cannot be printed, the sentence goes to
    /// standard error.
    static func outcome(_ text: String, or sentence: String) {
        // A closed pipe must not end the program before the sentence is printed.
        signal(SIGPIPE, SIG_IGN)
        if write(text + "\n", to: STDOUT_FILENO) { return }
        error("\(sentence); only printing that failed: \(lastSystemError()).")
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
