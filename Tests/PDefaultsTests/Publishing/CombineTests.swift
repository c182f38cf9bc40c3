import Foundation
import ProgramHarness
import Testing

@Suite("The library on a platform with Combine")
struct CombineTests {
    @Test("The library compiles with Combine's publishers instead of OpenCombine's")
    func compiles() throws {
        let folder = try TemporaryFolder()
        try folder.write("private let publisher = Combine.AnyPublisher<Int, Never>.self\n", to: "Used.swift")
        let library = packageFolder + "/Sources/PDefaults/"
        let sources = try FileManager.default.subpathsOfDirectory(atPath: library)
            .filter { $0.hasSuffix(".swift") }.sorted().map { library + $0 }
        #expect(!sources.isEmpty)
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
