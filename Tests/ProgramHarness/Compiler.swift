import Foundation

/// The compiler that built these tests, over sources that use the modules of this package as programs of
/// other packages do: in Swift 6 mode, with every warning an error.
///
/// What was built for the tests is used as it is, so that a program costs about a second.
public struct Compiler: Sendable {
    /// Where the build has put its modules and objects.
    private let build: String
    private let modules: [String]

    /// - Parameter modules: those that programs are linked with, as the package manager calls their
    ///   targets. The test target has to depend on them.
    public init(modules: [String]) throws {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        build = tests.deletingLastPathComponent().path
        self.modules = modules
    }

    private var options: [String] {
        let maps = modules.map { "\(build)/\($0).build/module.modulemap" }
            .filter { FileManager.default.isReadableFile(atPath: $0) }
        return ["-swift-version", "6", "-I", build + "/Modules"]
            + maps.flatMap { ["-Xcc", "-fmodule-map-file=" + $0] } + sanitizer
    }

    /// Programs have to be built like the tests they are linked with.
    private var sanitizer: [String] {
        [("__tsan_init", "thread"), ("__asan_init", "address")]
            .filter { dlsym(nil, $0.0) != nil }.map { "-sanitize=" + $0.1 }
    }

    private func parsing(_ sources: [String]) -> [String] {
        sources.contains { $0.hasSuffix("/main.swift") } ? [] : ["-parse-as-library"]
    }

    /// Compiles sources into a program, which begins at its `@main` type or in a file `main.swift`.
    ///
    /// - Throws: ``HarnessError`` with what the compiler says.
    public func compile(_ sources: [String], to program: String) throws {
        let objects = try modules.flatMap(objects)
        let result = try swiftc(
            ["-warnings-as-errors", "-o", program, "-lstdc++"] + parsing(sources) + sources + objects
        )
        guard result.ending == .exit(0) else { throw HarnessError(result.errors) }
    }

    /// Checks sources against the errors that they say, in comments, that the compiler gives for them:
    /// `// expected-error {{text}}`. Returns what differs; nothing where all is as they say.
    public func verify(_ sources: [String]) throws -> String {
        let verifying = ["-verify", "-verify-ignore-unrelated"].flatMap { ["-Xfrontend", $0] }
        let result = try swiftc(["-typecheck", "-wmo"] + verifying + parsing(sources) + sources)
        return result.ending == .exit(0) ? "" : result.errors
    }

    /// Checks the sources of a module of this package where another module is to be had that this platform has
    /// none of. Returns what the compiler says; nothing where it has nothing to say.
    ///
    /// - Parameters:
    ///   - package: the folder of the package.
    ///   - other: the other module's name and sources.
    ///   - folder: where that module is put.
    public func check(
        _ sources: [String],
        asModule name: String,
        of package: String,
        with other: (name: String, sources: [String]),
        in folder: TemporaryFolder
    ) throws -> String {
        let module = folder.file(other.name + ".swiftmodule")
        let emitted = try swiftc(
            ["-parse-as-library", "-emit-module", "-module-name", other.name, "-o", module] + other.sources
        )
        guard emitted.ending == .exit(0) else { return emitted.errors }
        // As the package manager calls it, from whose modules these take what is for the package alone.
        let package = URL(fileURLWithPath: package).lastPathComponent.lowercased()
        let result = try swiftc(
            ["-typecheck", "-warnings-as-errors", "-I", folder.path, "-module-name", name]
                + ["-package-name", package] + sources
        )
        return result.ending == .exit(0) ? "" : result.errors
    }

    /// The objects of a module, without those of sources that are gone.
    private func objects(of module: String) throws -> [String] {
        let folder = "\(build)/\(module).build"
        guard let map = FileManager.default.contents(atPath: folder + "/output-file-map.json") else {
            // A module in C has one folder for its objects and no map.
            return try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix(".o") }.map { folder + "/" + $0 }
        }
        return try JSONDecoder().decode([String: [String: String]].self, from: map)
            .values.compactMap { $0["object"] }
    }

    private func swiftc(_ arguments: [String]) throws -> ProgramResult {
        // Many tests compile; each alone would take both processors.
        try run("swiftc", options + ["-j1"] + arguments, within: .seconds(300))
    }
}
