import Foundation
import ProgramHarness
import Testing

@Suite("Documentation")
struct DocumentationTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let catalogue = packageFolder + "/Sources/PDefaults/PDefaults.docc/"

    /// The examples in the articles and in the README, except for those of a package manifest. The article about servers
    /// quotes `Tests/GracefulService`.
    private func examples() throws -> [Example] {
        let articles = try FileManager.default.contentsOfDirectory(atPath: catalogue)
            .filter { $0.hasSuffix(".md") && $0 != "Server.md" }.sorted().map { ($0, catalogue + $0) }
        return try (articles + [("README.md", packageFolder + "/README.md")]).flatMap { name, path in
            Example.all(in: try String(contentsOfFile: path, encoding: .utf8), of: name)
        }.filter { example in !example.code.contains { $0.contains(".package(") } }
    }

    @Test("Every example compiles without a warning and prints the output below it")
    func code() throws {
        let examples = try examples()
        #expect(examples.count { $0.output != nil } > 30)
        let sources = ExampleProgram.sources(of: examples)
        for (name, text) in sources { try folder.write(text, to: name) }
        let program = folder.file("examples")
        try libraryCompiler().compile(sources.keys.sorted().map(folder.file), to: program)
        for (number, example) in examples.enumerated() {
            let ownFolder = try TemporaryFolder()
            let result = try run(program, ["\(number)"], environment: settings(in: ownFolder))
            withExtendedLifetime(ownFolder) {}
            if let output = example.output { #expect(result.output == output + "\n", "\(example)") }
            #expect(result.errors == "", "\(example)")
            #expect(result.ending == .exit(0), "\(example)")
        }
    }

    @Test("Every piece of code works when it is pasted: no property is at the top level")
    func pasting() throws {
        for example in try examples() {
            #expect(!example.code.contains { $0.hasPrefix("@PDefaults") }, "\(example)")
        }
    }

    @Test("The README is short, its links lead somewhere, and it names the version of the program")
    func readme() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOfFile: packageFolder + "/" + path, encoding: .utf8)
        }
        let readme = try text("README.md")
        #expect(readme.utf8.count <= 20_000)
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 250)
        for link in readme.matches(of: /\]\(([^)#]+)\)/) where !link.1.hasPrefix("http") {
            #expect(FileManager.default.fileExists(atPath: packageFolder + "/" + link.1), "\(link.1)")
        }
        let program = try text("Sources/Commands/CommandLine/PDefaultsCommand.swift")
        let version = try #require(program.firstMatch(of: /let version = "(.+)"/)).1
        #expect(readme.contains("This is version \(version)."))
        #expect(try text(".github/CHANGELOG.md").contains("\n## \(version)\n"))
    }

    @Test("Every source file that the architecture article names exists")
    func architecture() throws {
        let article = try String(contentsOfFile: catalogue + "Architecture.md", encoding: .utf8)
        let files = try FileManager.default.subpathsOfDirectory(atPath: packageFolder + "/Sources")
            .map { "/Sources/" + $0 }
        let tests = try FileManager.default.subpathsOfDirectory(atPath: packageFolder + "/Tests")
            .map { "/Tests/" + $0 }
        let names = article.matches(of: /`([A-Za-z+\/]+\.swift)`/).map { "/" + $0.1 }
        #expect(names.count > 20)
        for name in names {
            #expect((files + tests).contains { $0.hasSuffix(name) }, "\(name)")
        }
    }

    @Test("The change that the architecture article shows for an editor command compiles")
    func editorCommand() throws {
        let article = try String(contentsOfFile: catalogue + "Architecture.md", encoding: .utf8)
        let diff = try #require(article.firstMatch(of: /```diff\n([^`]+)```/)).1
        let module = packageFolder + "/Sources/SettingsEditor"
        var sources: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: module) where path.hasSuffix(".swift")
        {
            sources[path] = try String(contentsOfFile: module + "/" + path, encoding: .utf8)
        }
        // Each part names its file, then some lines of it, then the lines that come after them.
        let parts = diff.split(separator: "\n\n")
        #expect(parts.count == 6)
        for part in parts {
            let lines = part.split(separator: "\n")
            let path = String(try #require(lines.first).dropFirst(" // SettingsEditor/".count))
            let known = lines.dropFirst().prefix { $0.hasPrefix(" ") }.map { $0.dropFirst() + "\n" }.joined()
            let new = lines.drop { $0.hasPrefix(" ") }.map { $0.dropFirst() + "\n" }.joined()
            let source = try #require(sources[path], "\(path)")
            try #require(source.ranges(of: known).count == 1, "\(path): \(known)")
            sources[path] = source.replacing(known, with: known + new)
        }
        for (path, text) in sources {
            try folder.write(text, to: path.replacing("/", with: "-"))
        }
        let copies = sources.keys.sorted().map { folder.file($0.replacing("/", with: "-")) }
        let problems = try libraryCompiler().check(copies, asModule: "SettingsEditor", of: packageFolder)
        #expect(problems == "")
    }

    @Test("The catalogue builds without a warning")
    func catalogueBuilds() throws {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let build = tests.deletingLastPathComponent().path
        let result = try run(
            packageFolder + "/.ci/documentation",
            [folder.path, build]
        )
        #expect(result.ending == .exit(0), "\(result.errors)")
        var modules = ["PDefaults", "PropertyList"]
        #if Configuration
        modules.insert("PDefaultsProvider", at: 1)
        #endif
        #expect(try folder.names.sorted() == modules.map { $0 + ".doccarchive" })
    }

    @Test("The articles quote the compiler's message for a type that can't be stored")
    func unstorable() throws {
        func joined(_ path: String) throws -> String {
            try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isWhitespace)
                .joined(separator: " ")
        }
        let said = try joined(packageFolder + "/Tests/OtherPackage/Mistakes/Types.swift")
        let sentence =
            "This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone."
        #expect(said.contains(sentence))
        #expect(try joined(catalogue + "SupportedTypes.md").contains(sentence))
    }
}
