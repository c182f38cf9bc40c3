import Foundation

/// Compiles programs that use the modules of this package, as other packages would.
///
/// The compiler uses Swift 6 mode and treats warnings as errors. The modules are not built again, so a program takes
/// about a second.
public struct Compiler: Sendable {
    /// The folder with the build's modules and objects.
    private let build: String
    private let program: String

    /// Prepares to compile programs.
    ///
    /// - Parameter program: A built program of this package that links the modules which the new programs import. The
    ///   test target must depend on it.
    public init(linkingAs program: String) throws {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        build = tests.deletingLastPathComponent().path
        self.program = program
    }

    private var options: [String] {
        ["-swift-version", "6", "-I", build + "/Modules"]
            + moduleMaps.flatMap { ["-Xcc", "-fmodule-map-file=" + $0] } + sanitizer
    }

    /// The maps of all C modules of this build, because the package's traits add some.
    private var moduleMaps: [String] {
        func names(_ folder: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { folder + "/" + $0 })
                ?? []
        }
        let ours = names(build).filter { $0.hasSuffix(".build") }.map { $0 + "/module.modulemap" }
        let fetched = names(build + "/../../checkouts").flatMap { names($0 + "/Sources") }
            .map { $0 + "/include/module.modulemap" }
        return (ours + fetched).filter(FileManager.default.isReadableFile)
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
        let result = try swiftc(
            ["-wmo", "-warnings-as-errors", "-o", program] + parsing(sources) + sources + objects()
                + libraries
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

    /// Type-checks a module of this package.
    ///
    /// - Parameter package: The folder of the package.
    /// - Returns: The compiler's messages, or an empty string if there are none.
    public func check(_ sources: [String], asModule name: String, of package: String) throws -> String {
        // The name that the package manager uses. It gives access to declarations with package visibility.
        let package = URL(fileURLWithPath: package).lastPathComponent.lowercased()
        let result = try swiftc(
            ["-typecheck", "-wmo", "-warnings-as-errors", "-module-name", name, "-package-name", package]
                + sources
        )
        return result.ending == .exit(0) ? "" : result.errors
    }

    /// Returns the object files that the built program links, without its own.
    private func objects() throws -> [String] {
        let list = try String(
            contentsOfFile: "\(build)/\(program).product/Objects.LinkFileList",
            encoding: .utf8
        )
        return list.split(separator: "\n").map { $0.trimmingCharacters(in: ["'"]) }
            .filter { !$0.contains("/\(program).build/") }
    }

    private var libraries: [String] {
        var libraries = ["-lstdc++"]
        #if Cluster
        libraries.append("-lz")
        #endif
        #if GSettings
        libraries += ["-lgio-2.0", "-lgobject-2.0", "-lglib-2.0"]
        #endif
        return libraries
    }

    private func swiftc(_ arguments: [String]) throws -> ProgramResult {
        // Many tests compile at once. Each compiler would otherwise use all processors. With `-wmo`, it reads the files of
        // a module once, and not once for each of them. It leaves files in its temporary folder.
        let folder = try TemporaryFolder()
        let environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
        defer { withExtendedLifetime(folder) {} }
        return try run(
            "swiftc",
            options + ["-j1"] + arguments,
            environment: environment
        )
    }
}
