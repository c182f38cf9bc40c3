import Glibc
import SettingsEditor
import Terminal

/// Runs the user's own editor on a text, with the terminal given back for as long as it runs.
func editOutside(_ text: OutsideText, _ terminal: TerminalSession) -> OutsideResult {
    do {
        let file = try PrivateFile(named: text.fileName, holding: Array(text.text.utf8))
        let command = editorCommand
        let line = takesLine(command) ? text.line.map { "+\($0) " } ?? "" : ""
        let status = terminal.withTerminalGivenBack { system("\(command) \(line)\(shellWord(file.path))") }
        // The status as wait(2) has it.
        guard status == 0 else {
            let code = status >> 8 & 0xFF
            return .failed(
                code == 127
                    ? "The editor “\(command)” could not be started; $VISUAL or $EDITOR names another."
                    : "The editor “\(command)” ended with \(status & 0x7F == 0 ? "status \(code)" : "a signal")."
            )
        }
        guard let result = String(validating: try file.read(), as: UTF8.self) else {
            return .failed("What the editor left is not UTF-8.")
        }
        return .text(result)
    } catch {
        return .failed("\(error)")
    }
}

/// A command for the shell, which may have arguments.
private var editorCommand: String {
    for name in ["VISUAL", "EDITOR"] {
        if let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty { return value }
    }
    return "vi"
}

/// Whether an editor is known to begin at the line that an argument such as `+5` names.
private func takesLine(_ command: String) -> Bool {
    let program = command.split(separator: " ").first?.split(separator: "/").last.map(String.init) ?? ""
    return ["vi", "vim", "nvim", "nano", "emacs", "kak", "joe", "mg", "ne", "micro"].contains(program)
}
