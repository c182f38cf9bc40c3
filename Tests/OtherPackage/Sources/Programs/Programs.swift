import Foundation

/// A small program, and what it has to print.
struct Program: Sendable {
    let name: String
    let prints: String
    let run: @MainActor @Sendable () async throws -> Void

    init(_ name: String, prints: String, _ run: @escaping @MainActor @Sendable () async throws -> Void) {
        self.name = name
        self.prints = prints
        self.run = run
    }
}

let programs = shapes + types + theOriginal + smartPublished + userDefault + defaultsWrapper

/// Runs the program of the name that is given; without one, says of each what it has to print, as JSON.
@main
struct Main {
    @MainActor
    static func main() async throws {
        guard CommandLine.arguments.count > 1 else {
            let expected = Dictionary(uniqueKeysWithValues: programs.map { ($0.name, $0.prints) })
            return print(String(decoding: try JSONEncoder().encode(expected), as: UTF8.self))
        }
        try await programs.first { $0.name == CommandLine.arguments[1] }?.run()
    }
}
