// Quotes words for a POSIX shell, so that a copied command does what it says when it is pasted into any shell.

/// A word as a shell reads it.
package struct ShellWord: Sendable, Hashable {
    /// The word with the quotes that it needs.
    package let text: String

    /// - Throws: ``NoCommandError`` if the word contains a NUL character, because no argument of a program can.
    package init(_ word: String) throws(NoCommandError) {
        if word.utf8.contains(0) { throw NoCommandError("A command cannot contain a NUL character.") }
        if !word.isEmpty, word.utf8.allSatisfy(Self.isPlain) {
            text = word
            return
        }
        var parts: [(isControl: Bool, scalars: String)] = []
        for scalar in word.unicodeScalars {
            let isControl = scalar.isTerminalControl
            if parts.last?.isControl != isControl { parts.append((isControl, "")) }
            parts[parts.count - 1].scalars.unicodeScalars.append(scalar)
        }
        if parts.isEmpty { parts = [(false, "")] }
        text = parts.map { $0.isControl ? Self.printed($0.scalars) : shellWord($0.scalars) }.joined()
    }

    /// The bytes that mean nothing to a shell.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-_./:,+@%".utf8.contains(byte)
        }
    }

    /// A pasted control character would be a key for the shell's own editor, so printf(1) makes it.
    private static func printed(_ text: String) -> String {
        let escapes = text.utf8.map { byte in
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
        return "\"$(printf '\(escapes.joined())')\""
    }
}

extension Unicode.Scalar {
    /// Whether a terminal or the line editor of a shell acts on the character. A line feed inside quotes is safe, and a
    /// command substitution would remove it at the end.
    fileprivate var isTerminalControl: Bool {
        self != "\n" && (value < 0x20 || 0x7F...0x9F ~= value)
    }
}

/// Quotes a word for the shell. Single quotes protect every character except the single quote.
package func shellWord(_ word: String) -> String { "'" + word.replacing("'", with: #"'\''"#) + "'" }
