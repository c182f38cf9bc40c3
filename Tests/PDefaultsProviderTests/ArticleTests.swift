#if Configuration
import Foundation
import ProgramHarness
import Testing

@Suite("The article about servers")
struct ArticleTests {
    private let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    @Test("Every example is a part of the sample service")
    func examples() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOfFile: package + "/" + path, encoding: .utf8)
        }
        func lines(_ text: String) -> String {
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(
                separator: "\n"
            )
        }
        let article = try text("Sources/PDefaults/PDefaults.docc/Server.md")
        let service = lines(try text("Tests/GracefulService/GracefulService.swift"))
        let examples = Example.all(in: article, of: "Server.md")
            .filter { example in !example.code.contains { $0.contains(".package(") } }
        #expect(examples.count == 3)
        for example in examples {
            #expect(service.contains(lines(example.code.joined(separator: "\n"))), "\(example)")
        }
    }
}
#endif
