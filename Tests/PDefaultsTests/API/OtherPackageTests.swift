import Foundation
import ProgramHarness
import Testing

/// Programs of another package, compiled by the real compiler as they would be there.
@Suite("Programs of other packages")
struct OtherPackageTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func sources(in name: String) throws -> [String] {
        let folder = packageFolder + "/Tests/OtherPackage/" + name
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { folder + "/" + $0 }
    }

    @Test("A sink of the main actor does not end the process when another thread sets")
    func mainActor() throws {
        let program = folder.file("program")
        try libraryCompiler().compile(sources(in: "MainActor"), to: program)
        let result = try run(program, environment: settings(in: folder))
        #expect(result.output == "all seen other\n")
        #expect(result.ending == .exit(0))
    }

    @Test("Wrong declarations don't compile, and the message says what to do")
    func mistakes() throws {
        #expect(try libraryCompiler().verify(sources(in: "Mistakes")) == "")
    }
}

/// The compiler, for programs that import PDefaults.
func libraryCompiler() throws -> Compiler {
    try Compiler(linkingAs: "PropertyProgram")
}

/// The environment of a program that stores its settings in a folder.
func settings(in folder: TemporaryFolder) -> [String: String] {
    ProcessInfo.processInfo.environment.merging(["XDG_CONFIG_HOME": folder.path]) { $1 }
}

/// The folder of this package.
let packageFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
