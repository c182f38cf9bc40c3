import Glibc
import TerminalCanvas

/// Standard output and standard error, as commands write to them.
enum Output {
    /// Writes a line to standard output: as it is into a file or a pipe, with whatever a terminal
    /// would act upon made visible where one is listening.
    static func line(_ text: String) {
        write(STDOUT_FILENO, isatty(STDOUT_FILENO) == 1 ? visible(text) : text)
    }

    static func error(_ text: String) {
        write(STDERR_FILENO, visible(text))
    }

    private static func visible(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { escapedForDisplay($0) }.joined(separator: "\n")
    }

    private static func write(_ descriptor: Int32, _ text: String) {
        var bytes = Array(text.utf8)[...]
        bytes.append(UInt8(ascii: "\n"))
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 {
                if errno == EINTR { continue }
                // Whoever read may have gone, which needs no words.
                if errno != EPIPE, descriptor != STDERR_FILENO {
                    error("Error: The output could not be written: \(String(cString: strerror(errno)))")
                }
                exit(1)
            }
            bytes = bytes.dropFirst(written)
        }
    }
}
