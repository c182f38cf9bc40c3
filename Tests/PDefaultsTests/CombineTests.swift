import Foundation
import ProgramHarness
import Testing

@Suite("Where the platform has Combine")
struct CombineTests {
    @Test("the library compiles with its publishers instead of OpenCombine's")
    func compiles() throws {
        let folder = try TemporaryFolder()
        try folder.write("private let publisher = Combine.AnyPublisher<Int, Never>.self\n", to: "Used.swift")
        let library = packageFolder + "/Sources/PDefaults/"
        let sources = try FileManager.default.contentsOfDirectory(atPath: library)
            .filter { $0.hasSuffix(".swift") }.sorted().map { library + $0 }
        let problems = try libraryCompiler().check(
            sources + [folder.file("Used.swift")],
            asModule: "PDefaults",
            of: packageFolder,
            with: ("Combine", [packageFolder + "/Tests/OtherPackage/Combine/Combine.swift"]),
            in: folder
        )
        #expect(problems == "")
    }
}
