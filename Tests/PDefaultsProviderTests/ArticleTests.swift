#if Configuration
import Foundation
import ProgramHarness
import Testing

@Suite("The article about servers")
struct ArticleTests {
    private let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    @Test("Every part of an example is in a file that the tests compile")
    func examples() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOfFile: package + "/" + path, encoding: .utf8)
        }
        func trimmed(_ lines: some Sequence<some StringProtocol>) -> String {
            lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
        }
        let compiled = try [
            "Tests/GracefulService/GracefulService.swift", "Tests/PDefaultsProviderTests/FirstExample.swift",
        ].map { try trimmed(text($0).split(separator: "\n", omittingEmptySubsequences: false)) }
        let article = try text("Sources/PDefaults/PDefaults.docc/Server.md")
        let examples = Example.all(in: article, of: "Server.md")
            .filter { example in !example.code.contains { $0.contains(".package(") } }
        #expect(examples.count == 4)
        for example in examples {
            for part in example.code.split(separator: "").map(trimmed) {
                #expect(compiled.contains { $0.contains(part) }, "\(example): \(part)")
            }
        }
    }
}
#endif
