import Foundation
import Testing

@testable import SettingsEditor

/// Reads every text that users see and checks it against the rules for words in CONTRIBUTING.
@Suite("The wording of messages and of the editor's help")
struct WordingTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources")

    /// The texts of a module: its string literals with spaces, with “…” for each interpolation.
    private static func texts(of module: String) throws -> [(file: String, text: String)] {
        let folder = sources.appendingPathComponent(module).path
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
            $0.hasSuffix(".swift")
        }
        return try files.sorted().flatMap { file in
            let source = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
            var reader = LiteralReader(source)
            return reader.texts().filter { $0.contains(" ") }.map { ("\(module)/\(file)", $0) }
        }
    }

    @Test("The reader of literals joins parts and finds literals in interpolations")
    func reading() {
        let source = #"""
            // "A comment."
            let a = "One \(b ? "two" : "three \(c)") end. "
                + "Next\n\"x\"" /* "no" */ + "!"
            let d = """
                Several
                lines
                """
            """#
        var reader = LiteralReader(source)
        #expect(
            reader.texts() == ["two", "three …", "One … end. Next\n\"x\"!", "\n    Several\n    lines\n    "]
        )
    }

    /// Phrases that readers stumble over, in any module.
    private static let avoided = [
        "somebody", "nobody", "whoever", "all the same", "begins anew", "begin anew", "out of reach",
        "is whole",
        "leave as it was", "left as it was", "turns a boolean", "turn a boolean", "has no meaning",
        "acts here",
        "has no place", "have no place", "no room for", "can't be told", "as far as is known",
        "takes no lock",
        "goes on with", "has it go on", "taken back", "take back", "takes it back", "brings it back",
        "taken away",
        "take it away", "takes away", "is none of", "is no text", "is no utf", "is no json",
        "no settings could be read",
        "others have", "a megabyte at most", "began to differ", "keys alone", "in so many words",
        "set aside as",
    ]

    /// Further phrases that the editor avoids.
    private static let avoidedInEditor = [
        "domain", "by now", "what was there", "what is there", "which it lay", "waits to be", "wait to be",
        "there again",
        "esc ends", "esc shows", "enter writes", "enter tries", "; u ", "; p ", "; c ", "; d ", "; v ",
        "; / ", "; ? ",
        "as it had become", "as they were", "put back", "done again", "do again", "marked", "the marks",
        "dropped",
    ]

    @Test(
        "No text contains a phrase that readers stumble over",
        arguments: [
            "SettingsEditor", "Commands", "CommandLanguage", "PDefaults", "SettingsStore", "ClusterStore",
            "PropertyList",
        ]
    )
    func plainWords(module: String) throws {
        let texts = try Self.texts(of: module)
        #expect(texts.count > 30)
        let phrases = Self.avoided + (module == "SettingsEditor" ? Self.avoidedInEditor : [])
        for (file, text) in texts {
            for phrase in phrases {
                #expect(!text.lowercased().contains(phrase), "\(file), “\(phrase)”: \(text)")
            }
        }
    }

    @Test("No sentence of the editor has more than 25 words")
    func shortSentences() throws {
        for (file, text) in try Self.texts(of: "SettingsEditor") {
            for sentence in text.split(separator: #/[.?!] /#) {
                let words = sentence.split(separator: " ").count
                #expect(words <= 25, "\(file): \(sentence)")
            }
        }
    }

    @Test("No two lines of a help page are equal, and each is a full sentence that starts with a verb")
    func helpLines() {
        for mode in Mode.allCases {
            let bindings = KeyBinding.all.filter { $0.modes.contains(mode) }
            // Keys of one command share a line.
            for (line, same) in Dictionary(grouping: bindings, by: \.help) {
                #expect(same.allSatisfy { $0.command == same[0].command }, "\(mode): \(line)")
            }
        }
        for binding in KeyBinding.all {
            let verb = binding.help.prefix { $0 != " " && $0 != "." }
            #expect(binding.help.hasSuffix("."), "\(binding.help)")
            #expect(!verb.hasSuffix("s") && verb.first?.isUppercase == true, "\(binding.help)")
            #expect(!["The", "It", "What", "Only", "Without"].contains(verb), "\(binding.help)")
        }
    }
}

/// Finds the string literals of Swift source.
private struct LiteralReader {
    private var rest: Substring
    private var found: [String] = []

    init(_ source: String) { rest = source[...] }

    /// All literals in the order of their ends. Literals that `+` connects are one text.
    mutating func texts() -> [String] {
        readCode(until: nil)
        return found
    }

    /// Reads code up to the parenthesis that closes an interpolation, or to the end.
    private mutating func readCode(until end: Character?) {
        var depth = 0
        /// Whether the last literal can be continued by `+` and another one.
        var isOpen = false
        var hasPlus = false
        while let character = rest.first {
            if rest.hasPrefix("//") {
                rest = rest.drop { $0 != "\n" }
            } else if rest.hasPrefix("/*") {
                rest = rest.range(of: "*/").map { rest[$0.upperBound...] } ?? ""
            } else if character == "\"" {
                let text = readLiteral()
                if isOpen, hasPlus, let last = found.popLast() {
                    found.append(last + text)
                } else {
                    found.append(text)
                }
                (isOpen, hasPlus) = (true, false)
            } else {
                rest.removeFirst()
                if character == "(" { depth += 1 }
                if character == ")" {
                    if depth == 0, end == ")" { return }
                    depth -= 1
                }
                if character == "+", isOpen {
                    hasPlus = true
                } else if !character.isWhitespace {
                    isOpen = false
                }
            }
        }
    }

    private mutating func readLiteral() -> String {
        let quotes = rest.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
        rest.removeFirst(quotes.count)
        var text = ""
        while !rest.isEmpty, !rest.hasPrefix(quotes) {
            if rest.hasPrefix("\\(") {
                rest.removeFirst(2)
                readCode(until: ")")
                text += "…"
            } else if rest.first == "\\" {
                rest.removeFirst()
                let escaped = rest.removeFirst()
                text.append(escaped == "n" ? "\n" : escaped == "t" ? "\t" : escaped)
            } else {
                text.append(rest.removeFirst())
            }
        }
        rest.removeFirst(min(quotes.count, rest.count))
        return text
    }
}
