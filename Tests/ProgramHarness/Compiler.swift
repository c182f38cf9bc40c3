import Foundation

/// Compiles programs that use the modules of this package, as other packages would.
///
/// The compiler uses Swift 6 mode and treats warnings as errors. The modules are not built again, so a program takes
/// about a second.
public struct Compiler: Sendable {
    /// The folder with the build's modules and objects.
    private let build: String
    private let modules: [String]

    /// Prepares to compile programs.
    ///
    /// - Parameter modules: The targets to link. The test target must depend on them.
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

    /// A program must be built with the same sanitizer as the objects that it links.
    private var sanitizer: [String] {
        [("__tsan_init", "thread"), ("__asan_init", "address")]
            .filter { dlsym(nil, $0.0) != nil }.map { "-sanitize=" + $0.1 }
    }

    private func parsing(_ sources: [String]) -> [String] {
        sources.contains { $0.hasSuffix("/main.swift") } ? [] : ["-parse-as-library"]
    }

    /// Compiles sources into a program with an `@main` type or a file `main.swift`.
    ///
    /// - Throws: ``HarnessError`` with the compiler's messages.
    public func compile(_ sources: [String], to program: String) throws {
        let objects = try modules.flatMap(objects)
        let result = try swiftc(
            ["-warnings-as-errors", "-o", program, "-lstdc++"] + parsing(sources) + sources + objects
        )
        guard result.ending == .exit(0) else { throw HarnessError(result.errors) }
    }

    /// Checks that the compiler reports the errors that the sources announce in comments: `// expected-error
    /// {{text}}`.
    ///
    /// - Returns: The differences, or an empty string if there are none.
    public func verify(_ sources: [String]) throws -> String {
        let verifying = ["-verify", "-verify-ignore-unrelated"].flatMap { ["-Xfrontend", $0] }
        let result = try swiftc(["-typecheck", "-wmo"] + verifying + parsing(sources) + sources)
        return result.ending == .exit(0) ? "" : result.errors
    }

    /// Type-checks a module of this package together with a module that does not exist on this platform.
    ///
    /// - Parameters:
    ///   - package: The folder of the package.
    ///   - other: The name and sources of the other module.
    ///   - folder: The folder for the compiled other module.
    /// - Returns: The compiler's messages, or an empty string if there are none.
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
        // The name that the package manager uses. It gives access to declarations with package visibility.
        let package = URL(fileURLWithPath: package).lastPathComponent.lowercased()
        let result = try swiftc(
            ["-typecheck", "-warnings-as-errors", "-I", folder.path, "-module-name", name]
                + ["-package-name", package] + sources
        )
        return result.ending == .exit(0) ? "" : result.errors
    }

    /// Returns the object files of a module, without those of deleted sources.
    private func objects(of module: String) throws -> [String] {
        let folder = "\(build)/\(module).build"
        guard let map = FileManager.default.contents(atPath: folder + "/output-file-map.json") else {
            // A C module has one folder for its objects and no file map.
            return try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix(".o") }.map { folder + "/" + $0 }
        }
        return try JSONDecoder().decode([String: [String: String]].self, from: map)
            .values.compactMap { $0["object"] }
    }

    private func swiftc(_ arguments: [String]) throws -> ProgramResult {
        // Many tests compile at once. Each compiler would otherwise use all processors.
        try run("swiftc", options + ["-j1"] + arguments, within: .seconds(300))
    }
}
