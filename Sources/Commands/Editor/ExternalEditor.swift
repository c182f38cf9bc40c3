import CommandLanguage
import Glibc
import SettingsEditor
import Terminal

/// Runs the user's own editor on a text, with the terminal given back meanwhile.
func editOutside(_ text: ExternalText, _ terminal: TerminalSession) -> ExternalEditResult {
    do {
        let given = Array(text.text.utf8)
        let file = try PrivateFile(named: text.fileName, holding: given)
        /// Returns a failure, and keeps the file if the user has written something.
        func failed(_ reason: String) -> ExternalEditResult {
            guard let left = try? file.read(), left != given, !left.isEmpty else { return .failed(reason) }
            file.keep()
            return .failed("\(reason) What it left is kept in \(file.path).")
        }
        let command = editorCommand
        let line = takesLine(command) ? text.line.map { "+\($0) " } ?? "" : ""
        // The editor handles Ctrl-C itself. The shell ignores it and waits for the editor to end.
        let shell = "trap : INT QUIT\n\(command) \(line)\(shellWord(file.path))"
        let status = terminal.withTerminalGivenBack { system(shell) }
        // The status as in wait(2).
        guard status == 0 else {
            let code = status >> 8 & 0xFF
            return failed(
                code == 127
                    ? "The editor “\(command)” could not be started. Name another one in $VISUAL or $EDITOR."
                    : "The editor “\(command)” ended with \(status & 0x7F == 0 ? "status \(code)" : "a signal")."
            )
        }
        guard let result = String(validating: try file.read(), as: UTF8.self) else {
            return failed("The edited text is not UTF-8.")
        }
        return .text(result)
    } catch {
        return .failed("\(error)")
    }
}

/// The command that starts the user's editor. It may contain arguments.
private var editorCommand: String {
    for name in ["VISUAL", "EDITOR"] {
        if let value = getenv(name).map({ String(cString: $0) }), value.contains(where: { !$0.isWhitespace })
        {
            return value
        }
    }
    return "vi"
}

/// Whether an editor is known to support an argument such as `+5` for the first line.
private func takesLine(_ command: String) -> Bool {
    let program = command.split(separator: " ").first?.split(separator: "/").last.map(String.init) ?? ""
    return ["vi", "vim", "nvim", "nano", "emacs", "kak", "joe", "mg", "ne", "micro"].contains(program)
}
