import Glibc
import PropertyList
import TerminalCanvas

/// Standard output and standard error, as commands write to them: as it is into a file or a pipe, with
/// whatever a terminal would act upon made visible where one is listening.
enum Output {
    static func line(_ text: String) { self.text(text + "\n") }

    /// A text that ends its last line itself.
    static func text(_ text: String) {
        if write(text, to: STDOUT_FILENO) { return }
        // Whoever read may have gone, which needs no words.
        if errno != EPIPE { error("The output could not be written: \(lastSystemError())") }
        exit(1)
    }

    /// A line that tells what was done, as nothing else does. Where nobody gets it, a sentence on standard error says
    /// the same.
    static func outcome(_ text: String, or sentence: String) {
        // A reader that has gone is to end nothing here before that is said.
        signal(SIGPIPE, SIG_IGN)
        if write(text + "\n", to: STDOUT_FILENO) { return }
        error("\(sentence); only printing that failed: \(lastSystemError()).")
        exit(1)
    }

    /// A value alone, in the old style or as typed JSON.
    static func value(_ value: PropertyListValue, asJSON: Bool) {
        if asJSON { json(value) } else { line(value.loneText) }
    }

    /// Domains or keys, in the old style or as typed JSON, without the values in some places.
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

    /// A JSON text in which what a terminal would act upon is escaped, which leaves it the same JSON.
    static func safe(json text: String) -> String {
        jsonEscapedForDisplay(text, isForTerminal: isatty(STDOUT_FILENO) == 1)
    }

    static func error(_ text: String) { _ = write(visible(text) + "\n", to: STDERR_FILENO) }

    /// Writes a text to standard output; false where that failed.
    static func write(_ text: String, to descriptor: Int32) -> Bool {
        let shown = descriptor == STDOUT_FILENO && isatty(descriptor) == 1 ? visible(text) : text
        return writeAll(descriptor, Array(shown.utf8))
    }

    private static func visible(_ text: String) -> String {
        // By scalars: a carriage return makes one character with the line feed behind it.
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { escapedForDisplay(Substring($0)) }.joined(separator: "\n")
    }
}
