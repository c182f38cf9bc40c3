import Foundation
import ProgramHarness
import Testing

/// `Tests/Fuzzers/fuzz`, which says how it is run for longer.
private struct Fuzzers {
    static let canRun = (try? run(["check"]).ending) == .exit(0)

    static func run(_ arguments: [String]) throws -> ProgramResult {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let script = tests.appendingPathComponent("Fuzzers/fuzz").path
        return try ProgramHarness.run(script, arguments, within: .seconds(300))
    }
}

@Suite("The fuzzers", .enabled(if: Fuzzers.canRun, "This compiler has no runtime of libFuzzer"))
struct FuzzersTests {
    @Test("Each reader stands its corpus and some thousand changes of it")
    func corpus() throws {
        // One after the other: all use the program that the first one compiles.
        for reader in ["xml", "binary", "openstep", "json", "update"] {
            let result = try Fuzzers.run(["test", reader, "-runs=4000", "-seed=1"])
            #expect(result.ending == .exit(0), "\(reader): \(result.errors.suffix(3_000))")
            #expect(result.errors.contains("Done 4000 runs"), "\(reader): \(result.errors.suffix(3_000))")
        }
    }
}
