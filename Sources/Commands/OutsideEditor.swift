import Glibc
import SettingsEditor
import Terminal

/// Runs the user's own editor on a text, with the terminal given back for as long as it runs.
func editOutside(_ text: OutsideText, _ terminal: TerminalSession) -> OutsideResult {
    do {
        let given = Array(text.text.utf8)
        let file = try PrivateFile(named: text.fileName, holding: given)
        /// What was written all the same is not lost.
        func failed(_ reason: String) -> OutsideResult {
            guard let left = try? file.read(), left != given, !left.isEmpty else { return .failed(reason) }
            file.keep()
            return .failed("\(reason) What it left is kept in \(file.path).")
        }
        let command = editorCommand
        let line = takesLine(command) ? text.line.map { "+\($0) " } ?? "" : ""
        // What Ctrl-C means there is the editor's own affair: the shell around it waits for how that ends.
        let shell = "trap : INT QUIT\n\(command) \(line)\(shellWord(file.path))"
        let status = terminal.withTerminalGivenBack { system(shell) }
        // The status as wait(2) has it.
        guard status == 0 else {
            let code = status >> 8 & 0xFF
            return failed(
                code == 127
                    ? "The editor “\(command)” could not be started; $VISUAL or $EDITOR names another."
                    : "The editor “\(command)” ended with \(status & 0x7F == 0 ? "status \(code)" : "a signal")."
            )
        }
        guard let result = String(validating: try file.read(), as: UTF8.self) else {
            return failed("What the editor left is not UTF-8.")
        }
        return .text(result)
    } catch {
        return .failed("\(error)")
    }
}

/// A command for the shell, which may have arguments.
private var editorCommand: String {
    for name in ["VISUAL", "EDITOR"] {
        if let value = getenv(name).map({ String(cString: $0) }), value.contains(where: { !$0.isWhitespace })
        {
            return value
        }
    }
    return "vi"
}

/// Whether an editor is known to begin at the line that an argument such as `+5` names.
private func takesLine(_ command: String) -> Bool {
    let program = command.split(separator: " ").first?.split(separator: "/").last.map(String.init) ?? ""
    return ["vi", "vim", "nvim", "nano", "emacs", "kak", "joe", "mg", "ne", "micro"].contains(program)
}
