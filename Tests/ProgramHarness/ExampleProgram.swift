import Foundation

/// A code example in a document, with the output that the document states.
public struct Example: Sendable, CustomStringConvertible {
    /// The position of the example, such as `README.md:71`.
    public let description: String
    public let code: [String]
    /// The stated output, or nil if the document states none.
    public let output: String?

    /// Returns the Swift examples of a Markdown text in order.
    ///
    /// A block without a language is the output of the previous example if only a line of text is between
    /// them.
    public static func all(in text: String, of document: String) -> [Example] {
        var blocks: [(line: Int, language: String, content: [String])] = []
        var current: (line: Int, language: String, content: [String])?
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if var block = current {
                if line == "```" {
                    blocks.append(block)
                    current = nil
                } else {
                    block.content.append(String(line))
                    current = block
                }
            } else if line.hasPrefix("```") {
                current = (number + 1, String(line.dropFirst(3)), [])
            }
        }
        return blocks.indices.compactMap { index in
            let block = blocks[index]
            guard block.language == "swift" else { return nil }
            let next = index + 1 < blocks.count ? blocks[index + 1] : nil
            let prints = next.flatMap { next in
                next.language.isEmpty && next.line - block.line - block.content.count <= 6
                    ? next.content.joined(separator: "\n") : nil
            }
            return Example(
                description: "\(document):\(block.line)",
                code: block.content,
                output: prints
            )
        }
    }
}

/// Builds one program from many examples. Its argument is the number of the example to run.
public enum ExampleProgram {
    /// Returns the sources of the program by file name. Each example gets its own file and type.
    public static func sources(of examples: [Example]) -> [String: String] {
        var sources: [String: String] = [:]
        for (number, example) in examples.enumerated() {
            sources["Example\(number).swift"] = Parts(example.code).source(named: "Example\(number)", example)
        }
        let cases = examples.indices.map { "case \"\($0)\": try await Example\($0).run()" }
        sources["Examples.swift"] = """
            @main @MainActor struct Examples {
            static func main() async throws {
            switch CommandLine.arguments[1] {
            \(cases.joined(separator: "\n"))
            default: fatalError("no such example")
            }
            }
            }
            """
        return sources
    }
}

/// The parts of an example by where Swift allows them.
///
/// A type or function that starts at the margin is moved out of the statements, together with its indented
/// lines.
private struct Parts {
    private enum Place { case `extension`, declaration, statement }

    private var imports: [String] = []
    private var extensions: [String] = []
    private var declarations: [String] = []
    private var statements: [String] = []
    private var types: Set<String> = []

    init(_ code: [String]) {
        var place = Place.statement
        var attributes: [String] = []
        for line in code {
            if line.hasPrefix("import ") {
                imports.append(line)
            } else if line.hasPrefix("@") && !line.contains(" ") {
                attributes.append(line)
            } else {
                if let new = begins(line) { place = new }
                for line in attributes + [line] { add(line, to: place) }
                attributes = []
            }
        }
    }

    /// Returns the kind of part that a line starts, or nil if it continues the current one.
    private mutating func begins(_ line: String) -> Place? {
        guard let first = line.first, !first.isWhitespace, first != "}", !line.hasPrefix("//") else {
            return nil
        }
        let words = line.split { !$0.isLetter && $0 != "." }.map(String.init)
        if words.first == "extension" { return .extension }
        let keywords = ["struct", "class", "enum", "actor", "protocol", "func"]
        guard let keyword = words.prefix(3).firstIndex(where: keywords.contains), keyword + 1 < words.count
        else { return .statement }
        types.insert(words[keyword + 1])
        return .declaration
    }

    private mutating func add(_ line: String, to place: Place) {
        switch place {
        case .extension: extensions.append(line)
        case .declaration: declarations.append(line)
        case .statement: statements.append(line)
        }
    }

    func source(named name: String, _ example: Example) -> String {
        // An extension must be outside the type that contains the example's own types.
        let extensions = extensions.map { line in
            guard line.hasPrefix("extension ") else { return line }
            let type = line.dropFirst("extension ".count).prefix { $0.isLetter }
            if types.contains(String(type)) { return "extension \(name)." + line.dropFirst(10) }
            return line.contains(":") ? line : "fileprivate " + line
        }
        let holds = statements.contains { $0.hasPrefix("let subscription = ") }
        return """
            // \(example)
            \(imports.joined(separator: "\n"))
            \(extensions.joined(separator: "\n"))
            @MainActor enum \(name) {
            \(declarations.joined(separator: "\n"))
            static func run() async throws {
            \(statements.joined(separator: "\n"))
            \(holds ? "withExtendedLifetime(subscription) {}" : "")
            }
            }
            """
    }
}
